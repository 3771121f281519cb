-- name: keys_of_ids
-- The keys of documents.
select id, doc_key from documents where id in (select unnest($ids::varchar[]));

-- name: ids_of_keys
-- The ids of documents.
select doc_key, id from documents where doc_key in ({row_ids});

-- name: codes_of_keys
-- The codes of documents.
select doc_key, taxonomy, code from document_codes where doc_key in ({row_ids})
order by doc_key, taxonomy, code;

-- name: document_carriers
-- The documents of a range of keys that carry codes, each by its place in a list of them.
with wanted as materialized (
    select unnest(from_json($codes, '[{
        "place": "INTEGER", "taxonomy": "VARCHAR", "code": "VARCHAR"
    }]'), recursive := true)
)
select doc_key as key, place from document_codes join wanted using (taxonomy, code)
where doc_key between $first and $last;

-- name: known_document_codes
-- The codes of some taxonomies that documents carry.
select distinct taxonomy, code from document_codes
where taxonomy in (select unnest($taxonomies::varchar[]));

-- name: documents_with_terms
-- The documents that hold every one of $count terms in fields of some names; in any, where one has none of these.
with main as materialized (
    select field_no from document_field_names where name in (select unnest($names::varchar[]))
),
matched as materialized (
    select doc_key, field_no, term_hash from document_postings where term_hash in ({terms})
),
told as materialized (
    select distinct doc_key from document_fields
    where length > 0 and field_no in (select field_no from main)
        and doc_key in (select doc_key from matched)
)
select doc_key from matched
where field_no in (select field_no from main) or doc_key not in (select doc_key from told)
group by doc_key having count(distinct term_hash) = $count order by doc_key;
