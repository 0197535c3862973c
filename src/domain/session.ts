// The times of signing in and of staying signed in. Milliseconds.

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A session ends this long after it was last used. */
export const SESSION_TTL_MS = 30 * DAY;
/** Using a session is noted at most this often. */
export const SESSION_TOUCH_MS = MINUTE;
/** A sign-in must be finished this soon, and its message may not be issued further away than this. */
export const SIGN_IN_TTL_MS = 5 * MINUTE;
/** Calls a minute from one address to what is open to everybody, or of one handle to what asks a chain. */
export const PUBLIC_CALLS = { points: 30, windowMs: MINUTE } as const;
/** The same for payments over bridges: each asks several chains. */
export const SMART_PAYMENTS = { points: 10, windowMs: MINUTE } as const;
/** The same for what pages poll while a user waits for a payment. */
export const PUBLIC_READS = { points: 240, windowMs: MINUTE } as const;
