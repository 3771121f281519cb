-- name: active_space
-- The vector space in use, and the one being filled by reembed, if any.
select generation, model_id, version, dimension, status from vector_spaces
where status in ('active', 'filling') order by generation;

-- name: insert_space
-- A new vector space.
insert into vector_spaces (generation, model_id, version, dimension, status, created_at)
values ($generation, $model_id, $version, $dimension, $status, utc($now));

-- name: last_generation
-- The highest generation there has been, by the record and by the tables that are there.
select greatest(
    (select coalesce(max(generation), 0) from vector_spaces),
    (
        select coalesce(max(try_cast(regexp_extract(table_name, '^(?:document_)?vectors_(\d+)$', 1) as integer)), 0)
        from duckdb_tables() where database_name = current_database()
    )
) as generation;

-- name: shapes
-- The tables that hold vectors of claims, and of what type these are.
select try_cast(regexp_extract(table_name, '^vectors_(\d+)$', 1) as integer) as generation, data_type
from duckdb_columns()
where database_name = current_database() and column_name = 'embedding'
    and regexp_matches(table_name, '^vectors_\d+$');

-- name: set_space_status
-- Move a vector space on.
update vector_spaces set status = $status where generation = $generation;

-- name: insert_vectors
-- Vectors as one JSON array of [row_id, text of the vector].
insert into vectors_{generation}
select row_id, embedding::float[{dimension}]
from (select unnest(from_json($rows, '[{"row_id": "BIGINT", "embedding": "VARCHAR"}]'), recursive := true))
on conflict (row_id) do nothing;

-- name: add_vectors
-- The vectors of new claims, as texts.
insert into vectors_{generation}
select unnest([{row_ids}]::bigint[]), unnest($vectors::varchar[])::float[{dimension}];

-- name: load_new_vectors
-- The vectors of new claims, as columns.
insert into vectors_{generation} select row_id, embedding from {given};

-- name: embedded
-- Claims by the hash of the text that their vectors are of.
select row_id, embedded from claims where embedded {embedded};

-- name: load_vectors
-- Vectors as columns.
insert into vectors_{generation} select row_id, embedding from {given}
on conflict (row_id) do nothing;

-- name: nearest
-- The cosines of the $limit visible claims nearest to the query.
select row_id, cos_sim(embedding, $query::varchar::float[{dimension}])::double as cosine
from vectors_{generation}
join (
    select row_id from claims_at($now, $utility_half_life, $quality_half_life)
    where {visible}
) using (row_id)
order by cosine desc, row_id limit $limit;

-- name: near_sources
-- How near each visible claim is to the query, with a number for each observation it was drawn from; 0 is none.
with near as materialized (
    select row_id, id, origin_observation_id,
        cos_sim(embedding, $query::varchar::float[{dimension}])::double as cosine
    from vectors_{generation}
    join (
        select row_id, id, origin_observation_id
        from claims_at($now, $utility_half_life, $quality_half_life)
        where {visible}
    ) using (row_id)
),
drawn as materialized (
    select row_id, origin_observation_id as source from near where origin_observation_id is not null
    union
    select row_id, observation_id
    from near join evidence on evidence.claim_id = near.id where observation_id is not null
),
numbered as (select row_id, dense_rank() over (order by source) as source from drawn)
select row_id, cosine, coalesce(source, 0)::bigint as source
from near left join numbered using (row_id)
order by source, row_id;

-- name: rank_by_meaning
-- How many visible claims are nearer to the query than one of them, and how many have a vector.
with near as materialized (
    select row_id, cos_sim(embedding, $query::varchar::float[{dimension}])::double as cosine
    from vectors_{generation}
    join (
        select row_id from claims_at($now, $utility_half_life, $quality_half_life)
        where {visible}
    ) using (row_id)
),
one as (select row_id, cosine from near where row_id = $row_id)
select any_value(one.cosine) as cosine, count(*) as embedded,
    count(*) filter (
        where near.cosine > one.cosine or (near.cosine = one.cosine and near.row_id < one.row_id)
    ) as nearer
from near left join one on true;

-- name: cosines
-- The cosines of given claims to the query.
select row_id, cos_sim(embedding, $query::varchar::float[{dimension}])::double as cosine
from vectors_{generation} where row_id in ({row_ids});

-- name: vectors_by_row
-- The vectors of these claims.
select row_id, embedding from vectors_{generation} where row_id in ({row_ids});

-- name: without_vector
-- Live claims that have no vector in this space, in order.
select row_id, text, boundary_class, said_by from claims
where row_id not in (select row_id from vectors_{generation}) and status <> 'tombstone'
order by row_id limit $limit;

-- name: count_without_vector
-- How many live claims have no vector in this space.
select count(*) as n from claims
where row_id not in (select row_id from vectors_{generation}) and status <> 'tombstone';

-- name: erase_cached_like
-- The cached vectors of claims that are erased, whatever their texts were when they were embedded.
delete from embedding_cache
where embedding in (select embedding::float[] from vectors_{generation} where row_id in ({row_ids}));

-- name: erase_vectors
-- The vectors of claims that are erased.
delete from vectors_{generation} where row_id in ({row_ids});

-- name: drop_space
-- Remove the vectors of a retired space.
drop table if exists vectors_{generation};

-- name: drop_document_space
-- Remove the vectors of documents of a retired space.
drop table if exists document_vectors_{generation};

-- name: drop_cached
-- Forget the cached vectors of a model that is no longer used.
delete from embedding_cache where model_id = $model_id and version = $version;

-- name: drop_copies
-- The vectors that earlier versions kept a second time, by their texts.
delete from embedding_cache;

-- name: count_live
-- How many claims there are that others do not stand for.
select count(*) as n from claims where status <> 'tombstone';
