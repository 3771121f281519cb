id in (select unnest($held_ids::varchar[]))
