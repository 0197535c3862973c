// The figures behind the metrics and the charts, read on request: rows for what was done, the last probes for the chains. A part that
// cannot be read is left out and named as missing; none holds up the others.
import type { Ctx, ReadCtx } from '../../context.ts';
import { type Row, sqlPart } from '../../db.ts';
import { ALERT_KINDS } from '../../domain/alerts.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import type { Figure, FigureName } from '../../metrics.ts';
import type { QueueName } from '../../queues.ts';
import { budgetToday } from '../chat/xBudget.ts';
import { listProgress, type Progress } from '../indexer/checkpoints.ts';
import { attemptQuantiles, attemptTotals, countEndpoints } from '../webhooks/totals.ts';
import { listProcesses } from './heartbeats.ts';
import { replyTotals, settledTotals } from './totals.ts';
import { readWork, STEPS } from './work.ts';

const PART_WITHIN_MS = 2_500;

const PARTS = {
  tips: tipFigures,
  work: workFigures,
  replies: replyFigures,
  queues: queueFigures,
  executors: executorFigures,
  chains: chainFigures,
  indexers: indexerFigures,
  processes: processFigures,
  people: peopleFigures,
  alerts: alertFigures,
  x: xFigures,
  webhooks: webhookFigures,
} satisfies Record<string, (ctx: Ctx) => Promise<Figure[]> | Figure[]>;
type PartName = keyof typeof PARTS;

const underWay = new WeakMap<Ctx, Promise<Figure[]>>();

/** All figures, within a few seconds even when a chain or Redis is away. Concurrent callers share one read. */
export function readFigures(ctx: Ctx): Promise<Figure[]> {
  const running = underWay.get(ctx);
  if (running) return running;
  const reading = Promise.all((Object.keys(PARTS) as PartName[]).map((part) => readPart(ctx, part)))
    .then((parts) => parts.flat())
    .finally(() => underWay.delete(ctx));
  underWay.set(ctx, reading);
  return reading;
}

/** Some parts, one after the other: beside payments, which need the same few connections. */
export async function readParts(ctx: Ctx, parts: readonly PartName[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const part of parts) figures.push(...(await readPart(ctx, part)));
  return figures;
}

async function readPart(ctx: Ctx, name: PartName): Promise<Figure[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it took too long')), PART_WITHIN_MS);
  });
  try {
    const figures = await Promise.race([Promise.resolve(PARTS[name](ctx)), late]);
    return [...figures, figure('ampersat_up_figures', { part: name }, 1)];
  } catch (err) {
    ctx.log.warn({ err, part: name }, 'some figures could not be read');
    return [figure('ampersat_up_figures', { part: name }, 0)];
  } finally {
    clearTimeout(timer);
  }
}

function figure(name: FigureName, labels: Record<string, string>, value: number): Figure {
  return { name, labels, value };
}

type OpenRow = { status: string; platform: string; chain: string; count: number };

async function tipFigures(ctx: Ctx): Promise<Figure[]> {
  const [open, settled, commands] = await Promise.all([
    ctx.db.$queryRaw<OpenRow[]>`
      select t.status, i.platform, t.chain, count(*)::int as count from tip t join intent i on i.id = t.intent_id
      where t.status in ('ready', 'submitted', 'mined', 'failed') group by t.status, i.platform, t.chain`,
    settledTotals(ctx),
    ctx.db.$queryRaw<{ status: string; platform: string; count: number }[]>`
      select status, platform, count(*)::int as count from intent
      where status in ('accepted', 'awaiting_confirmation', 'routed') group by status, platform`,
  ]);
  return [
    ...open.map(({ status, platform, chain, count }) =>
      status === 'failed'
        ? figure('ampersat_tips_total', { outcome: 'failed', platform, chain }, count)
        : figure('ampersat_tips', { status, platform, chain }, count),
    ),
    ...settled.flatMap(({ platform, chain, count, usd, feesUsd }) => [
      figure('ampersat_tips_total', { outcome: 'settled', platform, chain }, count),
      figure('ampersat_tips_usd_total', { platform, chain }, usd),
      figure('ampersat_fees_usd_total', { platform, chain }, feesUsd),
    ]),
    ...commands.map(({ status, platform, count }) => figure('ampersat_commands', { status, platform }, count)),
  ];
}

async function workFigures(ctx: Ctx): Promise<Figure[]> {
  const work = await readWork(ctx);
  const oldest = (rows: typeof work) => Math.max(0, ...rows.map((one) => one.oldestMs ?? 0)) / 1_000;
  const count = (rows: typeof work) => rows.reduce((sum, one) => sum + one.waiting, 0);
  return [
    ...STEPS.flatMap((step) => {
      const rows = work.filter((one) => one.step === step);
      return [
        figure('ampersat_work_waiting', { step }, count(rows)),
        figure('ampersat_work_oldest_seconds', { step }, oldest(rows)),
      ];
    }),
    ...work.flatMap(({ step, subject, waiting, oldestMs }) => {
      if (step === 'inbox') return [figure('ampersat_inbox_waiting', { platform: subject }, waiting)];
      if (step !== 'replies') return [];
      return [
        figure('ampersat_replies_open', { platform: subject }, waiting),
        figure('ampersat_replies_oldest_seconds', { platform: subject }, (oldestMs ?? 0) / 1_000),
      ];
    }),
    figure('ampersat_outbox_jobs', {}, count(work.filter((one) => one.step === 'outbox'))),
  ];
}

async function replyFigures(ctx: Ctx): Promise<Figure[]> {
  const [totals, speed] = await Promise.all([replyTotals(ctx), receiptQuantiles(ctx, 3_600_000)]);
  return [
    ...totals.flatMap(({ platform, sent, failed }) => [
      figure('ampersat_replies_sent_total', { platform }, sent),
      figure('ampersat_replies_failed_total', { platform }, failed),
    ]),
    ...(speed
      ? [
          figure('ampersat_receipt_seconds', { quantile: '0.5' }, speed.p50),
          figure('ampersat_receipt_seconds', { quantile: '0.99' }, speed.p99),
        ]
      : []),
  ];
}

/** Of the receipts of intents `i`: one of a tip that crosses to another chain takes as long as its bridge. */
export const NOT_ACROSS = sqlPart`not exists (
  select from tip t join smart_payment p on p.tip_id = t.id where t.intent_id = i.id)`;

/** Seconds from a message that reached us to its receipt in the chat, over the last while; null when there was none. */
async function receiptQuantiles(ctx: Ctx, withinMs: number): Promise<{ p50: number; p99: number } | null> {
  const since = new Date(ctx.clock.now() - withinMs);
  const [row] = await ctx.db.$queryRaw<{ quantiles: number[] | null }[]>`
    select percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from r.receipt_sent_at - x.received_at)::float8) as quantiles
    from reply r join intent i on i.id = r.data->>'intentId' join inbox x on x.key = i.inbox_key
    where r.receipt_sent_at >= ${since} and ${NOT_ACROSS}`;
  const [p50, p99] = row?.quantiles ?? [];
  return p50 === undefined || p99 === undefined ? null : { p50, p99 };
}

async function queueFigures(ctx: Ctx): Promise<Figure[]> {
  const [counts, ages] = await Promise.all([ctx.queues.counts(), ctx.queues.ages(ctx.clock.now())]);
  return Object.entries(counts).flatMap(([queue, states]) => [
    ...Object.entries(states).map(([state, count]) => figure('ampersat_queue_jobs', { queue, state }, count)),
    figure('ampersat_queue_oldest_seconds', { queue }, (ages[queue as QueueName] ?? 0) / 1_000),
  ]);
}

/** How many attempts went how, and how long those of the last minutes took. */
async function webhookFigures(ctx: Ctx): Promise<Figure[]> {
  const [endpoints, attempts, speed] = await Promise.all([
    countEndpoints(ctx),
    attemptTotals(ctx),
    attemptQuantiles(ctx, 300_000),
  ]);
  return [
    ...endpoints.map(({ status, mode, count }) => figure('ampersat_webhook_endpoints', { status, mode }, count)),
    ...attempts.map(({ result, count }) => figure('ampersat_webhook_attempts_total', { result }, count)),
    ...(speed
      ? [
          figure('ampersat_webhook_attempt_seconds', { quantile: '0.5' }, speed.p50),
          figure('ampersat_webhook_attempt_seconds', { quantile: '0.99' }, speed.p99),
        ]
      : []),
  ];
}

type SlotRow = { chain: string; executor: string; count: number };

/** Nothing where no call of X was made today. */
async function xFigures(ctx: Ctx): Promise<Figure[]> {
  const { requests, spent, reserved, budget, state } = await budgetToday(ctx);
  if (requests === 0) return [];
  const usd = (micros: bigint) => Number(micros) / 1e6;
  return [
    figure('ampersat_x_budget_usd', {}, usd(budget)),
    figure('ampersat_x_spent_usd', {}, usd(spent)),
    figure('ampersat_x_reserved_usd', {}, usd(reserved)),
    figure('ampersat_x_requests', {}, requests),
    figure('ampersat_x_state', { state }, 1),
  ];
}

/** An executor key, from the rows and the last probe of its chain. Values of the chain are null before the first probe. */
export type ExecutorState = {
  chain: string;
  address: string;
  nextNonce: number;
  /** Null on chains without nonces too. */
  chainNonce: number | null;
  balance: bigint | null;
  /** Full batches that it can pay for at present prices. */
  batchesLeft: number | null;
  openSlots: number;
  pausedReason: string | null;
  /** Why the contracts do not let it act, as they last said; null where nothing is known against it. */
  powerProblem: string | null;
};

export async function listExecutors(ctx: ReadCtx): Promise<ExecutorState[]> {
  const [keys, slots] = await Promise.all([
    ctx.db.executorKey.findMany({ orderBy: [{ chain: 'asc' }, { address: 'asc' }] }),
    ctx.db.$queryRaw<SlotRow[]>`
      select chain, executor, count(*)::int as count from outgoing_tx where status in ('signed', 'sent') group by chain, executor`,
  ]);
  return keys.map((key) => executorState(ctx, key, slots));
}

function executorState(
  ctx: ReadCtx,
  { chain, address, nextNonce, pausedReason }: Row<'ExecutorKey'>,
  slots: SlotRow[],
) {
  const probe = ctx.probes.get(chain as ChainName);
  const seen = probe?.keys.get(address);
  const cost = probe?.batchCost;
  return {
    chain,
    address,
    nextNonce,
    chainNonce: seen?.nonce ?? null,
    balance: seen?.balance ?? null,
    batchesLeft: seen && cost ? Number(seen.balance / cost) : null,
    openSlots: slots.find((slot) => slot.chain === chain && slot.executor === address)?.count ?? 0,
    pausedReason,
    powerProblem: probe?.contracts?.powerless[address] ?? null,
  };
}

async function executorFigures(ctx: Ctx): Promise<Figure[]> {
  const [keys, transactions, reorgs] = await Promise.all([
    listExecutors(ctx),
    ctx.db.$queryRaw<{ chain: string; status: string; count: number }[]>`
      select chain, status, count(*)::int as count from outgoing_tx where status in ('signed', 'sent', 'mined', 'lost') group by chain, status`,
    ctx.db.$queryRaw<{ chain: string; count: number }[]>`
      select subject as chain, sum((detail->>'count')::int)::int as count from alert where kind = 'reorg' group by subject`,
  ]);
  return [
    ...keys.flatMap((key) => {
      const labels = { chain: key.chain, executor: key.address };
      const { nativeDecimals: decimals, family } = CHAINS[key.chain as ChainName];
      return [
        ...(family === 'evm'
          ? [figure('ampersat_executor_nonce', { ...labels, source: 'ledger' }, key.nextNonce)]
          : []),
        ...(key.chainNonce === null
          ? []
          : [figure('ampersat_executor_nonce', { ...labels, source: 'chain' }, key.chainNonce)]),
        ...(key.balance === null
          ? []
          : [figure('ampersat_executor_balance', labels, Number(key.balance) / 10 ** decimals)]),
        ...(key.batchesLeft === null ? [] : [figure('ampersat_executor_batches_left', labels, key.batchesLeft)]),
        figure('ampersat_executor_open_slots', labels, key.openSlots),
        figure('ampersat_executor_paused', labels, key.pausedReason === null ? 0 : 1),
      ];
    }),
    ...transactions.map(({ chain, status, count }) => figure('ampersat_transactions', { chain, status }, count)),
    ...Object.keys(ctx.chains).map((chain) =>
      figure('ampersat_reorgs_total', { chain }, reorgs.find((row) => row.chain === chain)?.count ?? 0),
    ),
  ];
}

function chainFigures(ctx: Ctx): Figure[] {
  return [...ctx.probes.values()].flatMap(({ chain, endpoints, price }) => [
    ...endpoints.flatMap((one, index) => {
      const labels = { chain, endpoint: String(index) };
      return [
        figure('ampersat_rpc_up', labels, one.problem === null ? 1 : 0),
        ...(one.latencyMs === null ? [] : [figure('ampersat_rpc_latency_seconds', labels, one.latencyMs / 1_000)]),
        ...(one.head === null ? [] : [figure('ampersat_rpc_head_block', labels, Number(one.head))]),
        ...(one.headAgeMs === null ? [] : [figure('ampersat_rpc_head_age_seconds', labels, one.headAgeMs / 1_000)]),
      ];
    }),
    ...(price
      ? [
          figure('ampersat_price_stale', { chain }, price.stale === null ? 0 : 1),
          ...(price.micros === null ? [] : [figure('ampersat_price_usd', { chain }, Number(price.micros) / 1e6)]),
          ...(price.ageSeconds === null ? [] : [figure('ampersat_price_age_seconds', { chain }, price.ageSeconds)]),
        ]
      : []),
  ]);
}

/** What a chain's feed ingests: metrics and the overview name each, as they did when each had a checkpoint of its own. */
const FEEDS = ['orders', 'tabs'] as const;

export async function listFeeds(ctx: Ctx): Promise<(Progress & { feed: (typeof FEEDS)[number] })[]> {
  return (await listProgress(ctx)).flatMap((progress) => FEEDS.map((feed) => ({ ...progress, feed })));
}

async function indexerFigures(ctx: Ctx): Promise<Figure[]> {
  return (await listFeeds(ctx)).flatMap(({ chain, feed, behind, done, lateMs }) => [
    figure('ampersat_indexer_behind_blocks', { chain, feed }, Number(behind)),
    figure('ampersat_indexer_late_seconds', { chain, feed }, lateMs / 1_000),
    figure('ampersat_indexer_done_ratio', { chain, feed }, done),
  ]);
}

async function processFigures(ctx: Ctx): Promise<Figure[]> {
  const processes = await listProcesses(ctx);
  return processes.flatMap(({ process, instances, silentMs, startedAt, rssBytes, lagMs }) => [
    figure('ampersat_process_instances', { process }, instances),
    figure('ampersat_process_beat_age_seconds', { process }, silentMs / 1_000),
    figure('ampersat_process_started_seconds', { process }, startedAt.getTime() / 1_000),
    figure('ampersat_process_memory_bytes', { process }, rssBytes),
    figure('ampersat_process_lag_seconds', { process }, lagMs / 1_000),
  ]);
}

async function peopleFigures(ctx: Ctx): Promise<Figure[]> {
  const now = new Date(ctx.clock.now());
  const [sessions, accounts, connections] = await Promise.all([
    ctx.db.session.count({ where: { revokedAt: null, expiresAt: { gt: now } } }),
    ctx.db.handle.count(),
    ctx.db.connection.groupBy({ by: ['platform', 'canSpend'], where: { disconnectedAt: null }, _count: true }),
  ]);
  return [
    figure('ampersat_sessions', {}, sessions),
    figure('ampersat_accounts', {}, accounts),
    ...connections.map(({ platform, canSpend, _count }) =>
      figure('ampersat_connections', { platform, may_spend: canSpend ? 'yes' : 'no' }, _count),
    ),
  ];
}

async function alertFigures(ctx: Ctx): Promise<Figure[]> {
  const open = await ctx.db.alert.groupBy({ by: ['kind'], where: { resolvedAt: null }, _count: true });
  return ALERT_KINDS.map((kind) =>
    figure('ampersat_alerts_active', { kind }, open.find((row) => row.kind === kind)?._count ?? 0),
  );
}
