-- name: insert_events
-- Things that happened, as one JSON array: ids, counts and digests, never text.
insert into events (id, ts, topic, payload, request_id, trace_id)
select id, utc(ts), topic, payload, request_id, request_id
from (select unnest(from_json($rows, '[{
    "id": "VARCHAR", "ts": "DOUBLE", "topic": "VARCHAR", "payload": "VARCHAR", "request_id": "VARCHAR"
}]'), recursive := true));

-- name: sweep_events
-- Forget events older than a moment, and those beyond the newest $most; of one moment the first written go first.
delete from events
where ts < utc($before)
    or rowid in (select rowid from events order by ts desc, rowid desc offset $most);

-- name: events
-- The newest events, of one topic or of all.
select id, epoch(ts) as ts, topic, payload, request_id, trace_id from events
where $topic is null or topic = $topic
order by events.ts desc, id desc limit $limit;
