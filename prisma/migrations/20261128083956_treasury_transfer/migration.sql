-- CreateTable
CREATE TABLE "treasury_transfer" (
    "id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "tx_hash" TEXT NOT NULL,
    "block" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "treasury" TEXT NOT NULL,
    "from_address" TEXT,
    "units" DECIMAL(78,0) NOT NULL,
    "order_id" TEXT,
    "named_by" TEXT,
    "status" TEXT NOT NULL,
    "move_key" TEXT,
    "outgoing_tx_id" TEXT,
    "failure" TEXT,
    "tried_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "treasury_transfer_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "treasury_transfer_status_tried_at_idx" ON "treasury_transfer"("status", "tried_at");

-- CreateIndex
CREATE INDEX "treasury_transfer_order_id_idx" ON "treasury_transfer"("order_id");

-- CreateIndex
CREATE INDEX "treasury_transfer_outgoing_tx_id_idx" ON "treasury_transfer"("outgoing_tx_id");

-- CreateIndex
CREATE UNIQUE INDEX "treasury_transfer_chain_tx_hash_key" ON "treasury_transfer"("chain", "tx_hash");

