-- The vectors of documents, of one embedding model. Braces take integers only.
create table if not exists document_vectors_{generation} (
    doc_key    bigint primary key,
    embedding  float[{dimension}] not null
);
