-- Counts actions under sliding windows, see services/rateLimit: one round trip instead of three, and no rows that travel.
-- `actions` is [{"id": text, "limits": [{"key": text, "points": int, "windowMs": int}]}]. Returns for each, in order, 0 where it was counted,
-- else the Unix millisecond from which it would be.
CREATE FUNCTION "rate_hit"(actions JSONB, now_at TIMESTAMPTZ) RETURNS JSONB LANGUAGE plpgsql AS $$
DECLARE
  edge RECORD;
  one JSONB;
  retry_at BIGINT;
  answers JSONB := '[]';
BEGIN
  -- Every caller locks in one order, so that there is no deadlock.
  FOR edge IN
    SELECT DISTINCT l.key, now_at - l."windowMs" * interval '1 millisecond' AS since
    FROM jsonb_array_elements(actions) AS a, jsonb_to_recordset(a -> 'limits') AS l(key TEXT, "windowMs" BIGINT)
    ORDER BY l.key
  LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('rate:' || edge.key, 0));
    DELETE FROM rate_event WHERE key = edge.key AND at <= edge.since;
  END LOOP;
  FOR one IN SELECT * FROM jsonb_array_elements(actions) LOOP
    SELECT max(extract(epoch FROM oldest.at) * 1000 + l."windowMs") INTO retry_at
    FROM jsonb_to_recordset(one -> 'limits') AS l(key TEXT, points INT, "windowMs" BIGINT)
    CROSS JOIN LATERAL (
      SELECT e.at FROM rate_event e WHERE e.key = l.key ORDER BY e.at DESC, e.id DESC OFFSET greatest(l.points - 1, 0) LIMIT 1
    ) AS oldest
    WHERE NOT EXISTS (SELECT FROM rate_event e WHERE e.key = l.key AND e.action = one ->> 'id');
    IF retry_at IS NULL THEN
      INSERT INTO rate_event (key, action, at)
      SELECT DISTINCT l.key, one ->> 'id', now_at
      FROM jsonb_to_recordset(one -> 'limits') AS l(key TEXT)
      WHERE NOT EXISTS (SELECT FROM rate_event e WHERE e.key = l.key AND e.action = one ->> 'id');
    END IF;
    answers := answers || to_jsonb(coalesce(retry_at, 0));
  END LOOP;
  RETURN answers;
END
$$;
