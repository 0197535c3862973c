-- AlterTable
ALTER TABLE "event" ADD COLUMN     "is_test" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "url" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "description" TEXT,
    "event_types" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "api_version" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "secret" TEXT NOT NULL,
    "former_secret" TEXT,
    "former_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "event_id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "rung" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("event_id","endpoint_id")
);

-- CreateTable
CREATE TABLE "delivery_attempt" (
    "event_id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "latency_ms" INTEGER NOT NULL,
    "status" INTEGER,
    "failure" TEXT,
    "answer" TEXT,

    CONSTRAINT "delivery_attempt_pkey" PRIMARY KEY ("event_id","endpoint_id","number")
);

-- CreateIndex
CREATE INDEX "webhook_endpoint_handle_id_livemode_id_idx" ON "webhook_endpoint"("handle_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "delivery_endpoint_id_event_id_idx" ON "delivery"("endpoint_id", "event_id");

-- CreateIndex
CREATE INDEX "delivery_attempt_endpoint_id_started_at_idx" ON "delivery_attempt"("endpoint_id", "started_at");

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_attempt" ADD CONSTRAINT "delivery_attempt_event_id_endpoint_id_fkey" FOREIGN KEY ("event_id", "endpoint_id") REFERENCES "delivery"("event_id", "endpoint_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is due, and what has failed: the few among many that are over.
CREATE INDEX "delivery_due" ON "delivery"("endpoint_id", "next_attempt_at", "event_id") WHERE "next_attempt_at" IS NOT NULL;
CREATE INDEX "delivery_failed" ON "delivery"("endpoint_id", "event_id") WHERE "status" = 'failed';
