// Sends what is queued: each call is checked by its kind once more, then signed, stored and broadcast, or its subject ends.
import type { Chain } from '../../chain/chain.ts';
import type { Ctx } from '../../context.ts';
import { AppError, isAway } from '../../domain/errors.ts';
import { transitionOne } from '../transitions.ts';
import { kindOf, type OutgoingKinds, type QueuedCall, type Write } from './kinds.ts';
import { submitQueued } from './submit.ts';

/** Calls of one round; the oldest first. */
const PAGE = 100;
const AT_ONCE = 4;
/** A call that cannot be sent yet is looked at again after this. */
const RETRY_MS = 1_000;

/**
 * One round over the queued calls of a chain. Safe to run any number of times and anywhere: the row that gets the nonce is what makes it one.
 * @returns 0 when nothing is queued
 * @throws AppError `provider_unavailable`; what is queued stays so
 */
export async function sendQueued(ctx: Ctx, chain: Chain, kinds: OutgoingKinds): Promise<number> {
  const queued = await ctx.db.outgoingTx.findMany({
    where: { chain: chain.name, status: 'queued' },
    orderBy: [{ retryAt: { sort: 'asc', nulls: 'first' } }, { createdAt: 'asc' }],
    take: PAGE,
  });
  const now = ctx.clock.now();
  const calls = queued.filter(({ retryAt }) => retryAt === null || retryAt.getTime() <= now);
  try {
    for (let first = 0; first < calls.length; first += AT_ONCE) {
      const sending = calls.slice(first, first + AT_ONCE).map((call) => sendOne(ctx, chain, kinds, call));
      const failed = (await Promise.allSettled(sending)).find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    }
  } finally {
    if (calls.length > 0) await ctx.queues.flush(ctx.db);
  }
  return queued.length;
}

/** @throws AppError `provider_unavailable`: nothing else of this chain can be sent now either */
async function sendOne(ctx: Ctx, chain: Chain, kinds: OutgoingKinds, call: QueuedCall): Promise<void> {
  const kind = kindOf(kinds, call);
  const { id, chain: name, subjectId } = call;
  try {
    const verdict = (await kind.expire?.(ctx, call)) ?? (await kind.check?.(ctx, chain, call)) ?? null;
    if (verdict === 'wait') return await retryLater(ctx, id);
    if (verdict !== null) return await cancel(ctx, id, verdict);
    await submitQueued(ctx, chain, call, async (tx) => kind.onSigned?.(ctx, tx, { id, chain: name, subjectId }));
  } catch (err) {
    // One that fails must not hold up those behind it.
    await retryLater(ctx, id);
    if (isAway(err)) throw err;
    const level = err instanceof AppError ? 'info' : 'error';
    ctx.log[level]({ err, chain: name, kind: call.kind, tx: id }, 'a queued call was not sent');
  }
}

async function cancel(ctx: Ctx, id: string, write: Write): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    if (await transitionOne(ctx, tx, 'outgoing_tx', id, 'cancel')) await write(tx);
  });
}

/**
 * Ends the queued calls on chains that are not served whose signatures have expired; the others wait until their chain is served again.
 * @returns how many it ended
 */
export async function expireUnserved(ctx: Ctx, kinds: OutgoingKinds): Promise<number> {
  // What cannot expire must not hide what can.
  const kind = { in: Object.entries(kinds).flatMap(([name, { expire }]) => (expire ? [name] : [])) };
  const calls = await ctx.db.outgoingTx.findMany({
    where: { status: 'queued', kind, chain: { notIn: Object.keys(ctx.chains) } },
    orderBy: { createdAt: 'asc' },
    take: PAGE,
  });
  let ended = 0;
  for (const call of calls) {
    const write = (await kindOf(kinds, call).expire?.(ctx, call)) ?? null;
    if (write === null) continue;
    await cancel(ctx, call.id, write);
    ended += 1;
  }
  return ended;
}

async function retryLater(ctx: Ctx, id: string): Promise<void> {
  const retryAt = new Date(ctx.clock.now() + RETRY_MS);
  await ctx.db.outgoingTx.updateMany({ where: { id, status: 'queued' }, data: { retryAt } });
}
