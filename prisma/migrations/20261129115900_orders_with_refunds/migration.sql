-- Alone in its file: built without a lock on writes, which no transaction allows.
CREATE INDEX CONCURRENTLY "payment_order_refunded" ON "payment_order"("handle_id", "livemode", "id") WHERE "refunded_units" > 0;
