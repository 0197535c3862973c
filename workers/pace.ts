// How often loops look by themselves. What is written wakes them at once, so these are for what a lost connection or a crash left behind.

/** Between two looks of a loop that found nothing. */
export const FALLBACK_MS = 5_000;
/** Between two looks of a loop that found something, which may go on. */
export const BUSY_MS = 500;
