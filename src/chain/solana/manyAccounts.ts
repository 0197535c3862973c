// Accounts of a cluster by their addresses, however many.
import { type AccountInfo, type Commitment, PublicKey } from '@solana/web3.js';
import { readingSolana, type SolanaChain } from './client.ts';
import type { SolanaAddress } from './codec.ts';

/** Accounts that one question names. */
const AT_ONCE = 100;

export type Accounts = ReadonlyMap<SolanaAddress, AccountInfo<Buffer>>;

/** Those that exist, each question of one slot. @throws AppError `provider_unavailable` */
export async function readAccounts(
  chain: SolanaChain,
  addresses: readonly SolanaAddress[],
  commitment: Commitment = 'confirmed',
): Promise<Accounts> {
  const wanted = [...new Set(addresses)];
  const found = new Map<SolanaAddress, AccountInfo<Buffer>>();
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const some = wanted.slice(from, from + AT_ONCE);
    const keys = some.map((address) => new PublicKey(address));
    const accounts = await readingSolana(chain, (at) => at.getMultipleAccountsInfo(keys, commitment));
    for (const [index, address] of some.entries()) {
      const account = accounts[index];
      if (account) found.set(address, account);
    }
  }
  return found;
}
