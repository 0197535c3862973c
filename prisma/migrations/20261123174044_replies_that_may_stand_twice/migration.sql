-- AlterTable
ALTER TABLE "reply" ADD COLUMN     "begun_at" TIMESTAMPTZ(3),
ADD COLUMN     "seeks_twins" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "twins" TEXT[] DEFAULT ARRAY[]::TEXT[];

