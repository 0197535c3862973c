-- Counts actions under sliding windows, see services/rateLimit: one round trip instead of three, and no rows that travel.
-- Each index of the arrays is a limit of an action: `numbers` counts the actions, and the limits of one stand together. `windows` in
-- milliseconds. Returns for each action, in order, 0 where it was counted, else the Unix millisecond from which it would be.
CREATE FUNCTION "rate_hit"(numbers INT[], ids TEXT[], keys TEXT[], points INT[], windows BIGINT[], now_at TIMESTAMPTZ) RETURNS BIGINT[]
LANGUAGE plpgsql AS $$
DECLARE
  one TEXT;
  oldest TIMESTAMPTZ;
  begins INT := 1;
  retry_at BIGINT := 0;
  answers BIGINT[] := '{}';
BEGIN
  -- Every caller locks in one order, so that there is no deadlock.
  FOR one IN SELECT DISTINCT key FROM unnest(keys) AS key ORDER BY key LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('rate:' || one, 0));
  END LOOP;
  FOR i IN 1 .. cardinality(keys) LOOP
    DELETE FROM rate_event e WHERE e.key = keys[i] AND e.at <= now_at - windows[i] * interval '1 millisecond';
    IF NOT EXISTS (SELECT FROM rate_event e WHERE e.key = keys[i] AND e.action = ids[i]) THEN
      oldest := (SELECT e.at FROM rate_event e WHERE e.key = keys[i] ORDER BY e.at DESC OFFSET points[i] - 1 LIMIT 1);
      IF oldest IS NOT NULL THEN
        retry_at := greatest(retry_at, (extract(epoch FROM oldest) * 1000)::BIGINT + windows[i]);
      END IF;
    END IF;
    IF i = cardinality(keys) OR numbers[i + 1] > numbers[i] THEN
      IF retry_at = 0 THEN
        FOR j IN begins .. i LOOP
          INSERT INTO rate_event (key, action, at) SELECT keys[j], ids[j], now_at
          WHERE NOT EXISTS (SELECT FROM rate_event e WHERE e.key = keys[j] AND e.action = ids[j]);
        END LOOP;
      END IF;
      answers := answers || retry_at;
      begins := i + 1;
      retry_at := 0;
    END IF;
  END LOOP;
  RETURN answers;
END
$$;
