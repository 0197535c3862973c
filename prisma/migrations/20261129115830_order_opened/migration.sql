-- AlterTable
ALTER TABLE "payment_order" ADD COLUMN     "opened_at" TIMESTAMPTZ(3),
ADD COLUMN     "opens_recorded" BOOLEAN NOT NULL DEFAULT false;

