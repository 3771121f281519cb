-- Runs: what a lane found, what runs were blended into, and what was searched for, for a while.

create sequence run_seqs;

create table runs (
    seq             bigint not null,              -- key of run_docs
    run_id          varchar not null,
    kind            varchar not null,             -- lane or fusion
    lane            varchar,                      -- of a lane run
    lane_name       varchar,                      -- such as recall or precision
    source          varchar,                      -- of a lane run: claims, or the name of a backend
    query           varchar,                      -- what was searched for, without secrets; erasable
    params          json not null,                -- top_k, filters and the like
    recipe          json,                         -- of a fusion run: every parameter, and the delta
    metrics         json,                         -- of a fusion run
    parent          varchar,                      -- the run it is a mutation of
    history         json not null,                -- the runs before it, oldest first
    boundary        json not null,                -- what it was made under, narrowed
    policy_version  varchar not null,
    made_by         varchar,                      -- hmac of the boundary's actor under the file's key
    documents       bigint not null,
    created_at      timestamp not null,
    expires_at      timestamp not null
);

-- The documents of runs in rank order: appended in one piece, so that zone maps find a run.
create table run_docs (
    run_seq  bigint not null,
    place    integer not null,                    -- from 1
    key      bigint not null,                     -- row_id of a claim; with bit 56 a doc_key; else run_foreign
    score    double not null
);

-- What documents of another backend are called; the memory knows nothing else of them.
create table run_foreign (
    key       bigint not null,
    source    varchar not null,
    doc_id    varchar not null,
    metadata  json not null
);
