-- name: insert_audit
-- Decisions, as one JSON array: who, by which operation, under which policy, what was decided and why.
insert into audit (
    id, ts, request_id, who, tool, scopes, classes, policy_version, decision, reason, counts, digests
)
select
    id, utc($now), request_id, who, tool, scopes, classes, policy_version, decision, reason, counts, digests
from (select unnest(from_json($rows, '[{
    "id": "VARCHAR", "request_id": "VARCHAR", "who": "VARCHAR", "tool": "VARCHAR", "scopes": "JSON",
    "classes": "JSON", "policy_version": "VARCHAR", "decision": "VARCHAR", "reason": "VARCHAR",
    "counts": "JSON", "digests": "JSON"
}]'), recursive := true));

-- name: audit
-- The newest decisions that fit.
select id, epoch(ts) as ts, request_id, who, tool, scopes, classes, policy_version, decision, reason,
    counts, digests
from audit
where ($who is null or who = $who or who = $digest) and ($tool is null or tool = $tool)
    and ($decision is null or decision = $decision)
    and ($policy_version is null or policy_version = $policy_version)
    and ($since is null or audit.ts >= utc($since)) and ($until is null or audit.ts < utc($until))
order by audit.ts desc, id desc limit $limit;

-- name: count_old_audit
-- How many decisions are older than a moment.
select count(*) as n from audit where ts < utc($before);

-- name: sweep_audit
-- Forget decisions older than a moment.
delete from audit where ts < utc($before);
