// What the operations page shows: how things are now, and how they were over a while. Everything is read; nothing is changed here.
import type { Ctx } from '../../context.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { formatUnits } from '../../domain/money.ts';
import { type AlertView, listAlerts } from '../alerts.ts';
import { addressUrl } from '../chains.ts';
import { authorsOver } from '../chat/xAuthors.ts';
import { type BudgetView, budgetDays, budgetToday } from '../chat/xBudget.ts';
import { type BridgeView, listBridges } from './bridges.ts';
import { type Health, readHealth } from './health.ts';
import { listProcesses } from './heartbeats.ts';
import { listExecutors, listFeeds, NOT_ACROSS } from './metrics.ts';
import { readSeries, type Series } from './timeSeries.ts';
import { lowestIdAt } from './totals.ts';
import { listWatched, type WatchView } from './watchdogs.ts';
import { readWork } from './work.ts';
import { listResumes, type Resume } from './xResume.ts';

const HOUR_MS = 3_600_000;

export type Overview = {
  at: string;
  health: Health;
  alerts: AlertView[];
  /** Of the last hour. Seconds are null when nothing was paid. */
  hour: {
    settled: number;
    failed: number;
    open: number;
    usd: number;
    receipt_p50: number | null;
    receipt_p99: number | null;
  };
  work: { step: string; subject: string; waiting: number; oldest_seconds: number }[];
  replies: { open: number; oldest_seconds: number; failed_hour: number };
  executors: {
    chain: string;
    chain_label: string;
    address: string;
    balance: string | null;
    symbol: string;
    batches_left: number | null;
    /** Null on chains without nonces. */
    ledger_nonce: number | null;
    chain_nonce: number | null;
    open_slots: number;
    paused_reason: string | null;
    /** Why the contracts do not let it act. */
    power_problem: string | null;
    explorer_url: string | null;
  }[];
  bridges: BridgeView[];
  watchdog: WatchView[];
  chains: {
    chain: string;
    label: string;
    endpoints: {
      number: number;
      problem: string | null;
      latency_ms: number | null;
      head: string | null;
      head_age_seconds: number | null;
    }[];
    /** What the contracts say that stops or changes payments, in words. */
    notes: string[];
    /** Symbol of the native asset, whose price it is. */
    native: string;
    price_usd: string | null;
    price_problem: string | null;
    price_age_seconds: number | null;
    /** How far escrows and orders are indexed. Blocks are decimal strings, `done` is 0 to 1. */
    indexers: { feed: string; block: string; behind: string; done: number; late_seconds: number }[];
  }[];
  /** The budget of X; null where X was never called. Amounts in USD. */
  x: {
    state: BudgetView['state'];
    halted: BudgetView['halted'];
    budget_usd: number;
    spent_usd: number;
    reserved_usd: number;
    requests: number;
    days: { day: string; spent_usd: number; budget_usd: number; requests: number; halted: boolean }[];
    /** What one author may use of the day, and who posts more than that: those posts are not worked on. */
    share_usd: number;
    over: { author_id: string; posts: number; ignored: number; spent_usd: number }[];
    /** When reading went on after a halt, newest first. */
    resumes: Resume[];
  } | null;
  processes: {
    process: string;
    instances: number;
    silent_seconds: number;
    started_at: string;
    memory_bytes: number;
    lag_ms: number;
  }[];
};

export async function readOverview(ctx: Ctx): Promise<Overview> {
  const now = ctx.clock.now();
  const [health, alerts, hour, work, failedHour, executors, processes, x, indexers, bridges, watchdog] =
    await Promise.all([
      readHealth(ctx),
      listAlerts(ctx, { open: true, limit: 50 }),
      lastHour(ctx, now),
      readWork(ctx),
      ctx.db.reply.count({
        where: { id: { gte: lowestIdAt('rpl', new Date(now - HOUR_MS)) }, failure: { not: null } },
      }),
      listExecutors(ctx),
      listProcesses(ctx),
      readX(ctx),
      listFeeds(ctx),
      listBridges(ctx),
      listWatched(ctx),
    ]);
  const replies = work.filter(({ step }) => step === 'replies');
  const seconds = (ms: number | null) => Math.round((ms ?? 0) / 1_000);
  return {
    at: new Date(now).toISOString(),
    health,
    alerts,
    hour,
    work: work.map(({ oldestMs, ...one }) => ({ ...one, oldest_seconds: seconds(oldestMs) })),
    replies: {
      open: replies.reduce((sum, one) => sum + one.waiting, 0),
      oldest_seconds: Math.max(0, ...replies.map((one) => seconds(one.oldestMs))),
      failed_hour: failedHour,
    },
    executors: executors.map((key) => {
      const facts = CHAINS[key.chain as ChainName];
      return {
        chain: key.chain,
        chain_label: facts.label,
        address: key.address,
        balance: key.balance === null ? null : formatUnits(key.balance, facts.nativeDecimals),
        symbol: facts.native,
        batches_left: key.batchesLeft,
        ledger_nonce: facts.family === 'evm' ? key.nextNonce : null,
        chain_nonce: key.chainNonce,
        open_slots: key.openSlots,
        paused_reason: key.pausedReason,
        power_problem: key.powerProblem,
        explorer_url: addressUrl(ctx, key.chain, key.address),
      };
    }),
    bridges,
    watchdog,
    chains: Object.values(ctx.chains).map(({ name, facts }) => {
      const probe = ctx.probes.get(name);
      return {
        chain: name,
        label: facts.label,
        endpoints: (probe?.endpoints ?? []).map((one, number) => ({
          number,
          problem: one.problem,
          latency_ms: one.latencyMs === null ? null : Math.round(one.latencyMs),
          head: one.head === null ? null : String(one.head),
          head_age_seconds: one.headAgeMs === null ? null : seconds(one.headAgeMs),
        })),
        notes: [...Object.values(probe?.contracts?.blocked ?? {}), ...Object.values(probe?.contracts?.changes ?? {})],
        native: facts.native,
        price_usd: probe?.price?.micros ? formatUnits(probe.price.micros, 6) : null,
        price_problem: probe?.price?.stale ?? null,
        price_age_seconds: probe?.price?.ageSeconds ?? null,
        indexers: indexers
          .filter((one) => one.chain === name)
          .map(({ feed, block, behind, done, lateMs }) => ({
            feed,
            block: String(block),
            behind: String(behind),
            done,
            late_seconds: seconds(lateMs),
          })),
      };
    }),
    x,
    processes: processes.map((one) => ({
      process: one.process,
      instances: one.instances,
      silent_seconds: seconds(one.silentMs),
      started_at: one.startedAt.toISOString(),
      memory_bytes: one.rssBytes,
      lag_ms: one.lagMs,
    })),
  };
}

const X_DAYS = 30;
const X_RESUMES = 3;
const X_AUTHORS = 5;

async function readX(ctx: Ctx): Promise<Overview['x']> {
  const [today, days, resumes] = await Promise.all([
    budgetToday(ctx),
    budgetDays(ctx, X_DAYS),
    listResumes(ctx, X_RESUMES),
  ]);
  if (days.length === 0) return null;
  const usd = (micros: bigint) => Number(micros) / 1e6;
  const { share, over } = await authorsOver(ctx, today.budget, X_AUTHORS);
  return {
    state: today.state,
    halted: today.halted,
    budget_usd: usd(today.budget),
    spent_usd: usd(today.spent),
    reserved_usd: usd(today.reserved),
    requests: today.requests,
    days: days.map((one) => ({
      day: one.day,
      spent_usd: usd(one.spent),
      budget_usd: usd(one.budget),
      requests: one.requests,
      halted: one.halted !== null,
    })),
    share_usd: usd(share),
    over: over.map(({ id, spent, ...one }) => ({ author_id: id, ...one, spent_usd: usd(spent) })),
    resumes,
  };
}

async function lastHour(ctx: Ctx, now: number): Promise<Overview['hour']> {
  const since = new Date(now - HOUR_MS);
  const [[legs], [speed]] = await Promise.all([
    ctx.db.$queryRaw<{ settled: number; failed: number; open: number; usd: number | null }[]>`
      select count(*) filter (where status in ('mined', 'settled') and failure is null)::int as settled, count(*) filter (where failure is not null or status = 'failed')::int as failed,
        count(*) filter (where status in ('ready', 'submitted'))::int as open,
        (sum(usd_micros * units / (units + fee_units + bridge_units)) filter (where status = 'settled') / 1e6)::float8 as usd
      from tip where id >= ${lowestIdAt('tip', since)}`,
    ctx.db.$queryRaw<{ quantiles: number[] | null }[]>`
      select percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from r.receipt_sent_at - x.received_at)::float8) as quantiles
      from reply r join intent i on i.id = r.data->>'intentId' join inbox x on x.key = i.inbox_key where r.receipt_sent_at >= ${since} and ${NOT_ACROSS}`,
  ]);
  const [p50, p99] = speed?.quantiles ?? [];
  return {
    settled: legs?.settled ?? 0,
    failed: legs?.failed ?? 0,
    open: legs?.open ?? 0,
    usd: legs?.usd ?? 0,
    receipt_p50: p50 ?? null,
    receipt_p99: p99 ?? null,
  };
}

export type ChartMinutes = 60 | 360 | 1_440 | 10_080;
/** The width of a point, so that every span has a hundred of them or so, and an hour whole minutes. */
const STEP_SECONDS: Record<ChartMinutes, number> = { 60: 60, 360: 180, 1440: 600, 10080: 3_600 };

export type Charts = {
  step_seconds: number;
  from: string;
  to: string;
  /** One row a step in which there was something: `at` is its start in Unix milliseconds. */
  tips: { at: number; settled: number; failed: number }[];
  /** Seconds from a message to its receipt in the chat. */
  receipts: { at: number; p50: number; p99: number }[];
  samples: Series[];
};

/** How it was over the last `minutes`. Tips and receipts are counted from their rows, the rest was written down as it happened. */
export async function readCharts(ctx: Ctx, minutes: ChartMinutes): Promise<Charts> {
  const now = ctx.clock.now();
  const step = STEP_SECONDS[minutes];
  const since = new Date(now - minutes * 60_000);
  const [tips, receipts, samples] = await Promise.all([
    ctx.db.$queryRaw<Charts['tips']>`
      select (floor(extract(epoch from created_at) / ${step}::float8) * ${step}::float8 * 1000)::float8 as at,
        count(*) filter (where failure is null and status <> 'failed')::int as settled, count(*) filter (where failure is not null or status = 'failed')::int as failed
      from tip where id >= ${lowestIdAt('tip', since)} group by 1 order by 1`,
    ctx.db.$queryRaw<{ at: number; quantiles: number[] }[]>`
      select (floor(extract(epoch from r.receipt_sent_at) / ${step}::float8) * ${step}::float8 * 1000)::float8 as at,
        percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from r.receipt_sent_at - x.received_at)::float8) as quantiles
      from reply r join intent i on i.id = r.data->>'intentId' join inbox x on x.key = i.inbox_key
      where r.receipt_sent_at >= ${since} and ${NOT_ACROSS} group by 1 order by 1`,
    readSeries(
      ctx,
      [
        'ampersat_work_oldest_seconds',
        'ampersat_work_waiting',
        'ampersat_executor_balance',
        'ampersat_rpc_latency_seconds',
        'ampersat_process_memory_bytes',
      ],
      since.getTime(),
      step,
    ),
  ]);
  return {
    step_seconds: step,
    from: since.toISOString(),
    to: new Date(now).toISOString(),
    tips,
    receipts: receipts.map(({ at, quantiles: [p50 = 0, p99 = 0] }) => ({ at, p50, p99 })),
    samples,
  };
}
