-- name: insert_foreign
-- What a backend told of documents in the run that was written last, as one JSON array.
insert into run_foreign
select currval('run_seqs'), key, source, doc_id, metadata
from (select unnest(from_json($rows, '[{
    "key": "BIGINT", "source": "VARCHAR", "doc_id": "VARCHAR", "metadata": "JSON"
}]'), recursive := true));

-- name: foreign_by_key
-- What was told of these documents in some runs, or in those they are blended of: in the first that tells of each.
with these as materialized (
    select seq, recipe from runs where seq in (select unnest($runs::bigint[]))
),
parts as materialized (
    select unnest(json_extract_string(recipe, '$.params.runs[*].run_id_lane')) as run_id from these
    union
    select unnest(json_extract_string(recipe, '$.params.representatives[*].run_id')) from these
)
select key, source, doc_id, metadata from run_foreign
where key in ({row_ids}) and run_seq in (
    select seq from these
    union
    select seq from runs where run_id in (select run_id from parts)
)
qualify row_number() over (partition by key order by run_seq) = 1;

-- name: tellers
-- Which living lane runs of somebody tell of these documents, the last first, and what each was made under.
select key, run_seq, boundary, policy_version
from run_foreign join runs on seq = run_seq
where key in ({row_ids}) and kind = 'lane'
    and expires_at > utc($now) and made_by is not distinct from $made_by
order by run_seq desc, key;

-- name: copy_foreign
-- What was told in other runs, told in the one that was written last too; keys and runs as one JSON array.
insert into run_foreign
select currval('run_seqs'), key, source, doc_id, metadata
from run_foreign join (
    select unnest(from_json($rows, '[{"key": "BIGINT", "run_seq": "BIGINT"}]'), recursive := true)
) using (key, run_seq);

-- name: told_of_all
-- All that backends told, by run.
select run_seq, doc_id, metadata::varchar as metadata from run_foreign;

-- name: erase_foreign
-- What was told in these runs.
delete from run_foreign where run_seq in ({row_ids});
