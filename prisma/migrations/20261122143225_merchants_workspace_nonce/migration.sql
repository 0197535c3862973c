-- AlterTable
ALTER TABLE "handle" ADD COLUMN     "workspace_nonce" INTEGER NOT NULL DEFAULT 0;

