// Who paid an order, by the chain: refunds go to them alone.

import { orderKey } from '../../chain/routers/payment.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import type { OrderRouter } from '../../domain/typedData/orders.ts';
import { orderTerms } from './orders.ts';
import { unitsOf } from './views.ts';

/** An address that sent money, and how much of it in smallest units. */
export type OrderSender = { address: string; units: bigint };

/** The outcomes of a log that settled exactly the order's terms, whether or not the order could still be completed by it. */
const SETTLED = ['credited', 'not_payable', 'already_paid'];

/** The log by which exactly this order's terms were paid; null while there is none in a final block. */
export function settlementOf(ctx: Ctx, chain: EvmChain, order: Row<'Order'>): Promise<Row<'OrderLog'> | null> {
  const key = orderKey(chain, order.router as OrderRouter, orderTerms(order));
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

/** Who paid by a settlement: the payer that it names, or those who had sent to the order's own address before. */
export async function payersOf(ctx: Ctx, order: Row<'Order'>, settlement: Row<'OrderLog'>): Promise<OrderSender[]> {
  const { fromAddress } = settlement;
  if (fromAddress === null) return [];
  if (order.depositAddress === null || !same(fromAddress, order.depositAddress))
    return [{ address: fromAddress, units: unitsOf(settlement.units) }];
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
    const back = logs.filter((log) => same(log.toAddress, address)).reduce((sum, log) => sum + unitsOf(log.units), 0n);
    return { address, units: units > back ? units - back : 0n };
  });
}

/** Who sent a token to the order's own address, the most first. Deposits in the native asset leave no log, so their senders are unknown. */
export async function depositSenders(
  ctx: Ctx,
  order: Row<'Order'>,
  { token, outcomes }: { token: string; outcomes?: string[] },
): Promise<OrderSender[]> {
  const logs = await ctx.db.orderLog.findMany({
    where: {
      orderId: order.id,
      kind: 'deposit',
      token: { equals: token, mode: 'insensitive' },
      ...(outcomes ? { outcome: { in: outcomes } } : {}),
    },
  });
  const payerOf = await bridgePayers(ctx, order.id);
  const sums = new Map<string, bigint>();
  for (const { fromAddress, txHash, units } of logs) {
    const sender = payerOf(txHash, unitsOf(units)) ?? fromAddress;
    if (sender !== null) sums.set(sender, (sums.get(sender) ?? 0n) + unitsOf(units));
  }
  return [...sums].map(([address, units]) => ({ address, units })).sort((a, b) => (a.units < b.units ? 1 : -1));
}

/** What a bridge delivered was paid by the wallet that gave it to the bridge, not by the relayer that sent it here. */
async function bridgePayers(ctx: Ctx, orderId: string): Promise<(txHash: string, units: bigint) => string | null> {
  const legs = await ctx.db.smartLeg.findMany({
    where: { payment: { orderId }, destinationHash: { not: null } },
    select: { payer: true, destinationHash: true, arriveUnits: true },
  });
  return (txHash, units) => {
    const found = legs.filter(({ destinationHash }) => destinationHash !== null && same(destinationHash, txHash));
    return (found.find(({ arriveUnits }) => unitsOf(arriveUnits) === units) ?? found[0])?.payer ?? null;
  };
}

export function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
