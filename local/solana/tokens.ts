// Token accounts and mints of both token programs, as their bytes say, and the amounts that RPC answers have.
import { base58 } from '@scure/base';
import { decodeTokenAccount, TOKEN_ACCOUNT_BYTES } from '../../src/chain/solana/tokens.ts';
import type { Account } from './ledger.ts';

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ATA_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const MINT_BYTES = 82;
/** Where Token-2022 says what an account with extensions is. */
const KIND_AT = 165;

export type TokenAccount = NonNullable<ReturnType<typeof decodeTokenAccount>> & { program: string };
export type Mint = {
  program: string;
  mintAuthority: string | null;
  supply: bigint;
  decimals: number;
  isInitialized: boolean;
  freezeAuthority: string | null;
};

export function isTokenProgram(address: string): boolean {
  return address === TOKEN_PROGRAM || address === TOKEN_2022_PROGRAM;
}

/** Null for what is no initialized token account. */
export function tokenAccountOf(account: Account | null): TokenAccount | null {
  if (!account || !isTokenProgram(account.owner)) return null;
  const data = Buffer.from(account.data);
  const isPlain = data.length === TOKEN_ACCOUNT_BYTES;
  const isExtended = account.owner === TOKEN_2022_PROGRAM && data.length > KIND_AT && data[KIND_AT] === 2;
  if (!isPlain && !isExtended) return null;
  const found = decodeTokenAccount(data);
  return found && { program: account.owner, ...found };
}

/** Null for what is no initialized mint. */
export function mintOf(account: Account | null): Mint | null {
  if (!account || !isTokenProgram(account.owner)) return null;
  const data = Buffer.from(account.data);
  const isExtended = account.owner === TOKEN_2022_PROGRAM && data.length > KIND_AT && data[KIND_AT] === 1;
  if ((data.length !== MINT_BYTES && !isExtended) || data[45] !== 1) return null;
  return {
    program: account.owner,
    mintAuthority: optionalKeyAt(data, 0),
    supply: data.readBigUInt64LE(36),
    decimals: data[44] as number,
    isInitialized: true,
    freezeAuthority: optionalKeyAt(data, 46),
  };
}

const keyAt = (data: Buffer, at: number) => base58.encode(data.subarray(at, at + 32));
const optionalKeyAt = (data: Buffer, at: number) => (data.readUInt32LE(at) === 1 ? keyAt(data, at + 4) : null);

/** An amount as RPC answers have it. */
export function uiAmount(amount: bigint, decimals: number) {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const uiAmountString = fraction ? `${whole}.${fraction}` : whole;
  return { uiAmount: Number(uiAmountString), decimals, amount: amount.toString(), uiAmountString };
}
