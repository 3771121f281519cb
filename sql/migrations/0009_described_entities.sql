-- An entity's row is what somebody calls it: rows of one type and key are one entity.
--
-- What one claim calls an entity, and says of it, is nothing that another claim's reads may depend
-- on. DuckDB cannot drop a unique constraint, so the tables that have one are rebuilt.

create table entities_rebuilt (
    id             varchar primary key,
    type           varchar not null,
    name           varchar not null,
    canonical_key  varchar not null,
    attrs          json,
    created_at     timestamp not null
);

insert into entities_rebuilt select id, type, name, canonical_key, attrs, created_at from entities;

drop table entities;

alter table entities_rebuilt rename to entities;

create table relations_rebuilt (
    id                 varchar primary key,
    src_id             varchar not null,
    dst_id             varchar not null,
    type               varchar not null,
    props              json,
    evidence_claim_id  varchar,
    created_at         timestamp not null
);

-- What refers to an entity that is not there would refer to whatever gets its id next.
insert into relations_rebuilt
select id, src_id, dst_id, type, props, evidence_claim_id, created_at from relations
where src_id in (select id from entities) and dst_id in (select id from entities);

drop table relations;

alter table relations_rebuilt rename to relations;

create table claim_entities_rebuilt (
    claim_id   varchar not null,
    entity_id  varchar not null,
    primary key (claim_id, entity_id)
);

insert into claim_entities_rebuilt
select claim_id, entity_id from claim_entities where entity_id in (select id from entities);

drop table claim_entities;

alter table claim_entities_rebuilt rename to claim_entities;
