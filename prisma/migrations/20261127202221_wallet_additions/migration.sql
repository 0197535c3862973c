-- AlterTable
ALTER TABLE "wallet_change" ALTER COLUMN "old_address" DROP NOT NULL;

