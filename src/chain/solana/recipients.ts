// Whether wallets of Solana can be paid a token: its account of theirs is there, can be created, or must not be.
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import type { SolanaAddress } from '../../domain/solanaAddress.ts';
import { SYSTEM_PROGRAM, tokenAccount } from './addresses.ts';
import { readingSolana, type SolanaChain } from './client.ts';
import { readTokenAccount } from './tokens.ts';

export type RecipientState = 'ready' | 'new' | 'not_a_wallet' | 'frozen';

/** The rent of a token account: 165 bytes, at what every cluster charges. */
export const ACCOUNT_LAMPORTS = 2_039_280n;
/** The least that a wallet keeps: with less than the rent of an empty account, and more than nothing, no transaction of it lands. */
export const WALLET_LAMPORTS = 890_880n;
/** Recipients of one question, two accounts each. */
const AT_ONCE = 50;

/** In their order. @throws AppError `provider_unavailable` */
export async function solanaRecipients(
  chain: SolanaChain,
  recipients: readonly { owner: SolanaAddress; token: SolanaAddress }[],
): Promise<RecipientState[]> {
  const states: RecipientState[] = [];
  for (let from = 0; from < recipients.length; from += AT_ONCE) {
    const page = recipients.slice(from, from + AT_ONCE);
    const keys = page.flatMap(({ owner, token }) => [owner, tokenAccount(owner, token).address]);
    const found = await readingSolana(chain, (at) => at.getMultipleAccountsInfo(keys.map((key) => new PublicKey(key))));
    for (const [index, { owner }] of page.entries())
      states.push(stateOf(owner, found[index * 2] ?? null, found[index * 2 + 1] ?? null));
  }
  return states;
}

function stateOf(
  owner: SolanaAddress,
  wallet: AccountInfo<Buffer> | null,
  account: AccountInfo<Buffer> | null,
): RecipientState {
  const held = readTokenAccount(account);
  if (held) return held.isFrozen ? 'frozen' : 'ready';
  // An account of a program, or an address without a key, may never be able to move what it gets.
  const isProgram = wallet !== null && wallet.owner.toBase58() !== SYSTEM_PROGRAM;
  return isProgram || !PublicKey.isOnCurve(owner) ? 'not_a_wallet' : 'new';
}
