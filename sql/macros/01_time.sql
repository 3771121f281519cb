-- Epoch seconds to TIMESTAMP in UTC, whatever the session's time zone (to_timestamp is not).
create or replace macro utc(seconds) as make_timestamp(round(seconds * 1e6)::bigint);

-- A measure that halves every `half_life` days, from `since` to the epoch second `until`; it never grows.
-- What is no number, or of no time, as in a file that somebody edited, is 0.
create or replace macro decayed(measure, since, until, half_life) as
    case when measure = 0 then measure
    when not isfinite(measure) or not isfinite(since) then 0e0
    else measure * pow(0.5e0, greatest(until - epoch(since), 0e0) / 86400e0 / half_life) end;
