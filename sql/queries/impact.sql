-- name: living_rows
-- The keys and classes of the claims that are not duplicates and do not wait.
select row_id, boundary_class from claims where status = 'active' order by row_id;
