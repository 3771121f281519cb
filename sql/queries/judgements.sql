-- name: judgement_by_id
-- A score that was given under this id and reach, and what it did; one of before only if it is the same.
select outcome from judgements
where id = $id and (
    used_under = $used_under
    or (
        used_under is null and claim_id = $claim_id
        and ($score is null or score is not distinct from $score)
    )
)
order by used_under nulls last limit 1;

-- name: last_counted
-- The last score of a claim that counted.
select score from judgements where claim_id = $claim_id and counted and score is not null order by seq desc limit 1;

-- name: insert_judgement
-- One score and what it did.
insert into judgements (
    seq, id, claim_id, judge, score, previous_score, score_direction, noise_threshold, counted,
    given_at, outcome, used_under
)
values (
    nextval('judgement_seqs'), $id, $claim_id, $judge, $score, $previous_score, $score_direction,
    $noise_threshold, $counted, utc($given_at), $outcome, $used_under
);
