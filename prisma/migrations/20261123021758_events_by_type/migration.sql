-- CreateIndex
CREATE INDEX "event_handle_id_livemode_type_id_idx" ON "event"("handle_id", "livemode", "type", "id");

