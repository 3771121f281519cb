-- name: insert_run
-- A run without its documents, under the next key.
insert into runs values (
    nextval('run_seqs'), $run_id, $kind, $lane, $lane_name, $source, $query, $params, $recipe, $metrics, $parent,
    $history, $boundary, $policy_version, $made_by, $documents, utc($now), utc($expires_at)
);

-- name: load_docs
-- The documents of the run that was written last, as columns.
insert into run_docs
select currval('run_seqs'), place::integer, key::bigint, score::double from {given};

-- name: living
-- The keys of those of these runs that live.
select seq, run_id from runs
where list_contains($ids::varchar[], run_id) and expires_at > utc($now);

-- name: runs_by_id
-- These runs, if they live.
select seq, run_id, kind, lane, lane_name, source, query, params, recipe, metrics, parent, history,
    boundary, policy_version, made_by, documents, epoch(created_at) as created_at,
    epoch(expires_at) as expires_at
from runs
where list_contains($ids::varchar[], run_id) and expires_at > utc($now);

-- name: docs_of_runs
-- The documents of runs, whoever may see them, in no order.
select run_seq, place, key, score from run_docs where run_seq in ({row_ids});

-- name: claims_of_runs
-- The visible ones of the claims that runs list.
select row_id from claims_at($now, $utility_half_life, $quality_half_life)
where row_id in (select key from run_docs where run_seq in ({row_ids})) and {visible};

-- name: claims_between
-- The visible claims of a range of keys, where no invariant is to be judged.
select row_id from (
    select row_id, status, scope, boundary_class, epoch(recency_anchor) as recency_anchor
    from claims where row_id between $first and $last
)
where {visible};

-- name: judged_between
-- The visible claims of a range of keys: fewer steps where nearly all of them are listed.
select row_id from claims_at($now, $utility_half_life, $quality_half_life)
where row_id between $first and $last and {visible};

-- name: ids_of_visible_claims
-- What the visible ones of these claims are called.
select row_id, id from claims_at($now, $utility_half_life, $quality_half_life)
where row_id in ({row_ids}) and {visible};

-- name: documents_of_runs
-- The visible ones of the documents that runs list.
select doc_key from documents_seen()
where doc_key in (select key - $documents from run_docs where run_seq in ({row_ids}))
    and {visible};

-- name: expired_runs
-- Runs whose time is over.
select seq from runs where expires_at <= utc($now);

-- name: runs_of_actor
-- Runs that somebody made.
select seq from runs where made_by = $made_by;

-- name: runs_listing
-- Runs that list these claims or documents.
select seq from runs where seq in (select run_seq from run_docs where key in ({row_ids}));

-- name: any_run
-- Whether there is a run.
select exists(select 1 from runs) as there;

-- name: run_queries
-- What was searched for, with filters, codes and facets, and what its caller named it.
select seq, lane_name, query, params::varchar as params, recipe::varchar as recipe from runs;

-- name: asked_before_written_again
-- What was searched for before these documents were written again, as far as they were.
select seq, lane_name, query, params::varchar as params, recipe::varchar as recipe from runs
where created_at <= (
    select max(updated_at) from documents where doc_key in ({row_ids}) and updated_at > created_at
);

-- name: runs_made_of
-- The runs that these are blended into.
select seq from runs
where recipe is not null and exists (
    select 1 from runs as lanes
    where lanes.seq in ({row_ids}) and lanes.run_id <> '' and contains(runs.recipe::varchar, lanes.run_id)
);

-- name: erase_docs
-- The documents of runs.
delete from run_docs where run_seq in ({row_ids});

-- name: erase_runs
-- Runs, with what was searched for.
delete from runs where seq in ({row_ids});
