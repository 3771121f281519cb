-- name: entities_by_key
-- The entities with these canonical keys, of any type.
select id, type, name, canonical_key, attrs from entities
where canonical_key in (select unnest(from_json($keys, '["VARCHAR"]')));

-- name: entity_ids_taken
-- Which of these ids entities have.
select id from entities where id in ({ids});

-- name: insert_entities
-- New entities, as one JSON array.
insert into entities
select id, type, name, canonical_key, attrs, utc($now)
from (select unnest(from_json($rows, '[{
    "id": "VARCHAR", "type": "VARCHAR", "name": "VARCHAR", "canonical_key": "VARCHAR", "attrs": "JSON"
}]'), recursive := true))
on conflict (type, canonical_key) do nothing;

-- name: insert_relations
-- New relations, as one JSON array; an edge that is there already stays as it is.
insert into relations
select id, src_id, dst_id, type, props, evidence_claim_id, utc($now)
from (select unnest(from_json($rows, '[{
    "id": "VARCHAR", "src_id": "VARCHAR", "dst_id": "VARCHAR", "type": "VARCHAR", "props": "JSON",
    "evidence_claim_id": "VARCHAR"
}]'), recursive := true))
on conflict do nothing;

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
select id, type, name, canonical_key, attrs
from entities where id in (select entity_id from claim_entities where claim_id = $claim_id)
order by type, canonical_key;

-- name: relations_of_entity
-- The edges at an entity.
select id, src_id, dst_id, type, props, evidence_claim_id
from relations where src_id = $entity_id or dst_id = $entity_id order by type, id;
