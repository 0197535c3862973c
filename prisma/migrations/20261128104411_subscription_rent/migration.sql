-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "rent_returned_at" TIMESTAMPTZ(3);

