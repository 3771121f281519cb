-- name: texts_of_entities
-- What entities are called, and what is said of them.
select id, concat_ws(' ', id, name, canonical_key) as name, attrs from entities;

-- name: texts_of_relations
-- What edges are called, and what is said of them.
select id, concat_ws(' ', id, type) as type, props from relations;

-- name: texts_of_notes
-- What reviewers wrote.
select id, note from reviews where note is not null;

-- name: texts_of_feedback
-- What callers called their feedback.
select id from feedback;

-- name: texts_of_judgements
-- What callers called their judgements.
select id from judgements;

-- name: erase_feedback_called
-- Feedback that is called so.
delete from feedback where id in ({ids});

-- name: erase_judgements_called
-- Judgements that are called so.
delete from judgements where id in ({ids});

-- name: called_also
-- Which of these names entities have that are not among those that go.
select distinct split_part(id, '~', 1) as called from entities
where split_part(id, '~', 1) in ({ids}) and not list_contains($gone::varchar[], id);

-- name: answers_linking
-- Of answers that are kept for another call, those that name one of these entities lose it.
update idempotency set outcome = json_merge_patch(outcome, $without)
where list_has_any(json_keys(outcome, '$.linked'), $ids::varchar[]);

-- name: support_naming
-- What came with evidence, without these entities.
update support set entities = to_json(list_filter(
    from_json(entities, '["VARCHAR"]'), lambda entity: not list_contains($ids::varchar[], entity)
))
where list_has_any(from_json(entities, '["VARCHAR"]'), $ids::varchar[]);

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
