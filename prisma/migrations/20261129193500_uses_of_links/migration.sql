-- Alone in its file: built without a lock on writes, which no transaction allows.
CREATE INDEX CONCURRENTLY "payment_order_uses" ON "payment_order"("link_id") WHERE "status" NOT IN ('expired', 'cancelled');
