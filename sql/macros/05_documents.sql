-- Every document with the columns that the mask and the rules read; its measures are those of a fresh fact.
create or replace macro documents_seen() as table
select
    doc_key, id, name, scope, boundary_class, 'active' as status,
    epoch(recency_anchor) as recency_anchor,
    'fact' as kind, 0.5e0 as quality, 0.5e0 as confidence, 0e0 as utility,
    contains_pii, contains_secret, breaking_change, text_length,
    epoch(created_at) as created_at, epoch(updated_at) as updated_at
from documents;
