-- CreateTable
CREATE TABLE "branding" (
    "handle_id" TEXT NOT NULL,
    "name" TEXT,
    "accent" TEXT,
    "accent_light" TEXT,
    "accent_dark" TEXT,
    "support" TEXT,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "branding_pkey" PRIMARY KEY ("handle_id")
);

-- AddForeignKey
ALTER TABLE "branding" ADD CONSTRAINT "branding_handle_id_fkey" FOREIGN KEY ("handle_id") REFERENCES "handle"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

