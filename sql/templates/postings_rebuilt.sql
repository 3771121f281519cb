-- What reindex has made so far: empty again once it has taken its place.
create table postings_rebuilt (
    corpus     utinyint not null,
    term_hash  ubigint not null,
    row_id     bigint not null,
    tf         usmallint not null,
    dl         uinteger not null
);
