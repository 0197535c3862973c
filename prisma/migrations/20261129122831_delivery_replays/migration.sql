-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "replayed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "delivery_attempt" ADD COLUMN     "is_replay" BOOLEAN NOT NULL DEFAULT false;

