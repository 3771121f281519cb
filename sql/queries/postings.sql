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

-- name: clear_rebuilt
-- Begin again to rebuild the postings.
delete from postings_rebuilt;

-- name: insert_rebuilt
-- Postings that were made anew, as one JSON array.
insert into postings_rebuilt
select 0, term_hash, row_id, tf, dl
from (select unnest(from_json($rows, '[{
    "term_hash": "UBIGINT", "row_id": "BIGINT", "tf": "USMALLINT", "dl": "UINTEGER"
}]'), recursive := true));

-- name: rebuilt_again
-- The new terms of these claims, as far as a rebuild has been at them.
insert into postings_rebuilt
select corpus, term_hash, row_id, tf, dl from postings_delta
where corpus = 0 and row_id in ({row_ids})
    and row_id <= (select (value ->> 1)::bigint from meta where key = $rebuild);

-- name: set_lengths
-- How many terms claims have by the postings that were made anew.
update claims set token_count = given.dl, changed = nextval('changes')
from (
    select claims.row_id, coalesce(max(rebuilt.dl), 0) as dl
    from claims left join postings_rebuilt as rebuilt
        on rebuilt.row_id = claims.row_id and rebuilt.corpus = 0
    group by claims.row_id
) as given
where claims.row_id = given.row_id and claims.token_count <> given.dl;

-- name: rename_rebuilt
-- The postings that were made anew are those in use from now on.
alter table postings_rebuilt rename to postings;

-- name: erase_fresh
-- What was written meanwhile, and is among those made anew.
delete from postings_delta where corpus = 0;
