// What an account got by a transaction, as enough endpoints show it in a final slot.
import { type Connection, PublicKey } from '@solana/web3.js';
import { alike } from '../rpc/answers.ts';
import { tokenAccount } from './addresses.ts';
import type { SolanaChain } from './client.ts';
import type { SolanaAddress } from './codec.ts';
import { mostAgree } from './history.ts';

/**
 * @param mint null for SOL
 * @returns in smallest units, 0 where it got nothing; null while not enough endpoints show the transaction as final, and alike
 */
export async function finalCredit(
  chain: SolanaChain,
  signature: string,
  { owner, mint }: { owner: SolanaAddress; mint: SolanaAddress | null },
): Promise<bigint | null> {
  const account = mint === null ? owner : tokenAccount(owner, mint).address;
  const asked = chain.endpoints.map(async (at) => {
    const credit = await creditAt(at, signature, account, mint);
    if (!credit) throw new Error('the endpoint does not show it as final');
    return credit;
  });
  const [credit] = (await alike(asked, ({ slot, units }) => `${slot} ${units}`, mostAgree(chain))) ?? [];
  return credit?.units ?? null;
}

async function creditAt(
  at: Connection,
  signature: string,
  account: SolanaAddress,
  mint: SolanaAddress | null,
): Promise<{ slot: number; units: bigint } | null> {
  const found = await at.getTransaction(signature, { commitment: 'finalized', maxSupportedTransactionVersion: 0 });
  if (!found?.meta) return null;
  const { slot, meta, transaction } = found;
  const keys = transaction.message.getAccountKeys({ accountKeysFromLookups: meta.loadedAddresses ?? null });
  const index = keys
    .keySegments()
    .flat()
    .findIndex((key) => key.equals(new PublicKey(account)));
  if (meta.err !== null || index < 0) return { slot, units: 0n };
  const held = (balances: typeof meta.preTokenBalances) =>
    BigInt(balances?.find((one) => one.accountIndex === index && one.mint === mint)?.uiTokenAmount.amount ?? 0);
  const [before, after] =
    mint === null
      ? [BigInt(meta.preBalances[index] ?? 0), BigInt(meta.postBalances[index] ?? 0)]
      : [held(meta.preTokenBalances), held(meta.postTokenBalances)];
  return { slot, units: after > before ? after - before : 0n };
}
