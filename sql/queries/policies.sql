-- name: current_policy
-- The policy in force.
select seq, version, yaml, sha256, bases from policies order by seq desc limit 1;

-- name: policy_by_version
-- One policy that was applied.
select seq, version, yaml, sha256, bases from policies where version = $version;

-- name: insert_policy
-- A policy that is in force from now on.
insert into policies (seq, version, yaml, sha256, applied_at, approver, bases)
values ($seq, $version, $yaml, $sha256, utc($now), $approver, $bases);

-- name: return_policy
-- A policy that was applied before and is in force again from now on.
update policies set seq = $seq, applied_at = utc($now), approver = $approver
where version = $version;

-- name: next_policy_seq
-- The number of the next time that a policy is put in force.
select greatest(
    (select coalesce(max(seq), 0) from policies), (select coalesce(max(seq), 0) from policy_history)
) + 1 as seq;

-- name: insert_policy_history
-- That a policy was put in force.
insert into policy_history (seq, version, sha256, approver, action, applied_at)
values ($seq, $version, $sha256, $approver, $action, utc($now));

-- name: policy_history
-- Every time that a policy was put in force, the newest first.
select seq, version, sha256, approver, action, epoch(applied_at) as applied_at
from policy_history order by seq desc;
