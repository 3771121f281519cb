-- Search at any size: postings sorted by term with a delta, what changed when, who said what when.

create sequence changes;

alter table claims add column changed bigint;         -- grows with every change of any claim
alter table claims add column saying bigint;          -- claims of one observation share it: a row_id
alter table claims add column stream ubigint;         -- hash of what it is a part of: a thread, a document
alter table claims add column said_by varchar;        -- who said it
alter table claims add column said_at timestamp;      -- when it was said, not when it was recorded
alter table claims add column embedded ubigint;       -- hash of the text its vector is to be of; null: not known
alter table claims add column marks utinyint;         -- 1: it asks, 2: it names a time

update claims set
    changed = nextval('changes'), saying = row_id, said_at = created_at,
    marks = regexp_matches(text, '[?？]\W*$')::utinyint;

update claims set saying = given.saying, said_by = given.actor, said_at = given.observed_at
from (
    select claims.row_id, min(claims.row_id) over (partition by observations.id) as saying,
        observations.actor, observations.observed_at
    from claims join observations on observations.id = claims.origin_observation_id
) as given
where claims.row_id = given.row_id;

alter table postings rename to postings_unsorted;

-- What is looked up by term: sorted, so that a term is read in one piece.
create table postings (
    corpus     utinyint not null,                     -- what row_id is a key of; 0 is claims
    term_hash  ubigint not null,
    row_id     bigint not null,
    tf         usmallint not null,                    -- times the text has the term
    dl         uinteger not null                      -- terms of the text
);

insert into postings select 0, term_hash, row_id, tf, dl from postings_unsorted order by all;

drop table postings_unsorted;

-- What was written since the postings were sorted last.
create table postings_delta (
    seq        bigint not null,                       -- what a compaction has taken is below its mark
    corpus     utinyint not null,
    term_hash  ubigint not null,
    row_id     bigint not null,
    tf         usmallint not null,
    dl         uinteger not null
);

create sequence postings_seq;

-- Claims whose postings were erased or written anew since the postings were sorted last.
create table postings_erased (
    seq        bigint not null,
    corpus     utinyint not null,
    row_id     bigint not null
);

-- What reindex has made so far: it takes the place of the postings when it is whole.
create table postings_rebuilt (
    corpus     utinyint not null,
    term_hash  ubigint not null,
    row_id     bigint not null,
    tf         usmallint not null,
    dl         uinteger not null
);

-- An answer is looked up by claim, a new claim by what it reads like: no scan of all.
create index evidence_claim_ids on evidence (claim_id);
create index claim_near_keys on claims (near_key);
