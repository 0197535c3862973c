// Pausing: at once in our own rows, then on every chain, where only the person's wallet can resume. One row a handle and chain, because a
// wallet resumes on each chain by itself.

import { encodePauseSender, senderState } from '../../chain/routers/bot.ts';
import type { Address, EvmChain } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { SPEND_WINDOW_MS } from '../../domain/limits.ts';
import { reaches } from '../../domain/walletReach.ts';
import { enqueue } from '../../queues.ts';
import { lockSender } from '../locks.ts';
import { submitCall } from '../outgoing/submit.ts';

/** Stops all spending of a handle now, also when it was paused before: the wallet may have resumed in between. Each router is told by a job. */
export async function pauseHandle(ctx: Ctx, tx: Tx, handleId: string): Promise<Date> {
  const now = ctx.clock.now();
  await lockSender(tx, handleId);
  const { wallets } = await tx.handle.update({
    where: { id: handleId },
    data: { pausedAt: new Date(now) },
    include: { wallets: { where: { family: 'evm' } } },
  });
  // Also a chain that this process does not serve at the moment: another one may. Elsewhere the address of a contract wallet may be somebody
  // else's, whom this must not stop.
  const chains = Object.keys(ctx.env.chains).filter((chain) => wallets.every((wallet) => reaches(wallet, chain)));
  for (const chain of chains) {
    await tx.pause.upsert({
      where: { handleId_chain: { handleId, chain } },
      create: { handleId, chain, status: 'wanted', attempt: 1, since: new Date(now) },
      update: { status: 'wanted', attempt: { increment: 1 }, outgoingTxId: null, since: new Date(now) },
    });
  }
  await enqueue(tx, 'pauses', `pause-${handleId}-${now}`, { handleId }, now);
  return new Date(now);
}

/** The same from a page: whoever is signed in may lower what is spent. @returns since when */
export async function pauseNow(ctx: Ctx, handleId: string): Promise<Date> {
  const since = await ctx.db.$transaction((tx) => pauseHandle(ctx, tx, handleId));
  await ctx.queues.flush(ctx.db);
  return since;
}

/** Tells each chain what it has not been told yet. A chain that does not answer holds up no other; it is told when it is back. */
export async function settlePause(ctx: Ctx, handleId: string): Promise<void> {
  const handle = await ctx.db.handle.findUniqueOrThrow({
    where: { id: handleId },
    include: { wallets: true, pauses: true },
  });
  const address = handle.wallets.find((wallet) => wallet.family === 'evm')?.address as Address | undefined;
  if (!address) return;
  for (const { chain: name, status, attempt, since, outgoingTxId } of handle.pauses) {
    const chain = ctx.chains[name as ChainName];
    if (!chain) continue;
    try {
      if (status === 'sent' && outgoingTxId) await concludePause(ctx, handleId, chain, attempt, outgoingTxId);
      else if (status === 'wanted' || status === 'held') await tellChain(ctx, handleId, chain, attempt, since, address);
    } catch (err) {
      ctx.log.warn({ err, handle: handleId, chain: name }, 'a chain could not be told of a pause yet');
    }
  }
}

async function tellChain(
  ctx: Ctx,
  handleId: string,
  chain: EvmChain,
  attempt: number,
  since: Date,
  address: Address,
): Promise<void> {
  const where = { handleId, chain: chain.name, attempt, status: { in: ['wanted', 'held'] } };
  // A resume that was sent before this pause may still take effect: only what is said after it stands.
  if (await resumeUnderWay(ctx, handleId, chain.name)) return;
  // However often it is said, one transaction of a pause waits for its block; once it is in one, the router answers for itself.
  if (await pauseUnderWay(ctx, handleId, chain.name)) return;
  const { paused, allowance } = await senderState(chain, address, chain.usdc);
  if (paused) {
    await ctx.db.pause.updateMany({ where, data: { status: 'done' } });
    return;
  }
  if (allowance === 0n && (await idlePausesSpent(ctx, chain.name))) {
    await ctx.db.pause.updateMany({ where, data: { status: 'held' } });
    return;
  }
  const call = {
    kind: 'pause' as const,
    // Attempts count anew once a wallet has resumed, so the time of the pause is part of its name.
    businessKey: `${pauseKeys(handleId, chain.name)}${since.getTime()}:${attempt}`,
    data: encodePauseSender(address),
    gas: 150_000n,
  };
  await submitCall(ctx, chain, call, async (tx, outgoingTxId) => {
    await tx.pause.updateMany({ where, data: { status: 'sent', outgoingTxId } });
  });
}

/** How the business keys of all pauses of a handle on a chain begin. */
function pauseKeys(handleId: string, chain: string): string {
  return `pause:${handleId}:${chain}:`;
}

async function pauseUnderWay(ctx: Ctx, handleId: string, chain: string): Promise<boolean> {
  const businessKey = { startsWith: pauseKeys(handleId, chain) };
  return (await ctx.db.outgoingTx.count({ where: { businessKey, status: { in: ['signed', 'sent'] } } })) > 0;
}

/**
 * Whether this chain has heard of enough pauses today for wallets that allow the router nothing. Handles cost nothing, and our rows hold such a
 * wallet without the chain.
 */
async function idlePausesSpent(ctx: Ctx, chain: string): Promise<boolean> {
  const createdAt = { gt: new Date(ctx.clock.now() - SPEND_WINDOW_MS) };
  const told = await ctx.db.outgoingTx.count({ where: { chain, kind: 'pause', createdAt } });
  return told >= ctx.env.SPONSORED_CALLS_PER_CHAIN;
}

async function resumeUnderWay(ctx: Ctx, handleId: string, chain: string): Promise<boolean> {
  const open = { outgoingTx: { status: { in: ['signed', 'sent', 'mined'] } } };
  return (await ctx.db.sponsoredCall.count({ where: { handleId, chain, kind: 'resume', ...open } })) > 0;
}

/** The transaction of a pause is final: its row is looked at now and not at the next sweep, because a wallet may be waiting to resume. */
export async function wakePause(ctx: Ctx, tx: Tx, outgoingTxId: string): Promise<void> {
  const { businessKey } = await tx.outgoingTx.findUniqueOrThrow({
    where: { id: outgoingTxId },
    select: { businessKey: true },
  });
  // The row may have been asked for anew meanwhile and name no transaction.
  const handleId = businessKey.split(':')[1] ?? '';
  await enqueue(tx, 'pauses', `pause-${handleId}-${outgoingTxId}`, { handleId }, ctx.clock.now());
}

/** Only a final transaction that succeeded has told the chain; one that failed is sent anew. */
async function concludePause(
  ctx: Ctx,
  handleId: string,
  chain: EvmChain,
  attempt: number,
  outgoingTxId: string,
): Promise<void> {
  const sent = await ctx.db.outgoingTx.findUniqueOrThrow({ where: { id: outgoingTxId } });
  const where = { handleId, chain: chain.name, attempt, status: 'sent' };
  if (sent.status === 'lost' || (sent.status === 'final' && !sent.succeeded)) {
    await ctx.db.pause.updateMany({ where, data: { status: 'wanted', attempt: attempt + 1, outgoingTxId: null } });
  } else if (sent.status === 'final') {
    await ctx.db.pause.updateMany({ where, data: { status: 'done' } });
  }
}

/**
 * Whether a handle's spending is held on a chain. It tells the chains first what they have not been told.
 * @param pausedOnChain what the router says of the sender now
 */
export async function isPaused(ctx: Ctx, handleId: string, chain: EvmChain, pausedOnChain: boolean): Promise<boolean> {
  if (pausedOnChain) return true;
  await settlePause(ctx, handleId);
  return pauseStands(ctx, handleId, chain, pausedOnChain);
}

/**
 * The same by what is known already, for processes that send nothing. A pause that the chain was told of and that the router does not show
 * any more was taken back by the wallet, on this chain: then the row follows.
 */
export async function pauseStands(
  ctx: Ctx,
  handleId: string,
  chain: EvmChain,
  pausedOnChain: boolean,
): Promise<boolean> {
  if (pausedOnChain) return true;
  const pause = await ctx.db.pause.findUnique({ where: { handleId_chain: { handleId, chain: chain.name } } });
  if (!pause) return false;
  if (pause.status !== 'done') return true;
  await ctx.db.$transaction(async (tx) => {
    // Two chains that are looked at together would each take the other for paused still.
    await lockSender(tx, handleId);
    await tx.pause.deleteMany({ where: { handleId, chain: chain.name, attempt: pause.attempt, status: 'done' } });
    const left = await tx.pause.count({ where: { handleId } });
    if (left === 0) await tx.handle.update({ where: { id: handleId }, data: { pausedAt: null } });
  });
  return false;
}

/** The handles among these that are paused on a chain, by our rows alone: asked under {@link lockSender} before anything is signed. */
export async function pausedHandles(tx: Tx, handleIds: string[], chain: string): Promise<Set<string>> {
  const rows = await tx.pause.findMany({ where: { handleId: { in: handleIds }, chain }, select: { handleId: true } });
  return new Set(rows.map((row) => row.handleId));
}

/** Handles with a chain that is still to be told: what the sweeper looks for. */
export async function unsettledPauses(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.pause.findMany({
    // A chain that is not served here is told by whoever serves it.
    where: { status: { in: ['wanted', 'sent'] }, chain: { in: Object.keys(ctx.chains) } },
    orderBy: { since: 'asc' },
    distinct: ['handleId'],
    select: { handleId: true },
    take: 100,
  });
  return rows.map((row) => row.handleId);
}
