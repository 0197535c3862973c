// Token accounts of the token program: 165 bytes.
import { type AccountInfo, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { type SolanaAddress, solanaAddressOf } from '../../domain/solanaAddress.ts';
import { TOKEN_PROGRAM, tokenAccount } from './addresses.ts';
import { readingSolana, type SolanaChain } from './client.ts';
import { readAccounts } from './manyAccounts.ts';

export const TOKEN_ACCOUNT_BYTES = 165;
const STATES = ['uninitialized', 'initialized', 'frozen'] as const;

export type TokenAccount = {
  mint: SolanaAddress;
  owner: SolanaAddress;
  amount: bigint;
  delegate: SolanaAddress | null;
  /** What the delegate may still move. */
  delegated: bigint;
  isFrozen: boolean;
};

/** A token account before and after a transaction, in smallest units. */
export type TokenChange = {
  account: SolanaAddress;
  owner: SolanaAddress;
  mint: SolanaAddress;
  before: bigint;
  after: bigint;
};

/** What the first 165 bytes say; null for an account that is not initialized. */
export function decodeTokenAccount(data: Buffer) {
  const state = STATES[data[108] ?? 0] ?? 'uninitialized';
  if (state === 'uninitialized') return null;
  const keyAt = (at: number) => solanaAddressOf(data.subarray(at, at + 32));
  const optionalKeyAt = (at: number) => (data.readUInt32LE(at) === 1 ? keyAt(at + 4) : null);
  return {
    mint: keyAt(0),
    owner: keyAt(32),
    amount: data.readBigUInt64LE(64),
    delegate: optionalKeyAt(72),
    state,
    /** Rent that does not count as wrapped SOL; null for other mints. */
    nativeReserve: data.readUInt32LE(109) === 1 ? data.readBigUInt64LE(113) : null,
    delegatedAmount: data.readBigUInt64LE(121),
    closeAuthority: optionalKeyAt(129),
  };
}

/** Null for what is no token account of the token program: those of Token-2022 are another program's. */
export function readTokenAccount(account: AccountInfo<Buffer> | null): TokenAccount | null {
  if (account?.owner.toBase58() !== TOKEN_PROGRAM || account.data.length !== TOKEN_ACCOUNT_BYTES) return null;
  const found = decodeTokenAccount(account.data);
  if (!found) return null;
  const { mint, owner, amount, delegate, delegatedAmount: delegated, state } = found;
  return { mint, owner, amount, delegate, delegated, isFrozen: state === 'frozen' };
}

const TRANSFER_CHECKED = 12;
const DECIMALS_OF_USDC = 6;

type UsdcTransfer = { from: SolanaAddress; to: SolanaAddress; usdc: SolanaAddress; units: bigint };

/**
 * USDC from wallet to wallet, between their associated token accounts; `from` signs.
 * @param references addresses that it names and does not use
 */
export function transferUsdc(
  { from, to, usdc, units }: UsdcTransfer,
  references: readonly SolanaAddress[] = [],
): TransactionInstruction {
  const key = (address: SolanaAddress, isSigner = false, isWritable = false) => ({
    pubkey: new PublicKey(address),
    isSigner,
    isWritable,
  });
  const data = Buffer.alloc(10);
  data[0] = TRANSFER_CHECKED;
  data.writeBigUInt64LE(units, 1);
  data[9] = DECIMALS_OF_USDC;
  return new TransactionInstruction({
    programId: new PublicKey(TOKEN_PROGRAM),
    keys: [
      key(tokenAccount(from, usdc).address, false, true),
      key(usdc),
      key(tokenAccount(to, usdc).address, false, true),
      key(from, true),
      ...references.map((address) => key(address)),
    ],
    data,
  });
}

/** In lamports; 0 for an account that does not exist. @throws AppError `provider_unavailable` */
export async function solanaBalance(chain: SolanaChain, owner: SolanaAddress): Promise<bigint> {
  return BigInt(await readingSolana(chain, (at) => at.getBalance(new PublicKey(owner))));
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

/** The same of many wallets, in their order. @throws AppError `provider_unavailable` */
export async function solanaTokenBalances(
  chain: SolanaChain,
  holders: readonly { token: SolanaAddress; owner: SolanaAddress }[],
): Promise<bigint[]> {
  const addresses = holders.map(({ owner, token }) => tokenAccount(owner, token).address);
  const accounts = await readAccounts(chain, addresses);
  return addresses.map((address) => readTokenAccount(accounts.get(address) ?? null)?.amount ?? 0n);
}
