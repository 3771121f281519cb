-- Where the terms of documents are sorted.
create table document_postings_next (
    field_no   usmallint not null,
    term_hash  ubigint not null,
    doc_key    bigint not null,
    tf         usmallint not null,
    dl         uinteger not null
);
