-- Alone in its file: built without a lock on writes, which no transaction allows. The overview counts orders from the index.
CREATE INDEX CONCURRENTLY "payment_order_created" ON "payment_order"("handle_id", "livemode", "created_at") INCLUDE ("id", "status", "currency", "opened_at", "opens_recorded", "received_units") WHERE "created_at" IS NOT NULL;
