// From a mined transaction to what people see: legs follow their transaction's block, and an intent ends when all of its legs have.

import type { Chain } from '../../chain/chain.ts';
import type { LegOutcome } from '../../chain/tips.ts';
import type { Ctx } from '../../context.ts';
import type { Json, Row, Tx } from '../../db.ts';
import { sqlList } from '../../db.ts';
import { refusalOfRevert } from '../../domain/plan.ts';
import { raiseEvent } from '../alerts.ts';
import { transition } from '../transitions.ts';
import { followLegs } from './escrowTips.ts';
import { bumpIntentReplies } from './intentReplies.ts';
import { noteReceived, refreshReceived } from './receivedNotices.ts';
import { bumpThreads } from './threads.ts';

/**
 * The legs of a transaction that got into a block. Their failure, if any, is kept but told only when the block is final.
 * @param all legs of the transaction; one without an outcome is sent again once this block is final
 */
export async function mineLegs(
  ctx: Ctx,
  tx: Tx,
  chain: Chain,
  all: Row<'Tip'>[],
  hash: string,
  outcomes: ReadonlyMap<string, LegOutcome>,
): Promise<void> {
  const decided = all.flatMap((leg) => {
    const outcome = outcomes.get(leg.messageKey);
    return outcome ? [{ leg, outcome }] : [];
  });
  const moved = await transition(
    ctx,
    tx,
    'tip',
    decided.map(({ leg, outcome }) => {
      const txHash = (outcome.paid ? outcome.hash : undefined) ?? hash;
      const failure = outcome.paid ? {} : { failure: refusalOfRevert(outcome.reason, chain.facts.label) as Json };
      return { id: leg.id, action: 'mine', patch: { txHash, ...failure } };
    }),
  );
  for (const { leg, outcome } of decided) {
    if (leg.status !== 'settled' || outcome.paid) continue;
    const message = `${chain.facts.label} dropped the final block of tip ${leg.id} and refuses it now: the sender kept the money.`;
    await raiseEvent(ctx, tx, 'tip_lost', { subject: leg.id, message });
  }
  const paid = decided.flatMap(({ leg, outcome }) => (moved.has(leg.id) && outcome.paid ? [leg] : []));
  await bumpIntentReplies(ctx, tx, intentsOf(paid), { isReceipt: true });
  await noteReceived(ctx, tx, [...moved]);
}

/** The block vanished: the legs are on their way again, and the chat says so. */
export async function unmineLegs(ctx: Ctx, tx: Tx, outgoingTxId: string): Promise<void> {
  const legs = await tx.tip.findMany({
    where: { outgoingTxId, status: 'mined' },
    select: { id: true, intentId: true },
  });
  await transition(
    ctx,
    tx,
    'tip',
    legs.map(({ id }) => ({ id, action: 'unmine', patch: { txHash: null, failure: null } })),
  );
  await bumpIntentReplies(ctx, tx, intentsOf(legs));
  await refreshReceived(
    ctx,
    tx,
    legs.map((leg) => leg.id),
  );
}

/** The transaction can never be mined: its legs wait to be proven and sent again. */
export async function requeueLegs(ctx: Ctx, tx: Tx, outgoingTxId: string): Promise<void> {
  const legs = await tx.tip.findMany({ where: { outgoingTxId, status: 'submitted' }, select: { id: true } });
  await transition(
    ctx,
    tx,
    'tip',
    legs.map(({ id }) => ({ id, action: 'requeue', patch: { outgoingTxId: null, leaseUntil: null } })),
  );
}

type MinedLeg = { id: string; intent_id: string; tx_hash: string | null; failed: boolean };

/** The block is final: the legs are permanently paid or failed; those that it decided nothing about go again. */
export async function finaliseLegs(ctx: Ctx, tx: Tx, outgoingTxId: string): Promise<void> {
  const legs = await tx.$queryRaw<MinedLeg[]>`
    select id, intent_id, tx_hash, failure is not null as failed from tip where outgoing_tx_id = ${outgoingTxId} and status = 'mined'`;
  const settledAt = new Date(ctx.clock.now());
  await requeueLegs(ctx, tx, outgoingTxId);
  await transition(
    ctx,
    tx,
    'tip',
    legs.map(({ id, failed }) => (failed ? { id, action: 'fail' } : { id, action: 'settle', patch: { settledAt } })),
  );
  await followLegs(
    ctx,
    tx,
    legs.map(({ id, tx_hash, failed }) => ({ id, paid: !failed, txHash: tx_hash })),
  );
  await closeIntents(ctx, tx, [...new Set(legs.map((leg) => leg.intent_id))]);
  await noteReceived(
    ctx,
    tx,
    legs.map((leg) => leg.id),
  );
}

/** Ends each intent whose legs have all ended, and shows how it stands with every one. */
export async function closeIntents(ctx: Ctx, tx: Tx, intentIds: string[]): Promise<void> {
  if (intentIds.length === 0) return;
  // Two legs may end in two transactions at once: the row's lock lets the second one see the first.
  await tx.$queryRaw`select id from intent where id in (${sqlList(intentIds)}) order by id for update`;
  const ended = await tx.$queryRaw<{ id: string }[]>`
    select intent_id as id from tip where intent_id in (${sqlList(intentIds)})
    group by intent_id having bool_and(status in ('settled', 'failed'))`;
  await transition(
    ctx,
    tx,
    'intent',
    ended.map(({ id }) => ({ id, action: 'complete' })),
  );
  await bumpIntentReplies(ctx, tx, intentIds);
  await bumpThreads(ctx, tx, intentIds);
}

function intentsOf(legs: { intentId: string }[]): string[] {
  return [...new Set(legs.map((leg) => leg.intentId))];
}
