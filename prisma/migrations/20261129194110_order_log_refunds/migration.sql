-- Alone in its file: built without a lock on writes, which no transaction allows.
CREATE INDEX CONCURRENTLY "order_log_refunds" ON "order_log"("block_time", "order_id") INCLUDE ("units") WHERE "kind" = 'refunded' AND "outcome" = 'credited';
