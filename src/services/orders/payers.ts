// Who paid an order, by the chain: refunds go to them alone.

import type { Chain } from '../../chain/chain.ts';
import { nativeToken, orderKey } from '../../chain/orders.ts';
import { type Ctx, chainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import type { OrderRouter } from '../../domain/typedData/orders.ts';
import { isSameAddress } from '../../domain/walletFamily.ts';
import { orderTerms } from './orders.ts';
import { unitsOf } from './views.ts';

/** An address that sent money, and how much of it in smallest units. */
export type OrderSender = { address: string; units: bigint };

/** The outcomes of a log that settled exactly the order's terms, whether or not the order could still be completed by it. */
const SETTLED = ['credited', 'not_payable', 'already_paid'];

/** The log by which exactly this order's terms were paid; null while there is none in a final block. */
export function settlementOf(ctx: Ctx, chain: Chain, order: Row<'Order'>): Promise<Row<'OrderLog'> | null> {
  const key = orderKey({ chain, router: order.router as OrderRouter, terms: orderTerms(order) });
  return ctx.db.orderLog.findFirst({
    where: {
      orderId: order.id,
      chain: order.chain,
      kind: 'settled',
      outcome: { in: SETTLED },
      key: { equals: key, mode: 'insensitive' },
    },
  });
}

/** Paid through the order's own address: the sender may be an exchange, whose address many customers share. */
export function isPaidByTransfer({ depositAddress }: Row<'Order'>, { fromAddress }: Row<'OrderLog'>): boolean {
  return depositAddress !== null && fromAddress !== null && isSameAddress(fromAddress, depositAddress);
}

/** Who paid by a settlement: the payer that it names, or those who had sent to the order's own address before. */
export async function payersOf(ctx: Ctx, order: Row<'Order'>, settlement: Row<'OrderLog'>): Promise<OrderSender[]> {
  const { fromAddress } = settlement;
  if (fromAddress === null) return [];
  if (!isPaidByTransfer(order, settlement)) return [{ address: fromAddress, units: unitsOf(settlement.units) }];
  return depositSenders(ctx, order, { token: order.token, outcomes: ['credited'] });
}

/** What each sent, less what went back to them already. */
export async function stillWith(
  ctx: Ctx,
  order: Row<'Order'>,
  senders: OrderSender[],
  { kind, outcome, token }: { kind: string; outcome: string; token: string },
): Promise<OrderSender[]> {
  const logs = await ctx.db.orderLog.findMany({
    where: { orderId: order.id, kind, outcome, token: { equals: token, mode: 'insensitive' } },
  });
  return senders.map(({ address, units }) => {
    const back = logs
      .filter((log) => isSameAddress(log.toAddress, address))
      .reduce((sum, log) => sum + unitsOf(log.units), 0n);
    return { address, units: units > back ? units - back : 0n };
  });
}

/** Who sent a token to the order's own address, the most first. Deposits in the native asset leave no log: of them only what was paid over a bridge is known. */
export async function depositSenders(
  ctx: Ctx,
  order: Row<'Order'>,
  { token, outcomes }: { token: string; outcomes?: string[] },
): Promise<OrderSender[]> {
  const sent = isSameAddress(token, nativeToken(chainOf(ctx, order.chain)))
    ? await nativeSenders(ctx, order)
    : await loggedSenders(ctx, order, token, outcomes);
  const sums = new Map<string, bigint>();
  for (const { address, units } of sent) sums.set(address, (sums.get(address) ?? 0n) + units);
  return [...sums].map(([address, units]) => ({ address, units })).sort((a, b) => (a.units < b.units ? 1 : -1));
}

async function loggedSenders(
  ctx: Ctx,
  order: Row<'Order'>,
  token: string,
  outcomes: string[] | undefined,
): Promise<OrderSender[]> {
  const logs = await ctx.db.orderLog.findMany({
    where: {
      orderId: order.id,
      kind: 'deposit',
      token: { equals: token, mode: 'insensitive' },
      ...(outcomes ? { outcome: { in: outcomes } } : {}),
    },
  });
  return (await namePayers(ctx, order.id, logs)).flatMap(({ fromAddress, units }) =>
    fromAddress === null ? [] : [{ address: fromAddress, units: unitsOf(units) }],
  );
}

async function nativeSenders(ctx: Ctx, order: Row<'Order'>): Promise<OrderSender[]> {
  if (!isSameAddress(order.token, nativeToken(chainOf(ctx, order.chain)))) return [];
  const legs = await ctx.db.smartLeg.findMany({ where: { payment: { orderId: order.id }, status: 'arrived' } });
  return legs.map(({ payer, arriveUnits }) => ({ address: payer, units: unitsOf(arriveUnits) }));
}

/**
 * The same logs: a deposit names the wallet that gave the money to a bridge or to the treasury, not the relayer or the treasury that sent it here. Null
 * where several wallets gave it.
 */
export async function namePayers<T extends Row<'OrderLog'>>(ctx: Ctx, orderId: string, logs: T[]): Promise<T[]> {
  const legs = await ctx.db.smartLeg.findMany({
    where: { payment: { orderId }, destinationHash: { not: null } },
    select: { payer: true, destinationHash: true, arriveUnits: true },
  });
  const passedOn = await ctx.db.treasuryTransfer.findMany({ where: { orderId }, orderBy: { id: 'asc' } });
  return logs.map((log) => {
    if (log.kind !== 'deposit') return log;
    const nth = passedOn.findIndex(
      ({ treasury, units }) => treasury === log.fromAddress && unitsOf(units) === unitsOf(log.units),
    );
    if (nth >= 0) return { ...log, fromAddress: passedOn.splice(nth, 1)[0]?.fromAddress ?? null };
    const found = legs.filter(
      ({ destinationHash }) => destinationHash !== null && isSameAddress(destinationHash, log.txHash),
    );
    const leg = found.find(({ arriveUnits }) => unitsOf(arriveUnits) === unitsOf(log.units)) ?? found[0];
    return leg ? { ...log, fromAddress: leg.payer } : log;
  });
}
