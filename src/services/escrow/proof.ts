// What a transaction that somebody names really did, by the chain: its receipt, the router's own event, and whether its block is final.
import { setTimeout as sleep } from 'node:timers/promises';
import { type EscrowLog, isEscrowLog, readEscrowBlock } from '../../chain/logs/escrow.ts';
import { escrowEvents } from '../../chain/routers/escrow.ts';
import { type EvmChain, type Hash, headBlock, receiptOf } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';

export type NamedTx = {
  succeeded: boolean;
  /** The router's own. */
  events: EscrowLog[];
  block: bigint;
};

/** @throws AppError `tx_not_found` while it is in no block, `provider_unavailable` */
export async function readTx(chain: EvmChain, hash: Hash): Promise<NamedTx> {
  const receipt = await receiptOf(chain, hash);
  if (!receipt) throw new AppError('tx_not_found', undefined, { param: 'txHash' });
  const events = escrowEvents(chain, receipt.logs).filter(isEscrowLog);
  return { succeeded: receipt.status === 'success', events, block: receipt.blockNumber };
}

/** When the block of an event was made, if it is final and the event still in it; null while it is not. @throws AppError `provider_unavailable` */
export async function finalTime(chain: EvmChain, event: EscrowLog): Promise<Date | null> {
  const { blockNumber } = event;
  if ((await headBlock(chain)) - blockNumber + 1n < BigInt(chain.confirmations)) return null;
  const read = await readEscrowBlock(chain, blockNumber);
  if (!read) return null;
  const same = read.events.some(
    (one) => one.transactionHash === event.transactionHash && one.logIndex === event.logIndex,
  );
  return same ? (read.blocks.get(blockNumber)?.time ?? null) : null;
}

const LOOK_EVERY_MS = 250;

/** Looks until there is an answer, for a caller who waits anyway; null when there is none in time. */
export async function waitFor<T>(ctx: Ctx, withinMs: number, look: () => Promise<T | null>): Promise<T | null> {
  const until = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null || performance.now() >= until || ctx.shutdown.closing()) return found;
    await sleep(LOOK_EVERY_MS);
  }
}
