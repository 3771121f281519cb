-- A value that an indexed column has. Braces take the names of the schema only.
select min({column}) as least from "{table}";
