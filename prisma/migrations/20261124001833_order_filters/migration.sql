-- CreateIndex
CREATE INDEX "payment_order_handle_id_livemode_chain_id_idx" ON "payment_order"("handle_id", "livemode", "chain", "id");

-- CreateIndex
CREATE INDEX "payment_order_metadata_idx" ON "payment_order" USING GIN ("metadata" jsonb_path_ops);

