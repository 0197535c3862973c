-- CreateTable
CREATE TABLE "sealing_mark" (
    "name" TEXT NOT NULL,
    "bound_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sealing_mark_pkey" PRIMARY KEY ("name")
);

