-- What is known of a document: by whom it was told, and what its order tells.
--
-- What a backend tells of a document belongs to the run it was told in, and is read with that run
-- only. Rows of before do not say whose they were: the runs that list them go with them.

create temp table of_backends as
select seq, run_id from runs
where seq in (select run_seq from run_docs where key >= 144115188075855872);

delete from runs where seq in (select seq from of_backends) or exists (
    select 1 from of_backends where contains(runs.recipe::varchar, of_backends.run_id)
);

delete from run_docs where run_seq not in (select seq from runs);

drop table of_backends;

drop table run_foreign;

create table run_foreign (
    run_seq   bigint not null,                    -- the lane run it was told in, or representatives
    key       bigint not null,                    -- the same for the same document, in any run
    source    varchar not null,
    doc_id    varchar not null,
    metadata  json not null
);

-- Documents of before may be named, and found, by what is not shown: they are to be indexed anew.
insert into meta (key, value)
select 'documents_of_before', '0007' where exists (select 1 from documents);
