-- A claim is its row, not its content hash: equal texts may stand beside each other.
--
-- What somebody may not see he does not merge with. DuckDB cannot drop a unique constraint, so the
-- tables that have one are rebuilt; nothing that was merged before is taken apart.

create table claims_rebuilt (
    row_id                  bigint primary key,   -- key of postings and vectors
    id                      varchar not null unique,
    text                    varchar not null,
    kind                    varchar not null,
    scope                   varchar not null,
    boundary_class          varchar not null,
    quality                 double not null,
    confidence              double not null check (confidence between 0 and 1),
    utility                 double not null,
    content_hash            varchar not null,
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
    last_retrieved_at       timestamp,
    changed                 bigint,               -- grows with every change of any claim
    saying                  bigint,               -- claims of one observation share it: a row_id
    stream                  ubigint,              -- hash of what it is a part of: a thread, a document
    said_by                 varchar,              -- who said it
    said_at                 timestamp,            -- when it was said, not when it was recorded
    embedded                ubigint,              -- hash of the text its vector is to be of; null: not known
    marks                   utinyint,             -- 1: it asks, 2: it names a time
    twin                    bigint                -- the first row of its speaker and hash; null: there is no other
);

insert into claims_rebuilt
select
    row_id, id, text, kind, scope, boundary_class, quality, confidence, utility, content_hash, near_key,
    origin_observation_id, derived_from, tags, status, superseded_by, contains_pii, contains_secret,
    breaking_change, text_length, token_count, validated_under, created_at, updated_at,
    recency_anchor, decayed_at, retrieval_count, last_retrieved_at, changed, saying, stream, said_by,
    said_at, embedded, marks, null
from claims order by row_id;

drop table claims;

alter table claims_rebuilt rename to claims;

create index claim_near_keys on claims (near_key);
create index claim_content_hashes on claims (content_hash);

-- An id that was merged away may lead to a claim for each of those who used it.
create table claim_aliases_rebuilt (
    id          varchar not null,                 -- an id that was merged away
    claim_id    varchar not null,
    created_at  timestamp not null
);

insert into claim_aliases_rebuilt select id, claim_id, created_at from claim_aliases;

drop table claim_aliases;

alter table claim_aliases_rebuilt rename to claim_aliases;

create index claim_alias_ids on claim_aliases (id);

-- An id of feedback or of a judgement is whose boundary and actor used it.
create table feedback_rebuilt (
    id            varchar not null,
    claim_id      varchar not null,
    signal        varchar not null,
    score         double,
    duplicate_of  varchar,
    given_at      timestamp not null,
    outcome       json not null,                  -- what it did, returned again on replay
    used_under    varchar                         -- hmac of the boundary and actor; null: of before
);

insert into feedback_rebuilt
select id, claim_id, signal, score, duplicate_of, given_at, outcome, null from feedback;

drop table feedback;

alter table feedback_rebuilt rename to feedback;

create index feedback_ids on feedback (id);

create table judgements_rebuilt (
    seq              bigint not null,             -- the order in which they were given
    id               varchar not null,
    claim_id         varchar not null,
    judge            varchar,                     -- the model_id of a judge that was asked
    score            double,                      -- 0 to 100; null: it could not be judged
    previous_score   double,                      -- the last one of the claim that counted
    score_direction  varchar not null,            -- improved, degraded, stable or unknown
    noise_threshold  double not null,
    counted          boolean not null,
    given_at         timestamp not null,
    outcome          json not null,               -- what it did, returned again on replay
    used_under       varchar                      -- hmac of the boundary and actor; null: of before
);

insert into judgements_rebuilt
select seq, id, claim_id, judge, score, previous_score, score_direction, noise_threshold, counted,
    given_at, outcome, null
from judgements order by seq;

drop table judgements;

alter table judgements_rebuilt rename to judgements;

create index judgements_by_claim on judgements (claim_id);
create index judgement_ids on judgements (id);

-- What came with a reason to believe a claim: it goes with that reason.
create table support (
    evidence_id  varchar not null,
    tags         json not null,
    entities     json not null
);

create index support_by_evidence on support (evidence_id);

-- What DuckDB replayed from a log may be missing in the indexes of these: they are made anew with
-- their tables. (To drop an index that nobody has looked up in ends the process.)
create table evidence_rebuilt (
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

insert into evidence_rebuilt
select id, claim_id, observation_id, method, note, source_type, source_id, snippet, provenance, created_at
from evidence;

drop table evidence;

alter table evidence_rebuilt rename to evidence;

create index evidence_claim_ids on evidence (claim_id);

create table document_ids_rebuilt (
    doc_key  bigint not null,
    type     varchar not null,                        -- pub_id, app_id, or any other
    value    varchar not null
);

insert into document_ids_rebuilt select doc_key, type, value from document_ids;

drop table document_ids;

alter table document_ids_rebuilt rename to document_ids;

create index document_ids_by_value on document_ids (value);

create table documents_rebuilt (
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

insert into documents_rebuilt
select doc_key, id, name, scope, boundary_class, dates, attributes, digest, contains_pii,
    contains_secret, breaking_change, text_length, embedded, created_at, updated_at, recency_anchor, changed
from documents order by doc_key;

drop table documents;

alter table documents_rebuilt rename to documents;

create index documents_by_id on documents (id);
