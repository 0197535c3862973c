-- CreateTable
CREATE TABLE "handle" (
    "id" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "skeleton" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'personal',
    "preferred_chain" TEXT NOT NULL DEFAULT 'base',
    "command_cap_micros" BIGINT NOT NULL,
    "day_cap_micros" BIGINT NOT NULL,
    "paused_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "handle_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wallet" (
    "handle_id" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "wallet_pkey" PRIMARY KEY ("handle_id","family")
);

-- CreateTable
CREATE TABLE "connection" (
    "id" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "platform_user_id" TEXT NOT NULL,
    "username" TEXT,
    "handle_id" TEXT NOT NULL,
    "can_spend" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "disconnected_at" TIMESTAMPTZ(3),

    CONSTRAINT "connection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pause" (
    "handle_id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "outgoing_tx_id" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pause_pkey" PRIMARY KEY ("handle_id","chain")
);

-- CreateTable
CREATE TABLE "seen_user" (
    "platform" TEXT NOT NULL,
    "platform_user_id" TEXT NOT NULL,
    "username" TEXT,
    "is_bot" BOOLEAN NOT NULL DEFAULT false,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "seen_user_pkey" PRIMARY KEY ("platform","platform_user_id")
);

-- CreateTable
CREATE TABLE "seen_username" (
    "platform" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "platform_user_id" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "seen_username_pkey" PRIMARY KEY ("platform","username","platform_user_id")
);

-- CreateTable
CREATE TABLE "inbox" (
    "key" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'received',
    "outcome" TEXT,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "processed_at" TIMESTAMPTZ(3),

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "intent" (
    "id" TEXT NOT NULL,
    "inbox_key" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "bot_id" TEXT NOT NULL,
    "chat_id" TEXT NOT NULL,
    "chat_kind" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "sender_id" TEXT NOT NULL,
    "sender_username" TEXT,
    "sender_handle_id" TEXT,
    "command" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "detail" JSONB,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,
    "valid_until" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "intent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tip" (
    "id" TEXT NOT NULL,
    "intent_id" TEXT NOT NULL,
    "leg" INTEGER NOT NULL,
    "message_key" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "sender_handle_id" TEXT NOT NULL,
    "sender_address" TEXT NOT NULL,
    "recipient_handle_id" TEXT,
    "recipient_address" TEXT NOT NULL,
    "recipient_label" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "decimals" INTEGER NOT NULL,
    "units" DECIMAL(78,0) NOT NULL,
    "fee_units" DECIMAL(78,0) NOT NULL,
    "usd_micros" BIGINT NOT NULL,
    "valid_until" TIMESTAMPTZ(3) NOT NULL,
    "status" TEXT NOT NULL,
    "failure" JSONB,
    "outgoing_tx_id" TEXT,
    "tx_hash" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "tip_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "executor_key" (
    "chain" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "next_nonce" INTEGER NOT NULL,
    "paused_reason" TEXT,

    CONSTRAINT "executor_key_pkey" PRIMARY KEY ("chain","address")
);

-- CreateTable
CREATE TABLE "outgoing_tx" (
    "id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "executor" TEXT NOT NULL,
    "nonce" INTEGER NOT NULL,
    "business_key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "to_address" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "gas" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "mined_hash" TEXT,
    "mined_block" BIGINT,
    "mined_block_hash" TEXT,
    "succeeded" BOOLEAN,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "final_at" TIMESTAMPTZ(3),

    CONSTRAINT "outgoing_tx_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tx_attempt" (
    "hash" TEXT NOT NULL,
    "outgoing_tx_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "raw" TEXT NOT NULL,
    "max_fee" BIGINT NOT NULL,
    "priority_fee" BIGINT NOT NULL,
    "signed_at" TIMESTAMPTZ(3) NOT NULL,
    "broadcast_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "tx_attempt_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "reply" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "bot_id" TEXT NOT NULL,
    "chat_id" TEXT NOT NULL,
    "reply_to_message_id" TEXT,
    "kind" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "open" BOOLEAN NOT NULL DEFAULT true,
    "sent_version" INTEGER NOT NULL DEFAULT 0,
    "platform_message_id" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "reply_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "button" (
    "token" TEXT NOT NULL,
    "reply_id" TEXT NOT NULL,
    "intent_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "chat_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "button_pkey" PRIMARY KEY ("token")
);

-- CreateTable
CREATE TABLE "rate_event" (
    "id" BIGSERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "queue" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transition" (
    "id" BIGSERIAL NOT NULL,
    "resource" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "from_status" TEXT NOT NULL,
    "to_status" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "detail" JSONB,

    CONSTRAINT "transition_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "handle_slug_key" ON "handle"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "handle_skeleton_key" ON "handle"("skeleton");

-- CreateIndex
CREATE INDEX "wallet_address_idx" ON "wallet"("address");

-- CreateIndex
CREATE INDEX "connection_handle_id_idx" ON "connection"("handle_id");

-- CreateIndex
CREATE UNIQUE INDEX "connection_platform_platform_user_id_key" ON "connection"("platform", "platform_user_id");

-- CreateIndex
CREATE INDEX "pause_status_idx" ON "pause"("status");

-- CreateIndex
CREATE INDEX "inbox_status_received_at_idx" ON "inbox"("status", "received_at");

-- CreateIndex
CREATE UNIQUE INDEX "intent_inbox_key_key" ON "intent"("inbox_key");

-- CreateIndex
CREATE INDEX "intent_status_next_attempt_at_idx" ON "intent"("status", "next_attempt_at");

-- CreateIndex
CREATE INDEX "intent_platform_sender_id_accepted_at_idx" ON "intent"("platform", "sender_id", "accepted_at");

-- CreateIndex
CREATE UNIQUE INDEX "tip_message_key_key" ON "tip"("message_key");

-- CreateIndex
CREATE INDEX "tip_chain_status_idx" ON "tip"("chain", "status");

-- CreateIndex
CREATE INDEX "tip_sender_handle_id_created_at_idx" ON "tip"("sender_handle_id", "created_at");

-- CreateIndex
CREATE INDEX "tip_recipient_handle_id_created_at_idx" ON "tip"("recipient_handle_id", "created_at");

-- CreateIndex
CREATE INDEX "tip_outgoing_tx_id_idx" ON "tip"("outgoing_tx_id");

-- CreateIndex
CREATE UNIQUE INDEX "tip_intent_id_leg_key" ON "tip"("intent_id", "leg");

-- CreateIndex
CREATE UNIQUE INDEX "outgoing_tx_business_key_key" ON "outgoing_tx"("business_key");

-- CreateIndex
CREATE INDEX "outgoing_tx_chain_status_idx" ON "outgoing_tx"("chain", "status");

-- CreateIndex
CREATE UNIQUE INDEX "outgoing_tx_chain_executor_nonce_key" ON "outgoing_tx"("chain", "executor", "nonce");

-- CreateIndex
CREATE UNIQUE INDEX "tx_attempt_outgoing_tx_id_number_key" ON "tx_attempt"("outgoing_tx_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "reply_key_key" ON "reply"("key");

-- CreateIndex
CREATE INDEX "reply_open_next_attempt_at_idx" ON "reply"("open", "next_attempt_at");

-- CreateIndex
CREATE INDEX "reply_platform_chat_id_idx" ON "reply"("platform", "chat_id");

-- CreateIndex
CREATE INDEX "button_intent_id_idx" ON "button"("intent_id");

-- CreateIndex
CREATE INDEX "rate_event_key_at_idx" ON "rate_event"("key", "at");

-- CreateIndex
CREATE INDEX "transition_resource_resource_id_idx" ON "transition"("resource", "resource_id");

-- AddForeignKey
ALTER TABLE "wallet" ADD CONSTRAINT "wallet_handle_id_fkey" FOREIGN KEY ("handle_id") REFERENCES "handle"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection" ADD CONSTRAINT "connection_handle_id_fkey" FOREIGN KEY ("handle_id") REFERENCES "handle"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pause" ADD CONSTRAINT "pause_handle_id_fkey" FOREIGN KEY ("handle_id") REFERENCES "handle"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tip" ADD CONSTRAINT "tip_intent_id_fkey" FOREIGN KEY ("intent_id") REFERENCES "intent"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tip" ADD CONSTRAINT "tip_outgoing_tx_id_fkey" FOREIGN KEY ("outgoing_tx_id") REFERENCES "outgoing_tx"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tx_attempt" ADD CONSTRAINT "tx_attempt_outgoing_tx_id_fkey" FOREIGN KEY ("outgoing_tx_id") REFERENCES "outgoing_tx"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "button" ADD CONSTRAINT "button_reply_id_fkey" FOREIGN KEY ("reply_id") REFERENCES "reply"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

