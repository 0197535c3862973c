// Transactions that pay legs: twenty tips to wallets at most, or one that opens an escrow.
import { isProcessed, type LegOutcome, legOutcomes, simulate } from '../../chain/routers/bot.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { type Outgoing, type OutgoingKind, ofEvm } from '../outgoing/kinds.ts';
import { findPaid } from './legs.ts';
import { finaliseLegs, mineLegs, requeueLegs, unmineLegs } from './settlement.ts';
import { tellSlow } from './slowChains.ts';

export const tipsKind: OutgoingKind = ofEvm({
  async onMined(ctx, chain, outgoing, receipt) {
    const outcomes = legOutcomes(chain, receipt);
    const otherwise = await outcomeWithoutEvent(ctx, chain, outgoing);
    const legs = await ctx.db.tip.findMany({ where: { outgoingTxId: outgoing.id }, orderBy: { leg: 'asc' } });
    await creditElsewhere(ctx, chain, legs, outcomes, otherwise);
    return (tx) => mineLegs(ctx, tx, chain, legs, receipt.transactionHash, outcomes, otherwise);
  },
  onUnmined:
    async (ctx, { id }) =>
    (tx) =>
      unmineLegs(ctx, tx, id),
  onFinal:
    async (ctx, _chain, { id }) =>
    (tx) =>
      finaliseLegs(ctx, tx, id),
  // They are checked and sent again; ones that were paid in another way are recognised.
  onLost:
    async (ctx, _chain, { id }) =>
    (tx) =>
      requeueLegs(ctx, tx, id),
  async onStalled(ctx, chain, problem, outgoing) {
    const legs = await ctx.db.tip.findMany({
      where: { outgoingTxId: { in: outgoing.map(({ id }) => id) }, status: 'submitted' },
      distinct: ['intentId'],
      select: { intentId: true },
    });
    await tellSlow(
      ctx,
      chain,
      problem,
      legs.map(({ intentId }) => intentId),
    );
  },
});

/** A leg without an event of the router was not paid; the same call simulated again gives the reason. */
async function outcomeWithoutEvent(
  ctx: Ctx,
  chain: EvmChain,
  { id, executor, succeeded }: Outgoing,
): Promise<LegOutcome> {
  if (succeeded) return { paid: false, reason: { name: 'NoEvent' } };
  const { data } = await ctx.db.outgoingTx.findUniqueOrThrow({ where: { id }, select: { data: true } });
  const reason = await simulate(chain, executor as Address, data as Hex);
  return { paid: false, reason: reason ?? { name: 'Reverted' } };
}

/** A leg refused because its key is used already was paid by another transaction: the router's event, with the leg's own terms, is the proof. */
async function creditElsewhere(
  ctx: Ctx,
  chain: EvmChain,
  legs: Row<'Tip'>[],
  outcomes: Map<Hex, LegOutcome>,
  otherwise: LegOutcome,
): Promise<void> {
  for (const leg of legs) {
    const outcome = outcomes.get(leg.messageKey as Hex) ?? otherwise;
    if (outcome.paid || !(await isProcessed(chain, leg.messageKey as Hex))) continue;
    const hash = await findPaid(ctx, chain, leg);
    if (hash) outcomes.set(leg.messageKey as Hex, { paid: true, hash });
    else ctx.log.error({ tip: leg.id, chain: chain.name }, 'a message key is used on-chain by other terms; look at it');
  }
}
