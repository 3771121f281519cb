-- The claims that name an entity of whose key, or type and name, something holds. Braces take fixed text.
(id in (
    select claim_id from claim_entities join (
        select id as entity_id, canonical_key as entity from entities
        union all
        select id as entity_id, type || ':' || name as entity from entities
    ) using (entity_id)
    where {inside}
))
