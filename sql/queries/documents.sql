-- name: fulltext
-- BM25 of the visible documents, per field, summed by the boosts: the best $limit, and how many hold what is asked.
-- Every number (n, df, mean length) counts visible documents that have the field.
with asked as materialized (
    select field_no, boost from document_field_names join (
        select unnest(from_json($fields, '[{"name": "VARCHAR", "boost": "DOUBLE"}]'), recursive := true)
    ) using (name)
    union all
    select field_no, 1e0 from document_field_names where $every
),
visible as materialized (
    select doc_key from documents_seen() where {visible}
),
matched as materialized (
    select field_no, term_hash, doc_key, tf, dl
    from document_postings join visible using (doc_key)
    where term_hash in ({terms}) and field_no in (select field_no from asked)
),
corpora as materialized (
    select field_no, count(*) as n, sum(length)::double / count(*) as mean_length
    from document_fields join visible using (doc_key)
    where field_no in (select field_no from asked)
    group by field_no
),
weights as materialized (
    select field_no, term_hash, mean_length, bm25_idf(n, count(*)) as idf
    from matched join corpora using (field_no)
    group by field_no, term_hash, mean_length, n
),
scored as materialized (
    -- A sum of decimals is the same in any order.
    select doc_key,
        count(distinct term_hash) filter (
            where list_contains($demanded::ubigint[], term_hash)
        ) as terms,
        sum((boost * bm25_term(idf, tf, dl, mean_length))::decimal(38, 18))::double as score
    from matched join weights using (field_no, term_hash) join asked using (field_no)
    group by doc_key
),
found as materialized (
    select doc_key, score from scored
    where terms >= len($demanded::ubigint[])
        and ($within::bigint[] is null or doc_key in (select unnest($within::bigint[])))
        and doc_key not in (select unnest($without::bigint[]))
)
select documents.id, score, (select count(*) from found) as total
from found join documents using (doc_key)
order by score desc, documents.name, documents.id limit $limit;

-- name: fields_of_some
-- The fields of visible documents that hold one of some terms in any field, with their texts.
select doc_key, boundary_class, text
from document_fields
join (select doc_key, boundary_class from documents_seen() where {visible}) using (doc_key)
where doc_key in (select doc_key from document_postings where term_hash in ({terms}))
    and ($every or field_no in (
        select field_no from document_field_names where name in (select unnest($names::varchar[]))
    ));

-- name: fields_with_terms
-- The fields of visible documents that hold every one of $count terms, in any order, with their texts.
select doc_key, boundary_class, text
from (
    select doc_key, field_no from document_postings
    where term_hash in ({terms})
    group by doc_key, field_no having count(distinct term_hash) = $count
)
join document_fields using (doc_key, field_no)
join (select doc_key, boundary_class from documents_seen() where {visible}) using (doc_key)
where $every or field_no in (
    select field_no from document_field_names where name in (select unnest($names::varchar[]))
);

-- name: by_codes
-- The visible documents that carry some of these codes, by the sum of what each target counts in its best hit.
with wanted as materialized (
    select unnest(from_json($codes, '[{
        "target": "INTEGER", "taxonomy": "VARCHAR", "code": "VARCHAR", "weight": "DOUBLE"
    }]'), recursive := true)
),
visible as materialized (
    select doc_key, id, name from documents_seen() where {visible}
),
hit as (
    select doc_key, id, name, target, max(weight) as weight
    from document_codes join wanted using (taxonomy, code) join visible using (doc_key)
    group by doc_key, id, name, target
)
select id, sum(weight::decimal(38, 18))::double as score, count(*) over () as total from hit
group by doc_key, id, name
order by score desc, name, id limit $limit;

-- name: nearest
-- The cosines of the $limit visible documents nearest to the query, of those that have one of some fields.
with near as materialized (
    select doc_key, cos_sim(embedding, $query::varchar::float[{dimension}])::double as score
    from document_vectors_{generation}
    join (select doc_key from documents_seen() where {visible}) using (doc_key)
    where $every or doc_key in (
        select doc_key from document_fields join document_field_names using (field_no)
        where document_field_names.name in (select unnest($names::varchar[]))
    )
)
select id, score, (select count(*) from near) as total
from near join documents using (doc_key)
order by score desc, name, id limit $limit;

-- name: visible_documents
-- The visible documents that have one of these ids, in the order of the ids; of those of one id the strictest first.
with given as materialized (
    select unnest($ids::varchar[]) as given, generate_subscripts($ids::varchar[], 1) as place
),
named as (
    select doc_key, given, place from documents join given on id = given where $type = 'id'
    union all
    select doc_key, given, place from document_ids join given on value = given where type = $type
)
select doc_key, given, documents.id, documents.scope, documents.boundary_class, documents.dates,
    documents.attributes, epoch(documents.created_at) as created_at, epoch(documents.updated_at) as updated_at
from named join documents using (doc_key)
where doc_key in (select doc_key from documents_seen() where {visible})
order by place, list_position(['secret', 'pii', 'internal', 'public'], documents.boundary_class),
    documents.created_at, doc_key;

-- name: texts_of
-- The texts of these documents, of all fields or of some.
select doc_key, name, text from document_fields join document_field_names using (field_no)
where doc_key in ({row_ids}) and ($every or name in (select unnest($names::varchar[])))
order by doc_key, name;

-- name: ids_of
-- What these documents are called elsewhere.
select doc_key, type, value from document_ids where doc_key in ({row_ids}) order by doc_key, type, value;

-- name: codes_of
-- The codes of these documents.
select doc_key, taxonomy, code from document_codes where doc_key in ({row_ids}) order by doc_key, taxonomy, code;

-- name: count_documents
-- How many visible documents there are.
select count(*) as n from documents_seen() where {visible};
