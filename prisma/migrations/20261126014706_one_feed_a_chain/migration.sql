-- The feeds "tabs" and "orders" of a chain become one, which starts at the lower block of the two: logs may be ingested any number of times. It
-- keeps the hashes of that one. Where only one of them ever ran, everything since its first block is read again for the other.
UPDATE "indexer_checkpoint" c
SET "block" = CASE WHEN m."feeds" = 1 THEN m."first_block" ELSE m."block" END,
    "block_time" = CASE WHEN m."feeds" = 1 THEN NULL ELSE m."block_time" END,
    "hashes" = CASE WHEN m."feeds" = 1 THEN '[]'::jsonb ELSE m."hashes" END,
    "first_block" = m."first_block",
    "target" = m."target",
    "caught_up_at" = m."caught_up_at",
    "gone_up_to" = m."gone_up_to",
    "run_until" = NULL
FROM (
    SELECT "chain",
           count(*) AS "feeds",
           min("block") AS "block",
           min("first_block") AS "first_block",
           max("target") AS "target",
           min("caught_up_at") AS "caught_up_at",
           max("gone_up_to") FILTER (WHERE "feed" = 'orders') AS "gone_up_to",
           (array_agg("block_time" ORDER BY "block", "feed"))[1] AS "block_time",
           (array_agg("hashes" ORDER BY "block", "feed"))[1] AS "hashes"
    FROM "indexer_checkpoint"
    GROUP BY "chain"
) m
WHERE c."chain" = m."chain";

DELETE FROM "indexer_checkpoint" a USING "indexer_checkpoint" b WHERE a."chain" = b."chain" AND a."feed" > b."feed";

-- AlterTable
ALTER TABLE "indexer_checkpoint" DROP CONSTRAINT "indexer_checkpoint_pkey",
DROP COLUMN "feed",
ADD CONSTRAINT "indexer_checkpoint_pkey" PRIMARY KEY ("chain");
