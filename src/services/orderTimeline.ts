// An order as its merchant's dashboard shows it: with where it came from, what happened to it, and the money that arrived and does not count.
import type { Ctx } from '../context.ts';
import type { Row } from '../db.ts';
import { formatUnits } from '../domain/money.ts';
import type { OrderAction } from '../domain/order.ts';
import { chainLabel, transactionUrl } from './history.ts';
import { type FoundOrder, findUnsettled } from './orderSearch.ts';
import { ownOrder } from './orders.ts';
import {
  findUnmatched,
  type Log,
  logAmount,
  payersIn,
  reasonOf,
  transactionOf,
  type Unmatched,
} from './orderUnmatched.ts';
import { type OrderView, unitsOf, viewOrders } from './orderViews.ts';

/** An order in a merchant's list. `attention`: something arrived that the merchant has to decide about. */
export type MerchantOrder = OrderView & {
  origin: string;
  chain_label: string;
  explorer_url: string | null;
  link_label: string | null;
  attention: boolean;
};

export async function merchantOrders(ctx: Ctx, rows: FoundOrder[]): Promise<MerchantOrder[]> {
  const ids = rows.map(({ id }) => id);
  const [views, unsettled] = await Promise.all([viewOrders(ctx, ctx.db, rows), findUnsettled(ctx, ids)]);
  return views.map((view, index) => {
    const row = rows[index] as FoundOrder;
    return {
      ...view,
      origin: row.origin,
      chain_label: chainLabel(row.chain),
      explorer_url: transactionUrl(ctx, row.chain, row.txHash),
      link_label: row.link?.label ?? null,
      attention: unsettled.has(row.id),
    };
  });
}

export type TimelineEntry = {
  key: string;
  /** ISO 8601. */
  at: string;
  kind:
    | 'created'
    | 'address_shown'
    | 'submitted'
    | 'failed'
    | 'released'
    | 'paid'
    | 'deposit'
    | 'accepted'
    | 'returned'
    | 'unmatched'
    | 'refunded'
    | 'completed'
    | 'expired'
    | 'cancelled';
  /** With its currency: `5.00 USDC`. */
  amount: string | null;
  from: string | null;
  to: string | null;
  tx_hash: string | null;
  explorer_url: string | null;
  detail: string | null;
};

export type OrderPage = {
  order: MerchantOrder & {
    fee: string;
    payout: string;
    deposit_address: string | null;
    refundable: string;
    payers: string[];
  };
  /** The latest first. */
  timeline: TimelineEntry[];
  unmatched: Unmatched[];
};

/** One order whole, for its workspace only. @throws AppError `resource_missing` */
export async function readOrderPage(ctx: Ctx, workspaceId: string, id: string): Promise<OrderPage> {
  await ownOrder(ctx, { workspaceId }, id);
  const [row, moves, logs, submissions] = await Promise.all([
    ctx.db.order.findUniqueOrThrow({ where: { id }, include: { link: true } }),
    ctx.db.transition.findMany({ where: { resource: 'order', resourceId: id }, orderBy: { id: 'asc' }, take: MOST }),
    ctx.db.orderLog.findMany({ where: { orderId: id }, orderBy: [{ block: 'asc' }, { logIndex: 'asc' }], take: MOST }),
    ctx.db.orderSubmission.findMany({ where: { orderId: id }, orderBy: { id: 'asc' }, take: MOST }),
  ]);
  const [order] = await merchantOrders(ctx, [row]);
  if (!order) throw new Error('every row has its view');
  const [sent, failed] = await Promise.all([sentHashes(ctx, submissions), failures(ctx, submissions)]);
  const entries = [
    made(row),
    ...moves.flatMap((move) => moved(row, move)),
    ...submissions.flatMap((submission) => submitted(ctx, row, submission, sent, failed)),
    ...logs.map((log) => logged(ctx, row, log)),
  ];
  return {
    order: {
      ...order,
      fee: money(row, unitsOf(row.feeUnits)),
      payout: money(row, unitsOf(row.units) - unitsOf(row.feeUnits)),
      deposit_address: row.depositAddress,
      refundable: money(row, refundableUnits(row)),
      payers: payersIn(row, logs),
    },
    timeline: newestFirst(entries.map((one) => notBefore(row.createdAt.toISOString(), one))),
    unmatched: findUnmatched(ctx, row, logs),
  };
}

/** More than any order has; what somebody adds to one on purpose is cut off. */
const MOST = 200;

/** What may still go back of what was paid. */
export function refundableUnits(row: Row<'Order'>): bigint {
  const left = unitsOf(row.units) - unitsOf(row.refundedUnits);
  return row.status === 'completed' && left > 0n ? left : 0n;
}

function money(row: Row<'Order'>, units: bigint): string {
  return formatUnits(units, row.decimals);
}

function newestFirst(entries: TimelineEntry[]): TimelineEntry[] {
  return entries.reverse().sort((one, other) => other.at.localeCompare(one.at) || rank(other) - rank(one));
}

/** A block's time has whole seconds: what happened in the second in which the order was made happened after that all the same. */
function notBefore(created: string, one: TimelineEntry): TimelineEntry {
  return one.at < created ? { ...one, at: created } : one;
}

/** What happens in one moment stands in the order in which it follows from each other. */
function rank({ kind }: TimelineEntry): number {
  return ['created', 'address_shown', 'submitted', 'deposit', 'paid', 'completed'].indexOf(kind) + 1 || 9;
}

const ORIGINS: Record<string, string> = {
  api: 'By API.',
  dashboard: 'In the dashboard.',
  link: 'From a payment link.',
  chat: 'In a chat.',
};

function made(row: FoundOrder): TimelineEntry {
  return entry('created', 'created', row.createdAt, { detail: ORIGINS[row.origin] ?? null });
}

const MOVES: Partial<Record<OrderAction, TimelineEntry['kind']>> = {
  release: 'released',
  settle: 'completed',
  expire: 'expired',
  lapse: 'expired',
  cancel: 'cancelled',
};

function moved(row: FoundOrder, { id, action, at }: Row<'Transition'>): TimelineEntry[] {
  const kind = MOVES[action as OrderAction];
  return kind ? [entry(`move ${id}`, kind, kind === 'completed' ? (row.endedAt ?? at) : at)] : [];
}

const WAYS: Record<string, string> = {
  eip3009: 'The payer signed; nobody needed gas but us.',
  permit2: 'The payer signed; nobody needed gas but us.',
  eip2612: 'The payer signed; nobody needed gas but us.',
  allowance: 'The payer signed; nobody needed gas but us.',
  sweep: 'Moved on from the order’s own address.',
};

type Sent = ReadonlyMap<string, string>;

/** The transactions of ours in which submissions are, by the submission's id. */
async function sentHashes(ctx: Ctx, submissions: Row<'OrderSubmission'>[]): Promise<Sent> {
  const ids = submissions.flatMap(({ outgoingTxId }) => outgoingTxId ?? []);
  if (ids.length === 0) return new Map();
  const txs = await ctx.db.outgoingTx.findMany({
    where: { id: { in: ids } },
    select: { id: true, minedHash: true, attempts: { select: { hash: true }, orderBy: { number: 'desc' }, take: 1 } },
  });
  const hashes = new Map(txs.map(({ id, minedHash, attempts }) => [id, minedHash ?? attempts[0]?.hash]));
  return new Map(
    submissions.flatMap(({ id, outgoingTxId }) => {
      const hash = outgoingTxId === null ? undefined : hashes.get(outgoingTxId);
      return hash ? [[id, hash] as const] : [];
    }),
  );
}

/** When submissions failed, by their id. */
async function failures(ctx: Ctx, submissions: Row<'OrderSubmission'>[]): Promise<ReadonlyMap<string, Date>> {
  const ids = submissions.filter(({ status }) => status === 'failed').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.transition.findMany({
    where: { resource: 'order_submission', resourceId: { in: ids }, action: 'fail' },
  });
  return new Map(rows.map(({ resourceId, at }) => [resourceId, at]));
}

function submitted(
  ctx: Ctx,
  row: FoundOrder,
  one: Row<'OrderSubmission'>,
  sent: Sent,
  failed: ReadonlyMap<string, Date>,
): TimelineEntry[] {
  const hash = sent.get(one.id) ?? null;
  const at = { from: one.payer, ...transactionOf(ctx, row, hash) };
  const first = entry(one.id, 'submitted', one.createdAt, { ...at, detail: WAYS[one.way] ?? null });
  if (one.status !== 'failed') return [first];
  return [first, entry(`${one.id} failed`, 'failed', failed.get(one.id) ?? one.createdAt, { ...at, detail: FAILED })];
}

const FAILED = 'The payer’s money stayed where it was.';

function logged(ctx: Ctx, row: FoundOrder, log: Log): TimelineEntry {
  const { amount, currency } = logAmount(row, log);
  const more = { amount: `${amount} ${currency}`, from: log.fromAddress, ...transactionOf(ctx, row, log.txHash) };
  const key = `${log.txHash} ${log.logIndex}`;
  switch (log.kind) {
    case 'settled':
      if (log.outcome === 'credited') return entry(key, 'paid', log.blockTime, more);
      return entry(key, 'unmatched', log.blockTime, { ...more, detail: reasonOf(row, log) });
    case 'deposit':
      return entry(key, 'deposit', log.blockTime, {
        ...more,
        detail: log.outcome === 'credited' ? null : reasonOf(row, log),
      });
    case 'refunded':
      return entry(key, 'refunded', log.blockTime, { ...more, to: log.toAddress });
    default: {
      const isKept = log.outcome === 'accepted';
      return entry(key, isKept ? 'accepted' : 'returned', log.blockTime, { ...more, to: log.toAddress });
    }
  }
}

function entry(
  key: string,
  kind: TimelineEntry['kind'],
  at: Date,
  more: Partial<Omit<TimelineEntry, 'key' | 'kind' | 'at'>> = {},
): TimelineEntry {
  return {
    key,
    kind,
    at: at.toISOString(),
    amount: null,
    from: null,
    to: null,
    tx_hash: null,
    explorer_url: null,
    detail: null,
    ...more,
  };
}
