// Exact sliding windows: a window counts the rows of its last hour, so no burst fits across its edge.
import type { Tx } from '../db.ts';

export type Window = { points: number; windowMs: number };
export type RateAnswer = { allowed: true } | { allowed: false; retryAt: number };

/**
 * Counts one action under `key`, inside the caller's transaction, when the window still has room.
 * Concurrent callers of one key wait for each other, so exactly `points` of them pass.
 */
export async function hit(tx: Tx, key: string, window: Window, now: number): Promise<RateAnswer> {
  await lockKey(tx, `rate:${key}`);
  const since = new Date(now - window.windowMs);
  await tx.rateEvent.deleteMany({ where: { key, at: { lte: since } } });
  const events = await tx.rateEvent.findMany({ where: { key }, orderBy: { at: 'asc' }, select: { at: true } });
  const oldest = events[events.length - window.points];
  if (oldest) return { allowed: false, retryAt: oldest.at.getTime() + window.windowMs };
  await tx.rateEvent.create({ data: { key, at: new Date(now) } });
  return { allowed: true };
}

/** What is left of a window, without counting. */
export async function remaining(tx: Tx, key: string, window: Window, now: number): Promise<number> {
  const used = await tx.rateEvent.count({ where: { key, at: { gt: new Date(now - window.windowMs) } } });
  return Math.max(0, window.points - used);
}

/** Serialises everything under one name until the transaction ends. */
export async function lockKey(tx: Tx, name: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
