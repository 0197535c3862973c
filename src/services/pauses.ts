// Pausing: at once in our own rows, then on every chain, where only the person's wallet can resume.
import { encodePauseSender, senderState } from '../chain/botRouter.ts';
import type { Address, EvmChain } from '../chain/evm.ts';
import type { Ctx } from '../context.ts';
import type { Row, Tx } from '../db.ts';
import { enqueue } from '../queues.ts';
import { submitCall } from './executor.ts';

type PausedHandle = Pick<Row<'Handle'>, 'id' | 'pausedAt'>;

/** Stops all spending of a handle now. The router is told by a job. */
export async function pauseHandle(ctx: Ctx, tx: Tx, handleId: string): Promise<void> {
  const now = ctx.clock.now();
  const { count } = await tx.handle.updateMany({
    where: { id: handleId, pausedAt: null },
    data: { pausedAt: new Date(now) },
  });
  if (count === 1) await enqueue(tx, 'pauses', `pause-${handleId}-${now}`, { handleId }, now);
}

/** Sends what is missing of a pause to each chain. Safe to repeat: a chain gets one transaction a pause. */
export async function settlePause(ctx: Ctx, handleId: string): Promise<void> {
  const handle = await ctx.db.handle.findUnique({ where: { id: handleId }, include: { wallets: true } });
  const address = handle?.wallets.find((wallet) => wallet.family === 'evm')?.address as Address | undefined;
  if (!handle?.pausedAt || !address) return;
  for (const chain of Object.values(ctx.chains)) {
    const businessKey = pauseKey(handle, chain);
    if (await ctx.db.outgoingTx.findUnique({ where: { businessKey }, select: { id: true } })) continue;
    const state = await senderState(chain, address, chain.usdc);
    if (state.paused) continue;
    await submitCall(ctx, chain, { kind: 'pause', businessKey, data: encodePauseSender(address), gas: 150_000n });
  }
}

function pauseKey(handle: PausedHandle, chain: EvmChain): string {
  return `pause:${handle.id}:${handle.pausedAt?.getTime()}:${chain.name}`;
}

/**
 * Whether the wallet took a pause back: our pausing transaction is final on this chain and the router says that the sender is not paused.
 * Then the row follows the chain.
 */
export async function resumedOnChain(
  ctx: Ctx,
  handle: PausedHandle,
  chain: EvmChain,
  pausedOnChain: boolean,
): Promise<boolean> {
  if (pausedOnChain || !handle.pausedAt) return false;
  const sent = await ctx.db.outgoingTx.findUnique({ where: { businessKey: pauseKey(handle, chain) } });
  if (sent?.status !== 'final') return false;
  await ctx.db.handle.updateMany({ where: { id: handle.id, pausedAt: handle.pausedAt }, data: { pausedAt: null } });
  return true;
}

/** Pauses that a chain has not been told of yet: what the sweeper looks for. */
export async function unsettledPauses(ctx: Ctx): Promise<string[]> {
  const handles = await ctx.db.handle.findMany({
    where: { pausedAt: { not: null } },
    select: { id: true, pausedAt: true },
    take: 100,
  });
  const missing: string[] = [];
  for (const handle of handles) {
    const keys = Object.values(ctx.chains).map((chain) => pauseKey(handle, chain));
    const sent = await ctx.db.outgoingTx.count({ where: { businessKey: { in: keys } } });
    if (sent < keys.length) missing.push(handle.id);
  }
  return missing;
}
