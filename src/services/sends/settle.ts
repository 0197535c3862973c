// Ends the sends of a chain by what its final blocks say of their keys, and by nothing else: however they were paid, and whatever this service forgot.
import type { Chain } from '../../chain/chain.ts';
import { finalPayment, type OrderAt, settledBy } from '../../chain/orders.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { SEND_MS } from '../../domain/send.ts';
import { transitionOne } from '../transitions.ts';
import { notifyRecipient } from './notices.ts';
import { orderOfSend } from './terms.ts';

const PAGE = 50;
/** Blocks come faster at times. */
const SLACK = 2n;
const NOT_SENT = 'It didn’t reach the network in time. Nothing was sent.';

/** One round. @returns how many sends are still open @throws AppError `provider_unavailable` */
export async function settleSends(ctx: Ctx, chain: Chain): Promise<number> {
  const where = { chain: chain.name, status: 'processing' };
  const rows = await ctx.db.send.findMany({ where, orderBy: { createdAt: 'asc' }, take: PAGE });
  // One that cannot be judged now keeps no other waiting.
  const ended = await Promise.allSettled(rows.map((row) => settle(ctx, row)));
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return ctx.db.send.count({ where });
}

async function settle(ctx: Ctx, row: Row<'Send'>): Promise<void> {
  const at = orderOfSend(ctx, row);
  const { settled, time } = await finalPayment(at);
  const endedAt = new Date(ctx.clock.now());
  if (settled) {
    const txHash = await transactionOf(at, row);
    await ctx.db.$transaction(async (tx) => {
      if (await transitionOne(ctx, tx, 'send', row.id, 'settle', { txHash, endedAt }))
        await notifyRecipient(ctx, tx, row);
    });
    await ctx.queues.flush(ctx.db);
  } else if (BigInt(time) > row.deadline) {
    // The router refuses it in every later block.
    await ctx.db.$transaction((tx) => transitionOne(ctx, tx, 'send', row.id, 'lapse', { failure: NOT_SENT, endedAt }));
  }
}

/** The transaction that paid it, within the blocks in which the router took it. A provider that does not answer keeps no send open: its hash is left out. */
async function transactionOf(at: OrderAt, { sinceBlock: fromBlock }: Row<'Send'>): Promise<string | null> {
  try {
    return await settledBy(at, { fromBlock, most: SLACK * BigInt(Math.ceil(SEND_MS / at.chain.facts.blockTimeMs)) });
  } catch (error) {
    if (error instanceof AppError && error.code === 'provider_unavailable') return null;
    throw error;
  }
}
