-- AlterTable
ALTER TABLE "alert" ADD COLUMN     "telling_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "watch_checkpoint" (
    "chain" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "block" BIGINT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "head" BIGINT NOT NULL,
    "looked_at" TIMESTAMPTZ(3) NOT NULL,
    "caught_up_at" TIMESTAMPTZ(3) NOT NULL,
    "problem" TEXT,

    CONSTRAINT "watch_checkpoint_pkey" PRIMARY KEY ("chain","endpoint")
);

-- CreateTable
CREATE TABLE "watch_sighting" (
    "chain" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "block" BIGINT NOT NULL,
    "block_hash" TEXT NOT NULL,
    "executor_only" BOOLEAN NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "watch_sighting_pkey" PRIMARY KEY ("chain","endpoint","hash")
);

-- CreateTable
CREATE TABLE "foreign_transaction" (
    "chain" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "executor" TEXT,
    "block" BIGINT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "paused_at" TIMESTAMPTZ(3),

    CONSTRAINT "foreign_transaction_pkey" PRIMARY KEY ("chain","hash")
);

-- CreateTable
CREATE TABLE "watch_guardian" (
    "chain" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "problem" TEXT,
    "looked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "watch_guardian_pkey" PRIMARY KEY ("chain")
);

-- CreateIndex
CREATE INDEX "watch_sighting_chain_hash_idx" ON "watch_sighting"("chain", "hash");

