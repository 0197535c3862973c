-- AlterTable
ALTER TABLE "reply" ADD COLUMN     "failed_at" TIMESTAMPTZ(3);
UPDATE "reply" SET "failed_at" = coalesce("sent_at", "created_at") WHERE "failure" IS NOT NULL;

-- What operators look for: a person's messages, a message by its id, a transaction, and what failed.
CREATE INDEX "inbox_sender" ON "inbox"("platform", (coalesce("payload" -> 'message' -> 'sender' ->> 'id', "payload" -> 'button' ->> 'userId')), "received_at");
CREATE INDEX "inbox_message_id" ON "inbox"(("payload" -> 'message' ->> 'messageId'), "received_at");
CREATE INDEX "reply_platform_message_id" ON "reply"("platform_message_id") WHERE "platform_message_id" IS NOT NULL;
CREATE INDEX "reply_failed" ON "reply"("failed_at", "id") WHERE "failure" IS NOT NULL;
CREATE INDEX "tip_failed" ON "tip"("id") WHERE "failure" IS NOT NULL OR "status" = 'failed';
CREATE INDEX "tip_tx_hash" ON "tip"("tx_hash") WHERE "tx_hash" IS NOT NULL;
CREATE INDEX "escrow_open_tx_hash" ON "escrow"("open_tx_hash") WHERE "open_tx_hash" IS NOT NULL;
CREATE INDEX "escrow_close_tx_hash" ON "escrow"("close_tx_hash") WHERE "close_tx_hash" IS NOT NULL;
CREATE INDEX "claim_outgoing_tx_id" ON "claim"("outgoing_tx_id") WHERE "outgoing_tx_id" IS NOT NULL;
CREATE INDEX "payment_order_tx_hash" ON "payment_order"("tx_hash") WHERE "tx_hash" IS NOT NULL;
