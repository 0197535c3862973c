// Transactions that charge many subscriptions at once: what each block says about each of them, and what follows.
import type { Chain } from '../../chain/chain.ts';
import { type ChargeOutcome, outcomesOf, refusedOutcomes } from '../../chain/charges.ts';
import type { Receipt } from '../../chain/receipt.ts';
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import { NOTHING, type Outgoing, type OutgoingKind } from '../outgoing/kinds.ts';
import { transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import { notifyLowAllowances } from './allowanceNotices.ts';
import { batchRows, type DueRow, releaseRows } from './chargeRows.ts';
import { type FailedRow, recordFailures } from './dunning.ts';
import { finalLogs } from './finalLogs.ts';
import { applyPlanLogs } from './indexing.ts';

/** Of each subscription of a batch, by its id: charged, not due on the chain, undone by another one, or why it failed. */
export type Outcomes = Record<string, ChargeOutcome>;

export const chargeKind: OutgoingKind = {
  /** A batch that would fail as a whole costs nothing: the charge that is to blame has failed, the others go with the next run. */
  async check(ctx, chain, { subjectId: id, toAddress: to, data, gas }) {
    const rows = await batchRows(ctx.db, id);
    const refused = await refusedOutcomes(chain, rows, { to, data, gas });
    if (!refused) return null;
    const outcomes = byId(rows, refused);
    return async (tx) => {
      await recordFailures(ctx, tx, chain, failuresIn(rows, outcomes));
      await transitionOne(ctx, tx, 'charge_batch', id, 'mine', { outcomes });
      await end(ctx, tx, id, outcomes);
    };
  },
  async onMined(ctx, chain, outgoing, receipt) {
    const { subjectId: id } = outgoing;
    const rows = await batchRows(ctx.db, id);
    const outcomes = await read(ctx, chain, rows, receipt, outgoing);
    return async (tx) => void (await transitionOne(ctx, tx, 'charge_batch', id, 'mine', { outcomes }));
  },
  onUnmined: async (ctx, { subjectId: id }) => {
    return async (tx) => void (await transitionOne(ctx, tx, 'charge_batch', id, 'unmine', { outcomes: null }));
  },
  async onFinal(ctx, chain, outgoing) {
    const { subjectId: id } = outgoing;
    const rows = await batchRows(ctx.db, id);
    const { receipt, logs } = await finalLogs(chain, outgoing);
    const batch = await ctx.db.chargeBatch.findUniqueOrThrow({ where: { id } });
    // As of its block: what the wallet has now says nothing about why one failed then.
    const outcomes = (batch.outcomes as Outcomes | null) ?? (await read(ctx, chain, rows, receipt, outgoing));
    const charged = rows.filter((row) => outcomes[row.id] === 'charged');
    const low = charged.length > 0 ? await notifyLowAllowances(ctx, chain, charged) : NOTHING;
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
};

async function end(ctx: Ctx, tx: Tx, id: string, outcomes: Outcomes): Promise<void> {
  await releaseRows(tx, id);
  await transitionOne(ctx, tx, 'charge_batch', id, 'finish', { outcomes, endedAt: new Date(ctx.clock.now()) });
  if (Object.values(outcomes).includes('undone')) await wake(tx, 'charges');
}

function failuresIn(rows: readonly DueRow[], outcomes: Outcomes): FailedRow[] {
  return rows.flatMap((row) => {
    const code = outcomes[row.id];
    return code === undefined || code === 'charged' || code === 'early' || code === 'undone' ? [] : [{ row, code }];
  });
}

async function read(
  ctx: Ctx,
  chain: Chain,
  rows: readonly DueRow[],
  receipt: Receipt,
  { id }: Pick<Outgoing, 'id'>,
): Promise<Outcomes> {
  const payload = async () =>
    (await ctx.db.outgoingTx.findUniqueOrThrow({ where: { id }, select: { data: true } })).data;
  return byId(rows, await outcomesOf(chain, rows, receipt, payload));
}

function byId(rows: readonly DueRow[], outcomes: readonly ChargeOutcome[]): Outcomes {
  return Object.fromEntries(rows.map(({ id }, index) => [id, outcomes[index] ?? 'not_mined']));
}
