// Subscriptions as the chain has them: the events of a batch are folded into rows, with what each step publishes.
import type { Chain } from '../../chain/chain.ts';
import { placesOf } from '../../chain/planEvents.ts';
import { type Ctx, newId } from '../../context.ts';
import { sqlRows, type Tx } from '../../db.ts';
import type { SubscriptionAction, SubscriptionStatus } from '../../domain/subscription.ts';
import {
  type Folded,
  foldSubscriptionLogs,
  type HaltReason,
  type SubscriptionLog,
} from '../../domain/subscriptionLog.ts';
import { type Transition, transition } from '../transitions.ts';
import type { PlanLog } from './indexing.ts';
import { notifySteps, publish } from './subscriptionEvents.ts';
import { columnsOf, type Fold, PAID, type Pair } from './subscriptionRows.ts';
import { type Plan, type Subscription, unitsOf } from './views.ts';

const keyOf = ({ planKey, subscriber }: Pair) => `${planKey} ${subscriber}`;

/** @param fresh events that were not ingested before; those of plans are left alone */
export async function mirrorSubscriptions(ctx: Ctx, tx: Tx, chain: Chain, fresh: readonly PlanLog[]): Promise<void> {
  const logs = new Map<string, { pair: Pair; logs: SubscriptionLog[] }>();
  for (const log of fresh) {
    if (!('subscriber' in log)) continue;
    const key = keyOf(log);
    const known = logs.get(key) ?? { pair: { planKey: log.planKey, subscriber: log.subscriber }, logs: [] };
    known.logs.push(domainLog(log));
    logs.set(key, known);
  }
  if (logs.size === 0) return;
  const pairs = [...logs.values()].map(({ pair }) => pair);
  const [plans, newest] = [await plansOf(tx, chain, pairs), await newestOf(tx, chain, pairs)];
  const reverted = await revertedPairs(tx, chain, pairs);
  const stored = await countLogs(
    tx,
    chain,
    pairs.filter((pair) => !newest.has(keyOf(pair))),
  );
  const folds: Fold[] = [];
  const outOfOrder: Pair[] = [];
  for (const [key, { pair, logs: own }] of logs) {
    const plan = plans.get(pair.planKey);
    if (!plan) {
      ctx.log.info({ chain: chain.name, ...pair }, 'an event of a subscription to a plan that we do not know');
      continue;
    }
    const row = newest.get(key) ?? null;
    const [first] = own;
    const isLate = row ? first && first.block <= row.block : (stored.get(key) ?? 0) > own.length;
    // One that a reorg took comes again with its own row.
    if (isLate || reverted.has(key)) {
      outOfOrder.push(pair);
      continue;
    }
    const folded = foldSubscriptionLogs(own, plan.periodS, row && foldedOf(row), placesOf(chain));
    const rows = folded.subscriptions.map((_, index) => (index === 0 ? row : null));
    folds.push({ plan, pair, ...folded, rows });
  }
  await write(ctx, tx, chain, folds);
  await refoldSubscriptions(ctx, tx, chain, outOfOrder);
}

/** Folds all events of pairs again: after a reorg, and where an older event came later. What was published once is not published again. */
export async function refoldSubscriptions(ctx: Ctx, tx: Tx, chain: Chain, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  const plans = await plansOf(tx, chain, pairs);
  const folds: Fold[] = [];
  for (const pair of pairs) {
    const plan = plans.get(pair.planKey);
    if (!plan) continue;
    const where = { chain: chain.name, planKey: pair.planKey, subscriber: pair.subscriber };
    const stored = await tx.subscriptionLog.findMany({ where, orderBy: [{ block: 'asc' }, { logIndex: 'asc' }] });
    const logs = stored.map((log): SubscriptionLog => {
      const { kind, block, logIndex, txHash, at, nextChargeAt, by } = log;
      const money = { units: unitsOf(log.units), feeUnits: unitsOf(log.feeUnits) };
      return { kind: kind as SubscriptionLog['kind'], block, logIndex, txHash, at, ...money, nextChargeAt, by };
    });
    const folded = foldSubscriptionLogs(logs, plan.periodS, null, placesOf(chain));
    const known = await tx.subscription.findMany({ where });
    const rowOf = (hash: string) => known.find(({ startTxHash }) => startTxHash === hash) ?? null;
    const rows = folded.subscriptions.map(({ startTxHash }) => rowOf(startTxHash));
    // A lapse that our clock noted has no event to fold.
    const subscriptions = folded.subscriptions.map((one, index) => keepLapse(one, rows[index] ?? null));
    folds.push({ plan, pair, ...folded, subscriptions, rows });
    const gone = known.filter((row) => row.status !== 'reverted' && !rows.includes(row));
    await transition(
      ctx,
      tx,
      'subscription',
      gone.map(({ id }) => ({ id, action: 'revert' })),
    );
  }
  await write(ctx, tx, chain, folds);
}

function keepLapse(folded: Folded, row: Subscription | null): Folded {
  if (folded.status !== 'active' || row?.haltReason !== 'lapsed') return folded;
  if (row.nextChargeAt.getTime() !== folded.nextChargeAt.getTime()) return folded;
  return { ...folded, status: 'halted', endedAt: row.endedAt, haltReason: 'lapsed' };
}

type NewSubscription = ReturnType<typeof columnsOf> &
  Pick<Subscription, 'id' | 'chain' | 'planId' | 'planKey' | 'subscriber' | 'startTxHash' | 'startedAt' | 'status'>;

/** Writes folded subscriptions, the numbers of their charges, and their events. */
async function write(ctx: Ctx, tx: Tx, chain: Chain, folds: readonly Fold[]): Promise<void> {
  if (folds.length === 0) return;
  const moves: Transition<'subscription'>[] = [];
  const created: NewSubscription[] = [];
  const ended: { id: string; data: ReturnType<typeof columnsOf> }[] = [];
  const idsOf = new Map<Fold, string[]>();
  for (const fold of folds) {
    const ids = fold.subscriptions.map((folded, index) => {
      const row = fold.rows[index] ?? null;
      const id = row?.id ?? newId(ctx, 'sub');
      const patch = { ...columnsOf(folded), ...(row?.chargesPaid === folded.chargesPaid ? {} : PAID) };
      if (row === null)
        created.push({
          id,
          chain: chain.name,
          planId: fold.plan.id,
          ...fold.pair,
          startTxHash: folded.startTxHash,
          startedAt: folded.startedAt,
          status: 'active',
          ...columnsOf(folded),
        });
      const path = pathTo((row?.status ?? 'active') as SubscriptionStatus, folded.status);
      const [last] = path.slice(-1);
      const [through] = path.slice(0, -1);
      if (last) moves.push({ id, action: last, ...(through ? { through } : {}), patch });
      else ended.push({ id, data: columnsOf(folded) });
      return id;
    });
    idsOf.set(fold, ids);
  }
  if (created.length > 0) await tx.subscription.createMany({ data: created });
  await transition(ctx, tx, 'subscription', moves);
  // An older event of one that has ended: its status stays.
  for (const { id, data } of ended) await tx.subscription.update({ where: { id }, data });
  await numberCharges(tx, chain, folds, idsOf);
  await publish(ctx, tx, folds, idsOf);
  await notifySteps(ctx, tx, folds, idsOf);
}

/** The actions that lead from one status to another, of which the last carries the columns. */
function pathTo(from: SubscriptionStatus, to: Folded['status']): SubscriptionAction[] {
  const end: SubscriptionAction = to === 'cancelled' ? 'cancel' : to === 'halted' ? 'halt' : 'charge';
  switch (from) {
    case 'active':
      return [end];
    case 'reverted':
      return to === 'active' ? ['restore'] : ['restore', end];
    case 'cancelled':
    case 'halted':
      if (from === to) return [];
      if (from === 'halted' && to === 'cancelled') return ['cancel'];
      return to === 'active' ? ['reopen'] : ['reopen', end];
  }
}

function foldedOf(row: Subscription): Folded {
  return {
    status: row.status as Folded['status'],
    startTxHash: row.startTxHash,
    startedAt: row.startedAt,
    lastChargedAt: row.lastChargedAt,
    nextChargeAt: row.nextChargeAt,
    chargesPaid: row.chargesPaid,
    paidUnits: unitsOf(row.paidUnits),
    feeUnits: unitsOf(row.feeUnits),
    endedAt: row.endedAt,
    endedBy: row.endedBy,
    haltReason: row.haltReason as HaltReason | null,
    endTxHash: row.endTxHash,
    block: row.block,
    logIndex: row.logIndex,
  };
}

function domainLog(log: Extract<PlanLog, { subscriber: string }>): SubscriptionLog {
  const { kind, block, logIndex, txHash, at } = log;
  const charged = log.kind === 'charged' ? log : null;
  return {
    kind,
    block,
    logIndex,
    txHash,
    at,
    units: charged?.amount ?? 0n,
    feeUnits: charged?.fee ?? 0n,
    nextChargeAt: 'nextChargeAt' in log ? new Date(Number(log.nextChargeAt) * 1_000) : null,
    by: 'by' in log ? log.by : null,
  };
}

async function plansOf(tx: Tx, chain: Chain, pairs: readonly Pair[]): Promise<Map<string, Plan>> {
  const keys = [...new Set(pairs.map(({ planKey }) => planKey))];
  const rows = await tx.plan.findMany({ where: { chain: chain.name, planKey: { in: keys } } });
  return new Map(rows.map((row) => [row.planKey, row]));
}

/** The newest subscription of each pair. */
async function newestOf(tx: Tx, chain: Chain, pairs: readonly Pair[]): Promise<Map<string, Subscription>> {
  const found = await tx.$queryRaw<{ id: string }[]>`
    select distinct on (s.plan_key, s.subscriber) s.id from subscription s
    join jsonb_to_recordset(${sqlRows(pairs)}) as p("planKey" text, subscriber text)
      on s.plan_key = p."planKey" and s.subscriber = p.subscriber
    where s.chain = ${chain.name} and s.status <> 'reverted'
    order by s.plan_key, s.subscriber, s.started_at desc, s.block desc, s.log_index desc`;
  const rows = await tx.subscription.findMany({ where: { id: { in: found.map(({ id }) => id) } } });
  return new Map(rows.map((row) => [keyOf(row), row]));
}

async function revertedPairs(tx: Tx, chain: Chain, pairs: readonly Pair[]): Promise<Set<string>> {
  const rows = await tx.subscription.findMany({
    where: {
      chain: chain.name,
      status: 'reverted',
      planKey: { in: [...new Set(pairs.map(({ planKey }) => planKey))] },
      subscriber: { in: [...new Set(pairs.map(({ subscriber }) => subscriber))] },
    },
    select: { planKey: true, subscriber: true },
  });
  return new Set(rows.map(keyOf));
}

/** Events of each pair, the new ones included: those without a start before them are in no row. */
async function countLogs(tx: Tx, chain: Chain, pairs: readonly Pair[]): Promise<Map<string, number>> {
  if (pairs.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ plan_key: string; subscriber: string; count: number }[]>`
    select l.plan_key, l.subscriber, count(*)::int as count from subscription_log l
    join jsonb_to_recordset(${sqlRows(pairs)}) as p("planKey" text, subscriber text)
      on l.plan_key = p."planKey" and l.subscriber = p.subscriber
    where l.chain = ${chain.name} group by l.plan_key, l.subscriber`;
  return new Map(rows.map((row) => [keyOf({ planKey: row.plan_key, subscriber: row.subscriber }), row.count]));
}

async function numberCharges(
  tx: Tx,
  chain: Chain,
  folds: readonly Fold[],
  idsOf: ReadonlyMap<Fold, string[]>,
): Promise<void> {
  const rows = folds.flatMap((fold) =>
    fold.steps
      .filter(({ kind }) => kind === 'charged')
      .map(({ index, after, log }) => ({
        tx_hash: log.txHash,
        log_index: log.logIndex,
        subscription_id: idsOf.get(fold)?.[index],
        number: after.chargesPaid,
      })),
  );
  if (rows.length === 0) return;
  await tx.$executeRaw`
    update subscription_log l set subscription_id = n.subscription_id, number = n.number
    from jsonb_to_recordset(${sqlRows(rows)}) as n(tx_hash text, log_index int, subscription_id text, number int)
    where l.chain = ${chain.name} and l.tx_hash = n.tx_hash and l.log_index = n.log_index`;
}
