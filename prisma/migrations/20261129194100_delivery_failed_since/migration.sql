-- Alone in its file: built without a lock on writes, which no transaction allows.
CREATE INDEX CONCURRENTLY "delivery_failed_since" ON "delivery"("endpoint_id", "ended_at", "event_id") WHERE "status" = 'failed' AND NOT "is_test";
