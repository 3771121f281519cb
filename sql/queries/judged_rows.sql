-- name: claims_to_judge
-- The keys of the claims of some scopes and classes, living or waiting for a human.
select row_id from claims
where status <> 'tombstone'
    and list_contains($scopes::varchar[], scope) and list_contains($classes::varchar[], boundary_class)
order by row_id;

-- name: documents_to_judge
-- The documents of some scopes and classes, with all their texts as one.
select
    id, scope, boundary_class, contains_pii, contains_secret, breaking_change, text_length, created_at,
    coalesce((
        select string_agg(text, chr(10) order by name)
        from document_fields join document_field_names using (field_no)
        where document_fields.doc_key = seen.doc_key
    ), '') as text
from documents_seen() as seen
where list_contains($scopes::varchar[], scope) and list_contains($classes::varchar[], boundary_class)
order by doc_key;
