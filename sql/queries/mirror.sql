-- name: columns
-- What a search decides by, of the claims that changed after $since, in the order of their keys.
-- A number or time that is not finite, as in a file that somebody edited, is 0: such a claim is not alive.
select
    row_id, changed, status, scope, boundary_class, kind,
    if(isfinite(utility), utility, 0e0) as utility, if(isfinite(quality), quality, 0e0) as quality,
    confidence, coalesce(epoch(decayed_at), 0e0) as decayed_at,
    coalesce(epoch(created_at), 0e0) as created_at,
    coalesce(epoch(recency_anchor), 0e0) as recency_anchor,
    coalesce(epoch(said_at), epoch(created_at), 0e0) as said_at,
    coalesce(saying, row_id) as saying, coalesce(stream, 0) as stream,
    coalesce(marks, 0) as marks, greatest(token_count, 0)::bigint as dl,
    coalesce(twin, 0) as twin
from (
    select
        row_id, changed,
        coalesce(list_position({statuses}, status), 0)::utinyint as status,
        coalesce(list_position({scopes}, scope), 0)::utinyint as scope,
        coalesce(list_position({classes}, boundary_class), 0)::utinyint as boundary_class,
        coalesce(list_position({kinds}, kind), 0)::utinyint as kind,
        utility, quality, confidence, decayed_at, created_at, recency_anchor, said_at, saying,
        stream, marks, token_count, twin
    from claims where changed > $since
)
order by row_id;

-- name: keys
-- The keys of all claims there are.
select row_id from claims order by row_id;

-- name: marks
-- How far the postings have been written, and how many there are.
select
    (select coalesce(max(seq), 0) from postings_delta) as seq,
    (select count(*) from postings) as sorted,
    (select count(*) from postings_delta) as unsorted;

-- name: sorted_postings
-- The sorted postings of claims whose terms lie in a range.
select term_hash, row_id, tf from postings
where corpus = 0 and term_hash >= $first and term_hash <= $last;

-- name: new_postings
-- The postings of claims written after $since.
select seq, term_hash, row_id, tf from postings_delta where corpus = 0 and seq > $since;

-- name: postings_of_terms
-- Every posting of these terms.
select term_hash, row_id, tf from postings_of(0) where term_hash in ({terms});

-- name: postings_of_rows
-- Every posting of these claims.
select term_hash, row_id, tf from postings_of(0) where row_id in ({row_ids});

-- name: vectors
-- The vectors of claims in a range of keys.
select row_id, embedding from vectors_{generation} where row_id >= $first and row_id <= $last;

-- name: vectors_of_rows
-- The vectors of these claims.
select row_id, embedding from vectors_{generation} where row_id in ({row_ids}) order by row_id;

-- name: vector_sample
-- Every $step-th vector.
select embedding from vectors_{generation} where row_id % $step = 0;

-- name: count
-- How many claims there are.
select count(*) as n from claims;
