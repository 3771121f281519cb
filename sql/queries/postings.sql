-- name: count_postings
-- How many postings are sorted, and how many were written since.
select (select count(*) from postings) as sorted, (select count(*) from postings_delta) as fresh;

-- name: last_seq
-- The highest number that any posting or erasure has by now.
select greatest(
    (select coalesce(max(seq), -1) from postings_delta),
    (select coalesce(max(seq), -1) from postings_erased)
) as seq;

-- name: last_erased
-- The number of the last erasure; $cut if there was none since.
select greatest($cut, coalesce(max(seq), -1)) as seq from postings_erased;

-- name: fill_next
-- Every posting up to a number, in order.
insert into postings_next
select corpus, term_hash, row_id, tf, dl from postings
union all
select corpus, term_hash, row_id, tf, dl from postings_delta where seq <= $cut
order by all;

-- name: erase_next
-- What was erased or written anew while the postings were being sorted.
delete from postings_next
where (corpus, row_id) in (select (corpus, row_id) from postings_erased where seq > $cut);

-- name: drop_postings
-- The postings that others take the place of.
drop table postings;

-- name: rename_next
-- The postings that were sorted are those in use from now on.
alter table postings_next rename to postings;

-- name: drop_next
-- What a run that was broken off has left.
drop table if exists postings_next;

-- name: erase_taken
-- The postings that the sorted ones hold now.
delete from postings_delta where seq <= $cut;

-- name: erase_erased
-- Once the postings are sorted, nobody has to know what was erased before.
delete from postings_erased;

-- name: erase_postings
-- The terms of these claims.
delete from postings where corpus = 0 and row_id in ({row_ids});

-- name: erase_postings_delta
-- The terms of these claims that were written last.
delete from postings_delta where corpus = 0 and row_id in ({row_ids});

-- name: erase_rebuilt
-- The terms of these claims that reindex has made.
delete from postings_rebuilt where corpus = 0 and row_id in ({row_ids});

-- name: insert_erased
-- Remember that the terms of these claims went.
insert into postings_erased
select nextval('postings_seq'), 0, row_id
from (select unnest([{row_ids}]::bigint[]) as row_id) where row_id is not null;
