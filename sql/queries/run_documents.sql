-- name: keys_of_ids
-- The keys of documents.
select id, doc_key from documents where id in (select unnest($ids::varchar[]));

-- name: ids_of_keys
-- The ids of documents.
select doc_key, id from documents where doc_key in ({row_ids});

-- name: codes_of_keys
-- The codes of documents.
select doc_key, taxonomy, code from document_codes where doc_key in ({row_ids})
order by doc_key, taxonomy, code;

-- name: document_weights
-- What the codes of documents count, of those asked for: one JSON array of taxonomy, code and weight.
select doc_key, sum(weight) as weight
from document_codes join (select unnest(from_json($codes, '[{
    "taxonomy": "VARCHAR", "code": "VARCHAR", "weight": "DOUBLE"
}]'), recursive := true)) using (taxonomy, code)
group by doc_key order by doc_key;
