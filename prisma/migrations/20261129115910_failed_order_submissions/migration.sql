-- Alone in its file: built without a lock on writes, which no transaction allows.
CREATE INDEX CONCURRENTLY "order_submission_failed" ON "order_submission"("order_id") INCLUDE ("way", "failure") WHERE "status" = 'failed';
