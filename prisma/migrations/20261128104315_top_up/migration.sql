-- AlterTable
ALTER TABLE "smart_payment" ADD COLUMN     "top_up_of" TEXT,
ADD COLUMN     "top_up_usd" BIGINT;

-- CreateIndex
CREATE INDEX "smart_payment_top_up_of_created_at_idx" ON "smart_payment"("top_up_of", "created_at");

