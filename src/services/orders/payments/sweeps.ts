// Watches the addresses that were handed out for orders: one that holds the whole amount in time is swept by an executor, which settles its order.
// What came late, partly or too much stays where it is; the indexer notes it from the logs.

import { simulateQueued } from '../../../chain/calls.ts';
import type { Chain } from '../../../chain/chain.ts';
import { sweepCall } from '../../../chain/orders.ts';
import { assetBalances } from '../../../chain/senders.ts';
import { type Ctx, chainOf } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import type { ChainName } from '../../../domain/chains.ts';
import { LAST_PAYMENT_MS } from '../../../domain/checkout.ts';
import { AppError } from '../../../domain/errors.ts';
import { SUBMISSION_OPEN } from '../../../domain/order.ts';
import { unitsOf } from '../views.ts';
import { deadlineMs, placeOf } from './payable.ts';
import { storeSubmission } from './submissions.ts';

/** Addresses asked about in one round: their balances go as one batch of questions. */
const PAGE = 200;

/** Where the last round of each chain ended, so that every address has its turn. */
export type DepositRounds = Map<ChainName, string>;

/**
 * One round over the addresses of a chain whose orders can still be paid.
 * @returns how many sweeps were queued
 * @throws AppError `provider_unavailable`
 */
export async function watchDeposits(ctx: Ctx, chain: Chain, rounds: DepositRounds): Promise<number> {
  return sweepCovered(ctx, chain, await nextOrders(ctx, chain, rounds));
}

/**
 * The same for one order, at the moment in which a bridge was seen to deliver to its address.
 * @throws AppError `provider_unavailable`
 */
export async function sweepDelivered(ctx: Ctx, id: string): Promise<void> {
  const order = await ctx.db.order.findFirst({ where: { ...sweepable(ctx), id } });
  if (order) await sweepCovered(ctx, chainOf(ctx, order.chain), [order]);
}

async function sweepCovered(ctx: Ctx, chain: Chain, orders: Row<'Order'>[]): Promise<number> {
  if (orders.length === 0) return 0;
  const balances = await assetBalances(
    chain,
    orders.map(({ token, depositAddress }) => ({ token, owner: depositAddress ?? '' })),
  );
  const covered = orders.filter((order, index) => (balances[index] ?? 0n) >= unitsOf(order.units));
  let swept = 0;
  for (const order of covered) {
    try {
      if (await askSweep(ctx, order)) swept += 1;
    } catch (error) {
      if (error instanceof AppError && error.code === 'provider_unavailable') throw error;
      // One that cannot be swept must not hold up those behind it; its money stays where it is.
      ctx.log.warn({ err: error, order: order.id, chain: chain.name }, 'a deposit that covers its order was not swept');
    }
  }
  await ctx.queues.flush(ctx.db);
  return swept;
}

/** Whether anything may arrive at an address that was handed out. */
export async function hasDepositAddresses(ctx: Ctx, chain: Chain): Promise<boolean> {
  const open = { chain: chain.name, status: 'awaiting_payment', depositShownAt: { not: null } };
  return (await ctx.db.order.findFirst({ where: open, select: { id: true } })) !== null;
}

/** Of orders that can still be paid, and that nothing is being sent for. */
function sweepable(ctx: Ctx) {
  return {
    status: 'awaiting_payment',
    deadline: { gte: BigInt(Math.floor((ctx.clock.now() + LAST_PAYMENT_MS) / 1_000)) },
    depositShownAt: { not: null },
    submissions: { none: { status: { in: [...SUBMISSION_OPEN] } } },
  };
}

/** A page of all, each in its turn; and whatever the indexer saw arrive, which waits for no turn, however many others were handed out. */
async function nextOrders(ctx: Ctx, chain: Chain, rounds: DepositRounds): Promise<Row<'Order'>[]> {
  const where = { ...sweepable(ctx), chain: chain.name };
  const orderBy = { id: 'asc' } as const;
  const [page, arrived] = await Promise.all([
    ctx.db.order.findMany({ where: { ...where, id: { gt: rounds.get(chain.name) ?? '' } }, orderBy, take: PAGE }),
    ctx.db.order.findMany({
      where: { ...where, receivedUnits: { gte: ctx.db.order.fields.units } },
      orderBy,
      take: PAGE,
    }),
  ]);
  const last = page.length === PAGE ? page.at(-1) : undefined;
  if (last) rounds.set(chain.name, last.id);
  else rounds.delete(chain.name);
  const known = new Set(page.map(({ id }) => id));
  return [...page, ...arrived.filter(({ id }) => !known.has(id))];
}

/** Does not queue a sweep that the chain would refuse: the order may be settled already, or its payee may be blocked by the token. */
async function askSweep(ctx: Ctx, order: Row<'Order'>): Promise<boolean> {
  const place = placeOf(ctx, order);
  const { chain } = place;
  const call = await sweepCall(place);
  const refusal = await simulateQueued(chain, call, undefined);
  if (refusal) {
    // Asked again every round: usually the order was paid in another way a moment ago.
    ctx.log.debug({ order: order.id, chain: chain.name, reason: refusal.name }, 'a sweep would be refused');
    return false;
  }
  try {
    const payer = order.depositAddress ?? '';
    await storeSubmission(ctx, order, { ...call, payer, way: 'sweep', number: null, expiresAt: deadlineMs(order) });
    return true;
  } catch (error) {
    // A payment of it is under way, it ended meanwhile, or its sweeps failed too often.
    if (error instanceof AppError && NOT_NOW.has(error.code)) return false;
    throw error;
  }
}

const NOT_NOW = new Set(['payment_in_flight', 'order_not_payable', 'call_refused']);
