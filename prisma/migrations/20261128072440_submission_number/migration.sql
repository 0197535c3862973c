-- AlterTable
ALTER TABLE "order_submission" ADD COLUMN     "number" TEXT;

