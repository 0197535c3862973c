// Pausing: at once in our own rows, then on every chain, where only the person's wallet can resume. One row a handle and chain, because a wallet resumes
// on each chain by itself.

import { senderState } from '../../chain/senders.ts';
import { canBePaused, pauseCall } from '../../chain/spending.ts';
import type { Ctx } from '../../context.ts';
import { type Row, sqlRows, type Tx } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { SPEND_WINDOW_MS } from '../../domain/limits.ts';
import { pauseHandle } from '../accounts/handles.ts';
import { lockSender } from '../locks.ts';
import { NOTHING, type Outgoing, type OutgoingKind } from '../outgoing/kinds.ts';
import { type OutgoingCall, queueCall } from '../outgoing/queue.ts';
import { transition, transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';

const PAGE = 100;

/** Pauses a handle from a page; a session may lower what is spent. @returns since when */
export async function pauseNow(ctx: Ctx, handleId: string): Promise<Date> {
  const since = await ctx.db.$transaction((tx) => pauseHandle(ctx, tx, handleId));
  await ctx.queues.flush(ctx.db);
  return since;
}

/** A pause that only our rows hold, because there was nothing to take on the chain, is to be sent there now. */
export async function wantHeldPauses(ctx: Ctx, tx: Tx, handleIds: string[]): Promise<void> {
  const held = await tx.pause.findMany({
    where: { handleId: { in: handleIds }, status: 'held' },
    select: { id: true },
  });
  const wanted = await transition(
    ctx,
    tx,
    'pause',
    held.map(({ id }) => ({ id, action: 'want', from: 'held' })),
  );
  if (wanted.size > 0) await wake(tx, 'pauses');
}

/**
 * Queues a transaction for every wanted pause on the chains of this process. However often a pause is wanted, one transaction of it waits for its block.
 * @returns how many were queued
 */
export async function queuePauses(ctx: Ctx): Promise<number> {
  const served = Object.values(ctx.chains).map(({ name, facts: { family } }) => ({ chain: name, family }));
  const wanted = await ctx.db.$queryRaw<{ id: string; chain: ChainName; address: string }[]>`
    select p.id, p.chain, w.address from pause p
    join jsonb_to_recordset(${sqlRows(served)}) as c(chain text, family text) on c.chain = p.chain
    join wallet w on w.handle_id = p.handle_id and w.family = c.family
    where p.status = 'wanted' and not exists (
      select 1 from outgoing_tx o where o.kind = 'pause' and o.subject_id = p.id and o.status in ('queued', 'signed', 'sent'))
    order by p.since limit ${PAGE}`;
  for (const { id, chain: name, address } of wanted) {
    const chain = ctx.chains[name];
    if (!chain) continue;
    const call = { kind: 'pause' as const, subjectId: id, ...pauseCall(chain, address) };
    await ctx.db.$transaction((tx) => queueOnce(ctx, tx, name, call));
  }
  return wanted.length;
}

/** Two processes that look at once queue it once. */
async function queueOnce(ctx: Ctx, tx: Tx, chain: ChainName, call: OutgoingCall): Promise<void> {
  await lockPause(tx, call.subjectId);
  const open = { kind: call.kind, subjectId: call.subjectId, status: { in: ['queued', 'signed', 'sent'] } };
  if ((await tx.outgoingTx.count({ where: open })) === 0) await queueCall(ctx, tx, chain, call);
}

export const pauseKind: OutgoingKind = {
  async check(ctx, chain, { subjectId: id, data }) {
    const pause = await ctx.db.pause.findUnique({ where: { id }, include: { handle: { include: { wallets: true } } } });
    const address = pause?.handle.wallets.find(({ family }) => family === chain.facts.family)?.address;
    // It was resumed meanwhile, or sent already.
    if (!pause || !address || pause.status !== 'wanted') return NOTHING;
    // The wallet has changed meanwhile: queued again for the new one.
    if (data !== pauseCall(chain, address).data) return (tx) => wake(tx, 'pauses');
    // A resume that was sent before this pause may still take effect: only what comes after it stands.
    if (await resumeUnderWay(ctx, pause.handleId, chain.name)) return 'wait';
    const { paused, allowance } = await senderState(chain, address, chain.usdc, ctx.clock.now());
    // A pause that was wanted once more meanwhile keeps its status and is queued again.
    const endBy = (action: 'settle' | 'hold') => async (tx: Tx) => {
      const current = await lockPause(tx, id);
      if (current?.attempt === pause.attempt) await transition(ctx, tx, 'pause', [{ id, action, from: 'wanted' }]);
      await wake(tx, 'pauses');
    };
    if (paused) return endBy('settle');
    if (!(await canBePaused(chain, address))) return endBy('hold');
    return allowance === 0n && (await idlePausesSpent(ctx, chain.name)) ? endBy('hold') : null;
  },
  async onSigned(ctx, tx, { id, subjectId }) {
    if (!(await transitionOne(ctx, tx, 'pause', subjectId, 'submit', { outgoingTxId: id })))
      throw new AppError('state_conflict', 'this pause is no longer wanted');
  },
  onFinal: async (ctx, _chain, outgoing) => (tx) => end(ctx, tx, outgoing, outgoing.succeeded === true),
  onLost: async (ctx, _chain, outgoing) => (tx) => end(ctx, tx, outgoing, false),
};

/** Only a final transaction that succeeded has paused the sender on the chain; one that failed is sent again. */
async function end(ctx: Ctx, tx: Tx, { id, subjectId }: Outgoing, succeeded: boolean): Promise<void> {
  const pause = await lockPause(tx, subjectId);
  // One that was wanted once more meanwhile waits for its own transaction.
  if (pause?.outgoing_tx_id === id) {
    const again = { action: 'fail', patch: { attempt: pause.attempt + 1, outgoingTxId: null } } as const;
    await transition(ctx, tx, 'pause', [
      { id: subjectId, from: 'sent', ...(succeeded ? { action: 'settle' } : again) },
    ]);
  }
  await wake(tx, 'pauses');
}

type LockedPause = { attempt: number; outgoing_tx_id: string | null };

async function lockPause(tx: Tx, id: string): Promise<LockedPause | undefined> {
  const [pause] = await tx.$queryRaw<LockedPause[]>`
    select attempt, outgoing_tx_id from pause where id = ${id} for update`;
  return pause;
}

/**
 * Whether this chain has seen enough pauses today for wallets that allow the router nothing. Handles cost nothing, and our rows hold such a wallet
 * without the chain.
 */
async function idlePausesSpent(ctx: Ctx, chain: string): Promise<boolean> {
  const createdAt = { gt: new Date(ctx.clock.now() - SPEND_WINDOW_MS) };
  const sent = await ctx.db.outgoingTx.count({ where: { chain, kind: 'pause', createdAt, executor: { not: null } } });
  return sent >= ctx.env.SPONSORED_CALLS_PER_CHAIN;
}

async function resumeUnderWay(ctx: Ctx, handleId: string, chain: string): Promise<boolean> {
  const open = { outgoingTx: { status: { in: ['signed', 'sent', 'mined'] } } };
  return (await ctx.db.sponsoredCall.count({ where: { handleId, chain, kind: 'resume', ...open } })) > 0;
}

/**
 * Whether a handle's spending is held on a chain.
 * @param status of its pause there; null for none
 * @param pausedOnChain the router's state of the sender now: a pause that was sent and no longer shows there was ended by the wallet
 */
export function pauseStands(status: string | null, pausedOnChain: boolean): boolean {
  return pausedOnChain || (status !== null && status !== 'done');
}

/** Deletes pauses that their wallets have ended on a chain, as the chain shows it now. */
export async function dropResumedPauses(ctx: Ctx, handleIds: string[]): Promise<void> {
  const rows = await ctx.db.pause.findMany({
    where: { handleId: { in: handleIds }, status: 'done' },
    include: { handle: { include: { wallets: true } } },
  });
  await Promise.all(rows.map((row) => dropIfResumed(ctx, row)));
}

/** A pause that only our rows hold ends with a resume that was signed after it, unless the chain knows better. */
export async function endHeldPause(ctx: Ctx, handleId: string, chain: string, signedAt: Date): Promise<void> {
  const where = { handleId, chain, status: 'held', since: { lt: signedAt } };
  const row = await ctx.db.pause.findFirst({ where, include: { handle: { include: { wallets: true } } } });
  if (row) await dropIfResumed(ctx, row);
}

type PauseRow = Row<'Pause'> & { handle: { wallets: Row<'Wallet'>[] } };

async function dropIfResumed(
  ctx: Ctx,
  { id, handleId, chain: name, attempt, status, handle }: PauseRow,
): Promise<void> {
  const chain = ctx.chains[name as ChainName];
  const wallet = handle.wallets.find(({ family }) => family === chain?.facts.family);
  if (!chain || !wallet) return;
  // A chain that is away keeps its pause.
  const state = await senderState(chain, wallet.address, chain.usdc, ctx.clock.now()).catch(() => null);
  if (state === null || state.paused) return;
  await ctx.db.$transaction(async (tx) => {
    // Two chains that are looked at together would each take the other for paused still.
    await lockSender(tx, handleId);
    await tx.pause.deleteMany({ where: { id, attempt, status } });
    if ((await tx.pause.count({ where: { handleId } })) === 0)
      await tx.handle.update({ where: { id: handleId }, data: { pausedAt: null } });
  });
}

/** The handles among these that are paused on a chain, by our rows alone: asked under {@link lockSender} before anything is signed. */
export async function pausedHandles(tx: Tx, handleIds: string[], chain: string): Promise<Set<string>> {
  const rows = await tx.pause.findMany({ where: { handleId: { in: handleIds }, chain }, select: { handleId: true } });
  return new Set(rows.map((row) => row.handleId));
}

/** Whether the handle was paused on a chain at or after a time: then an older signature does not take that back. */
export async function pausedSince(tx: Tx, handleId: string, chain: string, time: Date): Promise<boolean> {
  return (await tx.pause.count({ where: { handleId, chain, since: { gte: time } } })) > 0;
}
