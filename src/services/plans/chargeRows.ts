// Due subscriptions as a run reads them, page by page, and claims them: each is in one transaction at a time.
import type { Chain } from '../../chain/chain.ts';
import type { DueCharge } from '../../chain/charges.ts';
import type { Ctx } from '../../context.ts';
import { sqlList, sqlPart, sqlRows, type Tx } from '../../db.ts';
import { unitsOf } from './views.ts';

/** A due subscription with what decides about it. */
export type DueRow = DueCharge & {
  id: string;
  planId: string;
  handleId: string | null;
  periodS: number;
  nextChargeAt: Date;
  failingSince: Date | null;
  failureNotices: number;
};

export const DUE_PAGE = 500;
/** What ids are compared with when the page is the first. */
const FIRST = { at: new Date(0), id: '' };

type Place = { at: Date; id: string };
type Found = {
  id: string;
  plan_id: string;
  handle_id: string | null;
  plan_key: string;
  subscriber: string;
  next_charge_at: Date;
  failing_since: Date | null;
  failure_notices: number;
  failure: string | null;
  creator: string;
  units: { toFixed(places: number): string };
  period_s: number;
};

/**
 * Due and to be tried now, the longest due first.
 * @param after the last of the page before
 * @param failingBefore those that have failed since before a time; null for those that have not failed
 */
export async function duePage(
  ctx: Ctx,
  chain: Chain,
  {
    after = FIRST,
    limit = DUE_PAGE,
    failingBefore,
  }: { after?: Place | undefined; limit?: number; failingBefore: Date | null },
): Promise<DueRow[]> {
  const now = new Date(ctx.clock.now());
  const part = failingBefore === null ? sqlPart`s.failing_since is null` : sqlPart`s.failing_since < ${failingBefore}`;
  const rows = await ctx.db.$queryRaw<Found[]>`
    select s.id, s.plan_id, s.plan_key, s.subscriber, s.next_charge_at, s.failing_since, s.failure_notices,
      s.failure, p.creator, p.units, p.period_s, p.handle_id
    from subscription s join plan p on p.id = s.plan_id
    where s.chain = ${chain.name} and s.status = 'active' and s.next_charge_at <= ${now} and s.charge_batch_id is null
      and (s.next_try_at is null or s.next_try_at <= ${now}) and ${part}
      and (s.next_charge_at, s.id) > (${after.at}::timestamptz, ${after.id})
    order by s.next_charge_at, s.id limit ${limit}`;
  return rows.map(dueOf);
}

/** The subscriptions of a batch that is under way. */
export async function batchRows(tx: Tx, batchId: string): Promise<DueRow[]> {
  const rows = await tx.$queryRaw<Found[]>`
    select s.id, s.plan_id, s.plan_key, s.subscriber, s.next_charge_at, s.failing_since, s.failure_notices,
      s.failure, p.creator, p.units, p.period_s, p.handle_id
    from subscription s join plan p on p.id = s.plan_id where s.charge_batch_id = ${batchId} order by s.next_charge_at, s.id`;
  return rows.map(dueOf);
}

function dueOf(row: Found): DueRow {
  return {
    id: row.id,
    planId: row.plan_id,
    handleId: row.handle_id,
    planKey: row.plan_key,
    subscriber: row.subscriber,
    creator: row.creator,
    isDoubtful: row.failure !== null,
    nextChargeAt: row.next_charge_at,
    failingSince: row.failing_since,
    failureNotices: row.failure_notices,
    amount: unitsOf(row.units),
    periodS: row.period_s,
  };
}

/**
 * Ties rows to a batch: those that are in none, and as they were read. What another transaction writes at this moment is left to the next run: waiting
 * for it, while it waits for a row of ours, would end one of the two.
 * @returns their ids
 */
export async function claimRows(tx: Tx, batchId: string, rows: readonly DueRow[]): Promise<Set<string>> {
  const wanted = rows.map(({ id, nextChargeAt }) => ({ id, at: nextChargeAt }));
  // Found by their ids first: a join with the list was planned as a loop over all subscriptions, 200 ms for 200 rows.
  const claimed = await tx.$queryRaw<{ id: string }[]>`
    with held as materialized (
      select s.id, s.next_charge_at from subscription s where s.id in (${sqlList(wanted.map(({ id }) => id))})
        and s.status = 'active' and s.charge_batch_id is null order by s.id for update of s skip locked
    )
    update subscription s set charge_batch_id = ${batchId}
    from held join jsonb_to_recordset(${sqlRows(wanted)}) as w(id text, at timestamptz) on w.id = held.id and w.at = held.next_charge_at
    where s.id = held.id returning s.id`;
  return new Set(claimed.map(({ id }) => id));
}

export async function releaseRows(tx: Tx, batchId: string): Promise<void> {
  await tx.subscription.updateMany({ where: { chargeBatchId: batchId }, data: { chargeBatchId: null } });
}

/** Not tried again before a time. */
export async function postpone(tx: Tx, rows: readonly { id: string; until: Date }[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRaw`
    update subscription s set next_try_at = w.until from jsonb_to_recordset(${sqlRows(rows)}) as w(id text, until timestamptz)
    where s.id = w.id and s.status = 'active'`;
}
