-- name: next_row_ids
-- Fresh keys for new claims.
select nextval('claim_row_ids') as row_id from range($count);

-- name: claims_by_key
-- Claims by row id, as they stand at $now.
select * from claims_at($now, $utility_half_life, $quality_half_life) where row_id in ({row_ids});

-- name: visible_by_key
-- The visible ones of these claims, as they stand at $now.
select * from claims_at($now, $utility_half_life, $quality_half_life)
where row_id in ({row_ids}) and {visible};

-- name: stored_by_key
-- These claims with their measures and times as they are stored: to plan epoch() costs more than this.
select
    row_id, id, text, kind, scope, boundary_class, quality, confidence, utility, content_hash,
    near_key, origin_observation_id, derived_from, tags, status, superseded_by, token_count,
    created_at, updated_at, recency_anchor, said_by, twin
from claims
where row_id in ({row_ids});

-- name: ids
-- The ids of these claims.
select row_id, id from claims where row_id in ({row_ids});

-- name: texts
-- The texts of these claims.
select row_id, text from claims where row_id in ({row_ids});

-- name: keys_of_hashes
-- The keys of the claims with these content hashes, live or not.
select row_id, id, status, superseded_by, twin, content_hash, said_by
from claims where content_hash in ({hashes});

-- name: row_ids_of_ids
-- The keys of the claims with these ids, live or not.
select row_id, id, status, superseded_by, twin from claims where id in ({ids});

-- name: keys_of_ids
-- The keys of the claims with these ids, live or not, and where ids that were merged away lead to.
select row_id, id, status, superseded_by, twin, null as leads_to from claims where id in ({ids})
union all
select null, id, null, null, null, claim_id from claim_aliases where id in ({ids});

-- name: keys_of_twins
-- The keys of all claims of these groups of equal ones.
select row_id, id, status, superseded_by, twin from claims where twin in ({row_ids});

-- name: mark_twins
-- Claims with these content hashes, by those of one speaker; of a claim that is alone, nothing.
update claims set twin = given.twin, changed = nextval('changes')
from (
    select row_id, case when count(*) over said > 1 then min(row_id) over said end as twin
    from claims where content_hash in ({hashes})
    window said as (partition by content_hash, said_by)
) as given
where claims.row_id = given.row_id and claims.twin is distinct from given.twin;

-- name: highest_numbers
-- The highest number that tells claims of each of these ids apart.
select id, max(coalesce(try_cast(split_part(claim_id, '~', 2) as integer), 0)) as number
from claim_aliases where id in ({ids}) group by id;

-- name: has_twins
-- Whether any claim has the speaker and the content hash of another.
select row_id from claims where twin is not null limit 1;

-- name: hashes_of_rows
-- The content hashes of these claims.
select distinct content_hash from claims where row_id in ({row_ids});

-- name: stored_near_keys
-- Claims that read the same but for case, width and outer punctuation, with what a mask asks for.
select row_id, near_key, scope, boundary_class, status, recency_anchor, twin
from claims where near_key in ({hashes}) order by row_id;

-- name: near_keys
-- Visible claims that read the same but for case, width and outer punctuation, in order.
select row_id, near_key, scope from claims_at($now, $utility_half_life, $quality_half_life)
where near_key in ({hashes}) and {visible} order by row_id;

-- name: insert_claims
-- New claims, as one JSON array.
insert into claims
select
    row_id, id, text, kind, scope, boundary_class, quality, confidence, utility, content_hash, near_key,
    origin_observation_id, derived_from, tags, status, superseded_by, contains_pii, contains_secret,
    breaking_change, text_length, token_count, validated_under,
    utc(created_at), utc(updated_at), utc(recency_anchor), utc(decayed_at), 0, null,
    nextval('changes'), saying, stream, said_by, utc(said_at), embedded, marks, null
from (select unnest(from_json($rows, '[{
    "row_id": "BIGINT", "id": "VARCHAR", "text": "VARCHAR", "kind": "VARCHAR", "scope": "VARCHAR",
    "boundary_class": "VARCHAR", "quality": "DOUBLE", "confidence": "DOUBLE", "utility": "DOUBLE",
    "content_hash": "VARCHAR", "near_key": "VARCHAR", "origin_observation_id": "VARCHAR",
    "derived_from": "JSON", "tags": "JSON", "status": "VARCHAR", "superseded_by": "VARCHAR",
    "contains_pii": "BOOLEAN", "contains_secret": "BOOLEAN", "breaking_change": "BOOLEAN",
    "text_length": "INTEGER", "token_count": "INTEGER", "validated_under": "VARCHAR",
    "created_at": "DOUBLE", "updated_at": "DOUBLE", "recency_anchor": "DOUBLE", "decayed_at": "DOUBLE",
    "saying": "BIGINT", "stream": "UBIGINT", "said_by": "VARCHAR", "said_at": "DOUBLE",
    "embedded": "UBIGINT", "marks": "UTINYINT"
}]'), recursive := true));

-- name: update_merged
-- Claims after a merge, as one JSON array; text and hash stay.
update claims set
    kind = given.kind, scope = given.scope, boundary_class = given.boundary_class,
    quality = given.quality, confidence = given.confidence, utility = given.utility,
    derived_from = given.derived_from, tags = given.tags, status = given.status,
    breaking_change = given.breaking_change, validated_under = given.validated_under,
    updated_at = utc(given.updated_at), recency_anchor = utc(given.recency_anchor),
    decayed_at = utc(given.decayed_at), changed = nextval('changes')
from (select unnest(from_json($rows, '[{
    "row_id": "BIGINT", "kind": "VARCHAR", "scope": "VARCHAR", "boundary_class": "VARCHAR",
    "quality": "DOUBLE", "confidence": "DOUBLE", "utility": "DOUBLE", "derived_from": "JSON",
    "tags": "JSON", "status": "VARCHAR", "breaking_change": "BOOLEAN", "validated_under": "VARCHAR",
    "updated_at": "DOUBLE", "recency_anchor": "DOUBLE", "decayed_at": "DOUBLE"
}]'), recursive := true)) as given
where claims.row_id = given.row_id;

-- name: set_measures
-- The critic's measures of one claim, and the time they are as of.
update claims set
    utility = $utility, confidence = $confidence, quality = $quality, updated_at = utc($now),
    recency_anchor = utc($recency_anchor),
    decayed_at = greatest(decayed_at, utc($decayed_at)), changed = nextval('changes')
where row_id = $row_id;

-- name: tombstone
-- A claim that another one stands for from now on.
update claims set
    status = 'tombstone', superseded_by = $survivor, utility = $utility, updated_at = utc($now),
    changed = nextval('changes')
where row_id = $row_id;

-- name: decay
-- Bring every measure to $now.
update claims set
    utility = decayed(utility, decayed_at, $now, $utility_half_life),
    quality = decayed(quality, decayed_at, $now, $quality_half_life),
    decayed_at = utc($now), changed = nextval('changes')
where decayed_at < utc($now);

-- name: count_stale
-- How many claims a decay run would touch.
select count(*) as n from claims where decayed_at < utc($now);

-- name: insert_aliases
-- Ids that were merged away, as one JSON array.
insert into claim_aliases
select id, claim_id, utc($now)
from (select unnest(from_json($rows, '[{"id": "VARCHAR", "claim_id": "VARCHAR"}]'), recursive := true))
where (id, claim_id) not in (select (id, claim_id) from claim_aliases where id in ({ids}));

-- name: validated_under
-- Which claims of these content hashes were recorded as valid under a policy version.
select row_id, content_hash from claims
where content_hash in ({hashes}) and validated_under = $policy_version;

-- name: next_change
-- The next number of a change, which no claim gets.
select nextval('changes') as change;
