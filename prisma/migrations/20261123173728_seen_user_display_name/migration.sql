-- AlterTable
ALTER TABLE "seen_user" ADD COLUMN     "display_name" TEXT;

