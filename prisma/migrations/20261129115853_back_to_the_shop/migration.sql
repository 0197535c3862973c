-- AlterTable
ALTER TABLE "payment_link" ADD COLUMN     "after_message" TEXT,
ADD COLUMN     "cancel_url" TEXT,
ADD COLUMN     "client_reference_id" TEXT,
ADD COLUMN     "embed_origins" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "line_items" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "max_uses" INTEGER,
ADD COLUMN     "success_url" TEXT;
