-- name: insert_support
-- What came with reasons to believe claims, as one JSON array.
insert into support
select evidence_id, tags, entities
from (select unnest(from_json($rows, '[{"evidence_id": "VARCHAR", "tags": "JSON", "entities": "JSON"}]'), recursive := true));

-- name: supported
-- All evidence of the claims that observations, or an actor, bear out: what came with it, and whether it is theirs.
select claims.row_id, claims.id, claims.tags, support.tags as came_tags, support.entities as came_entities,
    observations.tags as said_tags,
    coalesce(evidence.observation_id in ({ids}), false)
        or coalesce((evidence.provenance ->> 'actor') = $actor, false) as goes
from evidence
join claims on claims.id = evidence.claim_id
left join support on support.evidence_id = evidence.id
left join observations on observations.id = evidence.observation_id
where claims.id in (
    select claim_id from evidence
    where observation_id in ({ids}) or (provenance ->> 'actor') = $actor
)
order by claims.row_id;

-- name: set_tags
-- The tags that are left of claims, as one JSON array.
update claims set tags = given.tags, breaking_change = given.breaking_change, changed = nextval('changes')
from (select unnest(from_json($rows, '[{
    "row_id": "BIGINT", "tags": "JSON", "breaking_change": "BOOLEAN"
}]'), recursive := true)) as given
where claims.row_id = given.row_id;

-- name: erase_mentioned
-- Which entities some claims named, as one JSON array.
delete from claim_entities where (claim_id, entity_id) in (
    select (claim_id, entity_id)
    from (select unnest(from_json($rows, '[{"claim_id": "VARCHAR", "entity_id": "VARCHAR"}]'), recursive := true))
);

-- name: unnamed
-- Those of these entities that no claim names.
select id as entity_id from entities
where id in ({ids}) and id not in (select entity_id from claim_entities);

-- name: erase_edges_of_entities
-- The edges at entities that nothing names any more.
delete from relations where src_id in ({ids}) or dst_id in ({ids});

-- name: erase_unnamed
-- Entities that nothing names any more.
delete from entities where id in ({ids});

-- name: erase_support
-- What came with evidence that is not there any more.
delete from support where evidence_id not in (select id from evidence);

-- name: brought
-- The described entities and the edges that came with a reason that goes: with the newest that is no younger, where nothing else tells who brought them.
with going as materialized (
    select id, claim_id from evidence
    where observation_id in ({ids}) or claim_id in (select id from claims where row_id in ({row_ids}))
        or ($actor is not null and (provenance ->> 'actor') = $actor)
),
things as materialized (
    select 'entity' as kind, entities.id, entities.created_at, named.claim_id
    from entities join claim_entities as named on named.entity_id = entities.id
    where attrs is not null and entities.id in (
        select entity_id from claim_entities where claim_id in (select claim_id from going)
    )
    -- Of what is said since that is written down, somebody who stays is known to say it too.
    and entities.id not in (
        select unnest(from_json(support.entities, '["VARCHAR"]')) from support
        where evidence_id not in (select id from going)
    )
    union all
    select 'edge', id, created_at, evidence_claim_id
    from relations where evidence_claim_id in (select claim_id from going)
),
reasons as (
    select evidence.claim_id, coalesce(observations.created_at, evidence.created_at) as told_at,
        evidence.id in (select id from going) as goes
    from evidence left join observations on observations.id = evidence.observation_id
    where evidence.claim_id in (select claim_id from things)
)
select kind, things.id
from things join reasons on reasons.claim_id = things.claim_id and reasons.told_at <= things.created_at
group by kind, things.id having max(told_at) filter (where goes) = max(told_at)
order by kind, things.id;
