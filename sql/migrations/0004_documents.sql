-- Documents beside claims: named fields, ids of elsewhere, codes, dates, attributes.
-- A document that is written again gets a new key: what hangs on a key never changes.

create sequence document_keys;

create table documents (
    doc_key          bigint primary key,
    id               varchar not null,                -- stays when the document is written again
    name             varchar not null,                -- what it goes by elsewhere: orders equal scores
    scope            varchar not null,
    boundary_class   varchar not null,
    dates            json not null,                   -- epoch seconds by name
    attributes       json not null,
    digest           varchar not null,                -- hmac of all it holds, under the file's key
    contains_pii     boolean not null,
    contains_secret  boolean not null,
    breaking_change  boolean not null,
    text_length      integer not null,
    embedded         ubigint not null,                -- hash of the text its vector is to be of
    created_at       timestamp not null,
    updated_at       timestamp not null,
    recency_anchor   timestamp not null,              -- its life in its scope counts from here
    changed          bigint not null                  -- grows with every change of any document
);

create table document_ids (
    doc_key  bigint not null,
    type     varchar not null,                        -- pub_id, app_id, or any other
    value    varchar not null
);

create table document_field_names (
    field_no  usmallint primary key,
    name      varchar not null unique
);

create sequence document_field_numbers;

create table document_fields (
    doc_key   bigint not null,
    field_no  usmallint not null,
    text      varchar not null,
    length    uinteger not null                       -- terms of the field: the length BM25 counts
);

create table document_codes (
    doc_key   bigint not null,
    taxonomy  varchar not null,
    code      varchar not null
);

-- Dates and attributes, a row for each value.
create table document_values (
    doc_key  bigint not null,
    part     varchar not null,                        -- dates or attributes
    name     varchar not null,
    kind     varchar not null,                        -- text, number or boolean
    text     varchar,
    number   double
);

-- Sorted by term within each batch that was written, so that a term is read in few pieces.
create table document_postings (
    field_no   usmallint not null,
    term_hash  ubigint not null,
    doc_key    bigint not null,
    tf         usmallint not null,
    dl         uinteger not null
);

create index document_ids_by_value on document_ids (value);
create index documents_by_id on documents (id);
