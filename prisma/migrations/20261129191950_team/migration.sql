-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "made_by_id" TEXT;

-- AlterTable
ALTER TABLE "webhook_endpoint" ADD COLUMN     "former_by_id" TEXT,
ADD COLUMN     "secret_by_id" TEXT;

-- CreateTable
CREATE TABLE "member" (
    "handle_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_pkey" PRIMARY KEY ("handle_id","account_id")
);

-- CreateTable
CREATE TABLE "invitation" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "platform_user_id" TEXT,
    "role" TEXT NOT NULL,
    "invited_by_id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "livemode" BOOLEAN,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "object_kind" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "once" TEXT,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "member_account_id_idx" ON "member"("account_id");

-- CreateIndex
CREATE INDEX "invitation_handle_id_id_idx" ON "invitation"("handle_id", "id");

-- CreateIndex
CREATE INDEX "invitation_platform_name_idx" ON "invitation"("platform", "name");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_once_key" ON "audit_entry"("once");

-- CreateIndex
CREATE INDEX "audit_entry_handle_id_id_idx" ON "audit_entry"("handle_id", "id");

-- CreateIndex
CREATE INDEX "audit_entry_handle_id_actor_id_id_idx" ON "audit_entry"("handle_id", "actor_id", "id");

-- CreateIndex
CREATE INDEX "audit_entry_handle_id_object_kind_id_idx" ON "audit_entry"("handle_id", "object_kind", "id");


-- The log is append-only: an entry that was written cannot be changed, whoever asks. Deleting is for the year's end.
CREATE FUNCTION "audit_entry_stays"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'entries of the audit log are never changed';
END $$;
CREATE TRIGGER "audit_entry_stays" BEFORE UPDATE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "audit_entry_stays"();
