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

-- name: relations
-- The tables and views of the file. Asked for columns, DuckDB reads what its own views say as well.
select table_name as name from duckdb_tables() where not internal and database_name = current_database()
union all
select view_name from duckdb_views() where not internal and database_name = current_database();

-- name: tables
-- The tables of the file, those of others too.
select table_name as name from duckdb_tables() where not internal and database_name = current_database()
order by name;

-- name: columns
-- The columns of one table that is there.
select name from pragma_table_info($table) order by name;

-- name: database_name
-- The name DuckDB gave this file.
select current_database() as name;

-- name: shape
-- What the file is made of, a line for each part: tables with columns and constraints, indexes, macros.
-- Nearly all of its cost is that of duckdb_functions().
-- Tables that come and go, of vectors and of postings that are being sorted, are not told.
select 'table' as kind, table_name as owner, sql as part
from duckdb_tables()
where not internal and database_name = current_database()
    and not regexp_matches(table_name, '^(document_)?vectors_\d+$|_next$')
union all
select 'index', index_name, concat_ws(' ', index_name, table_name, is_unique, expressions)
from duckdb_indexes() where database_name = current_database()
union all
select 'sequence', sequence_name, sequence_name
from duckdb_sequences() where database_name = current_database()
union all
select 'macro', function_name,
    -- How a union of many is put in brackets depends on whether it was read from the file.
    concat_ws(' ', function_name, function_type, parameters::varchar,
        trim(regexp_replace(macro_definition, '[()\s]*\bUNION ALL\b[()\s]*', ' UNION ALL ', 'g'), '()'))
from duckdb_functions() where not internal and database_name = current_database()
order by all;

-- name: duckdb_version
-- The version of DuckDB in use: it says by which words parts are told.
select version() as version;
