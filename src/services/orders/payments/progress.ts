// How far the payment of an order is, for its checkout page: read from the rows of the payments that we send, and from the chain for a payer's own.
import { confirmationsOf, newestBlock } from '../../../chain/heads.ts';
import { type Ctx, chainOf } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import { sqlList } from '../../../db.ts';
import type { ChainName } from '../../../domain/chains.ts';
import { PAYMENT_STEPS, type PaymentStep, type PaymentStepName, paymentStep } from '../../../domain/checkout.ts';
import { AppError } from '../../../domain/errors.ts';
import { formatUnits } from '../../../domain/money.ts';
import type { OrderStatus, SubmissionStatus } from '../../../domain/order.ts';
import { transactionUrl } from '../../chains.ts';
import { type PublicOrder, publicOrder, unitsOf } from '../views.ts';
import { furthest, type Seen, seenAt, seenPayment } from './pending.ts';

/** Times are ISO 8601; a step without one is not reached, or its time is unknown. */
export type PaymentProgress = {
  step: PaymentStep;
  steps: { name: PaymentStepName; at: string | null; confirmations?: number | null; needed?: number }[];
  tx_hash: string | null;
  explorer_url: string | null;
  /** Why the latest try did not work, while the order can be paid again. */
  failure: string | null;
};
/** Money that the merchant sent back for an order. `amount` is of the order's currency, `at` ISO 8601. */
export type Refund = { amount: string; at: string; tx_hash: string; explorer_url: string | null };
/** `refunds`: the latest first. */
export type OrderState = { order: PublicOrder; progress: PaymentProgress; refunds: Refund[] };

/** The latest payment of an order that we send or sent. */
type Sending = {
  id: string;
  order_id: string;
  status: SubmissionStatus;
  failure: string | null;
  created_at: Date;
  signed_at: Date | null;
  hash: string | null;
  mined_block: bigint | null;
  /** When a block had it for the first time, whatever a reorg did since. */
  mined_at: Date | null;
};

/** Orders as their pages show them. */
export async function readOrderStates(ctx: Ctx, orders: Row<'Order'>[]): Promise<Map<string, OrderState>> {
  if (orders.length === 0) return new Map();
  const ids = orders.map(({ id }) => id);
  const [sendings, logs, refunds] = await Promise.all([
    ctx.db.$queryRaw<Sending[]>`
      select distinct on (s.order_id) s.id, s.order_id, s.status, s.failure, s.created_at, o.created_at as signed_at, o.mined_block,
        coalesce(o.mined_hash, (select hash from tx_attempt a where a.outgoing_tx_id = o.id order by number desc limit 1)) as hash,
        (select min(at) from transition t where t.resource = 'outgoing_tx' and t.resource_id = o.id and t.action = 'mine') as mined_at
      from order_submission s left join outgoing_tx o on o.id = s.outgoing_tx_id
      where s.order_id in (${sqlList(ids)}) order by s.order_id, s.created_at desc, s.id desc`,
    ctx.db.orderLog.findMany({
      where: { orderId: { in: ids }, kind: 'settled', outcome: 'credited' },
      select: { orderId: true, blockTime: true },
    }),
    readRefunds(ctx, orders),
  ]);
  const heads = await readHeads(ctx, orders, sendings);
  const states = await Promise.all(
    orders.map(async (order) => {
      const sending = sendings.find((one) => one.order_id === order.id) ?? null;
      const settledAt = logs.find((one) => one.orderId === order.id)?.blockTime ?? null;
      const seen = await seenOf(ctx, order, sending, heads);
      const shown = await publicOrder(ctx, order, seen);
      const progress = progressOf(ctx, order, sending, settledAt, seen);
      return [order.id, { order: shown, progress, refunds: refunds.get(order.id) ?? [] }] as const;
    }),
  );
  return new Map(states);
}

/** One order. */
export async function readState(ctx: Ctx, order: Row<'Order'>): Promise<OrderState> {
  const state = (await readOrderStates(ctx, [order])).get(order.id);
  if (!state) throw new Error('every requested order has a state');
  return state;
}

const MOST_REFUNDS = 50;

async function readRefunds(ctx: Ctx, orders: Row<'Order'>[]): Promise<Map<string, Refund[]>> {
  const refunded = new Map(
    orders.filter((order) => unitsOf(order.refundedUnits) > 0n).map((order) => [order.id, order]),
  );
  if (refunded.size === 0) return new Map();
  const logs = await ctx.db.orderLog.findMany({
    where: { orderId: { in: [...refunded.keys()] }, kind: 'refunded', outcome: 'credited' },
    orderBy: [{ block: 'desc' }, { logIndex: 'desc' }],
    take: MOST_REFUNDS * refunded.size,
  });
  const found = new Map<string, Refund[]>();
  for (const log of logs) {
    const order = refunded.get(log.orderId);
    if (!order) continue;
    const refund = {
      amount: formatUnits(unitsOf(log.units), order.decimals),
      at: log.blockTime.toISOString(),
      tx_hash: log.txHash,
      explorer_url: transactionUrl(ctx, log.chain, log.txHash),
    };
    found.set(order.id, [...(found.get(order.id) ?? []), refund].slice(0, MOST_REFUNDS));
  }
  return found;
}

/** The newest blocks of the chains on which something of ours waits for more; a chain that is away is left out. */
async function readHeads(ctx: Ctx, orders: Row<'Order'>[], sendings: Sending[]): Promise<Map<string, bigint>> {
  const waiting = orders.filter(
    ({ id, status }) => status === 'processing' && sendings.some((one) => one.order_id === id && one.mined_block),
  );
  const names = [...new Set(waiting.map(({ chain }) => chain))];
  const heads = await Promise.all(
    names.map(async (name) => {
      try {
        return [[name, await newestBlock(chainOf(ctx, name))] as const];
      } catch (error) {
        if (error instanceof AppError && error.code === 'provider_unavailable') return [];
        throw error;
      }
    }),
  );
  return new Map(heads.flat());
}

/** @returns null where no payment is under way */
async function seenOf(
  ctx: Ctx,
  order: Row<'Order'>,
  sending: Sending | null,
  heads: Map<string, bigint>,
): Promise<Seen | null> {
  const chain = ctx.chains[order.chain as ChainName];
  if (!chain) return null;
  const needed = confirmationsOf(chain);
  if (order.status !== 'processing') return seenPayment(ctx, order);
  if (sending?.status === 'settled') return { confirmations: needed, needed };
  if (sending?.status !== 'submitted') return null;
  const seen = (confirmations: number) => furthest(ctx, sending.id, { confirmations, needed });
  if (sending.mined_block === null) return seen(0);
  const head = heads.get(order.chain);
  return seen(head === undefined ? 1 : seenAt(chain, sending.mined_block, head).confirmations);
}

function progressOf(
  ctx: Ctx,
  order: Row<'Order'>,
  sending: Sending | null,
  settledAt: Date | null,
  seen: Seen | null,
): PaymentProgress {
  const served = ctx.chains[order.chain as ChainName];
  const needed = served ? confirmationsOf(served) : 0;
  const step = paymentStep({
    status: order.status as OrderStatus,
    sending: sending && { status: sending.status, mined: sending.mined_at !== null },
    own: order.status === 'awaiting_payment' && seen ? { mined: seen.confirmations > 0 } : null,
  });
  const ours = sending?.status === 'failed' ? null : sending;
  const isDone = order.status === 'completed';
  const hash = order.txHash ?? (order.status === 'processing' ? (ours?.hash ?? null) : null);
  const iso = (time: Date | null | undefined) => time?.toISOString() ?? null;
  const reached = (name: PaymentStepName) =>
    PAYMENT_STEPS.indexOf(step as PaymentStepName) >= PAYMENT_STEPS.indexOf(name);
  const [preparing, submitted, confirming, settled] = inOrder([
    reached('preparing') ? ours?.created_at : null,
    reached('submitted') ? ours?.signed_at : null,
    reached('confirming') ? (ours?.mined_at ?? settledAt) : null,
    isDone ? order.endedAt : null,
  ]);
  return {
    step,
    steps: [
      { name: 'preparing', at: iso(preparing) },
      { name: 'submitted', at: iso(submitted) },
      {
        name: 'confirming',
        at: iso(confirming),
        confirmations: isDone ? needed : (seen?.confirmations ?? null),
        needed,
      },
      { name: 'settled', at: iso(settled) },
    ],
    tx_hash: hash,
    explorer_url: transactionUrl(ctx, order.chain, hash),
    failure: step === 'waiting' && sending?.status === 'failed' ? sending.failure : null,
  };
}

/** Blocks have whole seconds and a clock of their own: no step is shown before the one that led to it. */
function inOrder(times: (Date | null | undefined)[]): (Date | null)[] {
  let last = new Date(0);
  return times.map((time) => {
    if (!time) return null;
    last = time > last ? time : last;
    return last;
  });
}
