-- name: lexical_hits
-- BM25 of the visible claims: the best $limit that hold a term, with those of {row_ids} that do.
-- Every number (n, df, mean length) counts visible claims only.
with visible as materialized (
    select row_id, token_count from claims_at($now, $utility_half_life, $quality_half_life)
    where {visible}
),
matched as materialized (
    select postings.term_hash, postings.row_id, postings.tf, postings.dl
    from ({postings}) as postings join visible using (row_id)
),
corpus as materialized (
    select count(*) as n, coalesce(nullif(sum(token_count)::double / greatest(count(*), 1), 0), 1) as mean_length from visible
),
weights as materialized (
    select term_hash, bm25_idf((select n from corpus), count(*)) as idf from matched group by term_hash
),
scored as materialized (
    -- A sum of decimals is the same in any order, and faster than a sum in one.
    select row_id,
        sum(bm25_term(idf, tf, dl, (select mean_length from corpus))::decimal(38, 18))::double as score
    from matched join weights using (term_hash)
    group by row_id
)
select row_id, score from scored
where row_id in ({row_ids})
   or row_id in (select row_id from scored order by score desc, row_id limit $limit)
order by score desc, row_id;

-- name: visible_rows
-- The keys and measures of every visible claim, for a query without words.
select row_id from claims_at($now, $utility_half_life, $quality_half_life)
where {visible};

-- name: utilities
-- How many visible claims have each utility: the population of the z-score.
select utility, count(*) as n from claims_at($now, $utility_half_life, $quality_half_life)
where {visible} group by utility order by utility;

-- name: insert_postings
-- The terms of new claims, as one JSON array.
insert into postings_delta
select nextval('postings_seq'), 0, term_hash, row_id, tf, dl
from (select unnest(from_json($rows, '[{
    "term_hash": "UBIGINT", "row_id": "BIGINT", "tf": "USMALLINT", "dl": "UINTEGER"
}]'), recursive := true));

-- name: load_postings
-- The terms of many new claims, as columns.
insert into postings_delta select nextval('postings_seq'), 0, term_hash, row_id, tf, dl from {given};

-- name: stored_among
-- These claims with what a mask asks for: to plan the decay of measures costs more than this.
select row_id, scope, boundary_class, status, recency_anchor, twin from claims
where row_id in ({row_ids});

-- name: visible_among
-- Which of these claims are visible.
select row_id from claims_at($now, $utility_half_life, $quality_half_life)
where row_id in ({row_ids}) and {visible};

-- name: shown_instead
-- Which claim is shown for each of these that is permitted: of equal ones, all in the mask, the first.
with wanted as materialized (
    select row_id, twin from claims where row_id in ({row_ids})
),
permitted as materialized (
    select row_id, scope, boundary_class, twin
    from claims_at($now, $utility_half_life, $quality_half_life)
    where row_id in (
        select row_id from wanted
        union
        select row_id from claims where twin in (select twin from wanted)
    ) and {visible}
),
first as materialized (
    select twin, arg_min(row_id, before_its_equals(scope, boundary_class, row_id)) as row_id
    from permitted where twin is not null group by twin
)
select permitted.row_id, coalesce(first.row_id, permitted.row_id) as shown
from permitted left join first on first.twin = permitted.twin
where permitted.row_id in (select row_id from wanted);
