-- CreateTable
CREATE TABLE "native_wrap" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "wallet" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "units" DECIMAL(78,0),
    "message_hash" TEXT NOT NULL,
    "last_valid_height" BIGINT NOT NULL,
    "call_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "native_wrap_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "native_wrap_message_hash_key" ON "native_wrap"("message_hash");

-- CreateIndex
CREATE UNIQUE INDEX "native_wrap_call_id_key" ON "native_wrap"("call_id");

-- CreateIndex
CREATE INDEX "native_wrap_handle_id_created_at_idx" ON "native_wrap"("handle_id", "created_at");

