-- name: named
-- What these documents are called elsewhere, in one row each.
select doc_key, id, (
    select json_group_object(type, value) from document_ids where document_ids.doc_key = documents.doc_key
)::varchar as known
from documents where doc_key in ({row_ids}) order by doc_key;

-- name: set_names
-- What documents go by where it is another name than before, as one JSON array.
update documents set name = given.name
from (select unnest(from_json($rows, '[{"doc_key": "BIGINT", "name": "VARCHAR"}]'), recursive := true)) as given
where documents.doc_key = given.doc_key and documents.name <> given.name;
