-- Every outgoing transaction names what it is for by columns: kind, subject and attempt. What a wallet signed waits as a queued one.

-- A pause has an id, which its transactions name. Pauses that a wallet took back are gone, and their transactions get the id that they would have.
ALTER TABLE "pause" ADD COLUMN "id" TEXT;
UPDATE "pause" SET "id" = 'pse_' || substr(md5("handle_id" || ' ' || "chain"), 1, 26);
ALTER TABLE "pause" DROP CONSTRAINT "pause_pkey",
ALTER COLUMN "id" SET NOT NULL,
ADD CONSTRAINT "pause_pkey" PRIMARY KEY ("id");
CREATE UNIQUE INDEX "pause_handle_id_chain_key" ON "pause"("handle_id", "chain");

-- The key of a sponsored call ended with the number of calls before it.
ALTER TABLE "sponsored_call" ADD COLUMN "use" TEXT, ADD COLUMN "attempt" INTEGER;
UPDATE "sponsored_call" SET
  "use" = regexp_replace("business_key", ':[0-9]+$', ''),
  "attempt" = coalesce(cast(substring("business_key" from ':([0-9]+)$') as integer), 0);
ALTER TABLE "sponsored_call" ALTER COLUMN "use" SET NOT NULL, ALTER COLUMN "attempt" SET NOT NULL, DROP COLUMN "business_key";
CREATE UNIQUE INDEX "sponsored_call_use_attempt_key" ON "sponsored_call"("use", "attempt");

ALTER TABLE "outgoing_tx" ADD COLUMN "subject_id" TEXT, ADD COLUMN "attempt" INTEGER, ADD COLUMN "retry_at" TIMESTAMPTZ(3),
ALTER COLUMN "executor" DROP NOT NULL,
ALTER COLUMN "nonce" DROP NOT NULL;

-- The keys of before: tips:<first leg>:<time>, pause:<handle>:<chain>:<since>:<attempt>, claim:<claim>:<attempt>, order:<submission>,
-- sponsored:<call>, tab_refund:<chain>:<id on the chain>:<attempt>.
UPDATE "outgoing_tx" o SET
  "kind" = CASE split_part("business_key", ':', 1)
    WHEN 'sponsored' THEN 'sponsored'
    WHEN 'tab_refund' THEN 'escrow_refund'
    ELSE CASE "kind" WHEN 'tab' THEN 'escrow_open' ELSE "kind" END END,
  "subject_id" = CASE split_part("business_key", ':', 1)
    WHEN 'pause' THEN 'pse_' || substr(md5(split_part("business_key", ':', 2) || ' ' || split_part("business_key", ':', 3)), 1, 26)
    WHEN 'tab_refund' THEN coalesce(
      (SELECT e."id" FROM "escrow" e WHERE e."chain" = o."chain" AND e."tab_id" = split_part(o."business_key", ':', 3)),
      split_part("business_key", ':', 3))
    ELSE coalesce(nullif(split_part("business_key", ':', 2), ''), "id") END;
UPDATE "outgoing_tx" o SET "attempt" = n."attempt" FROM (
  SELECT "id", cast(row_number() OVER (PARTITION BY "kind", "subject_id" ORDER BY "created_at", "id") AS integer) - 1 AS "attempt" FROM "outgoing_tx"
) n WHERE n."id" = o."id";
ALTER TABLE "outgoing_tx" ALTER COLUMN "subject_id" SET NOT NULL, ALTER COLUMN "attempt" SET NOT NULL, DROP COLUMN "business_key";
CREATE UNIQUE INDEX "outgoing_tx_kind_subject_id_attempt_key" ON "outgoing_tx"("kind", "subject_id", "attempt");

-- What was signed and not sent yet.
INSERT INTO "outgoing_tx" ("id", "chain", "kind", "subject_id", "attempt", "to_address", "data", "gas", "status", "created_at")
  SELECT 'otx_' || substr(md5("id"), 1, 26), "chain", 'sponsored', "id", 0, "to_address", "data", "gas", 'queued', "created_at"
  FROM "sponsored_call" WHERE "status" = 'queued';
INSERT INTO "outgoing_tx" ("id", "chain", "kind", "subject_id", "attempt", "to_address", "data", "gas", "status", "created_at")
  SELECT 'otx_' || substr(md5("id"), 1, 26), "chain", 'order', "id", 0, "to_address", "data", "gas", 'queued', "created_at"
  FROM "order_submission" WHERE "status" = 'queued' AND "outgoing_tx_id" IS NULL;
-- An attestation is good for minutes: it is made again.
UPDATE "claim" SET "status" = 'asked', "recipient" = NULL, "not_after" = NULL, "signature" = NULL WHERE "status" = 'attested';

-- Transactions that ended before the row that they are for had followed. Final ones are followed once more.
UPDATE "outgoing_tx" o SET "status" = 'mined', "final_at" = NULL WHERE o."status" = 'final' AND (
  EXISTS (SELECT 1 FROM "claim" c WHERE c."status" = 'submitted' AND c."outgoing_tx_id" = o."id")
  OR EXISTS (SELECT 1 FROM "order_submission" s WHERE s."status" = 'submitted' AND s."outgoing_tx_id" = o."id")
  OR EXISTS (SELECT 1 FROM "pause" p WHERE p."status" = 'sent' AND p."outgoing_tx_id" = o."id"));
-- A lost one can never be mined: what it was for is free again.
UPDATE "claim" c SET "status" = 'asked', "recipient" = NULL, "not_after" = NULL, "signature" = NULL, "outgoing_tx_id" = NULL
  FROM "outgoing_tx" o WHERE o."id" = c."outgoing_tx_id" AND c."status" = 'submitted' AND o."status" = 'lost';
UPDATE "pause" p SET "status" = 'wanted', "attempt" = p."attempt" + 1, "outgoing_tx_id" = NULL
  FROM "outgoing_tx" o WHERE o."id" = p."outgoing_tx_id" AND p."status" = 'sent' AND o."status" = 'lost';
WITH failed AS (
  UPDATE "order_submission" s SET "status" = 'failed', "failure" = 'The network rejected this payment. You haven’t been charged. Pay again.'
    FROM "outgoing_tx" o WHERE o."id" = s."outgoing_tx_id" AND s."status" = 'submitted' AND o."status" = 'lost' RETURNING s."order_id"
)
UPDATE "payment_order" SET "status" = 'awaiting_payment', "tx_hash" = NULL, "payer" = NULL
  WHERE "status" = 'processing' AND "id" IN (SELECT "order_id" FROM failed);
