-- The vectors of one embedding model. Braces take integers only: the generation and dimension.
create table vectors_{generation} (
    row_id     bigint primary key,
    embedding  float[{dimension}] not null
);
