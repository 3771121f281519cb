-- name: documents_after
-- The first $limit documents after a key, and what their vectors are of.
select doc_key, boundary_class, embedded, attributes from documents where doc_key > $after order by doc_key limit $limit;

-- name: count_without_vector
-- How many documents have no vector in a space.
select count(*) as n from documents
where doc_key not in (select doc_key from document_vectors_{generation});

-- name: without_vector
-- The first $limit documents that have no vector in a space.
select doc_key, boundary_class, embedded, attributes from documents
where doc_key not in (select doc_key from document_vectors_{generation})
order by doc_key limit $limit;

-- name: fields_of
-- The texts of these documents, with the numbers of their fields; a number may have lost its name.
select doc_key, field_no, coalesce(name, '') as name, text
from document_fields left join document_field_names using (field_no)
where doc_key in ({row_ids}) order by doc_key, field_no;

-- name: set_lengths
-- How many terms fields have, as one JSON array.
update document_fields set length = given.length
from (select unnest(from_json($rows, '[{
    "doc_key": "BIGINT", "field_no": "USMALLINT", "length": "UINTEGER"
}]'), recursive := true)) as given
where document_fields.doc_key = given.doc_key and document_fields.field_no = given.field_no;

-- name: set_embedded
-- What the vectors of documents are of, as one JSON array.
update documents set embedded = given.embedded
from (select unnest(from_json($rows, '[{"doc_key": "BIGINT", "embedded": "UBIGINT"}]'), recursive := true)) as given
where documents.doc_key = given.doc_key;

-- name: count_all
-- How many documents there are.
select count(*) as n from documents;

-- name: expired
-- The documents whose scope's ttl has passed.
select doc_key, id from documents
where epoch(recency_anchor) <= case scope
    when 'session' then $session_since
    when 'project' then $project_since
    when 'principle' then $principle_since
    end
order by doc_key;

-- name: erase_field_names
-- The names of fields that no document has.
delete from document_field_names where field_no not in (select field_no from document_fields);

-- name: visible_among
-- Which of these documents are visible.
select doc_key from documents_seen() where doc_key in ({row_ids}) and {visible} order by doc_key;

-- name: by_id
-- The document of an id, whoever may see it.
select doc_key, id from documents where id = $id order by doc_key;

-- name: ids_of_keys
-- The ids of these documents.
select doc_key, id from documents where doc_key in ({row_ids}) order by doc_key;

-- name: count_postings
-- How many terms of documents there are.
select count(*) as n from document_postings;

-- name: fill_next
-- Every term of documents, in order.
insert into document_postings_next
select field_no, term_hash, doc_key, tf, dl from document_postings order by term_hash, field_no, doc_key;

-- name: drop_postings
-- The terms that the sorted ones take the place of.
drop table document_postings;

-- name: rename_next
-- The terms that were sorted are those in use from now on.
alter table document_postings_next rename to document_postings;
