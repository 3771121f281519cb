-- name: taxonomies_seen
-- Which of some taxonomies the visible documents carry codes of.
select distinct taxonomy from document_codes
where taxonomy in (select unnest($taxonomies::varchar[]))
    and doc_key in (select doc_key from documents_seen() where {visible})
order by taxonomy;
