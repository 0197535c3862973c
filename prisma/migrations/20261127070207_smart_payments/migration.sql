-- CreateTable
CREATE TABLE "smart_candidate" (
    "id" TEXT NOT NULL,
    "order_id" TEXT,
    "recipient" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "due_units" DECIMAL(78,0) NOT NULL,
    "payers" TEXT[],
    "kind" TEXT NOT NULL,
    "legs" JSONB NOT NULL,
    "slippage_bps" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "smart_candidate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "smart_payment" (
    "id" TEXT NOT NULL,
    "candidate_id" TEXT NOT NULL,
    "order_id" TEXT,
    "recipient" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "decimals" INTEGER NOT NULL,
    "due_units" DECIMAL(78,0) NOT NULL,
    "payer" TEXT NOT NULL,
    "key" TEXT,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "smart_payment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "smart_leg" (
    "id" TEXT NOT NULL,
    "payment_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "via" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "payer" TEXT NOT NULL,
    "give_units" DECIMAL(78,0) NOT NULL,
    "arrive_units" DECIMAL(78,0) NOT NULL,
    "status" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "terms" JSONB NOT NULL,
    "origin_hash" TEXT,
    "destination_hash" TEXT,
    "refund_hash" TEXT,
    "reason" TEXT,
    "origin_from" BIGINT NOT NULL,
    "destination_from" BIGINT NOT NULL,
    "deadline" TIMESTAMPTZ(3) NOT NULL,
    "next_look_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "smart_leg_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "smart_candidate_expires_at_idx" ON "smart_candidate"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "smart_payment_candidate_id_key" ON "smart_payment"("candidate_id");

-- CreateIndex
CREATE INDEX "smart_payment_order_id_idx" ON "smart_payment"("order_id");

-- CreateIndex
CREATE INDEX "smart_payment_status_created_at_idx" ON "smart_payment"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "smart_payment_payer_key_key" ON "smart_payment"("payer", "key");

-- CreateIndex
CREATE UNIQUE INDEX "smart_leg_request_id_key" ON "smart_leg"("request_id");

-- CreateIndex
CREATE INDEX "smart_leg_status_next_look_at_idx" ON "smart_leg"("status", "next_look_at");

-- CreateIndex
CREATE INDEX "smart_leg_refund_hash_idx" ON "smart_leg"("refund_hash");

-- CreateIndex
CREATE UNIQUE INDEX "smart_leg_payment_id_number_key" ON "smart_leg"("payment_id", "number");

-- AddForeignKey
ALTER TABLE "smart_leg" ADD CONSTRAINT "smart_leg_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "smart_payment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

