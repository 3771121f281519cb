-- A lookup by an index. Braces take the names of the schema only.
select 1 from "{table}" where {column} = $value limit 1;
