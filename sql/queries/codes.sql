-- name: claims_with_codes
-- What these claims carry and are called, and what decides who sees them.
with wanted as materialized (
    select row_id, id, status, scope, boundary_class, epoch(recency_anchor) as recency_anchor,
        kind, tags
    from claims where row_id in ({row_ids})
)
select wanted.*, named.entities
from wanted left join (
    select claim_id, list(distinct canonical_key) as entities
    from claim_entities join entities on entities.id = claim_entities.entity_id
    where claim_id in (select id from wanted)
    group by claim_id
) as named on named.claim_id = wanted.id;

-- name: carriers
-- The claims of a range of keys that carry codes, each by its place in a list of them.
with wanted as materialized (
    select unnest(from_json($codes, '[{
        "place": "INTEGER", "taxonomy": "VARCHAR", "code": "VARCHAR"
    }]'), recursive := true)
)
select row_id as key, place from codes_of_claims() join wanted using (taxonomy, code)
-- Those that are not asked for are not even read.
where list_contains($taxonomies::varchar[], taxonomy) and row_id between $first and $last;

-- name: tag_carriers
-- The claims of a range of keys that carry tags, each by its place in a list of them; a list of tags that many have is read once.
with wanted as materialized (
    select unnest(from_json($codes, '[{
        "place": "INTEGER", "taxonomy": "VARCHAR", "code": "VARCHAR"
    }]'), recursive := true)
),
told as materialized (
    select tags, place from (
        select tags, unnest(from_json(tags, '["VARCHAR"]')) as code
        from (select distinct tags from claims where row_id between $first and $last)
    ) join wanted using (code)
)
select row_id as key, place from claims join told using (tags)
where row_id between $first and $last;

-- name: known_codes
-- The codes of some taxonomies that claims carry.
select distinct taxonomy, code from codes_of_claims()
where taxonomy in (select unnest($taxonomies::varchar[]));

-- name: hits_by_code
-- The visible claims that carry codes asked for, by the sum of what each target counts in its best hit.
with hit as (
    select row_id, target, max(weight) as weight
    from codes_of_claims() join (select unnest(from_json($codes, '[{
        "target": "INTEGER", "taxonomy": "VARCHAR", "code": "VARCHAR", "weight": "DOUBLE"
    }]'), recursive := true)) using (taxonomy, code)
    group by row_id, target
),
weighed as (
    select row_id, sum(weight::decimal(38, 18))::double as weight from hit group by row_id
)
select row_id, weight from weighed
where weight > 0 and row_id in (
    select row_id from claims_at($now, $utility_half_life, $quality_half_life) where {visible}
)
order by weight desc, row_id limit $limit;

-- name: linked
-- The visible claims that name an entity which these claims name, by way of which of these.
select distinct near.row_id as seed, far.row_id as row_id
from claims as near
join claim_entities as named on named.claim_id = near.id
join entities on entities.id = named.entity_id
-- What others call the same entity are rows of its type and key.
join entities as again_called
    on again_called.type = entities.type and again_called.canonical_key = entities.canonical_key
join claim_entities as again on again.entity_id = again_called.id
join claims as far on far.id = again.claim_id
where near.row_id in ({row_ids}) and far.row_id in (
    select row_id from claims_at($now, $utility_half_life, $quality_half_life) where {visible}
)
order by seed, row_id;
