-- DropIndex
DROP INDEX "wallet_address_idx";

-- AlterTable
ALTER TABLE "button" ADD COLUMN     "link_id" TEXT,
ALTER COLUMN "intent_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "connection" ADD COLUMN     "spend_nonce" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "wallet" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'account',
ADD COLUMN     "proven_chains" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "handle_id" TEXT,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_nonce" (
    "nonce" TEXT NOT NULL,
    "browser_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_nonce_pkey" PRIMARY KEY ("nonce")
);

-- CreateTable
CREATE TABLE "link" (
    "id" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "platform_user_id" TEXT NOT NULL,
    "username" TEXT,
    "bot_id" TEXT NOT NULL,
    "chat_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "handle_id" TEXT,
    "session_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "redeemed_at" TIMESTAMPTZ(3),

    CONSTRAINT "link_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "spending_right" (
    "id" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "message" JSONB NOT NULL,
    "signature" TEXT NOT NULL,
    "nonce" INTEGER NOT NULL,
    "signed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "spending_right_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sponsored_call" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "outgoing_tx_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sponsored_call_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wallet_change" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "old_address" TEXT NOT NULL,
    "new_address" TEXT NOT NULL,
    "new_kind" TEXT NOT NULL DEFAULT 'account',
    "new_chain" TEXT,
    "status" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "effective_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "wallet_change_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "detail" JSONB NOT NULL,
    "raised_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sample" (
    "at" TIMESTAMPTZ(3) NOT NULL,
    "name" TEXT NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',
    "value" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "sample_pkey" PRIMARY KEY ("name","subject","at")
);

-- CreateTable
CREATE TABLE "beat" (
    "process" TEXT NOT NULL,
    "instance" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "beat_pkey" PRIMARY KEY ("process","instance")
);

-- CreateIndex
CREATE UNIQUE INDEX "session_token_hash_key" ON "session"("token_hash");

-- CreateIndex
CREATE INDEX "session_handle_id_idx" ON "session"("handle_id");

-- CreateIndex
CREATE INDEX "sign_in_nonce_expires_at_idx" ON "sign_in_nonce"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "link_secret_hash_key" ON "link"("secret_hash");

-- CreateIndex
CREATE INDEX "link_platform_platform_user_id_idx" ON "link"("platform", "platform_user_id");

-- CreateIndex
CREATE INDEX "link_status_expires_at_idx" ON "link"("status", "expires_at");

-- CreateIndex
CREATE INDEX "spending_right_handle_id_idx" ON "spending_right"("handle_id");

-- CreateIndex
CREATE UNIQUE INDEX "spending_right_connection_id_nonce_key" ON "spending_right"("connection_id", "nonce");

-- CreateIndex
CREATE INDEX "sponsored_call_handle_id_created_at_idx" ON "sponsored_call"("handle_id", "created_at");

-- CreateIndex
CREATE INDEX "sponsored_call_chain_created_at_idx" ON "sponsored_call"("chain", "created_at");

-- CreateIndex
CREATE INDEX "wallet_change_handle_id_status_idx" ON "wallet_change"("handle_id", "status");

-- CreateIndex
CREATE INDEX "wallet_change_status_effective_at_idx" ON "wallet_change"("status", "effective_at");

-- CreateIndex
CREATE INDEX "alert_kind_subject_resolved_at_idx" ON "alert"("kind", "subject", "resolved_at");

-- CreateIndex
CREATE INDEX "alert_raised_at_idx" ON "alert"("raised_at");

-- CreateIndex
CREATE INDEX "sample_at_idx" ON "sample"("at");

-- CreateIndex
CREATE INDEX "button_link_id_idx" ON "button"("link_id");

-- CreateIndex
CREATE UNIQUE INDEX "wallet_family_address_key" ON "wallet"("family", "address");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_handle_id_fkey" FOREIGN KEY ("handle_id") REFERENCES "handle"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallet_change" ADD CONSTRAINT "wallet_change_handle_id_fkey" FOREIGN KEY ("handle_id") REFERENCES "handle"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

