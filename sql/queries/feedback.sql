-- name: feedback_by_id
-- A feedback that was given under this id and reach, and what it did; one of before only if it is the same.
select id, claim_id, signal, score, duplicate_of, epoch(given_at) as given_at, outcome
from feedback
where id = $id and (
    used_under = $used_under
    or (
        used_under is null and claim_id = $claim_id and signal = $signal
        and score is not distinct from $score and duplicate_of is not distinct from $duplicate_of
    )
)
order by used_under nulls last limit 1;

-- name: insert_feedback
-- One feedback and what it did.
insert into feedback (id, claim_id, signal, score, duplicate_of, given_at, outcome, used_under)
values ($id, $claim_id, $signal, $score, $duplicate_of, utc($given_at), $outcome, $used_under);
