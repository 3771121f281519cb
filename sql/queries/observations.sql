-- name: insert_observations
-- Observations as stored, as one JSON array.
insert into observations
select
    id, source_type, source_id, content, actor, tags, boundary_class, content_digest,
    content_length, store_mode, provenance, utc(observed_at), utc(created_at),
    case when expires_at is null then null else utc(expires_at) end
from (select unnest(from_json($rows, '[{
    "id": "VARCHAR", "source_type": "VARCHAR", "source_id": "VARCHAR", "content": "VARCHAR",
    "actor": "VARCHAR", "tags": "JSON", "boundary_class": "VARCHAR", "content_digest": "VARCHAR",
    "content_length": "BIGINT", "store_mode": "VARCHAR", "provenance": "JSON",
    "observed_at": "DOUBLE", "created_at": "DOUBLE", "expires_at": "DOUBLE"
}]'), recursive := true));

-- name: observations_by_id
-- Observations as stored.
select
    id, source_type, source_id, content, actor, tags, boundary_class, content_digest,
    content_length, store_mode, provenance, epoch(observed_at) as observed_at,
    epoch(created_at) as created_at, epoch(expires_at) as expires_at
from observations where id in ({ids});

-- name: said
-- Who said these observations, when, and as a part of what.
select id, source_type, source_id, actor, epoch(observed_at) as observed_at
from observations where id in ({ids});

-- name: scrub_expired
-- Forget what expired observations said; digest and length stay.
update observations set content = null, actor = null, source_id = null, tags = null, provenance = null
where expires_at <= utc($now) and (content is not null or actor is not null or source_id is not null);

-- name: count_expired
-- How many observations scrub_expired would touch.
select count(*) as n from observations
where expires_at <= utc($now) and (content is not null or actor is not null or source_id is not null);

-- name: count_observations
-- How many observations there are.
select count(*) as n from observations;

-- name: find_idempotent
-- The outcome of the call that used this key first.
select observation_id, outcome from idempotency where key_digest = $key_digest;

-- name: record_idempotent
-- The outcome of a call that gave a key.
insert into idempotency (key_digest, observation_id, outcome, created_at)
values ($key_digest, $observation_id, $outcome, utc($now));
