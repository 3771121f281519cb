-- Every claim as it stands at the epoch second `moment`: measures decayed to it, times as seconds.
create or replace macro claims_at(moment, utility_half_life, quality_half_life) as table
select
    row_id, id, text, kind, scope, boundary_class,
    decayed(quality, decayed_at, moment, quality_half_life) as quality,
    confidence,
    decayed(utility, decayed_at, moment, utility_half_life) as utility,
    content_hash, near_key, origin_observation_id, derived_from, tags, status, superseded_by,
    contains_pii, contains_secret, breaking_change, text_length, token_count,
    epoch(created_at) as created_at,
    epoch(updated_at) as updated_at,
    epoch(recency_anchor) as recency_anchor,
    said_by, twin
from claims;

-- What equal claims are ordered by: the slowest scope is shown, then the strictest class, then the oldest row.
create or replace macro before_its_equals(scope, boundary_class, row_id) as (
    -list_position(['session', 'project', 'principle'], scope),
    -list_position(['public', 'internal', 'pii', 'secret'], boundary_class),
    row_id
);
