// Token accounts of the token program: 165 bytes.
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import { type SolanaAddress, solanaAddressOf } from '../../domain/solanaAddress.ts';
import { TOKEN_PROGRAM, tokenAccount } from './addresses.ts';
import { readingSolana, type SolanaChain } from './client.ts';

const TOKEN_ACCOUNT_BYTES = 165;
const FROZEN = 2;

export type TokenAccount = {
  mint: SolanaAddress;
  owner: SolanaAddress;
  amount: bigint;
  delegate: SolanaAddress | null;
  /** What the delegate may still move. */
  delegated: bigint;
  isFrozen: boolean;
};

/** Null for what is no token account of the token program: those of Token-2022 are another program's. */
export function readTokenAccount(account: AccountInfo<Buffer> | null): TokenAccount | null {
  if (account?.owner.toBase58() !== TOKEN_PROGRAM || account.data.length !== TOKEN_ACCOUNT_BYTES) return null;
  const { data } = account;
  const state = data[108];
  if (state === 0) return null;
  return {
    mint: solanaAddressOf(data.subarray(0, 32)),
    owner: solanaAddressOf(data.subarray(32, 64)),
    amount: data.readBigUInt64LE(64),
    delegate: data.readUInt32LE(72) === 0 ? null : solanaAddressOf(data.subarray(76, 108)),
    delegated: data.readBigUInt64LE(121),
    isFrozen: state === FROZEN,
  };
}

/** What a wallet's associated token account holds, in smallest units; 0 where there is none. @throws AppError `provider_unavailable` */
export async function solanaTokenBalance(
  chain: SolanaChain,
  mint: SolanaAddress,
  owner: SolanaAddress,
): Promise<bigint> {
  const { address } = tokenAccount(owner, mint);
  return readTokenAccount(await readingSolana(chain, (at) => at.getAccountInfo(new PublicKey(address))))?.amount ?? 0n;
}
