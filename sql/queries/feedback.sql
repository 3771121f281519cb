-- name: feedback_by_id
-- A feedback that was given, and what it did.
select id, claim_id, signal, score, duplicate_of, epoch(given_at) as given_at, outcome
from feedback where id = $id;

-- name: insert_feedback
-- One feedback and what it did.
insert into feedback (id, claim_id, signal, score, duplicate_of, given_at, outcome)
values ($id, $claim_id, $signal, $score, $duplicate_of, utc($given_at), $outcome);
