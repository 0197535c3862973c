-- AlterTable
ALTER TABLE "session" ADD COLUMN     "chain" TEXT,
ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'account';

