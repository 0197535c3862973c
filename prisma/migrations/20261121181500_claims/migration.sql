-- CreateTable
CREATE TABLE "claim" (
    "id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "tab_id" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "handle_key" TEXT NOT NULL,
    "units" DECIMAL(78,0) NOT NULL,
    "deadline" BIGINT NOT NULL,
    "sender_nonce" DECIMAL(78,0) NOT NULL,
    "revocable" BOOLEAN NOT NULL,
    "handle_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "recipient" TEXT,
    "not_after" BIGINT,
    "signature" TEXT,
    "failure" TEXT,
    "outgoing_tx_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "claim_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "claim_status_created_at_idx" ON "claim"("status", "created_at");

-- CreateIndex
CREATE INDEX "claim_handle_id_created_at_idx" ON "claim"("handle_id", "created_at");

-- CreateIndex
CREATE INDEX "claim_chain_tab_id_idx" ON "claim"("chain", "tab_id");

-- One claim of a tab at a time.
CREATE UNIQUE INDEX "claim_under_way" ON "claim"("chain", "tab_id") WHERE "status" IN ('asked', 'attested', 'submitted');

-- AddForeignKey
ALTER TABLE "claim" ADD CONSTRAINT "claim_outgoing_tx_id_fkey" FOREIGN KEY ("outgoing_tx_id") REFERENCES "outgoing_tx"("id") ON DELETE SET NULL ON UPDATE CASCADE;
