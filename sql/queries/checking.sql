-- name: claims_between
-- Every column that a claim is read by, of claims in the order of their keys.
select
    row_id, id, text, kind, scope, boundary_class, quality, confidence, utility, content_hash,
    near_key, origin_observation_id, derived_from, tags, status, superseded_by, token_count,
    created_at, updated_at, recency_anchor,
    isfinite(created_at) and isfinite(updated_at) and isfinite(recency_anchor) and isfinite(decayed_at)
        and isfinite(coalesce(said_at, created_at)) as timely
from claims where row_id > $after order by row_id limit $limit;

-- name: evidence_rows
-- Every reason to believe a claim.
select id, claim_id, observation_id, method, note, source_type, source_id, snippet, provenance, created_at
from evidence;

-- name: observation_rows
-- What an observation is read by, without its text.
select
    id, source_type, source_id, null as content, actor, tags, boundary_class, provenance,
    epoch(observed_at) as observed_at, epoch(created_at) as created_at, epoch(expires_at) as expires_at
from observations;

-- name: claims_of_other_length
-- Claims that have more or fewer terms than they say.
select claims.row_id as id from claims left join (
    select row_id, sum(tf) as terms, min(dl) as least, max(dl) as most from postings_of(0) group by row_id
) as posted using (row_id)
where coalesce(posted.terms, 0) <> token_count
    or posted.least <> token_count or posted.most <> token_count
order by claims.row_id;

-- name: terms_of_nothing
-- Keys that terms stand for and no claim has.
select distinct row_id as id from postings_of(0)
where row_id not in (select row_id from claims) order by row_id;

-- name: terms_of_claims
-- The terms of these claims.
select row_id, term_hash, tf from postings_of(0) where row_id in ({row_ids});

-- name: vectors_of_nothing
-- Keys that vectors stand for and no claim has.
select row_id as id from vectors_{generation} where row_id not in (select row_id from claims) order by row_id;

-- name: vectors_unsound
-- Claims whose vector holds what is no number.
select row_id as id from vectors_{generation}
where not coalesce(isfinite(array_inner_product(embedding, embedding)), false) order by row_id;

-- name: claims_without_evidence
-- Claims that were drawn from an observation which is there, and say of no reason to believe them.
select claims.id as id from claims
join observations on observations.id = claims.origin_observation_id and observations.content is not null
where claims.status <> 'tombstone' and claims.id similar to 'clm_[A-Za-z0-9_-]{1,64}(~[0-9]+)?' and not exists (
    select 1 from evidence where evidence.claim_id = claims.id
        and evidence.observation_id = claims.origin_observation_id
)
order by claims.row_id;

-- name: evidence_of_nothing
-- Reasons to believe claims that are not there.
select id from evidence where claim_id not in (select id from claims) order by id;

-- name: mentions_of_nothing
-- Claims that name an entity which is not there, and claims that are not there and name one.
select distinct claim_id as id from claim_entities
where claim_id not in (select id from claims) or entity_id not in (select id from entities) order by claim_id;

-- name: relations_of_nothing
-- Relations of which an end is not there.
select id from relations
where src_id not in (select id from entities) or dst_id not in (select id from entities) order by id;

-- name: aliases_of_nothing
-- Ids that were merged away and lead to no claim.
select id from claim_aliases where claim_id not in (select id from claims) order by id;

-- name: superseded_by_nothing
-- Claims that another is to stand for, which is not there or is the claim itself.
select id from claims
where superseded_by is not null and (
    superseded_by = id or (
        superseded_by not in (select id from claims) and superseded_by not in (select id from claim_aliases)
    )
)
order by row_id;

-- name: documents_between
-- Documents in the order of their keys.
select
    doc_key, id, scope, boundary_class, dates, attributes, digest,
    isfinite(created_at) and isfinite(updated_at) and isfinite(recency_anchor) as timely
from documents where doc_key > $after order by doc_key limit $limit;

-- name: fields_of_documents
-- The fields of these documents.
select doc_key, name, text from document_fields left join document_field_names using (field_no)
where doc_key in ({row_ids}) order by doc_key, field_no;

-- name: ids_of_documents
-- What these documents are called elsewhere.
select doc_key, type, value from document_ids where doc_key in ({row_ids}) order by document_ids.rowid;

-- name: codes_of_documents
-- The codes of these documents, in the order they were given in.
select doc_key, taxonomy, code from document_codes where doc_key in ({row_ids}) order by document_codes.rowid;

-- name: values_of_documents
-- The dates and attributes that these documents are found by.
select doc_key, part, name, kind, text, number from document_values where doc_key in ({row_ids});

-- name: documents_of_other_length
-- Documents with a field that has more or fewer terms than it says.
select distinct doc_key as id from document_fields left join (
    select doc_key, field_no, sum(tf) as terms, min(dl) as least, max(dl) as most
    from document_postings group by doc_key, field_no
) as posted using (doc_key, field_no)
where coalesce(posted.terms, 0) <> length or posted.least <> length or posted.most <> length
order by doc_key;

-- name: parts_of_nothing
-- Keys that what documents hold stands under, and no document has.
select distinct doc_key as id from (
    select doc_key from document_ids union all select doc_key from document_fields
    union all select doc_key from document_codes
)
where doc_key not in (select doc_key from documents) order by doc_key limit $limit;

-- name: heads_of_documents
-- These documents, without what they hold in parts.
select
    doc_key, id, scope, boundary_class, dates, attributes, digest,
    isfinite(created_at) and isfinite(updated_at) and isfinite(recency_anchor) as timely
from documents where list_contains($ids::varchar[], id) order by doc_key;

-- name: move_document
-- A document is under the key that all it holds stands under.
update documents set doc_key = $parts_key where doc_key = $doc_key;

-- name: move_fields
-- Texts that stood under a key of nothing are of this document.
update document_fields set doc_key = $doc_key where doc_key = $parts_key;

-- name: move_ids
-- Ids that stood under a key of nothing are of this document.
update document_ids set doc_key = $doc_key where doc_key = $parts_key;

-- name: move_codes
-- Codes that stood under a key of nothing are of this document.
update document_codes set doc_key = $doc_key where doc_key = $parts_key;

-- name: document_rows_of_nothing
-- Keys that parts of documents stand for and no document has.
select distinct doc_key as id from (
    select doc_key from document_ids union all select doc_key from document_fields
    union all select doc_key from document_codes union all select doc_key from document_values
    union all select doc_key from document_postings
)
where doc_key not in (select doc_key from documents) order by doc_key;

-- name: document_vectors_of_nothing
-- Keys that vectors stand for and no document has.
select doc_key as id from document_vectors_{generation}
where doc_key not in (select doc_key from documents) order by doc_key;

-- name: document_vectors_unsound
-- Documents whose vector holds what is no number.
select doc_key as id from document_vectors_{generation}
where not coalesce(isfinite(array_inner_product(embedding, embedding)), false) order by doc_key;

-- name: texts_behind
-- What the observations say that these claims rest on.
select claims.id, claims.content_hash, observations.content from claims
left join evidence on evidence.claim_id = claims.id
join observations on observations.id = claims.origin_observation_id or observations.id = evidence.observation_id
where claims.row_id in ({row_ids}) and observations.content is not null;

-- name: set_text
-- A text that was found again.
update claims set text = $text, text_length = $length, near_key = $near_key, changed = nextval('changes')
where id = $id;

-- name: origins_of_claims
-- Where these claims were drawn from.
select claims.id as claim_id, observations.id as observation_id, source_type, source_id,
    epoch(claims.created_at) as created_at
from claims join observations on observations.id = claims.origin_observation_id
where claims.id in ({ids});

-- name: erase_evidence_of_nothing
-- Remove the reasons to believe claims that are not there.
delete from evidence where claim_id not in (select id from claims);

-- name: support_of_nothing
-- What came with reasons to believe claims that are not there.
select distinct evidence_id as id from support where evidence_id not in (select id from evidence) order by id;

-- name: erase_support_of_nothing
-- Remove what came with reasons that are not there.
delete from support where evidence_id not in (select id from evidence);

-- name: erase_mentions_of_nothing
-- Remove what names an entity that is not there, or is of no claim.
delete from claim_entities
where claim_id not in (select id from claims) or entity_id not in (select id from entities);

-- name: erase_relations_of_nothing
-- Remove relations of which an end is not there.
delete from relations
where src_id not in (select id from entities) or dst_id not in (select id from entities);

-- name: erase_aliases_of_nothing
-- Remove ids that were merged away and lead to no claim.
delete from claim_aliases where claim_id not in (select id from claims);

-- name: erase_vectors_of_nothing
-- Remove vectors that are of no claim, or are none.
delete from vectors_{generation}
where row_id not in (select row_id from claims)
    or not coalesce(isfinite(array_inner_product(embedding, embedding)), false);

-- name: erase_document_vectors_of_nothing
-- Remove vectors that are of no document, or are none.
delete from document_vectors_{generation}
where doc_key not in (select doc_key from documents)
    or not coalesce(isfinite(array_inner_product(embedding, embedding)), false);

-- name: erase_dates
-- The dates of all documents, to be written anew, and what is neither a date nor an attribute.
delete from document_values where part <> 'attributes';

-- name: counts
-- How many rows there are of what hangs together.
select
    (select count(*) from claims) as claims,
    (select count(*) from observations) as observations,
    (select count(*) from evidence) as evidence,
    (select count(*) from entities) as entities,
    (select count(*) from claim_entities) as mentions,
    (select count(*) from relations) as relations,
    (select count(*) from postings_of(0)) as postings,
    (select count(*) from documents) as documents,
    (select count(*) from document_postings) as document_postings;

-- name: claims_not_followed
-- Claims whose last change has a number that no change has: what is held in memory is not told of it.
select row_id as id from claims
where coalesce(changed, 0) < 1 or changed > (
    select last_value from duckdb_sequences()
    where sequence_name = 'changes' and database_name = current_database()
)
order by row_id;

-- name: claims_of_other_twins
-- Claims that are noted as equal to others and are not, or are and are not noted.
with noted as (
    select row_id, content_hash, said_by, twin,
        count(*) over said as many, min(twin) over said as least, max(twin) over said as most,
        count(twin) over said as marked
    from claims
    window said as (partition by content_hash, said_by)
)
select noted.row_id as id from noted left join claims as first on first.row_id = noted.twin
where noted.twin > noted.row_id or noted.twin < 1
    or (many > 1 and (marked < many or least <> most))
    or first.content_hash <> noted.content_hash or first.said_by is distinct from noted.said_by
        and first.row_id is not null
order by noted.row_id;

-- name: claims_of_no_key
-- Claims whose key is none that a claim is ever given.
select row_id as id from claims where row_id < 1;

-- name: number_claims
-- Claims whose key is none get the next ones, and are equal to whom they are equal to.
update claims set row_id = nextval('claim_row_ids'), saying = null, twin = null, changed = nextval('changes')
where row_id < 1;

-- name: number_changes
-- Claims whose last change has no number are changed now.
update claims set changed = nextval('changes')
where coalesce(changed, 0) < 1 or changed > (
    select last_value from duckdb_sequences()
    where sequence_name = 'changes' and database_name = current_database()
);

-- name: mark_all_twins
-- Note of all claims which of them are equal to others.
update claims set twin = given.twin, changed = nextval('changes')
from (
    select row_id, case when count(*) over said > 1 then min(row_id) over said end as twin
    from claims
    window said as (partition by content_hash, said_by)
) as given
where claims.row_id = given.row_id and claims.twin is distinct from given.twin;

-- name: contexts_read
-- What the active contexts are read by.
select id, span, scope, provenance, policy_version, boundary, epoch(created_at) as created_at,
    epoch(expires_at) as expires_at
from active_contexts;

-- name: context_items_read
-- What the items of active contexts are read by, in order.
select ac_id, claim_id, rank, score from active_context_items order by ac_id, rank;

-- name: runs_read
-- What runs are read by, and whether they list as many as they say, one behind the other.
select runs.*, coalesce(listed.many, 0) = documents and coalesce(listed.sound, true) as is_listed
from (
    select seq, run_id, kind, lane, lane_name, source, query, params, recipe, metrics, parent, history,
        boundary, policy_version, made_by, documents, epoch(created_at) as created_at,
        epoch(expires_at) as expires_at
    from runs
) as runs left join (
    select run_seq, count(*) as many,
        min(place) = 1 and max(place) = count(*) and count(distinct place) = count(*)
            and bool_and(isfinite(score)) and min(key) > 0 as sound
    from run_docs group by run_seq
) as listed on listed.run_seq = seq
order by seq;

-- name: foreign_read
-- What backends told of documents in runs.
select run_seq, key, source, doc_id, json_type(metadata) = 'OBJECT' as is_mapping from run_foreign;

-- name: run_rows_of_nothing
-- Keys that parts of runs stand for and no run has.
select distinct run_seq as id from (
    select run_seq from run_docs union all select run_seq from run_foreign
)
where run_seq not in (select seq from runs) order by run_seq;

-- name: erase_contexts
-- Contexts that cannot be read.
delete from active_contexts where list_contains($ids::varchar[], id);

-- name: erase_items_of_nothing
-- Items of contexts that are not there.
delete from active_context_items where ac_id not in (select id from active_contexts);
