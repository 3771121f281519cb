-- name: get_meta
-- The value of one key.
select value from meta where key = $key;

-- name: put_meta
-- Set one key.
insert into meta (key, value) values ($key, $value) on conflict (key) do update set value = $value;

-- name: drop_meta
-- Forget one key.
delete from meta where key = $key;
