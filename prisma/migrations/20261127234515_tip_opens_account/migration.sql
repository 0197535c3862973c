-- AlterTable
ALTER TABLE "tip" ADD COLUMN     "opens_account" BOOLEAN NOT NULL DEFAULT false;

