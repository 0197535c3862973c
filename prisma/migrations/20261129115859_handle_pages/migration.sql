-- CreateTable
CREATE TABLE "handle_page" (
    "handle_id" TEXT NOT NULL,
    "is_on" BOOLEAN NOT NULL,
    "line" TEXT,
    "amounts" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "chain" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "currency" TEXT NOT NULL,
    "show_messages" BOOLEAN NOT NULL,
    "show_amounts" BOOLEAN NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "handle_page_pkey" PRIMARY KEY ("handle_id")
);

-- CreateTable
CREATE TABLE "page_message" (
    "id" TEXT NOT NULL,
    "handle_id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "name" TEXT,
    "note" TEXT,
    "may_show" BOOLEAN NOT NULL,
    "hidden_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "page_message_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "page_message_order_id_key" ON "page_message"("order_id");

-- CreateIndex
CREATE INDEX "page_message_handle_id_id_idx" ON "page_message"("handle_id", "id");

-- AddForeignKey
ALTER TABLE "page_message" ADD CONSTRAINT "page_message_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "payment_order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

