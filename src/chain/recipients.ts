// Whether wallets can be paid a token, on a chain of any family.
import type { Chain } from './chain.ts';
import { ACCOUNT_LAMPORTS, type AddressKind, type RecipientState, solanaRecipients } from './solana/recipients.ts';

export type { AddressKind, RecipientState };
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
