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

-- name: shape
-- What the file is made of, a line for each part: columns, constraints, indexes and macros.
-- Tables that come and go, of vectors and of postings that are being sorted, are not told.
select 'column' as kind, table_name as owner,
    concat_ws(' ', table_name, column_index, column_name, data_type, is_nullable, column_default) as part
from duckdb_columns()
where not internal and database_name = current_database()
    and not regexp_matches(table_name, '^(document_)?vectors_\d+$|_next$')
union all
select 'constraint', table_name,
    concat_ws(' ', table_name, constraint_type, constraint_column_names::varchar, expression)
from duckdb_constraints()
where database_name = current_database() and constraint_type <> 'NOT NULL'
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
