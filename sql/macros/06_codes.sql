-- What codes claims carry, by taxonomy: the entities they name, their kind, their scope, their tags.
create or replace macro codes_of_claims() as table
select row_id, 'kind' as taxonomy, kind as code from claims
union all
select row_id, 'scope', scope from claims
union all
select row_id, 'tag', unnest(from_json(tags, '["VARCHAR"]')) from claims
union all
select claims.row_id, 'entity', entities.canonical_key
from claims
join claim_entities on claim_entities.claim_id = claims.id
join entities on entities.id = claim_entities.entity_id;
