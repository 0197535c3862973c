-- AlterTable
ALTER TABLE "intent" ADD COLUMN     "doubt" TEXT;

-- CreateIndex
CREATE INDEX "intent_sender_handle_id_accepted_at_idx" ON "intent"("sender_handle_id", "accepted_at");

