-- name: next_doc_keys
-- Fresh keys for documents.
select nextval('document_keys') as doc_key from range($count);

-- name: new_field_names
-- Number the fields that no document had before.
insert into document_field_names
select nextval('document_field_numbers'), name
from (
    select unnest($names::varchar[]) as name except select name from document_field_names order by name
);

-- name: field_numbers
-- The number of every field.
select field_no, name from document_field_names;

-- name: known_ids
-- Everything that visible documents which have one of these ids are called.
select doc_key, type, value from document_ids
where doc_key in (
    select doc_key from document_ids where value in (select unnest($values::varchar[]))
) and doc_key in (select doc_key from documents_seen() where {visible})
order by doc_key;

-- name: known_digests
-- The visible documents that hold exactly this.
select doc_key, digest from documents
where digest in (select unnest($digests::varchar[]))
    and doc_key in (select doc_key from documents_seen() where {visible})
order by doc_key;

-- name: heads
-- What is kept of documents that are written anew.
select doc_key, id, digest, scope, boundary_class, epoch(created_at) as created_at from documents
where doc_key in ({row_ids}) order by doc_key;

-- name: insert_documents
-- New documents, as one JSON array.
insert into documents
select doc_key, id, name, scope, boundary_class, dates, attributes, digest, contains_pii, contains_secret,
    breaking_change, text_length, embedded, utc(created_at), utc($now), utc($now), nextval('changes')
from (select unnest(from_json($rows, '[{
    "doc_key": "BIGINT", "id": "VARCHAR", "name": "VARCHAR", "scope": "VARCHAR", "boundary_class": "VARCHAR",
    "dates": "JSON", "attributes": "JSON", "digest": "VARCHAR", "contains_pii": "BOOLEAN",
    "contains_secret": "BOOLEAN", "breaking_change": "BOOLEAN", "text_length": "INTEGER",
    "embedded": "UBIGINT", "created_at": "DOUBLE"
}]'), recursive := true));

-- name: insert_ids
-- What documents are called elsewhere, as one JSON array.
insert into document_ids
select doc_key, type, value
from (select unnest(from_json($rows, '[{"doc_key": "BIGINT", "type": "VARCHAR", "value": "VARCHAR"}]'), recursive := true));

-- name: insert_fields
-- The texts of documents, as one JSON array.
insert into document_fields
select doc_key, field_no, text, length
from (select unnest(from_json($rows, '[{
    "doc_key": "BIGINT", "field_no": "USMALLINT", "text": "VARCHAR", "length": "UINTEGER"
}]'), recursive := true));

-- name: insert_codes
-- The codes of documents, as one JSON array.
insert into document_codes
select doc_key, taxonomy, code
from (select unnest(from_json($rows, '[{"doc_key": "BIGINT", "taxonomy": "VARCHAR", "code": "VARCHAR"}]'), recursive := true));

-- name: insert_values
-- The dates and attributes of documents, as one JSON array.
insert into document_values
select doc_key, part, name, kind, text, number
from (select unnest(from_json($rows, '[{
    "doc_key": "BIGINT", "part": "VARCHAR", "name": "VARCHAR", "kind": "VARCHAR", "text": "VARCHAR",
    "number": "DOUBLE"
}]'), recursive := true));

-- name: load_postings
-- The terms of documents, as columns: sorted, so that a term of a batch is read in one piece.
insert into document_postings
select field_no, term_hash, doc_key, tf, dl from {given} order by term_hash, field_no, doc_key;

-- name: renew
-- Documents that were given again as they are: their life in their scope counts from now.
update documents set recency_anchor = utc($now), changed = nextval('changes') where doc_key in ({row_ids});

-- name: erase_documents
-- These documents.
delete from documents where doc_key in ({row_ids});

-- name: erase_ids
-- What these documents are called elsewhere.
delete from document_ids where doc_key in ({row_ids});

-- name: erase_fields
-- The texts of these documents.
delete from document_fields where doc_key in ({row_ids});

-- name: erase_codes
-- The codes of these documents.
delete from document_codes where doc_key in ({row_ids});

-- name: erase_values
-- The dates and attributes of these documents.
delete from document_values where doc_key in ({row_ids});

-- name: erase_attributes
-- The attributes of these documents, to be written anew.
delete from document_values where part = 'attributes' and doc_key in ({row_ids});

-- name: erase_postings
-- The terms of these documents.
delete from document_postings where doc_key in ({row_ids});
