// What follows from charges that could not be made: when each is tried again, who is notified, and when the subscription is halted.
import type { Chain } from '../../chain/chain.ts';
import { haltCall } from '../../chain/charges.ts';
import type { Ctx } from '../../context.ts';
import { sqlRows, type Tx } from '../../db.ts';
import { afterFailure, type ChargeFailure } from '../../domain/subscription.ts';
import { queueCall } from '../outgoing/queue.ts';
import type { DueRow } from './chargeRows.ts';
import { notifySubscribers } from './notices.ts';

export type FailedRow = { row: DueRow; code: ChargeFailure };

/** Notes failures, in the transaction of the caller. A row that was charged or ended meanwhile is left alone. */
export async function recordFailures(ctx: Ctx, tx: Tx, chain: Chain, failed: readonly FailedRow[]): Promise<void> {
  if (failed.length === 0) return;
  const outcomes = failed.map(({ row, code }) => ({
    row,
    code,
    dunning: afterFailure(row, code, row.periodS, ctx.clock.now()),
  }));
  const columns = outcomes.map(({ row, code, dunning }) => ({
    id: row.id,
    due: row.nextChargeAt,
    failure: code,
    since: dunning.failingSince,
    notices: dunning.notices,
    again: dunning.nextTryAt,
  }));
  const written = await tx.$queryRaw<{ id: string }[]>`
    update subscription s set failure = w.failure, failing_since = w.since, failure_notices = w.notices, next_try_at = w.again
    from jsonb_to_recordset(${sqlRows(columns)}) as w(id text, due timestamptz, failure text, since timestamptz, notices int, again timestamptz)
    where s.id = w.id and s.status = 'active' and s.next_charge_at = w.due returning s.id`;
  const noted = new Set(written.map(({ id }) => id));
  const live = outcomes.filter(({ row }) => noted.has(row.id));
  await notifySubscribers(
    ctx,
    tx,
    live.flatMap(({ row, code, dunning }) =>
      dunning.notice === null || dunning.halt
        ? []
        : [{ row, chain: chain.name, kind: 'subscription_failing' as const, stage: dunning.notice, code }],
    ),
  );
  for (const { row, dunning } of live) if (dunning.halt) await queueHalt(ctx, tx, chain, row);
}

/** Queues the executor's halt, unless one is on its way. */
async function queueHalt(ctx: Ctx, tx: Tx, chain: Chain, row: DueRow): Promise<void> {
  const open = { kind: 'halt', subjectId: row.id, status: { in: ['queued', 'signed', 'sent', 'mined'] } };
  if ((await tx.outgoingTx.count({ where: open })) > 0) return;
  await queueCall(ctx, tx, chain.name, { kind: 'halt', subjectId: row.id, ...haltCall(chain, row) });
}
