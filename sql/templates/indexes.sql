-- The indexes that are not constraints, with the column of each.
select table_name, expressions from duckdb_indexes() where database_name = current_database();
