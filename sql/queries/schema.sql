-- name: create_schema_migrations
-- The record of what was applied to this file.
create table if not exists schema_migrations (
    version     integer primary key,
    name        varchar not null,
    sha256      varchar not null,
    applied_at  timestamp not null
);

-- name: applied_migrations
-- Every migration this file has had.
select version, sha256 from schema_migrations order by version;

-- name: record_migration
-- One migration was applied.
insert into schema_migrations (version, name, sha256, applied_at)
values ($version, $name, $sha256, make_timestamp(round($now * 1e6)::bigint));

-- name: columns
-- The columns of every table of the file.
select table_name, column_name from duckdb_columns()
where not internal and database_name = current_database();

-- name: database_name
-- The name DuckDB gave this file.
select current_database() as name;
