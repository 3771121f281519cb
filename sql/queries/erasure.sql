-- name: expired_rows
-- The keys of claims whose scope's ttl has passed; a duplicate goes with the claim that stands for it.
select row_id from claims_at($now, 1, 1)
where status <> 'tombstone' and recency_anchor <= case scope
    when 'session' then $session_since
    when 'project' then $project_since
    when 'principle' then $principle_since
    end
order by row_id;

-- name: rows_led_here
-- The keys of these claims, and of those they stand for.
with recursive led as (
    select row_id, id from claims where row_id in ({row_ids})
    union
    select claims.row_id, claims.id from claims join led on claims.superseded_by = led.id
)
select row_id from led order by row_id;

-- name: rows_derived
-- The keys of claims that were made of these, at one remove or more, beside the claims themselves.
with recursive derived as (
    select row_id, id from claims where row_id in ({row_ids})
    union
    select claims.row_id, claims.id
    from claims join derived on list_contains(try_cast(claims.derived_from as varchar[]), derived.id)
)
select row_id from derived where row_id not in ({row_ids}) order by row_id;

-- name: rows_with_terms
-- The keys of the claims that hold every one of $count terms.
select row_id from postings_of(0)
where term_hash in (select distinct unnest(from_json($terms, '["UBIGINT"]')))
group by row_id having count(distinct term_hash) = $count order by row_id;

-- name: terms_left
-- Those of these terms that a claim or a document still holds.
select distinct term_hash from postings_of(0)
where term_hash in (select distinct unnest(from_json($terms, '["UBIGINT"]')))
union
select distinct term_hash from document_postings
where term_hash in (select distinct unnest(from_json($terms, '["UBIGINT"]')));

-- name: texts_of_observations
-- What these observations say.
select content as text from observations where id in ({ids}) and content is not null;

-- name: texts_of_documents
-- What these documents say, what they are called, their codes, and what of their attributes is text.
select text from document_fields where doc_key in ({row_ids})
union
select name from document_fields join document_field_names using (field_no) where doc_key in ({row_ids})
union
select unnest([type, value]) from document_ids where doc_key in ({row_ids})
union
select unnest([taxonomy, code]) from document_codes where doc_key in ({row_ids})
union
select unnest([name, text]) from document_values where doc_key in ({row_ids});

-- name: attributes_of_documents
-- The attributes of these documents, as they were given.
select attributes from documents where doc_key in ({row_ids});

-- name: observations_of_actor
-- What somebody said, or is told to have said.
select id from observations where actor = $actor or (provenance ->> 'actor') = $actor
union
select observation_id from evidence
where observation_id is not null and (provenance ->> 'actor') = $actor
order by 1;

-- name: observations_of_claims
-- What these claims were drawn from.
select id from observations
where id in (
    select observation_id from evidence
    where claim_id in (select id from claims where row_id in ({row_ids}))
) or id in (select origin_observation_id from claims where row_id in ({row_ids}))
order by id;

-- name: observations_saying
-- What the texts of these claims stand in, word for word, whether or not they were drawn from it.
-- Not what another claim of the same text was drawn from, which stays.
select distinct observations.id
from claims join observations on contains(observations.content, claims.text)
where claims.row_id in ({row_ids}) and not exists (
    select 1 from claims as equals join evidence on evidence.claim_id = equals.id
    where evidence.observation_id = observations.id and equals.content_hash = claims.content_hash
        and equals.row_id not in ({row_ids})
)
order by 1;

-- name: rows_beside
-- Which claims were drawn from these observations.
select distinct evidence.observation_id as id, claims.row_id
from evidence join claims on claims.id = evidence.claim_id
where evidence.observation_id in ({ids});

-- name: rows_of_observations
-- The keys of the claims that rest on these observations and on nothing else.
select row_id from claims
where (
    origin_observation_id in ({ids})
    or id in (select claim_id from evidence where observation_id in ({ids}))
) and id not in (
    select claim_id from evidence
    where coalesce(observation_id not in ({ids}), true)
)
order by row_id;

-- name: rows_from_actor
-- The keys of the claims whose evidence all names this actor, or that he said and nobody else.
select row_id from claims
where id in (select claim_id from evidence where (provenance ->> 'actor') = $actor)
    and id not in (
        select claim_id from evidence where coalesce((provenance ->> 'actor') <> $actor, true)
    )
union
select row_id from claims
where said_by = $actor and not exists (
    select 1 from evidence
    where evidence.claim_id = claims.id
        and evidence.observation_id is distinct from claims.origin_observation_id
        and coalesce((evidence.provenance ->> 'actor') <> $actor, true)
        and evidence.observation_id not in (select id from observations where actor = $actor)
)
order by row_id;

-- name: texts_of_rows
-- What is about to be erased.
select row_id, id, text, boundary_class, said_by from claims where row_id in ({row_ids}) order by row_id;

-- name: observations_to_scrub
-- Those of these observations that still say something.
select id, content_digest from observations
where id in ({ids}) and (
    content is not null or actor is not null or source_id is not null or tags is not null
    or provenance is not null
)
order by id;

-- name: scrub_observations
-- Forget what these observations said and who said it; digest and length stay.
update observations set
    content = null, actor = null, source_id = null, tags = null, provenance = null
where id in ({ids});

-- name: erase_evidence
-- The reasons to believe these claims.
delete from evidence where claim_id in ({ids});

-- name: erase_evidence_of_observations
-- What observations said for claims that other evidence keeps.
delete from evidence where observation_id in ({ids});

-- name: erase_evidence_of_actor
-- What somebody is told to have said, of claims that other evidence keeps.
delete from evidence where (provenance ->> 'actor') = $actor;

-- name: pseudonymize_audit
-- In the audit trail somebody is a digest from now on.
update audit set who = $digest where who = $actor;

-- name: pseudonymize_reviews
-- In the review queue somebody is a digest from now on.
update reviews set reviewer = $digest where reviewer = $actor;

-- name: erase_contexts_of_actor
-- Active contexts that name somebody.
delete from active_contexts
where list_contains(json_extract_string(provenance, '$[*].actor'), $actor);

-- name: erase_contexts_of_observations
-- Active contexts that hold claims which observations bear out: they tell of the observations.
delete from active_contexts
where id in (
    select ac_id from active_context_items
    where claim_id in (select claim_id from evidence where observation_id in ({ids}))
);

-- name: erase_snippets
-- The words that other claims quote from these observations.
update evidence set snippet = null, note = null
where observation_id in ({ids}) and (snippet is not null or note is not null);

-- name: erase_contexts
-- Active contexts that hold these claims.
delete from active_contexts
where id in (select ac_id from active_context_items where claim_id in ({ids}));

-- name: erase_context_items
-- The items of active contexts that are not there any more.
delete from active_context_items where ac_id not in (select id from active_contexts);

-- name: entities_of_claims
-- The entities that these claims name and no other does.
select entity_id from claim_entities where claim_id in ({ids})
except
select entity_id from claim_entities where claim_id not in ({ids})
order by 1;

-- name: erase_mentions
-- Which entities these claims name.
delete from claim_entities where claim_id in ({ids});

-- name: erase_relations
-- The edges these claims give evidence of.
delete from relations where evidence_claim_id in ({ids});

-- name: erase_edges
-- The edges at entities that nothing names any more.
delete from relations where src_id in ({ids}) or dst_id in ({ids});

-- name: erase_entities
-- Entities that nothing names any more.
delete from entities where id in ({ids});

-- name: erase_feedback
-- What was said of these claims; what feedback did names them by the ids of their rows.
delete from feedback
where json_extract_string(outcome, '$.claim_id') in ({ids})
    or json_extract_string(outcome, '$.merged_into') in ({ids});

-- name: erase_judgements
-- How these claims were judged.
delete from judgements where claim_id in ({ids});

-- name: erase_aliases
-- Ids that led to these claims.
delete from claim_aliases where claim_id in ({ids});

-- name: erase_review_notes
-- What reviewers wrote of these claims.
update reviews set note = null where claim_id in ({ids}) and note is not null;

-- name: erase_cached
-- The cached vectors of these texts, of any model.
delete from embedding_cache where text_key in ({hashes});

-- name: erase_claims
-- These claims.
delete from claims where row_id in ({row_ids});

-- name: insert_erasures
-- What was erased, as one JSON array: ids and digests, never text.
insert into erasures
select given.id, given.subject, given.subject_id, given.digest, $why, utc($now)
from (select unnest(from_json($rows, '[{
    "id": "VARCHAR", "subject": "VARCHAR", "subject_id": "VARCHAR", "digest": "VARCHAR"
}]'), recursive := true)) as given;

-- name: sweep_erasures
-- Forget digests of what was erased before a moment.
delete from erasures where erased_at < utc($before);

-- name: erasures
-- The newest erasures.
select id, subject, subject_id, digest, why, epoch(erased_at) as erased_at
from erasures where $digest is null or digest = $digest
order by erasures.erased_at desc, id desc limit $limit;
