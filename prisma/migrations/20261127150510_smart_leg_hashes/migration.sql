-- CreateIndex
CREATE INDEX "smart_leg_origin_hash_idx" ON "smart_leg"("origin_hash");

-- CreateIndex
CREATE INDEX "smart_leg_destination_hash_idx" ON "smart_leg"("destination_hash");

