-- name: insert_context
-- An active context.
insert into active_contexts (
    id, span, scope, provenance, policy_version, boundary, query_digest, created_at, expires_at
)
values (
    $id, $span, $scope, $provenance, $policy_version, $boundary, $query_digest, utc($created_at),
    utc($expires_at)
);

-- name: insert_items
-- The items of an active context, as one JSON array.
insert into active_context_items
select $ac_id, claim_id, rank, score, reason
from (select unnest(from_json($rows, '[{
    "claim_id": "VARCHAR", "rank": "INTEGER", "score": "DOUBLE", "reason": "VARCHAR"
}]'), recursive := true));

-- name: context_by_id
-- An active context.
select id, span, scope, provenance, policy_version, boundary, epoch(created_at) as created_at,
    epoch(expires_at) as expires_at
from active_contexts where id = $id;

-- name: items_of_context
-- The items of an active context, in order.
select ac_id, claim_id, rank, score from active_context_items where ac_id = $ac_id order by rank;

-- name: drop_expired_items
-- The items of contexts that expired.
delete from active_context_items
where ac_id in (select id from active_contexts where expires_at <= utc($now));

-- name: drop_expired_contexts
-- Contexts that expired.
delete from active_contexts where expires_at <= utc($now);
