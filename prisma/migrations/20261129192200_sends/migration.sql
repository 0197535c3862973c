-- CreateTable
CREATE TABLE "send" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "payer" TEXT NOT NULL,
    "recipient_handle_id" TEXT,
    "recipient_label" TEXT NOT NULL,
    "payee" TEXT NOT NULL,
    "router_address" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "decimals" INTEGER NOT NULL,
    "units" DECIMAL(78,0) NOT NULL,
    "fee_units" DECIMAL(78,0) NOT NULL,
    "usd_micros" BIGINT NOT NULL,
    "deadline" BIGINT NOT NULL,
    "way" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "since_block" BIGINT NOT NULL,
    "call_id" TEXT,
    "tx_hash" TEXT,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "send_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "send_handle_id_created_at_idx" ON "send"("handle_id", "created_at");

-- CreateIndex
CREATE INDEX "send_recipient_handle_id_created_at_idx" ON "send"("recipient_handle_id", "created_at");

-- CreateIndex
CREATE INDEX "send_chain_status_idx" ON "send"("chain", "status");

