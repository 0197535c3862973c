// Transactions that pay legs: twenty tips to wallets at most, or one that opens an escrow.
import type { Chain } from '../../chain/chain.ts';
import { type LegOutcome, type TipTerms, tipOutcomes, tipTerms } from '../../chain/tips.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import type { OutgoingKind } from '../outgoing/kinds.ts';
import { findPaid, tipOf } from './legs.ts';
import { finaliseLegs, mineLegs, requeueLegs, unmineLegs } from './settlement.ts';
import { tellSlow } from './slowChains.ts';

export const tipsKind: OutgoingKind = {
  async onMined(ctx, chain, outgoing, receipt) {
    const legs = await ctx.db.tip.findMany({ where: { outgoingTxId: outgoing.id }, orderBy: { leg: 'asc' } });
    const outcomes = await tipOutcomes(chain, receipt, {
      messageKeys: legs.map(({ messageKey }) => messageKey),
      executor: outgoing.executor ?? '',
      data: () => payloadOf(ctx, outgoing.id),
    });
    await creditElsewhere(ctx, chain, legs, outcomes);
    return (tx) => mineLegs(ctx, tx, chain, legs, receipt.hash, outcomes);
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
};

async function payloadOf(ctx: Ctx, id: string): Promise<string> {
  return (await ctx.db.outgoingTx.findUniqueOrThrow({ where: { id }, select: { data: true } })).data;
}

/** A leg refused because its key is used already was paid by another transaction: the event with the leg's own terms is the proof. */
async function creditElsewhere(
  ctx: Ctx,
  chain: Chain,
  legs: Row<'Tip'>[],
  outcomes: Map<string, LegOutcome>,
): Promise<void> {
  const refused = legs.filter(({ messageKey }) => outcomes.get(messageKey)?.paid === false);
  const terms: TipTerms | null = refused.length > 0 ? await tipTerms(chain) : null;
  for (const leg of refused) {
    if ((await terms?.recall(tipOf(leg).messageKey)) !== 'processed') continue;
    const hash = await findPaid(ctx, chain, leg);
    if (hash) outcomes.set(leg.messageKey, { paid: true, hash });
    else ctx.log.error({ tip: leg.id, chain: chain.name }, 'a message key is used on-chain by other terms; look at it');
  }
}
