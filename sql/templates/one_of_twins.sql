and (twin is null or row_id in (
    -- Of equal claims of one speaker the one that comes first.
    select arg_min(row_id, before_its_equals(scope, boundary_class, row_id))
    from claims_at($now, $utility_half_life, $quality_half_life)
    where twin is not null and {shown}
    group by twin
))
