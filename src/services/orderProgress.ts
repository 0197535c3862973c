// How far the payment of an order is, for its checkout page: read from the rows of the payments that we send, and from the chain for a payer's own.
import { type EvmChain, headBlock } from '../chain/evm.ts';
import { type Ctx, chainOf } from '../context.ts';
import type { Row } from '../db.ts';
import { sqlList } from '../db.ts';
import type { ChainName } from '../domain/chains.ts';
import type { Step, StepName } from '../domain/checkout.ts';
import { AppError } from '../domain/errors.ts';
import { transactionUrl } from './history.ts';
import { type PublicOrder, publicOrder } from './orderViews.ts';
import { confirmationsOf, type Seen, seenPayment } from './seenPayments.ts';

/** Times are ISO 8601; a step without one is not reached, or nobody knows when it was. */
export type Progress = {
  step: Step;
  steps: { name: StepName; at: string | null; confirmations?: number | null; needed?: number }[];
  tx_hash: string | null;
  explorer_url: string | null;
  /** Why the latest try did not work, while the order can be paid again. */
  failure: string | null;
};
export type OrderState = { order: PublicOrder; progress: Progress };

/** The latest payment of an order that we send or sent. */
type Sending = {
  order_id: string;
  status: string;
  failure: string | null;
  created_at: Date;
  signed_at: Date | null;
  hash: string | null;
  mined_block: bigint | null;
  mined_at: Date | null;
};

/** Orders as their pages show them. */
export async function readStates(ctx: Ctx, orders: Row<'Order'>[]): Promise<Map<string, OrderState>> {
  if (orders.length === 0) return new Map();
  const ids = orders.map(({ id }) => id);
  const [sendings, logs] = await Promise.all([
    ctx.db.$queryRaw<Sending[]>`
      select distinct on (s.order_id) s.order_id, s.status, s.failure, s.created_at, o.created_at as signed_at, o.mined_block,
        coalesce(o.mined_hash, (select hash from tx_attempt a where a.outgoing_tx_id = o.id order by number desc limit 1)) as hash,
        case when o.mined_block is not null then
          (select max(at) from transition t where t.resource = 'outgoing_tx' and t.resource_id = o.id and t.action = 'mine')
        end as mined_at
      from order_submission s left join outgoing_tx o on o.id = s.outgoing_tx_id
      where s.order_id in (${sqlList(ids)}) order by s.order_id, s.created_at desc, s.id desc`,
    ctx.db.orderLog.findMany({
      where: { orderId: { in: ids }, kind: 'settled', outcome: 'credited' },
      select: { orderId: true, blockTime: true },
    }),
  ]);
  const heads = await readHeads(ctx, orders, sendings);
  const states = await Promise.all(
    orders.map(async (order) => {
      const sending = sendings.find((one) => one.order_id === order.id) ?? null;
      const settledAt = logs.find((one) => one.orderId === order.id)?.blockTime ?? null;
      const seen = await seenOf(ctx, order, sending, heads);
      const shown = await publicOrder(ctx, order, seen);
      return [order.id, { order: shown, progress: progressOf(ctx, order, sending, settledAt, seen) }] as const;
    }),
  );
  return new Map(states);
}

/** One order. */
export async function readState(ctx: Ctx, order: Row<'Order'>): Promise<OrderState> {
  const state = (await readStates(ctx, [order])).get(order.id);
  if (!state) throw new Error('every order that is asked for is answered');
  return state;
}

/** The newest blocks of the chains on which something of ours waits for more; a chain that is away is left out. */
async function readHeads(ctx: Ctx, orders: Row<'Order'>[], sendings: Sending[]): Promise<Map<string, bigint>> {
  const waiting = orders.filter(
    ({ id, status }) => status === 'processing' && sendings.some((one) => one.order_id === id && one.mined_block),
  );
  const names = [...new Set(waiting.map(({ chain }) => chain))];
  const heads = await Promise.all(
    names.map(async (name) => {
      const head = await quietly(() => headBlock(chainOf(ctx, name)));
      return head === null ? [] : [[name, head] as const];
    }),
  );
  return new Map(heads.flat());
}

async function seenOf(
  ctx: Ctx,
  order: Row<'Order'>,
  sending: Sending | null,
  heads: Map<string, bigint>,
): Promise<Seen | null> {
  const chain: EvmChain | undefined = ctx.chains[order.chain as ChainName];
  if (!chain) return null;
  if (order.status !== 'processing') return quietly(() => seenPayment(ctx, order));
  if (sending?.status !== 'submitted') return null;
  const head = heads.get(order.chain);
  if (sending.mined_block === null || head === undefined) return { confirmations: 0, needed: chain.confirmations };
  return confirmationsOf(chain, sending.mined_block, head);
}

/** Progress is worth showing without what a chain that is away would add. */
async function quietly<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'provider_unavailable') return null;
    throw error;
  }
}

function progressOf(
  ctx: Ctx,
  order: Row<'Order'>,
  sending: Sending | null,
  settledAt: Date | null,
  seen: Seen | null,
): Progress {
  const needed = ctx.chains[order.chain as ChainName]?.confirmations ?? 0;
  const step = stepOf(order, sending, seen);
  const ours = sending?.status === 'failed' ? null : sending;
  const isDone = order.status === 'completed';
  const hash = order.txHash ?? (order.status === 'processing' ? (ours?.hash ?? null) : null);
  const iso = (time: Date | null | undefined) => time?.toISOString() ?? null;
  const reached = (name: StepName) => ORDER_OF_STEPS.indexOf(step as StepName) >= ORDER_OF_STEPS.indexOf(name);
  return {
    step,
    steps: [
      { name: 'preparing', at: reached('preparing') ? iso(ours?.created_at) : null },
      { name: 'submitted', at: reached('submitted') ? iso(ours?.signed_at) : null },
      {
        name: 'confirming',
        at: reached('confirming') ? iso(settledAt ?? ours?.mined_at) : null,
        confirmations: isDone ? needed : (seen?.confirmations ?? null),
        needed,
      },
      { name: 'settled', at: isDone ? iso(order.endedAt) : null },
    ],
    tx_hash: hash,
    explorer_url: transactionUrl(ctx, order.chain, hash),
    failure: step === 'waiting' && sending?.status === 'failed' ? sending.failure : null,
  };
}

const ORDER_OF_STEPS: StepName[] = ['preparing', 'submitted', 'confirming', 'settled'];

function stepOf({ status }: Row<'Order'>, sending: Sending | null, seen: Seen | null): Step {
  if (status === 'completed') return 'settled';
  if (status === 'expired' || status === 'cancelled') return 'ended';
  if (seen && seen.confirmations > 0) return 'confirming';
  if (status === 'processing' || seen) return 'submitted';
  return sending?.status === 'queued' ? 'preparing' : 'waiting';
}
