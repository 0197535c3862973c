-- AlterTable
ALTER TABLE "handle" ADD COLUMN     "business_address" TEXT,
ADD COLUMN     "business_chains" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "rolled_to_id" TEXT,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "key_id" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("key_id","path","key")
);

-- CreateTable
CREATE TABLE "recipient_allowance" (
    "handle_id" TEXT NOT NULL,
    "recipient_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "recipient_allowance_pkey" PRIMARY KEY ("handle_id","recipient_id")
);

-- CreateTable
CREATE TABLE "payment_link" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "label" TEXT NOT NULL,
    "units" DECIMAL(78,0),
    "open_amount" BOOLEAN NOT NULL,
    "min_units" DECIMAL(78,0),
    "max_units" DECIMAL(78,0),
    "currency" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "recipient_id" TEXT NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_link_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_order" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "recipient_id" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "origin" TEXT NOT NULL,
    "link_id" TEXT,
    "status" TEXT NOT NULL,
    "description" TEXT,
    "currency" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "router" TEXT NOT NULL,
    "router_address" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "decimals" INTEGER NOT NULL,
    "payee" TEXT NOT NULL,
    "units" DECIMAL(78,0) NOT NULL,
    "fee_units" DECIMAL(78,0) NOT NULL,
    "deadline" BIGINT NOT NULL,
    "on_chain_id" TEXT NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "deposit_address" TEXT,
    "deposit_shown_at" TIMESTAMPTZ(3),
    "received_units" DECIMAL(78,0) NOT NULL DEFAULT 0,
    "refunded_units" DECIMAL(78,0) NOT NULL DEFAULT 0,
    "payer" TEXT,
    "tx_hash" TEXT,
    "chat" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_order_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "order_log" (
    "chain" TEXT NOT NULL,
    "tx_hash" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "block" BIGINT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "block_time" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "router" TEXT NOT NULL,
    "key" TEXT,
    "from_address" TEXT,
    "to_address" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "units" DECIMAL(78,0) NOT NULL,
    "fee_units" DECIMAL(78,0) NOT NULL DEFAULT 0,

    CONSTRAINT "order_log_pkey" PRIMARY KEY ("chain","tx_hash","log_index")
);

-- CreateTable
CREATE TABLE "order_submission" (
    "id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "payer" TEXT NOT NULL,
    "way" TEXT NOT NULL,
    "to_address" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "gas" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "failure" TEXT,
    "outgoing_tx_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "order_submission_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "type" TEXT NOT NULL,
    "api_version" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "unique_key" TEXT NOT NULL,
    "object" JSONB NOT NULL,
    "previous" JSONB,
    "request_id" TEXT,
    "idempotency_key" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_handle_id_created_at_idx" ON "api_key"("handle_id", "created_at");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE INDEX "payment_link_handle_id_id_idx" ON "payment_link"("handle_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_order_on_chain_id_key" ON "payment_order"("on_chain_id");

-- CreateIndex
CREATE INDEX "payment_order_handle_id_livemode_id_idx" ON "payment_order"("handle_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "payment_order_link_id_id_idx" ON "payment_order"("link_id", "id");

-- CreateIndex
CREATE INDEX "payment_order_chain_status_deadline_idx" ON "payment_order"("chain", "status", "deadline");

-- CreateIndex
CREATE INDEX "payment_order_chain_deposit_shown_at_idx" ON "payment_order"("chain", "deposit_shown_at");

-- CreateIndex
CREATE UNIQUE INDEX "payment_order_chain_deposit_address_key" ON "payment_order"("chain", "deposit_address");

-- CreateIndex
CREATE INDEX "order_log_order_id_idx" ON "order_log"("order_id");

-- CreateIndex
CREATE INDEX "order_log_chain_block_idx" ON "order_log"("chain", "block");

-- CreateIndex
CREATE INDEX "order_submission_order_id_idx" ON "order_submission"("order_id");

-- CreateIndex
CREATE INDEX "order_submission_chain_payer_status_idx" ON "order_submission"("chain", "payer", "status");

-- CreateIndex
CREATE INDEX "order_submission_status_created_at_idx" ON "order_submission"("status", "created_at");

-- CreateIndex
CREATE INDEX "order_submission_outgoing_tx_id_idx" ON "order_submission"("outgoing_tx_id");

-- CreateIndex
CREATE UNIQUE INDEX "event_unique_key_key" ON "event"("unique_key");

-- CreateIndex
CREATE INDEX "event_handle_id_livemode_id_idx" ON "event"("handle_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "event_resource_id_idx" ON "event"("resource_id");

-- AddForeignKey
ALTER TABLE "payment_order" ADD CONSTRAINT "payment_order_link_id_fkey" FOREIGN KEY ("link_id") REFERENCES "payment_link"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_log" ADD CONSTRAINT "order_log_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "payment_order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_submission" ADD CONSTRAINT "order_submission_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "payment_order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

