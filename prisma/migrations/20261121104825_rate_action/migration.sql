-- AlterTable
ALTER TABLE "rate_event" ADD COLUMN     "action" TEXT;

