// On which chain a payment is made: what was typed, what the recipient prefers, and where the sender's wallet may be spent from.
import type { Ctx } from '../../context.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import type { PaymentCommand } from '../../domain/payment.ts';
import { type Places, placeOn, placesOf, reachesOn } from '../../domain/walletReach.ts';
import type { Connection } from '../accounts/connections.ts';

export type Payer = { preferredChain: string; places: Places };
/** Where a recipient is paid: `places` are empty for a recipient without an account, who is paid by a tab on any chain. */
type Payable = { preferredChain: string | null; places: Places; tabSlug: string | null };

/** Null without a connection, or a wallet. */
export function payerOf(connection: Connection | undefined): Payer | null {
  if (!connection || connection.handle.wallets.length === 0) return null;
  return { preferredChain: connection.handle.preferredChain, places: placesOf(connection.handle.wallets) };
}

/**
 * The chain that was typed; else the one that the recipient prefers, or for a native asset one that has it, never a test chain unasked. Where
 * the sender's wallet may not spend there, or the recipient has no wallet of its family, another on which both is so.
 * @param not chains that were tried
 */
export function pickChain(
  ctx: Ctx,
  command: PaymentCommand,
  payer: Payer,
  payee: Payable,
  not: readonly string[] = [],
): ChainName {
  if (command.chain) return command.chain as ChainName;
  const native = nativeIn(command);
  const preferred = (payee.preferredChain ?? payer.preferredChain) as ChainName;
  const wanted = !native || CHAINS[preferred]?.native === native ? preferred : nativeChain(ctx, native);
  const isReceivedOn = (chain: ChainName) => payee.tabSlug !== null || reachesOn(payee.places, chain);
  const isWrongFamily = payee.tabSlug === null && placeOn(payee.places, wanted) === null;
  if (reachesOn(payer.places, wanted) && !isWrongFamily && !not.includes(wanted)) return wanted;
  const others = Object.values(ctx.chains).filter(
    ({ name, facts }) =>
      !not.includes(name) &&
      reachesOn(payer.places, name) &&
      isReceivedOn(name) &&
      (!native || facts.native === native) &&
      // A sender never means play money for real money, or the other way round.
      facts.testnet === CHAINS[wanted]?.testnet,
  );
  const own = others.find(({ name }) => name === payer.preferredChain);
  return (own ?? others[0])?.name ?? wanted;
}

/** The native asset that was typed, or null for USDC and USD. */
export function nativeIn({ unit }: PaymentCommand): string | null {
  return unit === 'USDC' || unit === 'USD' ? null : unit;
}

/** A chain that has this native asset: a served one where there is one, never a test chain. */
export function nativeChain(ctx: Ctx, native: string): ChainName {
  const served = Object.values(ctx.chains).find((chain) => chain.facts.native === native && !chain.facts.testnet);
  return (
    served?.name ?? Object.values(CHAINS).find((facts) => facts.native === native && !facts.testnet)?.name ?? 'base'
  );
}

/** The labels of the chains that this deployment serves. */
export function servedChains(ctx: Ctx): string[] {
  return Object.values(ctx.chains).map(({ facts }) => facts.label);
}

/** What can be sent here: USDC, and the native assets of the served chains. */
export function servedAssets(ctx: Ctx): string[] {
  return ['USDC', ...new Set(Object.values(ctx.chains).map(({ facts }) => facts.native))];
}
