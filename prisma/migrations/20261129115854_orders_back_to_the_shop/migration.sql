-- AlterTable
ALTER TABLE "payment_order" ADD COLUMN     "cancel_url" TEXT,
ADD COLUMN     "client_reference_id" TEXT,
ADD COLUMN     "embed_origins" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "line_items" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "success_url" TEXT;

