-- The tables of one memory file.
-- Times are timestamp in UTC. There are no foreign keys: integrity is kept by the functions that
-- write and checked by laws. Vocabularies are varchar: they may grow.

create table meta (
    key    varchar primary key,
    value  varchar not null
);

create sequence claim_row_ids;

create table observations (
    id                      varchar primary key,
    source_type             varchar not null,
    source_id               varchar,
    content                 varchar,              -- null when scrubbed or kept as a digest only
    actor                   varchar,
    tags                    json,
    boundary_class          varchar not null,
    content_digest          varchar not null,     -- hmac under the file's key
    content_length          bigint not null,      -- characters of what was observed
    store_mode              varchar not null,
    provenance              json,
    observed_at             timestamp not null,
    created_at              timestamp not null,
    expires_at              timestamp
);

create table idempotency (
    key_digest      varchar primary key,          -- hmac under the file's key
    observation_id  varchar not null,
    outcome         json not null,
    created_at      timestamp not null
);

create table claims (
    row_id                  bigint primary key,   -- key of postings and vectors
    id                      varchar not null unique,
    text                    varchar not null,
    kind                    varchar not null,
    scope                   varchar not null,
    boundary_class          varchar not null,
    quality                 double not null,
    confidence              double not null check (confidence between 0 and 1),
    utility                 double not null,
    content_hash            varchar not null unique,
    near_key                varchar not null,
    origin_observation_id   varchar,
    derived_from            json not null,
    tags                    json not null,
    status                  varchar not null,     -- active, review or tombstone
    superseded_by           varchar,
    contains_pii            boolean not null,
    contains_secret         boolean not null,
    breaking_change         boolean not null,
    text_length             integer not null,
    token_count             integer not null,     -- terms of the text: the length BM25 counts
    validated_under         varchar,              -- policy version its invariants held under
    created_at              timestamp not null,
    updated_at              timestamp not null,
    recency_anchor          timestamp not null,
    decayed_at              timestamp not null,   -- utility and quality are as of this time
    retrieval_count         bigint not null default 0,
    last_retrieved_at       timestamp
);

create table claim_aliases (
    id          varchar primary key,              -- an id that was merged away
    claim_id    varchar not null,
    created_at  timestamp not null
);

create table evidence (
    id              varchar primary key,
    claim_id        varchar not null,
    observation_id  varchar,
    method          varchar not null,
    note            varchar,
    source_type     varchar,
    source_id       varchar,
    snippet         varchar,
    provenance      json,
    created_at      timestamp
);

create table entities (
    id             varchar primary key,
    type           varchar not null,
    name           varchar not null,
    canonical_key  varchar not null,
    attrs          json,
    created_at     timestamp not null,
    unique (type, canonical_key)
);

create table relations (
    id                 varchar primary key,
    src_id             varchar not null,
    dst_id             varchar not null,
    type               varchar not null,
    props              json,
    evidence_claim_id  varchar,
    created_at         timestamp not null,
    unique (src_id, dst_id, type)
);

create table claim_entities (
    claim_id   varchar not null,
    entity_id  varchar not null,
    primary key (claim_id, entity_id)
);

create table feedback (
    id            varchar primary key,
    claim_id      varchar not null,
    signal        varchar not null,
    score         double,
    duplicate_of  varchar,
    given_at      timestamp not null,
    outcome       json not null                   -- what it did, returned again on replay
);

create table active_contexts (
    id              varchar primary key,
    span            varchar,                      -- the seed's window
    scope           varchar not null,
    provenance      json,
    policy_version  varchar not null,
    boundary        json not null,
    query_digest    varchar not null,
    created_at      timestamp not null,
    expires_at      timestamp not null
);

create table active_context_items (
    ac_id     varchar not null,
    claim_id  varchar not null,
    rank      integer not null,
    score     double not null,
    reason    varchar,
    primary key (ac_id, claim_id)
);

create table policies (
    seq         bigint not null,                  -- the highest is in force
    version     varchar primary key,
    yaml        varchar not null,
    sha256      varchar not null,
    applied_at  timestamp not null
);

create table events (
    id          varchar primary key,
    ts          timestamp not null,
    topic       varchar not null,
    payload     json not null,                    -- ids, counts and digests, never text
    request_id  varchar,
    trace_id    varchar
);

create table postings (
    term_hash  ubigint not null,
    row_id     bigint not null,
    tf         usmallint not null,                -- times the claim has the term
    dl         uinteger not null                  -- terms of the claim
);

create table vector_spaces (
    generation  integer primary key,              -- names the table vectors_<generation>
    model_id    varchar not null,
    version     varchar not null,
    dimension   integer not null,
    status      varchar not null,                 -- active, filling or retired
    created_at  timestamp not null
);

create table embedding_cache (
    model_id    varchar not null,
    version     varchar not null,
    text_key    varchar not null,                 -- blake2b of the exact text embedded
    embedding   float[] not null,
    created_at  timestamp not null,
    primary key (model_id, version, text_key)
);
