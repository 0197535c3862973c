-- CreateTable
CREATE TABLE "indexer_checkpoint" (
    "chain" TEXT NOT NULL,
    "feed" TEXT NOT NULL,
    "first_block" BIGINT NOT NULL,
    "block" BIGINT NOT NULL,
    "block_time" TIMESTAMPTZ(3),
    "hashes" JSONB NOT NULL,
    "target" BIGINT NOT NULL,
    "caught_up_at" TIMESTAMPTZ(3) NOT NULL,
    "gone_up_to" BIGINT,
    "run_until" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "indexer_checkpoint_pkey" PRIMARY KEY ("chain","feed")
);

-- The tabs go on where they were.
INSERT INTO "indexer_checkpoint" ("chain", "feed", "first_block", "block", "hashes", "target", "caught_up_at", "updated_at")
SELECT "chain", 'tabs', "block", "block", "hashes", "block", "updated_at", "updated_at" FROM "escrow_checkpoint";

-- DropTable
DROP TABLE "escrow_checkpoint";
