// An order as its merchant's dashboard shows it: with where it came from, what happened to it, and the money that arrived and does not count.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { chainLabel } from '../../domain/chains.ts';
import { formatUnits } from '../../domain/money.ts';
import type { OrderAction } from '../../domain/order.ts';
import { BRIDGE_FAILURE, BRIDGE_LABELS, type BridgeName, LEG_LIVE, type LegStatus } from '../../domain/smartLeg.ts';
import { inCausalOrder } from '../../domain/timeline.ts';
import { transactionUrl } from '../chains.ts';
import { type OrderMoney, orderMoney } from './money.ts';
import { ownOrder } from './orders.ts';
import { isPaidByTransfer, namePayers, payersOf } from './payers.ts';
import { type FoundOrder, findUnsettled } from './search.ts';
import { findUnmatched, logAmount, type OrderLogRow, reasonOf, transactionOf, type Unmatched } from './unmatched.ts';
import { type OrderView, unitsOf, viewOrders } from './views.ts';

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
    | 'bridging'
    | 'bridge_returned'
    | 'bridge_failed'
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
  /** When the payment was found in a final block, ISO 8601: from then on it is not undone. Null for everything but the payment. */
  finalised_at: string | null;
  detail: string | null;
};

/** An entry as it is collected: `at` by whichever clock recorded it, with what had to happen before. */
type Collected = Omit<TimelineEntry, 'at'> & { at: number; after: string[] };

export type OrderWithTimeline = {
  /** `bridging`: a bridge has money for it; `paid_by_transfer`: to the order's own address, perhaps from an exchange. */
  order: MerchantOrder &
    OrderMoney & { deposit_address: string | null; payers: string[]; paid_by_transfer: boolean; bridging: boolean };
  /** The latest first. */
  timeline: TimelineEntry[];
  unmatched: Unmatched[];
};

/** One order whole, for its workspace only. @throws AppError `resource_missing` */
export async function readOrderPage(ctx: Ctx, workspaceId: string, id: string): Promise<OrderWithTimeline> {
  await ownOrder(ctx, { workspaceId }, id);
  const [row, moves, logs, submissions, legs] = await Promise.all([
    ctx.db.order.findUniqueOrThrow({ where: { id }, include: { link: true } }),
    ctx.db.transition.findMany({ where: { resource: 'order', resourceId: id }, orderBy: { id: 'asc' }, take: MOST }),
    ctx.db.orderLog.findMany({ where: { orderId: id }, orderBy: [{ block: 'asc' }, { logIndex: 'asc' }], take: MOST }),
    ctx.db.orderSubmission.findMany({ where: { orderId: id }, orderBy: { id: 'asc' }, take: MOST }),
    ctx.db.smartLeg.findMany({
      where: { payment: { orderId: id }, via: { not: 'direct' }, sentAt: { not: null } },
      orderBy: { id: 'asc' },
      take: MOST,
    }),
  ]);
  const paid = logs.find(({ kind, outcome }) => kind === 'settled' && outcome === 'credited');
  const [[order], named, payers] = await Promise.all([
    merchantOrders(ctx, [row]),
    namePayers(ctx, id, logs),
    paid ? payersOf(ctx, row, paid) : [],
  ]);
  if (!order) throw new Error('every row has its view');
  const [sent, failed] = await Promise.all([sentHashes(ctx, submissions), failures(ctx, submissions)]);
  const final = moves.find(({ action }) => action === 'settle')?.at ?? null;
  const entries = [
    made(row),
    ...chained(moves.flatMap((move) => moved(row, move))),
    ...submissions.flatMap((submission) => submitted(ctx, row, submission, sent, failed)),
    ...legs.flatMap((leg) => bridged(ctx, row, leg)),
    ...chained(named.map((log) => logged(ctx, row, log, final))),
  ];
  return {
    order: {
      ...order,
      ...orderMoney(ctx, row, logs),
      deposit_address: row.depositAddress,
      payers: payers.map(({ address }) => address),
      paid_by_transfer: paid !== undefined && isPaidByTransfer(row, paid),
      bridging: legs.some(({ status }) => LEG_LIVE.includes(status as LegStatus)),
    },
    timeline: newestFirst(withCauses(entries)),
    unmatched: findUnmatched(ctx, row, named),
  };
}

/** More than any order has; entries beyond it, which a payer could add on purpose, are cut off. */
const MOST = 200;

function newestFirst(entries: Collected[]): TimelineEntry[] {
  return inCausalOrder(entries)
    .reverse()
    .map(({ after: _after, at, ...entry }) => ({ ...entry, at: new Date(at).toISOString() }));
}

/** Moves follow from each other in the order in which they were written, logs in the order in which their chain has them. */
function chained(entries: Collected[]): Collected[] {
  return entries.map((one, index) => {
    const before = entries[index - 1];
    return before ? { ...one, after: [...one.after, before.key] } : one;
  });
}

/** What is paid was sent before, and what is completed was paid before. */
function withCauses(entries: Collected[]): Collected[] {
  const keysOf = (...kinds: TimelineEntry['kind'][]) =>
    entries.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => key);
  const causes: Partial<Record<TimelineEntry['kind'], string[]>> = {
    completed: keysOf('paid'),
    refunded: keysOf('completed'),
  };
  const [firstDeposit] = keysOf('deposit');
  return entries.map((one) => {
    if (one.kind === 'created') return one;
    if (one.detail === WAYS['sweep'] && firstDeposit) return { ...one, after: ['created', firstDeposit] };
    const sending = one.tx_hash !== null && one.kind !== 'submitted' && one.kind !== 'failed';
    const sent = sending
      ? entries.filter(({ kind, tx_hash }) => kind === 'submitted' && tx_hash === one.tx_hash).map(({ key }) => key)
      : [];
    return { ...one, after: [...one.after, 'created', ...sent, ...(causes[one.kind] ?? [])] };
  });
}

const ORIGINS: Record<string, string> = {
  api: 'Via API.',
  dashboard: 'In the dashboard.',
  link: 'From a payment link.',
  chat: 'In a chat.',
  page: 'On your page.',
};

function made(row: FoundOrder): Collected {
  return entry('created', 'created', row.createdAt, { detail: ORIGINS[row.origin] ?? null });
}

const MOVES: Partial<Record<OrderAction, TimelineEntry['kind']>> = {
  release: 'released',
  settle: 'completed',
  expire: 'expired',
  lapse: 'expired',
  cancel: 'cancelled',
};

function moved(row: FoundOrder, { id, action, at }: Row<'Transition'>): Collected[] {
  const kind = MOVES[action as OrderAction];
  return kind ? [entry(`move ${id}`, kind, kind === 'completed' ? (row.endedAt ?? at) : at)] : [];
}

const SIGNED = 'Signed by the payer. Ampersat paid the network fee.';
const WAYS: Record<string, string> = {
  eip3009: SIGNED,
  permit2: SIGNED,
  eip2612: SIGNED,
  allowance: SIGNED,
  sweep: 'Moved from the order’s deposit address.',
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
): Collected[] {
  const hash = sent.get(one.id) ?? null;
  const at = { from: one.payer, ...transactionOf(ctx, row, hash) };
  const first = entry(one.id, 'submitted', one.createdAt, { ...at, detail: WAYS[one.way] ?? null });
  if (one.status !== 'failed') return [first];
  const ended = failed.get(one.id) ?? one.createdAt;
  return [first, entry(`${one.id} failed`, 'failed', ended, { ...at, detail: FAILED, after: [first.key] })];
}

const FAILED = 'The payer wasn’t charged.';

/** What a payer gave to a bridge for it, and how that ended where it did not arrive. */
function bridged(ctx: Ctx, row: FoundOrder, leg: Row<'SmartLeg'>): Collected[] {
  if (leg.sentAt === null) return [];
  const amount = `${formatUnits(unitsOf(leg.arriveUnits), row.decimals)} ${row.currency}`;
  const bridge = BRIDGE_LABELS[leg.via as BridgeName];
  const at = (hash: string | null) => ({
    ...{ amount, from: leg.payer, tx_hash: hash, explorer_url: transactionUrl(ctx, leg.chain, hash) },
    detail: `From ${chainLabel(leg.chain)}, over ${bridge}.`,
  });
  const sent = entry(leg.id, 'bridging', leg.sentAt, at(leg.originHash));
  if (leg.endedAt === null || (leg.status !== 'refunded' && leg.status !== 'failed')) return [sent];
  const more = { ...at(leg.refundHash), after: [sent.key] };
  if (leg.status === 'refunded') return [sent, entry(`${leg.id} ended`, 'bridge_returned', leg.endedAt, more)];
  if (leg.reason === BRIDGE_FAILURE) {
    const detail = `${bridge} still has the buyer’s money and usually sends it back within a day.`;
    return [sent, entry(`${leg.id} ended`, 'bridge_failed', leg.endedAt, { ...more, detail })];
  }
  return [sent, entry(`${leg.id} ended`, 'failed', leg.endedAt, { ...more, detail: FAILED })];
}

function logged(ctx: Ctx, row: FoundOrder, log: OrderLogRow, final: Date | null): Collected {
  const { amount, currency } = logAmount(ctx, row, log);
  const more = { amount: `${amount} ${currency}`, from: log.fromAddress, ...transactionOf(ctx, row, log.txHash) };
  const key = `${log.txHash} ${log.logIndex}`;
  switch (log.kind) {
    case 'settled':
      if (log.outcome === 'credited')
        return entry(key, 'paid', log.blockTime, { ...more, finalised_at: final?.toISOString() ?? null });
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
  more: Partial<Omit<Collected, 'key' | 'kind' | 'at'>> = {},
): Collected {
  return {
    key,
    kind,
    at: at.getTime(),
    after: [],
    amount: null,
    from: null,
    to: null,
    tx_hash: null,
    explorer_url: null,
    finalised_at: null,
    detail: null,
    ...more,
  };
}
