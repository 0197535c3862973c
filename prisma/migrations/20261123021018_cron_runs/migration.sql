-- CreateTable
CREATE TABLE "cron_run" (
    "task" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cron_run_pkey" PRIMARY KEY ("task")
);

