// Frozen legs in the bot router's words: which call pays them, and which event proves that one was paid.
import { encodeCrossingTip, findCrossingTip } from '../../chain/routers/adapter.ts';
import { encodeTips, findSettled, gasForTips, type RouterTip } from '../../chain/routers/bot.ts';
import { encodeEscrowTip, findEscrowTip } from '../../chain/routers/openEscrows.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { crossingTipOf } from './crossings.ts';
import { escrowTipOf } from './escrowTips.ts';

type Leg = Row<'Tip'>;

/** Measured at 152,000, more for tokens and wallets that cost more; what is not used is not paid. */
const ESCROW_TIP_GAS = 300_000n;
const CROSSING_GAS = 400_000n;

/** What goes into one transaction: payments to wallets share one; what opens an escrow, or goes to another chain, has one of its own. */
export function packLegs(legs: Leg[]): Leg[][] {
  const isDirect = ({ tabSlug, toChain }: Leg) => tabSlug === null && toChain === null;
  const direct = legs.filter(isDirect);
  const alone = legs.filter((leg) => !isDirect(leg)).map((leg) => [leg]);
  return direct.length > 0 ? [direct, ...alone] : alone;
}

/** The call that pays a pack. */
export function packCall(pack: Leg[]): { kind: 'tips' | 'escrow_open'; data: Hex; gas: bigint } {
  const [first] = pack;
  if (first && first.tabSlug !== null)
    return { kind: 'escrow_open', data: encodeEscrowTip(escrowTipOf(first)), gas: ESCROW_TIP_GAS };
  if (first && first.toChain !== null)
    return { kind: 'tips', data: encodeCrossingTip(crossingTipOf(first)), gas: CROSSING_GAS };
  return { kind: 'tips', data: encodeTips(pack.map(routerTip)), gas: gasForTips(pack.length) };
}

/** The transaction in which exactly the terms of a leg were paid, or null. @throws AppError `provider_unavailable` */
export function findPaid(ctx: Ctx, chain: EvmChain, leg: Leg): Promise<Hex | null> {
  const blocks = blocksSince(ctx, chain, leg.createdAt);
  if (leg.toChain !== null) return findCrossingTip(chain, crossingTipOf(leg), blocks);
  return leg.tabSlug === null
    ? findSettled(chain, routerTip(leg), blocks)
    : findEscrowTip(chain, escrowTipOf(leg), blocks);
}

/** About how many blocks there are since a time, and an hour more: where an event that came after it is searched. */
function blocksSince(ctx: Ctx, chain: EvmChain, time: Date): bigint {
  const ms = Math.max(0, ctx.clock.now() - time.getTime()) + 3_600_000;
  return BigInt(Math.ceil(ms / chain.facts.blockTimeMs));
}

/** A frozen leg to a wallet as the router takes it. */
function routerTip(leg: Leg): RouterTip {
  return {
    messageKey: leg.messageKey as Hex,
    sender: leg.senderAddress as Address,
    recipient: leg.recipientAddress as Address,
    token: leg.token as Address,
    amount: BigInt(leg.units.toFixed(0)),
    fee: BigInt(leg.feeUnits.toFixed(0)),
    validUntil: BigInt(Math.floor(leg.validUntil.getTime() / 1000)),
  };
}
