-- AlterTable
ALTER TABLE "intent" ADD COLUMN     "sent_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "tx_attempt" ADD COLUMN     "last_valid_height" BIGINT;

