-- AlterTable
ALTER TABLE "alert" ADD COLUMN     "next_tell_at" TIMESTAMPTZ(3),
ADD COLUMN     "raised_told_at" TIMESTAMPTZ(3),
ADD COLUMN     "resolved_told_at" TIMESTAMPTZ(3),
ADD COLUMN     "tell_attempts" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "beat" ADD COLUMN     "lag_ms" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "rss_bytes" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "reply" ADD COLUMN     "receipt_sent_at" TIMESTAMPTZ(3),
ADD COLUMN     "receipt_version" INTEGER;

-- CreateTable
CREATE TABLE "operator_session" (
    "id" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_session_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "operator_session_token_hash_key" ON "operator_session"("token_hash");

-- CreateIndex
CREATE INDEX "operator_session_expires_at_idx" ON "operator_session"("expires_at");

-- CreateIndex
CREATE INDEX "reply_receipt_sent_at_idx" ON "reply"("receipt_sent_at");

-- CreateIndex
CREATE INDEX "tip_settled_at_idx" ON "tip"("settled_at");

