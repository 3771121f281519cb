-- Where the postings are sorted into, to take the place of the table `postings`.
create table postings_next (
    corpus     utinyint not null,
    term_hash  ubigint not null,
    row_id     bigint not null,
    tf         usmallint not null,
    dl         uinteger not null
);
