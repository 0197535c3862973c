// On which chain a payment is made: what was typed, what the recipient prefers, and where the sender's wallet may be spent from.
import { type Ctx, evmChains } from '../../context.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import type { PaymentCommand } from '../../domain/payment.ts';
import { provenOn } from '../../domain/walletReach.ts';
import type { Connection } from '../accounts/connections.ts';
import type { Payee } from './recipients.ts';

/** Who pays, and the only chains on which their wallet may be spent from; null for all. */
export type Payer = { address: string; preferredChain: string; spendsOn: string[] | null };

/** Null without a connection, or a wallet. */
export function payerOf(connection: Connection | undefined): Payer | null {
  const wallet = connection?.handle.wallets.find((one) => one.family === 'evm');
  if (!connection || !wallet) return null;
  return { address: wallet.address, preferredChain: connection.handle.preferredChain, spendsOn: provenOn(wallet) };
}

/**
 * The chain that was typed; else the one that the recipient prefers, or for a native asset one that has it, never a test chain unasked. Where
 * the sender's wallet may not spend there, another on which it may and the recipient can be paid.
 */
export function pickChain(ctx: Ctx, command: PaymentCommand, payer: Payer, payee: Payee): ChainName {
  if (command.chain) return command.chain as ChainName;
  const native = nativeIn(command);
  const preferred = (payee.preferredChain ?? payer.preferredChain) as ChainName;
  const wanted = !native || CHAINS[preferred]?.native === native ? preferred : nativeChain(ctx, native);
  if (!payer.spendsOn || payer.spendsOn.includes(wanted)) return wanted;
  const instead = Object.values(evmChains(ctx)).find(
    ({ name, facts }) =>
      payer.spendsOn?.includes(name) &&
      (payee.payableOn?.includes(name) ?? true) &&
      (!native || facts.native === native) &&
      // A sender never means play money for real money, or the other way round.
      facts.testnet === CHAINS[wanted]?.testnet,
  );
  return instead?.name ?? wanted;
}

/** The native asset that was typed, or null for USDC and USD. */
export function nativeIn({ unit }: PaymentCommand): string | null {
  return unit === 'USDC' || unit === 'USD' ? null : unit;
}

/** A chain that has this native asset: a served one where there is one, never a test chain. */
export function nativeChain(ctx: Ctx, native: string): ChainName {
  const served = Object.values(evmChains(ctx)).find((chain) => chain.facts.native === native && !chain.facts.testnet);
  return (
    served?.name ?? Object.values(CHAINS).find((facts) => facts.native === native && !facts.testnet)?.name ?? 'base'
  );
}

/** The labels of the chains that this deployment serves. */
export function servedChains(ctx: Ctx): string[] {
  return Object.values(evmChains(ctx)).map(({ facts }) => facts.label);
}

/** What can be sent here: USDC, and the native assets of the served chains. */
export function servedAssets(ctx: Ctx): string[] {
  return ['USDC', ...new Set(Object.values(evmChains(ctx)).map(({ facts }) => facts.native))];
}
