-- name: terms_held
-- Which of these terms documents hold, in whichever fields.
select distinct doc_key, term_hash from document_postings where term_hash in ({terms});

-- name: redacted_texts
-- The documents of which something may be redacted, and so not indexed.
select doc_key, text from document_fields
where doc_key in (select doc_key from documents where boundary_class = 'pii') order by doc_key;

-- name: ids_beside
-- What documents are called elsewhere.
select doc_key, value as text from document_ids;

-- name: codes_beside
-- The codes of documents.
select doc_key, code as text from document_codes;

-- name: names_beside
-- What the parts of documents are called.
select doc_key, type as text from document_ids
union
select doc_key, taxonomy from document_codes
union
select doc_key, name from document_values
union
select doc_key, name from document_fields join document_field_names using (field_no);

-- name: texts_beside
-- What documents, their parts and their codes are called.
select value as text from document_ids
union
select type from document_ids
union
select unnest([taxonomy, code]) from document_codes
union
select unnest([name, text]) from document_values
union
select name from document_field_names;

-- name: attributes_beside
-- The attributes of documents, as they were given.
select doc_key, attributes from documents
where doc_key in (select doc_key from document_values where part = 'attributes' and kind = 'text');
