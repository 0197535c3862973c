// Idempotency keys of POSTs under /v1: how long an answer is given again.

/** Afterwards the same key is a new request. */
export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000;
