-- AlterTable
ALTER TABLE "campaign" ADD COLUMN     "recipients" INTEGER;

-- AlterTable
ALTER TABLE "campaign_grant" ADD COLUMN     "opens_account" BOOLEAN NOT NULL DEFAULT false;

