-- AlterTable
ALTER TABLE "x_budget_day" ADD COLUMN     "halted_budget_micros" BIGINT,
ADD COLUMN     "unread_dm_micros" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "unread_micros" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "x_author_day" (
    "day" TEXT NOT NULL,
    "author_id" TEXT NOT NULL,
    "spent_micros" BIGINT NOT NULL DEFAULT 0,
    "posts" INTEGER NOT NULL DEFAULT 0,
    "ignored" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "x_author_day_pkey" PRIMARY KEY ("day","author_id")
);

