-- AlterTable
ALTER TABLE "smart_payment" ADD COLUMN     "tip_id" TEXT,
ALTER COLUMN "candidate_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "tip" ADD COLUMN     "bridge_units" DECIMAL(78,0) NOT NULL DEFAULT 0,
ADD COLUMN     "to_chain" TEXT,
ADD COLUMN     "to_units" DECIMAL(78,0);

-- CreateIndex
CREATE UNIQUE INDEX "smart_payment_tip_id_key" ON "smart_payment"("tip_id");

-- AddForeignKey
ALTER TABLE "smart_payment" ADD CONSTRAINT "smart_payment_tip_id_fkey" FOREIGN KEY ("tip_id") REFERENCES "tip"("id") ON DELETE SET NULL ON UPDATE CASCADE;

