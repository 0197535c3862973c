-- AlterTable
ALTER TABLE "sponsored_call" ADD COLUMN     "business_key" TEXT NOT NULL,
ADD COLUMN     "data" TEXT NOT NULL,
ADD COLUMN     "expires_at" TIMESTAMPTZ(3) NOT NULL,
ADD COLUMN     "failure" TEXT,
ADD COLUMN     "gas" BIGINT NOT NULL,
ADD COLUMN     "status" TEXT NOT NULL,
ADD COLUMN     "to_address" TEXT NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "sponsored_call_business_key_key" ON "sponsored_call"("business_key");

-- CreateIndex
CREATE INDEX "sponsored_call_status_created_at_idx" ON "sponsored_call"("status", "created_at");

-- AddForeignKey
ALTER TABLE "sponsored_call" ADD CONSTRAINT "sponsored_call_outgoing_tx_id_fkey" FOREIGN KEY ("outgoing_tx_id") REFERENCES "outgoing_tx"("id") ON DELETE SET NULL ON UPDATE CASCADE;

