-- Alone in its file, as it waits for no writes either. "payment_order_created_ended" holds the same and when the order ended.
DROP INDEX CONCURRENTLY IF EXISTS "payment_order_created";
