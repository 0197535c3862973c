// A charge run: finds what is due, asks the chain what can be charged, sends that in batches as large as there is room for, and waits for their blocks.
import type { Chain } from '../../chain/chain.ts';
import { type ChargeOutcome, chargeStates, judgeCharges, planCharges } from '../../chain/charges.ts';
import { type Ctx, newId } from '../../context.ts';
import type { ChainName } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import type { ChargeFailure } from '../../domain/subscription.ts';
import { runShared } from '../exclusiveRuns.ts';
import { queueCall } from '../outgoing/queue.ts';
import { batchSize } from './batchSize.ts';
import type { Outcomes } from './chargeKind.ts';
import { claimRows, DUE_PAGE, type DueRow, duePage, postpone } from './chargeRows.ts';
import { type FailedRow, recordFailures } from './dunning.ts';
import { haltLapsed } from './lapses.ts';
import { minedBatches } from './minedBatches.ts';

/** `subscription` is null for what is about the run as a whole. */
export type ChargeError = {
  subscription: string | null;
  code: ChargeFailure | 'more_due' | 'router_paused';
  message: string;
};
/** The interface's charge run result. `scanned` is the sum of the three counts behind it. */
export type ChargeRun = {
  chain: ChainName;
  scanned: number;
  charged: number;
  skippedEarly: number;
  skippedFailed: number;
  errors: ChargeError[];
};

/** A run queues for this long; the next run goes on. */
const SENDING_MS = 60_000;
/** Then it waits for blocks; what is in none by then is followed all the same. */
const MINED_WITHIN_MS = 45_000;
/** Charges of one transaction: more would make it wait for room in a block. */
const MOST_CHARGES = 150;
/** Failures of one transaction: each may have a notice. */
const FAILURES_AT_ONCE = 50;
/** What is not due on the chain is looked at again after this, unless the chain says when. */
const EARLY_MS = 3_600_000;
/** What is due by our clock is due in a block soon. */
const BLOCK_MS = 15_000;

/**
 * One run on a chain, at most one at a time: a call during a run waits for that one and answers with its result.
 * @throws AppError `unsupported_chain` for a chain that is not served here, `provider_unavailable`
 */
export async function runCharges(ctx: Ctx, name: ChainName, timing: Timing = {}): Promise<ChargeRun> {
  const chain = ctx.chains[name];
  if (!chain) throw new AppError('unsupported_chain', undefined, { param: 'chain' });
  return runShared(ctx, `charge:${name}`, () => chargeDue(ctx, chain, timing));
}

/** For tests: how long a run sends and waits. */
type Timing = { sendingMs?: number; minedWithinMs?: number; page?: number };

async function chargeDue(
  ctx: Ctx,
  chain: Chain,
  { sendingMs = SENDING_MS, minedWithinMs = MINED_WITHIN_MS, page: pageSize = DUE_PAGE }: Timing,
): Promise<ChargeRun> {
  const until = performance.now() + sendingMs;
  const run: ChargeRun = {
    chain: chain.name,
    scanned: 0,
    charged: 0,
    skippedEarly: 0,
    skippedFailed: 0,
    errors: [],
  };
  await haltLapsed(ctx, chain);
  const batches: QueuedBatch[] = [];
  let last: DueRow | undefined;
  // Those that fail come last: however many they are, the others are charged.
  let isFailing = false;
  const since = new Date(ctx.clock.now());
  for (;;) {
    const after = last && { at: last.nextChargeAt, id: last.id };
    const page = await duePage(ctx, chain, { after, limit: pageSize, failingBefore: isFailing ? since : null });
    last = page.at(-1);
    if (!last && !isFailing) {
      isFailing = true;
      continue;
    }
    if (!last) break;
    if (performance.now() >= until || ctx.shutdown.closing()) {
      run.errors.push({ subscription: null, code: 'more_due', message: 'More charges are due. Run it again.' });
      break;
    }
    const { payable, failed, early, isPaused } = await judge(chain, page);
    if (isPaused) {
      const message = `Subscriptions are paused on ${chain.facts.label}, so nothing was charged.`;
      run.errors.push({ subscription: null, code: 'router_paused', message });
      break;
    }
    run.scanned += page.length;
    await settleEarly(ctx, chain, early);
    run.skippedEarly += early.length;
    for (let at = 0; at < failed.length; at += FAILURES_AT_ONCE)
      await ctx.db.$transaction((tx) => recordFailures(ctx, tx, chain, failed.slice(at, at + FAILURES_AT_ONCE)));
    for (const { row, code } of failed) addFailure(run, row.id, code);
    const queued = await queueBatches(ctx, chain, payable);
    batches.push(...queued);
    // What is in a transaction of another run by now is not this run's to charge.
    run.skippedEarly += payable.length - queued.reduce((sum, { rows }) => sum + rows.length, 0);
    await ctx.queues.flush(ctx.db);
  }
  await ctx.queues.flush(ctx.db);
  await collect(ctx, run, batches, minedWithinMs);
  return run;
}

type Judged = { payable: DueRow[]; failed: FailedRow[]; early: DueRow[]; isPaused: boolean };

async function judge(chain: Chain, page: DueRow[]): Promise<Judged> {
  const verdicts = await judgeCharges(chain, page);
  const judged: Judged = { payable: [], failed: [], early: [], isPaused: false };
  for (const [index, row] of page.entries()) {
    const verdict = verdicts[index];
    if (verdict?.kind === 'payable') judged.payable.push(row);
    else if (verdict?.kind === 'failed') judged.failed.push({ row, code: verdict.code });
    else if (verdict?.kind === 'paused') judged.isPaused = true;
    else judged.early.push(row);
  }
  return judged;
}

/** What the chain says is not due: it is looked at when the chain says so, unless the feed has the reason by then. */
async function settleEarly(ctx: Ctx, chain: Chain, early: readonly DueRow[]): Promise<void> {
  if (early.length === 0) return;
  const states = await chargeStates(chain, early);
  const now = ctx.clock.now();
  const rows = early.map(({ id }, index) => {
    const { state, nextChargeAt = 0n } = states[index] ?? {};
    const at = Number(nextChargeAt) * 1_000;
    const isActive = state === 'active';
    // The chain's newest block is a moment behind our clock, and none of what it says here is final.
    const wait = isActive && at <= now ? BLOCK_MS : Math.min(isActive ? at - now : EARLY_MS, EARLY_MS);
    return { id, until: new Date(now + wait) };
  });
  await ctx.db.$transaction((tx) => postpone(tx, rows));
}

type QueuedBatch = { id: string; rows: DueRow[] };

/** Splits payable charges into transactions, and queues each with the rows that it has claimed. */
async function queueBatches(ctx: Ctx, chain: Chain, payable: readonly DueRow[]): Promise<QueuedBatch[]> {
  const queued: QueuedBatch[] = [];
  if (payable.length === 0) return queued;
  const sizeFor = (gas: bigint, gasFor: (count: number) => bigint) => batchSize(gas, MOST_CHARGES, gasFor);
  const { packs, callOf } = await planCharges(chain, payable, sizeFor);
  for (const rows of packs) {
    const id = newId(ctx, 'cbt');
    const claimed = await ctx.db.$transaction(async (tx) => {
      const ids = await claimRows(tx, id, rows);
      const mine = rows.filter((row) => ids.has(row.id));
      if (mine.length === 0) return mine;
      const createdAt = new Date(ctx.clock.now());
      await tx.chargeBatch.create({
        data: { id, chain: chain.name, status: 'open', size: mine.length, createdAt },
      });
      await queueCall(ctx, tx, chain.name, { kind: 'charge', subjectId: id, ...callOf(mine) });
      return mine;
    });
    if (claimed.length > 0) queued.push({ id, rows: claimed });
  }
  return queued;
}

const FAILURE_WORDS: Record<ChargeFailure, string> = {
  insufficient_balance: 'The subscriber’s balance is too low.',
  insufficient_allowance: 'The subscriber’s allowance is too low.',
  plan_inactive: 'The plan is inactive.',
  token_refused: 'The token refused the transfer.',
  not_mined: 'The charge is in no block yet. It is followed, and not sent again.',
};

const UNDONE_WORDS = 'Another charge in its transaction failed, so none was made. It is sent again with the next run.';

function addFailure(run: ChargeRun, subscription: string, outcome: Exclude<ChargeOutcome, 'charged' | 'early'>): void {
  run.skippedFailed += 1;
  const [code, message] =
    outcome === 'undone' ? (['not_mined', UNDONE_WORDS] as const) : ([outcome, FAILURE_WORDS[outcome]] as const);
  run.errors.push({ subscription, code, message });
}

/** Adds what blocks say about the batches of this run. */
async function collect(ctx: Ctx, run: ChargeRun, batches: readonly QueuedBatch[], withinMs: number): Promise<void> {
  const ids = batches.map(({ id }) => id);
  const read = () => ctx.db.chargeBatch.findMany({ where: { id: { in: ids } } });
  const mined = await minedBatches(ctx, ids, read, withinMs);
  const outcomesOf = new Map(mined.map(({ id, outcomes }) => [id, outcomes as Outcomes | null]));
  for (const { id, rows } of batches) {
    for (const row of rows) {
      const outcome = outcomesOf.get(id)?.[row.id] ?? 'not_mined';
      if (outcome === 'charged') run.charged += 1;
      else if (outcome === 'early') run.skippedEarly += 1;
      else addFailure(run, row.id, outcome);
    }
  }
}

/** The schedule: a failing subscription is tried again at this pace in its first day. */
const HOUR_MS = 3_600_000;

/**
 * Runs when something is due and the last run of the chain began an hour ago, or something became due since: nothing waits for the hour, and what
 * failed is not tried every ten seconds.
 * @returns 0 when there was nothing to do
 */
export async function chargeHourly(ctx: Ctx, chain: Chain): Promise<number> {
  const now = new Date(ctx.clock.now());
  const [due] = await ctx.db.$queryRaw<{ due: boolean }[]>`
    select exists (
      select 1 from subscription where chain = ${chain.name} and status = 'active' and next_charge_at <= ${now} and charge_batch_id is null
        and (next_try_at is null or next_try_at <= ${now})
        and (failure is null or next_try_at is not null or not exists (
          select 1 from cron_run where task = ${`charge:${chain.name}`} and ended_at > ${new Date(now.getTime() - HOUR_MS)}))
    ) as due`;
  if (!due?.due) return 0;
  const { charged, errors } = await runCharges(ctx, chain.name);
  return charged + Number(errors.some(({ code }) => code === 'more_due'));
}
