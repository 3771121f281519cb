-- name: entities_with_ids
-- The entities that have these ids.
select id, type, name, canonical_key, attrs from entities where id in ({ids});

-- name: entities_called
-- Of the entities called by these ids: those with one of these names, and the last of each.
with listed as (
    select id, type, name, canonical_key, attrs, split_part(id, '~', 1) as called,
        coalesce(try_cast(split_part(id, '~', 2) as bigint), 0) as number
    from entities
    where split_part(id, '~', 1) in ({ids})
)
select id, type, name, canonical_key, attrs from listed
qualify name in (select unnest(from_json($names, '["VARCHAR"]')))
    or number = max(number) over (partition by called)
order by number;

-- name: relations_with_ids
-- The edges that have these ids.
select id, src_id, dst_id, type, props, evidence_claim_id from relations where id in ({ids});

-- name: relations_called
-- Of the edges called by these ids: those at one of these entities, and the last of each.
with listed as (
    select id, src_id, dst_id, type, props, evidence_claim_id, split_part(id, '~', 1) as called,
        coalesce(try_cast(split_part(id, '~', 2) as bigint), 0) as number
    from relations
    where split_part(id, '~', 1) in ({ids})
)
select id, src_id, dst_id, type, props, evidence_claim_id from listed
qualify src_id in (select unnest(from_json($sources, '["VARCHAR"]')))
    or number = max(number) over (partition by called)
order by number;

-- name: claims_naming
-- The entities called by these ids, with each claim that names one, the newest first.
select entities.id, type, canonical_key, claims.row_id
from entities
join claim_entities on claim_entities.entity_id = entities.id
join claims on claims.id = claim_entities.claim_id
where split_part(entities.id, '~', 1) in ({ids})
order by claims.row_id desc, entities.id desc;

-- name: insert_entities
-- New entities, as one JSON array.
insert into entities
select id, type, name, canonical_key, attrs, utc($now)
from (select unnest(from_json($rows, '[{
    "id": "VARCHAR", "type": "VARCHAR", "name": "VARCHAR", "canonical_key": "VARCHAR", "attrs": "JSON"
}]'), recursive := true));

-- name: insert_relations
-- New relations, as one JSON array.
insert into relations
select id, src_id, dst_id, type, props, evidence_claim_id, utc($now)
from (select unnest(from_json($rows, '[{
    "id": "VARCHAR", "src_id": "VARCHAR", "dst_id": "VARCHAR", "type": "VARCHAR", "props": "JSON",
    "evidence_claim_id": "VARCHAR"
}]'), recursive := true));

-- name: insert_claim_entities
-- Which claims name which entities, as one JSON array.
insert into claim_entities
select distinct claim_id, entity_id
from (select unnest(from_json($rows, '[{"claim_id": "VARCHAR", "entity_id": "VARCHAR"}]'), recursive := true))
on conflict (claim_id, entity_id) do nothing;

-- name: move_mentions
-- Give one claim's entities to the claim that stands for it.
insert into claim_entities
select $survivor, entity_id from claim_entities where claim_id = $claim_id
on conflict (claim_id, entity_id) do nothing;

-- name: entities_of_claim
-- The entities a claim names.
select split_part(id, '~', 1) as id, type, name, canonical_key, attrs
from entities where id in (select entity_id from claim_entities where claim_id = $claim_id)
order by type, canonical_key, name;

-- name: relations_of_entity
-- The edges at an entity.
select split_part(id, '~', 1) as id, split_part(src_id, '~', 1) as src_id,
    split_part(dst_id, '~', 1) as dst_id, type, props, evidence_claim_id
from relations where src_id = $entity_id or dst_id = $entity_id order by type, relations.id;
