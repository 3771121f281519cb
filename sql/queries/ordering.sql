-- name: claim_columns
-- What claims can be put in order by.
select row_id as key, split_part(id, '~', 1) as id, kind, scope, boundary_class, text_length, quality,
    confidence, utility, created_at, updated_at
from claims_at($now, $utility_half_life, $quality_half_life) where row_id in ({row_ids});

-- name: document_columns
-- What documents can be put in order by, beside what hangs on them.
select doc_key as key, id, scope, boundary_class, text_length, created_at, updated_at
from documents_seen() where doc_key in ({row_ids});

-- name: document_values
-- The values that documents have under one name.
select doc_key as key, coalesce(text, '') as text, number from document_values
where part = $part and name = $name and doc_key in ({row_ids});

-- name: document_names
-- What documents are called in one way.
select doc_key as key, value as text, null::double as number from document_ids
where type = $name and doc_key in ({row_ids});
