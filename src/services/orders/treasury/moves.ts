// What was sent to the treasury leaves it again: to the address of the order that it names, where everything goes on as with any deposit, or back to
// its sender, when an operator says so.
import { simulateQueued } from '../../../chain/calls.ts';
import type { Chain } from '../../../chain/chain.ts';
import { hasAccountFor } from '../../../chain/tabs.ts';
import { hasMoved, keyOfMove, moveCall } from '../../../chain/treasury.ts';
import { type Ctx, chainOf } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import { AppError } from '../../../domain/errors.ts';
import type { OutgoingKind, Write } from '../../outgoing/kinds.ts';
import { queueCall } from '../../outgoing/queue.ts';
import { transitionOne } from '../../transitions.ts';
import { placeOf } from '../payments/payable.ts';
import { unitsOf } from '../views.ts';

type Transfer = Row<'TreasuryTransfer'>;

const AT_ONCE = 50;
/** After a try that did not work. */
const AGAIN_MS = 60_000;

/** Queues what is to go to orders' addresses. @returns how many. @throws AppError `provider_unavailable` */
export async function forwardTransfers(ctx: Ctx, chain: Chain): Promise<number> {
  const before = new Date(ctx.clock.now() - AGAIN_MS);
  const due = await ctx.db.treasuryTransfer.findMany({
    where: { chain: chain.name, status: 'matched', OR: [{ triedAt: null }, { triedAt: { lt: before } }] },
    orderBy: { id: 'asc' },
    take: AT_ONCE,
  });
  for (const row of due) await queueMove(ctx, chain, row, 'forward');
  if (due.length > 0) await ctx.queues.flush(ctx.db);
  return due.length;
}

/**
 * Sends a transfer that names no order back to the wallet that it came from.
 * @param by who says so, for the record
 * @throws AppError `resource_missing`; `state_conflict` for one that names an order, is on its way, came from several wallets, or from one that can no
 * longer receive it; `provider_unavailable`
 */
export async function returnTransfer(ctx: Ctx, id: string, by: string): Promise<void> {
  const row = await ctx.db.treasuryTransfer.findUnique({ where: { id } });
  if (!row) throw new AppError('resource_missing');
  if (row.status !== 'unmatched') throw underWay();
  if (row.fromAddress === null)
    throw new AppError('state_conflict', 'Several wallets gave this. Send it back from the treasury by hand.');
  const chain = chainOf(ctx, row.chain);
  if (!(await hasAccountFor(chain, row.fromAddress, chain.usdc)))
    throw new AppError(
      'state_conflict',
      'The sender has closed its USDC account. Once it is open again, this can go back.',
    );
  if (!(await queueMove(ctx, chain, row, 'return'))) throw underWay();
  await ctx.queues.flush(ctx.db);
  ctx.log.warn({ transfer: id, to: row.fromAddress, by }, 'an operator returns a transfer to its sender');
}

const underWay = () => new AppError('state_conflict', 'This transfer is on its way already.');

/** @returns false when another process was faster */
async function queueMove(ctx: Ctx, chain: Chain, row: Transfer, action: 'forward' | 'return'): Promise<boolean> {
  const key = await keyOfMove(chain, row.id, row.moveKey);
  // Another key moves it again: only where the one before did not.
  if (row.moveKey !== null && row.moveKey !== key && (await isMoved(ctx, chain, row, row.moveKey))) {
    return ctx.db.$transaction(async (tx) => {
      const isMoving = await transitionOne(ctx, tx, 'treasury_transfer', row.id, action);
      if (isMoving) await transitionOne(ctx, tx, 'treasury_transfer', row.id, 'settle', { failure: null });
      return isMoving;
    });
  }
  const { order, ...move } = await moveOf(ctx, row, key);
  const call = await moveCall(chain, move, order && placeOf(ctx, order));
  return ctx.db.$transaction(async (tx) => {
    const patch = { moveKey: key, triedAt: new Date(ctx.clock.now()), failure: null };
    if (!(await transitionOne(ctx, tx, 'treasury_transfer', row.id, action, patch))) return false;
    const outgoingTxId = await queueCall(ctx, tx, chain.name, { kind: 'treasury', subjectId: row.id, ...call });
    await tx.treasuryTransfer.update({ where: { id: row.id }, data: { outgoingTxId } });
    return true;
  });
}

async function isMoved(ctx: Ctx, chain: Chain, row: Transfer, key: string): Promise<boolean> {
  return hasMoved(chain, await moveOf(ctx, row, key));
}

/** To its order's address, or to its sender. */
async function moveOf(ctx: Ctx, row: Transfer, key: string) {
  const order = row.orderId === null ? null : await ctx.db.order.findUniqueOrThrow({ where: { id: row.orderId } });
  const to = order ? order.depositAddress : row.fromAddress;
  if (to === null) throw new Error('a transfer that moves has a place to go');
  return { key, treasury: row.treasury, to, units: unitsOf(row.units), order };
}

export const treasuryKind: OutgoingKind = {
  async check(ctx, chain, { subjectId, toAddress, data, gas }) {
    const row = await ctx.db.treasuryTransfer.findUniqueOrThrow({ where: { id: subjectId } });
    if (row.moveKey !== null && (await isMoved(ctx, chain, row, row.moveKey))) return settle(ctx, row);
    const refusal = await simulateQueued(chain, { to: toAddress, data, gas }, undefined);
    return refusal ? release(ctx, row, WORDS[refusal.name] ?? refusal.text ?? refusal.name) : null;
  },
  async onFinal(ctx, _chain, { subjectId, succeeded }) {
    const row = await ctx.db.treasuryTransfer.findUniqueOrThrow({ where: { id: subjectId } });
    return succeeded ? settle(ctx, row) : release(ctx, row, 'The network rejected it.');
  },
  async onLost(ctx, _chain, { subjectId }) {
    const row = await ctx.db.treasuryTransfer.findUniqueOrThrow({ where: { id: subjectId } });
    return release(ctx, row, 'It didn’t reach a block in time.');
  },
};

const UNAPPROVED = 'The treasury has not approved enough. Approve the program and set limits with the treasury’s key.';
const WORDS: Readonly<Record<string, string>> = {
  NotApproved: UNAPPROVED,
  AllowanceTooLow: UNAPPROVED,
  LimitExceeded: UNAPPROVED,
  WrongKind: UNAPPROVED,
  BalanceTooLow: 'The treasury no longer holds this amount.',
};

function settle(ctx: Ctx, { id }: Transfer): Write {
  return async (tx) => void (await transitionOne(ctx, tx, 'treasury_transfer', id, 'settle', { failure: null }));
}

function release(ctx: Ctx, { id, status }: Transfer, failure: string): Write {
  const action = status === 'returning' ? 'give_back' : 'release';
  return async (tx) => void (await transitionOne(ctx, tx, 'treasury_transfer', id, action, { failure }));
}
