// The events of plans and subscriptions become rows, also those of transactions that were sent without us. An event may be ingested any number of times, and out of order.
import type { Chain } from '../../chain/chain.ts';
import type { PlanEntry } from '../../chain/planEvents.ts';
import type { Ctx } from '../../context.ts';
import { sqlRows, type Tx } from '../../db.ts';
import { lockKey } from '../locks.ts';
import { mirrorPlans, revertPlans } from './planMirror.ts';
import { mirrorSubscriptions, refoldSubscriptions } from './subscriptionMirror.ts';

/** An entry with the time of its block. */
export type PlanLog = PlanEntry & { at: Date };

/** In the transaction that saves the checkpoint, or with a transaction that was proven final. */
export async function applyPlanLogs(ctx: Ctx, tx: Tx, chain: Chain, logs: readonly PlanLog[]): Promise<void> {
  if (logs.length === 0) return;
  await lockMirror(tx, chain);
  const fresh = await insertLogs(tx, chain, logs);
  if (fresh.length === 0) return;
  await mirrorPlans(ctx, tx, chain, fresh);
  await mirrorSubscriptions(ctx, tx, chain, fresh);
}

/** Takes back what blocks above one had. What the chain includes again is ingested again. */
export async function revertPlanLogs(ctx: Ctx, tx: Tx, chain: Chain, block: bigint): Promise<void> {
  await lockMirror(tx, chain);
  const gone = await tx.$queryRaw<{ plan_key: string; subscriber: string }[]>`
    with gone as (delete from subscription_log where chain = ${chain.name} and block > ${block} returning plan_key, subscriber)
    select distinct plan_key, subscriber from gone`;
  const isPlan = ({ subscriber }: { subscriber: string }) => subscriber === '';
  await refoldSubscriptions(
    ctx,
    tx,
    chain,
    gone.filter((one) => !isPlan(one)).map((one) => ({ planKey: one.plan_key, subscriber: one.subscriber })),
  );
  await revertPlans(
    ctx,
    tx,
    chain,
    gone.filter(isPlan).map(({ plan_key }) => plan_key),
  );
}

/** The feed and a proven transaction may come at once: each sees what the other wrote. */
function lockMirror(tx: Tx, chain: Chain): Promise<void> {
  return lockKey(tx, `plans:${chain.name}`);
}

/** @returns those that were not there */
async function insertLogs(tx: Tx, chain: Chain, logs: readonly PlanLog[]): Promise<PlanLog[]> {
  const rows = logs.map((log) => ({
    tx_hash: log.txHash,
    log_index: log.logIndex,
    block: log.block,
    at: log.at,
    plan_key: log.planKey,
    subscriber: 'subscriber' in log ? log.subscriber : '',
    kind: log.kind,
    units: log.kind === 'charged' ? log.amount : 0n,
    fee_units: log.kind === 'charged' ? log.fee : 0n,
    next_charge_at: 'nextChargeAt' in log ? new Date(Number(log.nextChargeAt) * 1_000) : null,
    by: 'by' in log ? log.by : null,
  }));
  const inserted = await tx.$queryRaw<{ tx_hash: string; log_index: number }[]>`
    insert into subscription_log (chain, tx_hash, log_index, block, at, plan_key, subscriber, kind, units, fee_units, next_charge_at, by)
    select ${chain.name}, tx_hash, log_index, block, at, plan_key, subscriber, kind, units, fee_units, next_charge_at, by
    from jsonb_to_recordset(${sqlRows(rows)}) as l(tx_hash text, log_index int, block bigint, at timestamptz, plan_key text, subscriber text,
      kind text, units numeric, fee_units numeric, next_charge_at timestamptz, by text)
    on conflict do nothing returning tx_hash, log_index`;
  const keys = new Set(inserted.map((row) => `${row.tx_hash} ${row.log_index}`));
  return logs.filter(({ txHash, logIndex }) => keys.has(`${txHash} ${logIndex}`));
}
