-- AlterTable
ALTER TABLE "claim" ADD COLUMN     "held_until" TIMESTAMPTZ(3),
ADD COLUMN     "username_slug" TEXT;

-- AlterTable
ALTER TABLE "handle" ADD COLUMN     "language" TEXT;

-- AlterTable
ALTER TABLE "intent" ADD COLUMN     "private_chat_id" TEXT,
ADD COLUMN     "server_cap_micros" BIGINT;

-- AlterTable
ALTER TABLE "reply" ADD COLUMN     "said" TEXT;

-- AlterTable
ALTER TABLE "seen_user" ADD COLUMN     "language" TEXT;

-- AlterTable
ALTER TABLE "tip" ADD COLUMN     "tab_deadline" BIGINT,
ADD COLUMN     "tab_slug" TEXT;

-- CreateTable
CREATE TABLE "server_settings" (
    "platform" TEXT NOT NULL,
    "server_id" TEXT NOT NULL,
    "tipping" BOOLEAN NOT NULL DEFAULT true,
    "channels" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "command_cap_micros" BIGINT,
    "changed_by" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "server_settings_pkey" PRIMARY KEY ("platform","server_id")
);

-- CreateTable
CREATE TABLE "discord_interaction" (
    "id" TEXT NOT NULL,
    "bot_id" TEXT NOT NULL,
    "token" TEXT,
    "channel_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "is_member" BOOLEAN NOT NULL,
    "is_private" BOOLEAN NOT NULL,
    "acknowledged_at" TIMESTAMPTZ(3),
    "answered_by" TEXT,
    "answered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "discord_interaction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "discord_channel" (
    "id" TEXT NOT NULL,
    "bot_id" TEXT NOT NULL,
    "user_id" TEXT,
    "guild_id" TEXT,
    "last_message_id" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "discord_channel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login" (
    "id" TEXT NOT NULL,
    "state_hash" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "verifier" TEXT,
    "return_to" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "platform_user_id" TEXT,
    "username" TEXT,
    "answer_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "login_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "name_check" (
    "id" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "platform_user_id" TEXT NOT NULL,
    "claim_id" TEXT,
    "wanted_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_at" TIMESTAMPTZ(3),
    "username" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "name_check_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "escrow_checkpoint" (
    "chain" TEXT NOT NULL,
    "block" BIGINT NOT NULL,
    "hashes" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "escrow_checkpoint_pkey" PRIMARY KEY ("chain")
);

-- CreateTable
CREATE TABLE "slug_key" (
    "slug" TEXT NOT NULL,
    "handle_key" TEXT NOT NULL,

    CONSTRAINT "slug_key_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "escrow" (
    "id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "tab_id" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "sender_handle_id" TEXT,
    "sender_address" TEXT NOT NULL,
    "handle_slug" TEXT,
    "handle_key" TEXT NOT NULL,
    "recipient_label" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "decimals" INTEGER NOT NULL,
    "units" DECIMAL(78,0) NOT NULL,
    "deadline" BIGINT NOT NULL,
    "sender_nonce" DECIMAL(78,0) NOT NULL,
    "revocable" BOOLEAN NOT NULL,
    "note" TEXT,
    "status" TEXT NOT NULL,
    "tip_id" TEXT,
    "open_tx_hash" TEXT,
    "close_tx_hash" TEXT,
    "paid_to" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "opened_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "reminded_at" TIMESTAMPTZ(3),
    "open_block" BIGINT,
    "close_block" BIGINT,
    "refund_asked_at" TIMESTAMPTZ(3),
    "refund_tried_at" TIMESTAMPTZ(3),
    "refund_tx_id" TEXT,

    CONSTRAINT "escrow_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cursor" (
    "platform" TEXT NOT NULL,
    "bot_id" TEXT NOT NULL,
    "feed" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cursor_pkey" PRIMARY KEY ("platform","bot_id","feed")
);

-- CreateTable
CREATE TABLE "x_login" (
    "seed_hash" TEXT NOT NULL,
    "sealed_tokens" TEXT,
    "bot_id" TEXT,
    "username" TEXT,
    "refreshing_until" TIMESTAMPTZ(3),
    "problem" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "x_login_pkey" PRIMARY KEY ("seed_hash")
);

-- CreateTable
CREATE TABLE "x_budget_day" (
    "day" TEXT NOT NULL,
    "budget_micros" BIGINT NOT NULL DEFAULT 0,
    "spent_micros" BIGINT NOT NULL DEFAULT 0,
    "reserved_micros" BIGINT NOT NULL DEFAULT 0,
    "requests" INTEGER NOT NULL DEFAULT 0,
    "halted" TEXT,
    "halted_at" TIMESTAMPTZ(3),
    "probe" TEXT,
    "probe_until" TIMESTAMPTZ(3),

    CONSTRAINT "x_budget_day_pkey" PRIMARY KEY ("day")
);

-- CreateTable
CREATE TABLE "reaction_tip" (
    "platform" TEXT NOT NULL,
    "platform_user_id" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,
    "emoji" TEXT NOT NULL,
    "amount" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reaction_tip_pkey" PRIMARY KEY ("platform","platform_user_id")
);

-- CreateTable
CREATE TABLE "reaction_chat" (
    "platform" TEXT NOT NULL,
    "chat_id" TEXT NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reaction_chat_pkey" PRIMARY KEY ("platform","chat_id")
);

-- CreateTable
CREATE TABLE "message_author" (
    "platform" TEXT NOT NULL,
    "chat_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "platform_user_id" TEXT NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "message_author_pkey" PRIMARY KEY ("platform","chat_id","message_id")
);

-- CreateTable
CREATE TABLE "leaderboard_member" (
    "platform" TEXT NOT NULL,
    "chat_id" TEXT NOT NULL,
    "platform_user_id" TEXT NOT NULL,
    "joined_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "leaderboard_member_pkey" PRIMARY KEY ("platform","chat_id","platform_user_id")
);

-- CreateIndex
CREATE INDEX "discord_interaction_expires_at_idx" ON "discord_interaction"("expires_at");

-- CreateIndex
CREATE INDEX "discord_channel_bot_id_used_at_idx" ON "discord_channel"("bot_id", "used_at");

-- CreateIndex
CREATE UNIQUE INDEX "login_state_hash_key" ON "login"("state_hash");

-- CreateIndex
CREATE UNIQUE INDEX "login_answer_hash_key" ON "login"("answer_hash");

-- CreateIndex
CREATE INDEX "login_expires_at_idx" ON "login"("expires_at");

-- CreateIndex
CREATE INDEX "name_check_platform_checked_at_next_attempt_at_idx" ON "name_check"("platform", "checked_at", "next_attempt_at");

-- CreateIndex
CREATE INDEX "name_check_claim_id_idx" ON "name_check"("claim_id");

-- CreateIndex
CREATE UNIQUE INDEX "slug_key_handle_key_key" ON "slug_key"("handle_key");

-- CreateIndex
CREATE UNIQUE INDEX "escrow_tip_id_key" ON "escrow"("tip_id");

-- CreateIndex
CREATE INDEX "escrow_handle_slug_status_idx" ON "escrow"("handle_slug", "status");

-- CreateIndex
CREATE INDEX "escrow_handle_key_status_idx" ON "escrow"("handle_key", "status");

-- CreateIndex
CREATE INDEX "escrow_sender_handle_id_created_at_idx" ON "escrow"("sender_handle_id", "created_at");

-- CreateIndex
CREATE INDEX "escrow_sender_address_idx" ON "escrow"("sender_address");

-- CreateIndex
CREATE INDEX "escrow_status_deadline_idx" ON "escrow"("status", "deadline");

-- CreateIndex
CREATE INDEX "escrow_chain_refund_tried_at_idx" ON "escrow"("chain", "refund_tried_at");

-- CreateIndex
CREATE UNIQUE INDEX "escrow_chain_tab_id_key" ON "escrow"("chain", "tab_id");

-- CreateIndex
CREATE INDEX "message_author_sent_at_idx" ON "message_author"("sent_at");

-- CreateIndex
CREATE INDEX "leaderboard_member_platform_platform_user_id_idx" ON "leaderboard_member"("platform", "platform_user_id");

-- CreateIndex
CREATE INDEX "claim_status_held_until_idx" ON "claim"("status", "held_until");

-- CreateIndex
CREATE INDEX "intent_platform_chat_id_accepted_at_idx" ON "intent"("platform", "chat_id", "accepted_at");

-- AddForeignKey
ALTER TABLE "name_check" ADD CONSTRAINT "name_check_claim_id_fkey" FOREIGN KEY ("claim_id") REFERENCES "claim"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "escrow" ADD CONSTRAINT "escrow_tip_id_fkey" FOREIGN KEY ("tip_id") REFERENCES "tip"("id") ON DELETE SET NULL ON UPDATE CASCADE;

