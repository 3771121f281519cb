-- name: to_index
-- What of these claims is to be indexed, and what their vectors are of.
select row_id, text, boundary_class, said_by, embedded from claims
where row_id in ({row_ids}) order by row_id;

-- name: set_indexed
-- How many terms claims have and what their vectors are of, as one JSON array.
update claims set
    token_count = given.token_count, embedded = given.embedded, changed = nextval('changes')
from (select unnest(from_json($rows, '[{
    "row_id": "BIGINT", "token_count": "INTEGER", "embedded": "UBIGINT"
}]'), recursive := true)) as given
where claims.row_id = given.row_id;

-- name: set_embedded
-- What the vectors of claims are of, as one JSON array.
update claims set embedded = given.embedded, changed = nextval('changes')
from (select unnest(from_json($rows, '[{"row_id": "BIGINT", "embedded": "UBIGINT"}]'), recursive := true)) as given
where claims.row_id = given.row_id;

-- name: rows_said_by
-- The claims that somebody said, or that came from these observations.
select row_id from claims
where said_by = $actor or origin_observation_id in ({ids}) order by row_id;

-- name: other_origins
-- The first observation, of those that others made, that still bears out each of these claims.
select claims.row_id, claims.created_at, arg_min(observations.id, (observations.observed_at, observations.id)) as origin
from claims
left join evidence on evidence.claim_id = claims.id
left join observations on observations.id = evidence.observation_id
    and observations.id not in ({ids})
    and coalesce(observations.actor <> $actor, true)
    and coalesce((evidence.provenance ->> 'actor') <> $actor, true)
    and observations.id is distinct from claims.origin_observation_id
where claims.row_id in ({row_ids})
group by claims.row_id, claims.created_at
order by claims.row_id;

-- name: attribute
-- Who said claims from now on, as one JSON array; with no other origin they keep its id alone.
update claims set
    said_by = given.said_by, said_at = coalesce(utc(given.said_at), created_at), stream = given.stream,
    origin_observation_id = coalesce(given.origin, origin_observation_id), changed = nextval('changes'),
    saying = coalesce(
        (select min(saying) from claims as other where other.origin_observation_id = given.origin), given.saying
    )
from (
    select *, case when origin is null then row_id else min(row_id) over (partition by origin) end as saying
    from (select unnest(from_json($rows, '[{
        "row_id": "BIGINT", "origin": "VARCHAR", "said_by": "VARCHAR", "said_at": "DOUBLE", "stream": "UBIGINT"
    }]'), recursive := true))
) as given
where claims.row_id = given.row_id;

-- name: to_index_after
-- The first $limit claims after a key, in order.
select row_id, text, boundary_class, said_by, embedded from claims
where row_id > $after order by row_id limit $limit;

-- name: count_after
-- How many claims there are after a key.
select count(*) as n from claims where row_id > $after;

-- name: count_by_status
-- How many claims have each status.
select status, count(*) as n from claims group by status order by status;

-- name: versions
-- The versions of DuckDB and of the schema.
select version() as duckdb, (select max(version) from schema_migrations) as schema;
