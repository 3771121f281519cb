-- name: current_policy
-- The policy in force.
select seq, version, yaml, sha256 from policies order by seq desc limit 1;

-- name: policy_by_version
-- One policy that was applied.
select seq, version, yaml, sha256 from policies where version = $version;

-- name: insert_policy
-- A policy that is in force from now on.
insert into policies (seq, version, yaml, sha256, applied_at)
values ((select coalesce(max(seq), 0) + 1 from policies), $version, $yaml, $sha256, utc($now));
