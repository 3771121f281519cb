-- name: judgement_by_id
-- A score that was given, and what it did.
select outcome from judgements where id = $id;

-- name: last_counted
-- The last score of a claim that counted.
select score from judgements where claim_id = $claim_id and counted order by seq desc limit 1;

-- name: insert_judgement
-- One score and what it did.
insert into judgements (
    seq, id, claim_id, judge, score, previous_score, score_direction, noise_threshold, counted,
    given_at, outcome
)
values (
    nextval('judgement_seqs'), $id, $claim_id, $judge, $score, $previous_score, $score_direction,
    $noise_threshold, $counted, utc($given_at), $outcome
);
