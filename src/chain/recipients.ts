// Whether wallets can be paid a token, on a chain of any family.
import type { Chain } from './chain.ts';
import { SYSTEM_PROGRAM } from './solana/addresses.ts';
import type { SolanaChain } from './solana/client.ts';
import { treasuryOf } from './solana/orders.ts';
import {
  ACCOUNT_LAMPORTS,
  type AddressKind,
  type RecipientState,
  solanaAddressKind,
  solanaRecipients,
} from './solana/recipients.ts';
import { ownAddresses } from './tips.ts';

export type { RecipientState };
export type Recipient = { owner: string; token: string };

/**
 * How recipients stand, in their order. `new` is one for whom an account of the token is opened first, at our cost; `not_a_wallet` one that could
 * never give the money back out; `frozen` one that the token's issuer lets receive nothing.
 * @throws AppError `provider_unavailable`
 */
export async function recipientStates(chain: Chain, recipients: readonly Recipient[]): Promise<RecipientState[]> {
  return chain.family === 'solana' ? solanaRecipients(chain, recipients) : recipients.map(() => 'ready');
}

/** What opening an account costs us, in smallest native units. */
export function accountCost(chain: Chain): bigint {
  return chain.family === 'solana' ? ACCOUNT_LAMPORTS : 0n;
}

/** Where tokens are burnt by custom. */
const INCINERATOR = '1nc1nerator11111111111111111111111111111111';

/** `no_ones` has no owner, `ours` is an address of Ampersat’s own, where nothing returns from by itself. */
export type TypedAddress = AddressKind | 'no_ones' | 'ours';

/** What stands at an address of Solana that someone typed, and how its USDC account stands. @throws AppError `provider_unavailable` */
export async function typedAddress(
  chain: SolanaChain,
  address: string,
): Promise<{ kind: TypedAddress; state: RecipientState }> {
  const [{ kind, state }, treasury] = await Promise.all([solanaAddressKind(chain, address), treasuryOf(chain)]);
  if (address === INCINERATOR || address === SYSTEM_PROGRAM) return { kind: 'no_ones', state };
  return { kind: [treasury, ...ownAddresses(chain)].includes(address) ? 'ours' : kind, state };
}
