-- What the columns of each table may hold: rows that hold anything else. A statement is called as its table.
-- Tables that are not here are read whole by a check of their own.

-- name: reviews
-- Reviews that are not shown.
select id from reviews where not coalesce(
    id similar to 'rev_[A-Za-z0-9_-]{1,64}' and claim_id similar to 'clm_[A-Za-z0-9_-]{1,64}(~[0-9]+)?'
    and scope in ('session', 'project', 'principle')
    and boundary_class in ('public', 'internal', 'pii', 'secret')
    and status in ('pending', 'approved', 'rejected', 'withdrawn')
    and policy_version similar to '[0-9]+[.][0-9]+[.][0-9]+.*' and reason <> ''
    and isfinite(requested_at) and isfinite(deadline)
    and coalesce(isfinite(decided_at), status = 'pending') and coalesce(reviewer <> '', true), false
);

-- name: policy_history
-- Changes of the policy that are not shown.
select seq as id from policy_history where not coalesce(
    seq > 0 and version similar to '[0-9]+[.][0-9]+[.][0-9]+.*' and sha256 similar to '[0-9a-f]{64}'
    and action in ('apply', 'downgrade') and isfinite(applied_at) and coalesce(approver <> '', true), false
) or (version, sha256) not in (select version, sha256 from policies);

-- name: erasures
-- Erasures that are not shown.
select id from erasures where not coalesce(
    id <> '' and subject in ('claim', 'observation', 'document') and subject_id similar to '(clm|obs|doc)_.+'
    and digest similar to 'hmac-sha256:[0-9a-f]{64}' and why in ('forgotten', 'expired', 'rejected')
    and isfinite(erased_at), false
);

-- name: feedback
-- Feedback that cannot be told again.
select id from feedback where not coalesce(
    id similar to 'fb_[A-Za-z0-9_-]{1,64}' and claim_id similar to 'clm_[A-Za-z0-9_-]{1,64}(~[0-9]+)?'
    and signal in ('helpful', 'harmful', 'outdated', 'duplicate')
    and coalesce(isfinite(score), true)
    and coalesce(duplicate_of similar to 'clm_[A-Za-z0-9_-]{1,64}(~[0-9]+)?', true)
    and isfinite(given_at) and json_extract_string(outcome, '$.claim_id') similar to 'clm_[A-Za-z0-9_-]{1,64}(~[0-9]+)?', false
);

-- name: judgements
-- Scores that cannot be told again.
select id from judgements where not coalesce(
    id similar to 'jdg_[A-Za-z0-9_-]{1,64}' and seq > 0
    and score_direction in ('improved', 'degraded', 'stable', 'unknown')
    and coalesce(isfinite(score), not counted) and coalesce(isfinite(previous_score), true)
    and isfinite(noise_threshold) and isfinite(given_at)
    and json_extract_string(outcome, '$.id') = id
    and json_extract_string(outcome, '$.claim_id') = claim_id
    and try_cast(outcome ->> '$.score' as double) is not distinct from score
    and try_cast(outcome ->> '$.counted' as boolean) = counted, false
);

-- name: idempotency
-- Outcomes that cannot be told again.
select key_digest as id from idempotency where not coalesce(
    key_digest <> '' and observation_id similar to 'obs_[A-Za-z0-9_-]{1,64}' and isfinite(created_at)
    and json_type(outcome, '$.integration') = 'OBJECT' and json_type(outcome, '$.claims') = 'ARRAY', false
);

-- name: audit
-- Decisions that are not shown.
select id from audit where not coalesce(
    id <> '' and isfinite(ts) and tool <> '' and request_id <> ''
    and policy_version similar to '[0-9]+[.][0-9]+[.][0-9]+.*'
    and decision in ('allowed', 'redacted', 'queued', 'denied')
    and json_type(scopes) = 'ARRAY' and json_type(classes) = 'ARRAY'
    and try_cast(counts as map(varchar, bigint)) is not null and json_type(counts) = 'OBJECT'
    and try_cast(digests as map(varchar, varchar)) is not null and json_type(digests) = 'OBJECT', false
);

-- name: events
-- Events that are not shown.
select id from events
where not coalesce(id <> '' and isfinite(ts) and topic <> '' and json_type(payload) = 'OBJECT', false);

-- name: entities
-- Entities that are not shown.
select id from entities where not coalesce(
    id similar to 'ent_[A-Za-z0-9_-]{1,64}(~[0-9]+)?' and name <> '' and canonical_key <> '' and isfinite(created_at)
    and type in ('Actor', 'Artifact', 'Event', 'Concept', 'Policy')
    and coalesce(json_type(attrs), 'NULL') in ('OBJECT', 'NULL'), false
);

-- name: relations
-- Relations that are not shown.
select id from relations where not coalesce(
    id similar to 'rel_[A-Za-z0-9_-]{1,64}(~[0-9]+)?' and type <> '' and isfinite(created_at)
    and coalesce(json_type(props), 'NULL') in ('OBJECT', 'NULL')
    and coalesce(evidence_claim_id similar to 'clm_[A-Za-z0-9_-]{1,64}(~[0-9]+)?', true), false
);

-- name: claim_aliases
-- Ids that were merged away and are none.
select id from claim_aliases
where not coalesce(id similar to 'clm_[A-Za-z0-9_-]{1,64}(~[0-9]+)?' and isfinite(created_at), false);

-- name: policies
-- Policies that were not written so.
select version as id from policies where not coalesce(
    seq > 0 and sha256 similar to '[0-9a-f]{64}' and isfinite(applied_at)
    and coalesce(json_type(bases), 'NULL') in ('OBJECT', 'NULL'), false
);

-- name: support
-- What came with a reason to believe a claim, and cannot be read.
select evidence_id as id from support where not coalesce(
    evidence_id <> ''
    and try_cast(tags as varchar[]) is not null and json_type(tags) = 'ARRAY'
    and try_cast(entities as varchar[]) is not null and json_type(entities) = 'ARRAY', false
);
