and (twin is null or row_id in (
    -- Of equal claims of one speaker the slowest scope, the strictest class, the oldest row.
    select arg_min(row_id, (
        -list_position(['session', 'project', 'principle'], scope),
        -list_position(['public', 'internal', 'pii', 'secret'], boundary_class),
        row_id
    ))
    from claims_at($now, $utility_half_life, $quality_half_life)
    where twin is not null and {shown}
    group by twin
))
