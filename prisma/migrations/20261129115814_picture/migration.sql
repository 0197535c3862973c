-- CreateTable
CREATE TABLE "picture" (
    "handle_id" TEXT NOT NULL,
    "use" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "picture_pkey" PRIMARY KEY ("handle_id","use")
);

-- CreateIndex
CREATE INDEX "picture_hash_idx" ON "picture"("hash");

-- AddForeignKey
ALTER TABLE "picture" ADD CONSTRAINT "picture_handle_id_fkey" FOREIGN KEY ("handle_id") REFERENCES "handle"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

