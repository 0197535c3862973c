// Transactions that charge many subscriptions at once: what each block says about each of them, and what follows.

import { type FailedCharge, readPlanReceipt } from '../../chain/logs/subscriptions.ts';
import { failureOf } from '../../chain/routers/charges.ts';
import type { EvmChain, TransactionReceipt } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { ChargeFailure } from '../../domain/subscription.ts';
import { type Outgoing, type OutgoingKind, ofEvm } from '../outgoing/kinds.ts';
import { transitionOne } from '../transitions.ts';
import { notifyLowAllowances } from './allowanceNotices.ts';
import { batchRows, type DueRow, releaseRows } from './chargeRows.ts';
import { type FailedRow, recordFailures } from './dunning.ts';
import { applyPlanLogs, type PlanLog } from './indexing.ts';
import { minedReceipt } from './minedReceipt.ts';

/** Of each subscription of a batch, by its id: charged, not due at the router, or why it failed. */
export type Outcomes = Record<string, 'charged' | 'early' | ChargeFailure>;

export const chargeKind: OutgoingKind = ofEvm({
  async onMined(ctx, chain, { subjectId: id, succeeded }, receipt) {
    const rows = await batchRows(ctx.db, id);
    const outcomes = await outcomesOf(chain, rows, receipt, succeeded === true);
    return async (tx) => void (await transitionOne(ctx, tx, 'charge_batch', id, 'mine', { outcomes }));
  },
  onUnmined: async (ctx, { subjectId: id }) => {
    return async (tx) => void (await transitionOne(ctx, tx, 'charge_batch', id, 'unmine', { outcomes: null }));
  },
  async onFinal(ctx, chain, outgoing) {
    const { subjectId: id, succeeded } = outgoing;
    const rows = await batchRows(ctx.db, id);
    const { receipt, logs } = await chargedLogs(chain, outgoing);
    const batch = await ctx.db.chargeBatch.findUniqueOrThrow({ where: { id } });
    // As of its block: what the wallet has now says nothing about why one failed then.
    const outcomes =
      (batch.outcomes as Outcomes | null) ?? (await outcomesOf(chain, rows, receipt, succeeded === true));
    const charged = rows.filter((row) => outcomes[row.id] === 'charged');
    const low = await notifyLowAllowances(ctx, chain, charged);
    return async (tx) => {
      await applyPlanLogs(ctx, tx, chain, logs);
      await recordFailures(ctx, tx, chain, failuresIn(rows, outcomes));
      await low(tx);
      await end(ctx, tx, id, outcomes);
    };
  },
  onLost: async (ctx, _chain, { subjectId: id }) => {
    const rows = await batchRows(ctx.db, id);
    const outcomes = Object.fromEntries(rows.map((row) => [row.id, 'not_mined' as const]));
    return (tx) => end(ctx, tx, id, outcomes);
  },
});

async function end(ctx: Ctx, tx: Tx, id: string, outcomes: Outcomes): Promise<void> {
  await releaseRows(tx, id);
  await transitionOne(ctx, tx, 'charge_batch', id, 'finish', { outcomes, endedAt: new Date(ctx.clock.now()) });
}

function failuresIn(rows: readonly DueRow[], outcomes: Outcomes): FailedRow[] {
  return rows.flatMap((row) => {
    const outcome = outcomes[row.id];
    return outcome === undefined || outcome === 'charged' || outcome === 'early' ? [] : [{ row, code: outcome }];
  });
}

async function outcomesOf(
  chain: EvmChain,
  rows: readonly DueRow[],
  receipt: Pick<TransactionReceipt, 'logs'>,
  succeeded: boolean,
): Promise<Outcomes> {
  if (!succeeded) return Object.fromEntries(rows.map(({ id }) => [id, 'not_mined']));
  const { entries, failed } = readPlanReceipt(chain, receipt);
  const keyOf = ({ planKey, subscriber }: { planKey: string; subscriber: string }) => `${planKey} ${subscriber}`;
  const charged = new Set(entries.flatMap((entry) => (entry.kind === 'charged' ? [keyOf(entry)] : [])));
  const reasons = new Map<string, FailedCharge>(failed.map((one) => [keyOf(one), one]));
  const outcomes: Outcomes = {};
  for (const row of rows) {
    const reason = reasons.get(keyOf(row));
    if (charged.has(keyOf(row))) outcomes[row.id] = 'charged';
    else if (!reason) outcomes[row.id] = 'not_mined';
    else {
      const verdict = await failureOf(chain, row, reason.reason);
      outcomes[row.id] = verdict.kind === 'failed' ? verdict.code : verdict.kind === 'early' ? 'early' : 'not_mined';
    }
  }
  return outcomes;
}

/** What a transaction of ours did. @throws AppError `provider_unavailable` when a reorg has just taken it */
export async function chargedLogs(
  chain: EvmChain,
  outgoing: Pick<Outgoing, 'minedHash'>,
): Promise<{ receipt: TransactionReceipt; logs: PlanLog[] }> {
  const { receipt, at } = await minedReceipt(chain, outgoing);
  const { entries } = readPlanReceipt(chain, receipt);
  return { receipt, logs: entries.map((entry) => ({ ...entry, at })) };
}
