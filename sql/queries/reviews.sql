-- name: insert_reviews
-- Claims that wait for a human, as one JSON array.
insert into reviews
select given.id, given.claim_id, given.reason, given.scope, given.boundary_class, $policy_version, 'pending',
    utc($now), utc($deadline), null, null, null
from (select unnest(from_json($rows, '[{
    "id": "VARCHAR", "claim_id": "VARCHAR", "reason": "VARCHAR", "scope": "VARCHAR",
    "boundary_class": "VARCHAR"
}]'), recursive := true)) as given
where given.claim_id not in (select claim_id from reviews where status = 'pending');

-- name: reviews
-- Reviews of one status or of all, those that are due first on top.
select id, claim_id, reason, scope, boundary_class, policy_version, status,
    epoch(requested_at) as requested_at, epoch(deadline) as deadline, reviewer, note,
    epoch(decided_at) as decided_at
from reviews
where ($status is null or status = $status) and ($id is null or id = $id)
    and ($claim_id is null or claim_id = $claim_id)
order by reviews.deadline, reviews.requested_at, id limit $limit;

-- name: decide_review
-- What a reviewer decided.
update reviews set status = $status, reviewer = $reviewer, note = $note, decided_at = utc($now)
where id = $id and status = 'pending';

-- name: insert_rejected_sources
-- What a rejected claim was drawn from and who said it: ids of observations and digests of actors.
insert into rejected_sources select $id, unnest($sources::varchar[]);

-- name: actors_of_claim
-- Who said a claim, or is told to have said it.
with reasons as (
    select observation_id, provenance from evidence
    where claim_id in (select id from claims where row_id = $row_id)
)
select said_by as actor from claims where row_id = $row_id and said_by is not null
union
select provenance ->> 'actor' from reasons where provenance ->> 'actor' is not null
union
select unnest([actor, provenance ->> 'actor']) from observations
where id in (select observation_id from reasons)
order by 1;

-- name: notes_of_claim
-- What reviewers wrote of a claim that is not there any more.
select id from reviews
where note is not null and split_part(claim_id, '~', 1) = $claim_id
    and claim_id not in (select id from claims);

-- name: notes_of_sources
-- What reviewers wrote of rejected claims that came of one of these.
select id from reviews
where note is not null and id in (
    select review_id from rejected_sources where source in (select unnest($sources::varchar[]))
);

-- name: set_status
-- Move a claim into or out of the review queue.
update claims set status = $status, updated_at = utc($now), changed = nextval('changes')
where row_id = $row_id;

-- name: close_reviews
-- The reviews of claims that are erased need nobody any more.
update reviews set status = 'withdrawn', decided_at = utc($now)
where status = 'pending' and claim_id in ({ids});
