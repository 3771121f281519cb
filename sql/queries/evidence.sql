-- name: insert_evidence
-- New reasons to believe claims, as one JSON array; a reason that is there already is left out.
insert into evidence
select given.id, given.claim_id, given.observation_id, given.method, given.note, given.source_type,
    given.source_id, given.snippet, given.provenance, utc(given.created_at)
from (select unnest(from_json($rows, '[{
    "id": "VARCHAR", "claim_id": "VARCHAR", "observation_id": "VARCHAR", "method": "VARCHAR",
    "note": "VARCHAR", "source_type": "VARCHAR", "source_id": "VARCHAR", "snippet": "VARCHAR",
    "provenance": "JSON", "created_at": "DOUBLE"
}]'), recursive := true)) as given;

-- name: evidence_of_claims
-- The reasons to believe these claims.
select id, claim_id, observation_id, method, note, source_type, source_id, snippet, provenance, created_at
from evidence where claim_id in ({ids});

-- name: move_evidence
-- Give one claim's evidence to the claim that stands for it.
update evidence set claim_id = $survivor where claim_id = $claim_id;
