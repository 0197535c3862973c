-- CreateTable
CREATE TABLE "request_log" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "key_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "error_code" TEXT,
    "idempotency_key" TEXT,

    CONSTRAINT "request_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "request_log_body" (
    "id" TEXT NOT NULL,
    "request_body" TEXT,
    "request_cut" BOOLEAN NOT NULL,
    "response_body" TEXT,
    "response_cut" BOOLEAN NOT NULL,

    CONSTRAINT "request_log_body_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "request_log_handle_id_livemode_id_idx" ON "request_log"("handle_id", "livemode", "id");

