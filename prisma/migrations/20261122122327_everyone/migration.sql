-- AlterTable
ALTER TABLE "intent" ADD COLUMN     "answers_message_id" TEXT;

-- CreateIndex
CREATE INDEX "intent_platform_chat_id_answers_message_id_idx" ON "intent"("platform", "chat_id", "answers_message_id");

