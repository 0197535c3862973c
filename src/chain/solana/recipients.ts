// Whether wallets of Solana can be paid a token: its account of theirs is there, can be created, or must not be.
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import type { SolanaAddress } from '../../domain/solanaAddress.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, tokenAccount } from './addresses.ts';
import { readingSolana, type SolanaChain } from './client.ts';
import { readTokenAccount, TOKEN_ACCOUNT_BYTES } from './tokens.ts';

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

/** What stands at an address: `keyless` is one that only a program could sign for, such as the vault of a multisig. */
export type AddressKind = 'wallet' | 'keyless' | 'token_account' | 'token' | 'program' | 'of_program';

/** What stands at an address that someone typed, and how its USDC account stands. @throws AppError `provider_unavailable` */
export async function solanaAddressKind(
  chain: SolanaChain,
  owner: SolanaAddress,
): Promise<{ kind: AddressKind; state: RecipientState }> {
  const keys = [owner, tokenAccount(owner, chain.usdc).address].map((key) => new PublicKey(key));
  const [wallet = null, account = null] = await readingSolana(chain, (at) => at.getMultipleAccountsInfo(keys));
  return { kind: kindOf(owner, wallet), state: stateOf(owner, wallet, account) };
}

function kindOf(owner: SolanaAddress, account: AccountInfo<Buffer> | null): AddressKind {
  const program = account?.owner.toBase58() ?? SYSTEM_PROGRAM;
  if (account?.executable) return 'program';
  if (program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM)
    return (account?.data.length ?? 0) >= TOKEN_ACCOUNT_BYTES ? 'token_account' : 'token';
  if (program !== SYSTEM_PROGRAM) return 'of_program';
  return PublicKey.isOnCurve(owner) ? 'wallet' : 'keyless';
}
