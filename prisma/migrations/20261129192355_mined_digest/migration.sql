-- AlterTable
ALTER TABLE "outgoing_tx" ADD COLUMN     "mined_digest" TEXT,
ADD COLUMN     "next_look_at" TIMESTAMPTZ(3),
ADD COLUMN     "unclear_looks" INTEGER NOT NULL DEFAULT 0;

