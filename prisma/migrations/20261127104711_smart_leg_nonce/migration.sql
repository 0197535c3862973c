-- AlterTable
ALTER TABLE "smart_leg" ADD COLUMN     "origin_nonce" INTEGER;

