-- AlterTable
ALTER TABLE "cron_run" ADD COLUMN     "ended_at" TIMESTAMPTZ(3),
ADD COLUMN     "ended_id" TEXT,
ADD COLUMN     "result" JSONB,
ADD COLUMN     "run_id" TEXT;

-- AlterTable
ALTER TABLE "handle" ADD COLUMN     "charge_notices" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "plan" (
    "id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "plan_key" TEXT NOT NULL,
    "plan_id_hash" TEXT NOT NULL,
    "handle_id" TEXT,
    "creator" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "image_url" TEXT,
    "return_url" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "trial_days" INTEGER NOT NULL DEFAULT 0,
    "token" TEXT NOT NULL,
    "decimals" INTEGER NOT NULL,
    "units" DECIMAL(78,0) NOT NULL,
    "fee_units" DECIMAL(78,0) NOT NULL,
    "period_s" INTEGER NOT NULL,
    "create_tx_hash" TEXT,
    "replaced_by_id" TEXT,
    "replaces_id" TEXT,
    "new_price_notified" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "plan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscription" (
    "id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "plan_id" TEXT NOT NULL,
    "plan_key" TEXT NOT NULL,
    "subscriber" TEXT NOT NULL,
    "start_tx_hash" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "last_charged_at" TIMESTAMPTZ(3) NOT NULL,
    "next_charge_at" TIMESTAMPTZ(3) NOT NULL,
    "charges_paid" INTEGER NOT NULL,
    "paid_units" DECIMAL(78,0) NOT NULL,
    "fee_units" DECIMAL(78,0) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" TEXT,
    "halt_reason" TEXT,
    "end_tx_hash" TEXT,
    "block" BIGINT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "failure" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "failure_notices" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3),
    "charge_batch_id" TEXT,
    "low_notified_at" TIMESTAMPTZ(3),
    "new_price_notified_at" TIMESTAMPTZ(3),

    CONSTRAINT "subscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscription_log" (
    "chain" TEXT NOT NULL,
    "tx_hash" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "block" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "plan_key" TEXT NOT NULL,
    "subscriber" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "units" DECIMAL(78,0) NOT NULL DEFAULT 0,
    "fee_units" DECIMAL(78,0) NOT NULL DEFAULT 0,
    "next_charge_at" TIMESTAMPTZ(3),
    "by" TEXT,
    "subscription_id" TEXT,
    "number" INTEGER,

    CONSTRAINT "subscription_log_pkey" PRIMARY KEY ("chain","tx_hash","log_index")
);

-- CreateTable
CREATE TABLE "charge_batch" (
    "id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "outcomes" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "charge_batch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "trial" (
    "id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "plan_id" TEXT NOT NULL,
    "subscriber" TEXT NOT NULL,
    "handle_id" TEXT,
    "status" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "nonce" DECIMAL(78,0) NOT NULL,
    "switches_from_id" TEXT,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "failure" TEXT,
    "try_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "trial_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "campaign" (
    "id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "campaign_key" TEXT NOT NULL,
    "salt" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "sponsor" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "decimals" INTEGER NOT NULL,
    "total_units" DECIMAL(78,0) NOT NULL,
    "most_units" DECIMAL(78,0) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "next_key" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "open_tx_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "opened_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "close_asked_at" TIMESTAMPTZ(3),
    "taken_back_at" TIMESTAMPTZ(3),

    CONSTRAINT "campaign_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "campaign_grant" (
    "id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "recipient_key" INTEGER NOT NULL,
    "recipient" TEXT NOT NULL,
    "given" TEXT NOT NULL,
    "units" DECIMAL(78,0) NOT NULL,
    "note" TEXT,
    "status" TEXT NOT NULL,
    "waiting" BOOLEAN NOT NULL DEFAULT false,
    "failure" TEXT,
    "address" TEXT,
    "handle_id" TEXT,
    "batch_id" TEXT,
    "next_try_at" TIMESTAMPTZ(3),
    "tx_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3),

    CONSTRAINT "campaign_grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "campaign_log" (
    "chain" TEXT NOT NULL,
    "tx_hash" TEXT NOT NULL,
    "log_index" INTEGER NOT NULL,
    "block" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "campaign_key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "recipient_key" DECIMAL(78,0),
    "recipient" TEXT,
    "units" DECIMAL(78,0) NOT NULL DEFAULT 0,

    CONSTRAINT "campaign_log_pkey" PRIMARY KEY ("chain","tx_hash","log_index")
);

-- CreateTable
CREATE TABLE "grant_batch" (
    "id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "outcomes" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "grant_batch_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "plan_handle_id_livemode_id_idx" ON "plan"("handle_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "plan_creator_idx" ON "plan"("creator");

-- CreateIndex
CREATE INDEX "plan_status_created_at_idx" ON "plan"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "plan_chain_plan_key_key" ON "plan"("chain", "plan_key");

-- CreateIndex
CREATE INDEX "subscription_chain_status_next_charge_at_idx" ON "subscription"("chain", "status", "next_charge_at");

-- CreateIndex
CREATE INDEX "subscription_plan_id_status_id_idx" ON "subscription"("plan_id", "status", "id");

-- CreateIndex
CREATE INDEX "subscription_subscriber_id_idx" ON "subscription"("subscriber", "id");

-- CreateIndex
CREATE INDEX "subscription_charge_batch_id_idx" ON "subscription"("charge_batch_id");

-- CreateIndex
CREATE INDEX "subscription_chain_block_idx" ON "subscription"("chain", "block");

-- CreateIndex
CREATE UNIQUE INDEX "subscription_chain_plan_key_subscriber_start_tx_hash_key" ON "subscription"("chain", "plan_key", "subscriber", "start_tx_hash");

-- CreateIndex
CREATE INDEX "subscription_log_chain_plan_key_subscriber_block_log_index_idx" ON "subscription_log"("chain", "plan_key", "subscriber", "block", "log_index");

-- CreateIndex
CREATE INDEX "subscription_log_subscription_id_number_idx" ON "subscription_log"("subscription_id", "number");

-- CreateIndex
CREATE INDEX "subscription_log_chain_block_idx" ON "subscription_log"("chain", "block");

-- CreateIndex
CREATE INDEX "charge_batch_chain_status_idx" ON "charge_batch"("chain", "status");

-- CreateIndex
CREATE INDEX "trial_plan_id_handle_id_idx" ON "trial"("plan_id", "handle_id");

-- CreateIndex
CREATE INDEX "trial_status_try_at_idx" ON "trial"("status", "try_at");

-- CreateIndex
CREATE UNIQUE INDEX "trial_plan_id_subscriber_key" ON "trial"("plan_id", "subscriber");

-- CreateIndex
CREATE INDEX "campaign_handle_id_livemode_id_idx" ON "campaign"("handle_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "campaign_chain_status_idx" ON "campaign"("chain", "status");

-- CreateIndex
CREATE INDEX "campaign_status_created_at_idx" ON "campaign"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "campaign_chain_campaign_key_key" ON "campaign"("chain", "campaign_key");

-- CreateIndex
CREATE INDEX "campaign_grant_campaign_id_status_recipient_key_idx" ON "campaign_grant"("campaign_id", "status", "recipient_key");

-- CreateIndex
CREATE INDEX "campaign_grant_recipient_status_idx" ON "campaign_grant"("recipient", "status");

-- CreateIndex
CREATE INDEX "campaign_grant_batch_id_idx" ON "campaign_grant"("batch_id");

-- CreateIndex
CREATE UNIQUE INDEX "campaign_grant_campaign_id_key_key" ON "campaign_grant"("campaign_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "campaign_grant_campaign_id_recipient_key_key" ON "campaign_grant"("campaign_id", "recipient_key");

-- CreateIndex
CREATE INDEX "campaign_log_chain_campaign_key_kind_idx" ON "campaign_log"("chain", "campaign_key", "kind");

-- CreateIndex
CREATE INDEX "campaign_log_chain_block_idx" ON "campaign_log"("chain", "block");

-- CreateIndex
CREATE INDEX "grant_batch_chain_status_idx" ON "grant_batch"("chain", "status");

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trial" ADD CONSTRAINT "trial_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_grant" ADD CONSTRAINT "campaign_grant_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaign"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

