-- Scores that somebody else gave claims: what each was compared with, by which threshold, and what it did.

create sequence judgement_seqs;

create table judgements (
    seq              bigint not null,             -- the order in which they were given
    id               varchar primary key,
    claim_id         varchar not null,
    judge            varchar,                     -- the model_id of a judge that was asked
    score            double,                      -- 0 to 100; null: it could not be judged
    previous_score   double,                      -- the last one of the claim that counted
    score_direction  varchar not null,            -- improved, degraded, stable or unknown
    noise_threshold  double not null,
    counted          boolean not null,
    given_at         timestamp not null,
    outcome          json not null                -- what it did, returned again on replay
);

create index judgements_by_claim on judgements (claim_id);
