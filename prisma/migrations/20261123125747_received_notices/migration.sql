-- DropIndex
DROP INDEX "reply_platform_chat_id_idx";

-- CreateTable
CREATE TABLE "received_leg" (
    "tip_id" TEXT NOT NULL,
    "notice_id" TEXT,
    "due_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "received_leg_pkey" PRIMARY KEY ("tip_id")
);

-- CreateTable
CREATE TABLE "received_window" (
    "reader" TEXT NOT NULL,
    "pace" TEXT NOT NULL,
    "notice_id" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "bot_id" TEXT NOT NULL,
    "chat_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "closes_at" TIMESTAMPTZ(3) NOT NULL,
    "posted_at" TIMESTAMPTZ(3),

    CONSTRAINT "received_window_pkey" PRIMARY KEY ("reader","pace")
);

-- CreateTable
CREATE TABLE "received_off" (
    "reader" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "received_off_pkey" PRIMARY KEY ("reader")
);

-- CreateIndex
CREATE INDEX "received_leg_notice_id_idx" ON "received_leg"("notice_id");

-- CreateIndex
CREATE INDEX "reply_platform_chat_id_created_at_idx" ON "reply"("platform", "chat_id", "created_at");


-- What a notice does not show yet, and what is posted at the end of its day: the few among many.
CREATE INDEX "received_leg_due" ON "received_leg"("due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "received_window_open" ON "received_window"("closes_at") WHERE "posted_at" IS NULL;

-- These notices replace the message about a single tab.
UPDATE "reply" SET "open" = false WHERE "kind" = 'tab_for_you';
