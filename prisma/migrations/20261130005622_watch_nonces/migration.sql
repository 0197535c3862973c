-- AlterTable
ALTER TABLE "foreign_transaction" ADD COLUMN     "nonce" INTEGER;

-- CreateTable
CREATE TABLE "watch_nonce" (
    "chain" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "executor" TEXT NOT NULL,
    "next" INTEGER NOT NULL,
    "unproven" INTEGER,

    CONSTRAINT "watch_nonce_pkey" PRIMARY KEY ("chain","endpoint","executor")
);

-- CreateIndex
CREATE INDEX "foreign_transaction_chain_executor_nonce_idx" ON "foreign_transaction"("chain", "executor", "nonce");

