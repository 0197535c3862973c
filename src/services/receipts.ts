// From a mined transaction to what people see: legs follow their transaction's block, and an intent ends when all of its legs have.
import type { LegOutcome } from '../chain/botRouter.ts';
import type { EvmChain, Hex } from '../chain/evm.ts';
import type { Ctx } from '../context.ts';
import type { Json, Tx } from '../db.ts';
import { refusalOfRevert } from '../domain/plan.ts';
import { advanceIntent, advanceTip } from './advance.ts';
import { bumpIntentReply } from './replies.ts';

/** The legs of a transaction that got into a block. Their failure, if any, is kept but told only when the block is final. */
export async function mineLegs(
  ctx: Ctx,
  tx: Tx,
  chain: EvmChain,
  outgoingTxId: string,
  hash: Hex,
  outcomes: Map<Hex, LegOutcome>,
  otherwise: LegOutcome,
): Promise<void> {
  const legs = await tx.tip.findMany({ where: { outgoingTxId }, orderBy: { leg: 'asc' } });
  const paid = new Set<string>();
  for (const leg of legs) {
    const outcome = outcomes.get(leg.messageKey as Hex) ?? otherwise;
    const failure = outcome.paid ? undefined : (refusalOfRevert(outcome.reason, chain.facts.label) as Json);
    if (leg.status === 'settled' && !outcome.paid) {
      ctx.log.error(
        { tip: leg.id, chain: chain.name },
        'a paid tip was lost with its block and cannot be paid any more; look at it',
      );
    }
    const moved = await advanceTip(ctx, tx, leg.id, 'mine', {
      txHash: (outcome.paid ? outcome.hash : undefined) ?? hash,
      ...(failure === undefined ? {} : { failure }),
    });
    if (moved && outcome.paid) paid.add(leg.intentId);
  }
  for (const intentId of paid) await bumpIntentReply(ctx, tx, intentId);
}

/** The block vanished: the legs are on their way again, and the chat says so. */
export async function unmineLegs(ctx: Ctx, tx: Tx, outgoingTxId: string): Promise<void> {
  const legs = await tx.tip.findMany({ where: { outgoingTxId, status: 'mined' } });
  for (const leg of legs) await advanceTip(ctx, tx, leg.id, 'unmine', { txHash: null });
  await tx.$executeRaw`update tip set failure = null where outgoing_tx_id = ${outgoingTxId} and status = 'submitted'`;
  for (const intentId of new Set(legs.map((leg) => leg.intentId))) await bumpIntentReply(ctx, tx, intentId);
}

/** The transaction can never be mined: its legs wait to be proven and sent anew. */
export async function requeueLegs(ctx: Ctx, tx: Tx, outgoingTxId: string): Promise<void> {
  const legs = await tx.tip.findMany({ where: { outgoingTxId, status: 'submitted' } });
  for (const leg of legs) await advanceTip(ctx, tx, leg.id, 'requeue', { outgoingTxId: null, leaseUntil: null });
}

/** The block is final: the legs are paid or failed for good. */
export async function finaliseLegs(ctx: Ctx, tx: Tx, outgoingTxId: string): Promise<void> {
  const legs = await tx.tip.findMany({ where: { outgoingTxId, status: 'mined' }, orderBy: { leg: 'asc' } });
  for (const leg of legs) {
    if (leg.failure === null) await advanceTip(ctx, tx, leg.id, 'settle', { settledAt: new Date(ctx.clock.now()) });
    else await advanceTip(ctx, tx, leg.id, 'fail');
  }
  for (const intentId of new Set(legs.map((leg) => leg.intentId))) await closeIntent(ctx, tx, intentId);
}

/** Ends an intent whose legs have all ended, and shows how. */
export async function closeIntent(ctx: Ctx, tx: Tx, intentId: string): Promise<void> {
  // Two legs may end in two transactions at once: the row's lock lets the second one see the first.
  await tx.$queryRaw`select id from intent where id = ${intentId} for update`;
  const open = await tx.tip.count({ where: { intentId, status: { notIn: ['settled', 'failed'] } } });
  if (open === 0) await advanceIntent(ctx, tx, intentId, 'complete');
  await bumpIntentReply(ctx, tx, intentId);
}
