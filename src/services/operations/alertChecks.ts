// What is looked at every few seconds, and when it is wrong enough for an alert. Rows and the last probes answer; a question that cannot be
// answered now changes nothing.

import type { Ctx, ReadCtx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { formatUnits } from '../../domain/money.ts';
import { BRIDGE_LABELS, type BridgeName } from '../../domain/smartLeg.ts';
import { type Check, type Finding, recordChecks } from '../alerts.ts';
import { budgetToday } from '../chat/xBudget.ts';
import { loginProblem } from '../chat/xLogin.ts';
import { listProgress } from '../indexer/checkpoints.ts';
import { lockKey } from '../locks.ts';
import { listSlowRoutes, listStuckLegs } from '../smart/trouble.ts';
import { countOwnFaults, type OwnFault } from '../webhooks/totals.ts';
import { silentBridges } from './bridges.ts';
import { chainChecks, executorChecks, refusedCheck } from './chainAlerts.ts';
import { listProcesses, SILENT_AFTER_MS } from './heartbeats.ts';
import { waitingTransfers } from './transfers.ts';
import { watchdogChecks } from './watchdogs.ts';
import { readWork, type Step, type Waiting } from './work.ts';

/** Longer than one statement may take: a slow question fails by itself. */
const RECORD_WITHIN_MS = 90_000;
const REORG_LINGER_MS = 10 * 60_000;
/** Transitions that one look for reorgs reads at most; looks come every few seconds. */
const TRANSITIONS = 20_000n;
/** A pending transaction is replaced with a higher fee after a while, so it takes longer than a row that only waits for a process. */
const TRANSACTION_PATIENCE = 5;

/** Everything that the workers look at. */
export async function evaluateAlerts(ctx: Ctx): Promise<void> {
  await record(ctx, [
    executorChecks,
    workChecks,
    reorgCheck,
    processCheck,
    xCheck,
    indexerCheck,
    legChecks,
    transferCheck,
    watchdogChecks,
    async () => [...chainChecks(ctx), ...refusedCheck(ctx), bridgeCheck(ctx)],
  ]);
}

/** What the API looks at as well, because silent workers cannot say that they are silent. */
export async function evaluateProcesses(ctx: Ctx): Promise<void> {
  await record(ctx, [processCheck]);
}

type Question = (ctx: ReadCtx) => Promise<Check[]>;

/** One process asks at a time: what was counted since the last look must not be counted by two. */
async function record(ctx: Ctx, questions: readonly Question[]): Promise<void> {
  const work = async (tx: Tx) => {
    await lockKey(tx, 'alert checks');
    const checks = await askAll({ ...ctx, db: tx }, questions);
    if (checks.length > 0) await recordChecks(ctx, tx, checks);
  };
  await ctx.db.$transaction(work, { timeout: RECORD_WITHIN_MS });
}

/** One question after the other in one transaction. A question that fails leaves the answers of the others. */
async function askAll(ctx: ReadCtx, questions: readonly Question[]): Promise<Check[]> {
  const checks: Check[] = [];
  for (const ask of questions) {
    await ctx.db.$executeRaw`savepoint question`;
    try {
      checks.push(...(await ask(ctx)));
      await ctx.db.$executeRaw`release savepoint question`;
    } catch (err) {
      await ctx.db.$executeRaw`rollback to savepoint question`;
      ctx.log.warn({ err }, 'a check for alerts could not be made');
    }
  }
  return checks;
}

const STEP_WORDS: Record<Exclude<Step, 'deliveries' | 'confirmations'>, string> = {
  inbox: 'messages that are not processed',
  intents: 'commands without a plan',
  legs: 'payments that are not signed',
  transactions: 'transactions that are in no block',
  replies: 'replies that the chat does not show',
  outbox: 'jobs that are in no queue',
  pauses: 'pauses that are not on the chain',
  claims: 'claims of tabs that are not attested or not sent',
  payments: 'payments of orders that are not sent',
  charges: 'subscriptions that are due and not charged',
  trials: 'trials that are over and not started',
  grants: 'grants that are queued and not sent',
};

async function workChecks(ctx: ReadCtx): Promise<Check[]> {
  const work = await readWork(ctx);
  return [
    jamCheck(ctx, work),
    { kind: 'webhooks_behind', found: [...lateWebhooks(ctx, work), ...(await ownFaults(ctx))] },
  ];
}

function jamCheck(ctx: ReadCtx, work: Waiting[]): Check {
  const found = work.flatMap(({ step, subject, waiting, oldestMs }) => {
    const patience =
      step === 'transactions' || step === 'pauses' || step === 'claims' || step === 'charges'
        ? TRANSACTION_PATIENCE
        : 1;
    // Webhooks have an alert of their own. How long a block stays unconfirmed is the chain's affair; a chain that stands still is seen at its
    // endpoints.
    if (step === 'deliveries' || step === 'confirmations') return [];
    if ((oldestMs ?? 0) <= ctx.env.ALERT_JAM_SECONDS * 1_000 * patience) return [];
    const age = Math.round((oldestMs ?? 0) / 1_000);
    const message = `${waiting} ${STEP_WORDS[step]} (${subject}); the oldest waits for ${age} s.`;
    return [{ subject: `${step} ${subject}`, message, detail: { waiting, oldest_seconds: age } }];
  });
  return { kind: 'queue_jam', found };
}

/** Webhooks that wait for us: what waits for a merchant's own endpoint is the merchant's to mend. */
function lateWebhooks(ctx: ReadCtx, work: Waiting[]): Finding[] {
  return work.flatMap(({ step, subject, waiting, oldestMs }) => {
    if (step !== 'deliveries' || subject !== 'healthy') return [];
    if ((oldestMs ?? 0) <= ctx.env.ALERT_JAM_SECONDS * 1_000) return [];
    const age = Math.round((oldestMs ?? 0) / 1_000);
    const message = `${waiting} webhooks wait although their endpoints are well; the oldest for ${age} s.`;
    return [{ subject: 'late', message, detail: { waiting, oldest_seconds: age } }];
  });
}

/** Attempts that failed before they reached a receiver. */
async function ownFaults(ctx: ReadCtx): Promise<Finding[]> {
  const failed = await countOwnFaults(ctx, ctx.env.ALERT_JAM_SECONDS * 1_000);
  return Object.entries(OWN_FAULTS).flatMap(([failure, words]) => {
    const count = failed.get(failure as OwnFault) ?? 0;
    return count === 0 ? [] : [{ subject: failure, message: `${count} webhooks ${words}`, detail: { count } }];
  });
}

const OWN_FAULTS: Record<OwnFault, string> = {
  proxy: 'could not leave through WEBHOOK_PROXY.',
  secret_unreadable: 'could not be signed: the secrets of their endpoints were sealed under another WEBHOOK_KEY.',
};

type ReorgRow = { chain: string; last: bigint; count: number; deep: boolean };

/** Counts what the watcher noted since the last time, chain by chain; the rows of these alerts together are the count since ever. */
async function reorgCheck(ctx: ReadCtx): Promise<Check[]> {
  const rows = await ctx.db.$queryRaw<ReorgRow[]>`
    select o.chain, max(t.id) as last, count(*)::int as count, bool_or(t.action = 'reopen') as deep
    from transition t join outgoing_tx o on o.id = t.resource_id
    where t.id > greatest(
        (select coalesce(max(id), 0) - ${TRANSITIONS} from transition),
        (select coalesce(max((detail->>'last')::bigint), 0) from alert where kind = 'reorg'))
      and t.resource = 'outgoing_tx' and t.action in ('unmine', 'reopen')
    group by o.chain`;
  const open = await ctx.db.alert.findMany({ where: { kind: 'reorg', resolvedAt: null } });
  const found = rows.map(({ chain, last, count, deep }) => {
    const before = open.find((row) => row.subject === chain)?.detail as { count?: number } | undefined;
    const total = count + (before?.count ?? 0);
    const message = `${CHAINS[chain as ChainName].label} took ${total} of our transactions out of ${deep ? 'final blocks' : 'their blocks'}.`;
    return { subject: chain, message, detail: { count: total, last: String(last) } };
  });
  return [{ kind: 'reorg', found, lingerMs: REORG_LINGER_MS }];
}

/** A feed that has not had the newest final block for long: the workers, the endpoints, or two of them that disagree. */
async function indexerCheck(ctx: ReadCtx): Promise<Check[]> {
  const patienceMs = ctx.env.ALERT_JAM_SECONDS * 1_000 * TRANSACTION_PATIENCE;
  const late = (await listProgress(ctx)).filter(({ lateMs }) => lateMs > patienceMs);
  const found = late.map(({ chain, block, behind, lateMs }) => ({
    // One alert a chain, under the name of what waits for it most urgently.
    subject: `${chain} orders`,
    message: `${CHAINS[chain].label}: orders and tabs are read up to block ${block}, ${behind} final blocks are left, for ${Math.round(lateMs / 1_000)} s.`,
  }));
  return [{ kind: 'indexer_behind', found }];
}

function bridgeCheck(ctx: ReadCtx): Check {
  const found = silentBridges(ctx).map(({ name, problem }) => ({
    subject: name,
    message: `${BRIDGE_LABELS[name]} ${problem}.`,
  }));
  return { kind: 'bridge_away', found };
}

/** Smart payments whose money is on its way for too long, or lost by its bridge. */
async function legChecks(ctx: ReadCtx): Promise<Check[]> {
  const [slow, stuck] = await Promise.all([listSlowRoutes(ctx), listStuckLegs(ctx)]);
  const label = (name: string) => CHAINS[name as ChainName].label;
  return [
    {
      kind: 'filler_silent',
      found: slow.map(({ via, origin, destination, count, oldestMs }) => ({
        subject: `${via} ${origin} ${destination}`,
        message: `${count === 1 ? '1 payment' : `${count} payments`} from ${label(origin)} to ${label(destination)} over ${BRIDGE_LABELS[via]} ${count === 1 ? 'waits' : 'wait'}; the oldest for ${Math.round(oldestMs / 60_000)} minutes.`,
        detail: { count },
      })),
    },
    {
      kind: 'leg_stuck',
      found: stuck.map(({ id, paymentId, via, requestId, chain, hasFailed }) => ({
        subject: id,
        message: `Part ${id} of ${paymentId}, from ${label(chain)} over ${BRIDGE_LABELS[via as BridgeName]}, request ${requestId}: ${hasFailed ? 'the bridge reports a failure' : 'it neither arrived nor came back'}.`,
      })),
    },
  ];
}

/** Money in the treasury that an operator has to look at. */
async function transferCheck(ctx: ReadCtx): Promise<Check[]> {
  const found = (await waitingTransfers(ctx)).map(({ chain, kind, count, amount, failure }) => {
    const what = count === 1 ? '1 transfer' : `${count} transfers`;
    const why = kind === 'unmatched' ? 'named no order' : `could not be passed on: ${failure}`;
    return {
      subject: `${chain} ${kind}`,
      message: `${CHAINS[chain].label}: ${what} of ${amount} USDC to the treasury ${why}`.replace(/\.?$/, '.'),
      detail: { count },
    };
  });
  return [{ kind: 'transfer_waits', found }];
}

/** Whether X is read today, and whether the bot can still log in there. Where there is no X, nothing is found. */
async function xCheck(ctx: ReadCtx): Promise<Check[]> {
  const { day, halted, spent, budget } = await budgetToday(ctx);
  const inUsd = (micros: bigint) => formatUnits(micros, 6);
  const why =
    halted === 'credits'
      ? `X has no credit for us; ${inUsd(spent)} USD were spent on ${day}.`
      : `${inUsd(spent)} of ${inUsd(budget)} USD were spent on ${day}.`;
  const problem = await loginProblem(ctx);
  return [
    { kind: 'x_halted', found: halted === null ? [] : [{ subject: day, message: why }] },
    { kind: 'x_login', found: problem === null ? [] : [{ subject: 'x', message: problem }] },
  ];
}

async function processCheck(ctx: ReadCtx): Promise<Check[]> {
  const processes = await listProcesses(ctx);
  const found = processes
    .filter(({ silentMs }) => silentMs > SILENT_AFTER_MS)
    .map(({ process, silentMs }) => ({
      subject: process,
      message: `The ${process} process has sent no heartbeat for ${Math.round(silentMs / 1_000)} s.`,
    }));
  return [{ kind: 'process_silent', found }];
}
