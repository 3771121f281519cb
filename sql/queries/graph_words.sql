-- name: texts_of_entities
-- What entities are called, and what is said of them.
select id, concat_ws(' ', name, canonical_key) as name, attrs from entities;

-- name: texts_of_relations
-- What edges are called, and what is said of them.
select id, type, props from relations;

-- name: texts_of_notes
-- What reviewers wrote.
select id, note from reviews where note is not null;

-- name: erase_edges_of
-- The edges at these entities.
delete from relations where src_id in ({ids}) or dst_id in ({ids});

-- name: erase_mentions_of
-- Which claims name these entities.
delete from claim_entities where entity_id in ({ids});

-- name: erase_entities
-- These entities.
delete from entities where id in ({ids});

-- name: erase_attrs
-- What is said of these entities.
update entities set attrs = null where id in ({ids});

-- name: erase_relations
-- These edges.
delete from relations where id in ({ids});

-- name: erase_notes
-- What reviewers wrote in these reviews.
update reviews set note = null where id in ({ids});
