-- Alone in its file: built without a lock on writes, which no transaction allows. The overview sums payments from the index.
CREATE INDEX CONCURRENTLY "payment_order_paid" ON "payment_order"("handle_id", "livemode", "ended_at") INCLUDE ("currency", "decimals", "units", "fee_units", "link_id") WHERE "status" = 'completed';
