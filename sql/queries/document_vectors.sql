-- name: space
-- The spaces of a model: the one in use first.
select generation, dimension, status from vector_spaces
where status in ('active', 'filling') and model_id = $model_id and version = $version
order by status, generation;

-- name: tables
-- The spaces that have a table of vectors of documents, of their dimension.
select generation, dimension from vector_spaces
where ('document_vectors_' || generation::varchar, 'FLOAT[' || dimension::varchar || ']') in (
    select (table_name, data_type) from duckdb_columns()
    where database_name = current_database() and column_name = 'embedding'
)
order by generation;

-- name: load
-- Vectors as columns.
insert into document_vectors_{generation} select doc_key, embedding from {given};

-- name: erase
-- The vectors of documents that are erased.
delete from document_vectors_{generation} where doc_key in ({row_ids});

-- name: erase_cached_like
-- The cached vectors of documents that are erased.
delete from embedding_cache
where embedding in (select embedding::float[] from document_vectors_{generation} where doc_key in ({row_ids}));
