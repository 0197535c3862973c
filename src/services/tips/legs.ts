// Frozen legs in the words of their chain: which call pays them, and which transaction proves that one was paid.
import type { Chain } from '../../chain/chain.ts';
import { findPaidTip, type Tip } from '../../chain/tips.ts';
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';

/** A frozen leg as its chain takes it. */
export function tipOf(leg: Row<'Tip'>): Tip {
  const { senderAddress: sender, recipientAddress: recipient, token, units, feeUnits, validUntil } = leg;
  const common = {
    messageKey: leg.messageKey as Tip['messageKey'],
    ...{ sender, token },
    amount: BigInt(units.toFixed(0)),
    validUntil: BigInt(Math.floor(validUntil.getTime() / 1_000)),
  };
  const fee = BigInt(feeUnits.toFixed(0));
  if (leg.tabSlug !== null) {
    if (leg.tabDeadline === null) throw new Error(`leg ${leg.id} opens a tab without a deadline`);
    return { ...common, to: 'tab', handleSlug: leg.tabSlug, deadline: leg.tabDeadline };
  }
  if (leg.toChain === null) return { ...common, to: 'wallet', recipient, fee, opensAccount: leg.opensAccount };
  if (leg.toUnits === null) throw new Error(`leg ${leg.id} arrives with no amount`);
  return {
    ...common,
    ...{ to: 'chain', recipient, fee },
    amount: common.amount + BigInt(leg.bridgeUnits.toFixed(0)),
    destinationChain: CHAINS[leg.toChain as ChainName].chainId,
    minOutput: BigInt(leg.toUnits.toFixed(0)),
  };
}

/** The transaction in which exactly the terms of a leg were paid, or null. @throws AppError `provider_unavailable` */
export function findPaid(ctx: Ctx, chain: Chain, leg: Row<'Tip'>): Promise<string | null> {
  return findPaidTip(chain, tipOf(leg), leg.createdAt.getTime(), ctx.clock.now());
}
