-- CreateIndex
CREATE INDEX "payment_order_handle_id_livemode_status_id_idx" ON "payment_order"("handle_id", "livemode", "status", "id");

