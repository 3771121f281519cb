-- name: indexed_terms
-- Which of these terms the indexed texts of claims hold.
select distinct row_id, term_hash from postings_of(0) where term_hash in ({terms});

-- name: redacted_texts
-- The claims of which something may be redacted, and so not indexed.
select row_id, text from claims where boundary_class = 'pii' order by row_id;

-- name: tags_of_claims
-- The tags of every claim, or of these.
select row_id, unnest(from_json(tags, '["VARCHAR"]')) as text from claims
where $every or row_id in ({row_ids});

-- name: texts_beside_claims
-- What stands beside the texts of every claim, or of these: in their evidence, and the names of their entities.
with wanted as materialized (
    select row_id, id, text from claims where $every or row_id in ({row_ids})
),
beside as (
    select claim_id, unnest([
        source_id, note, snippet, provenance ->> 'actor', provenance ->> 'note', provenance ->> 'url',
        provenance ->> '$.git.repo', provenance ->> '$.git.url',
        array_to_string(json_extract_string(provenance, '$.git.files[*]'), ' ')
    ]) as text
    from evidence where claim_id in (select id from wanted)
    union all
    select claim_id, unnest([name, canonical_key])
    from claim_entities join entities on entities.id = claim_entities.entity_id
    where claim_id in (select id from wanted)
)
select distinct wanted.row_id, beside.text
from beside join wanted on wanted.id = beside.claim_id and beside.text <> wanted.text;

-- name: tags_of_observations
-- The tags of every observation, or of these.
select id, unnest(from_json(tags, '["VARCHAR"]')) as text from observations
where ($every or id in ({ids})) and tags is not null;

-- name: texts_of_observations
-- What every observation says, or these, and what stands beside it; what a claim says is found by the claim.
select id, text
from (
    select id, unnest([
        content, source_id, actor, provenance ->> 'actor', provenance ->> 'note', provenance ->> 'url',
        provenance ->> '$.git.repo', provenance ->> '$.git.url',
        array_to_string(json_extract_string(provenance, '$.git.files[*]'), ' ')
    ]) as text
    from observations where $every or id in ({ids})
)
where text is not null;
