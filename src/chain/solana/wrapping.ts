// SOL to wrapped SOL and back, in transactions that the owner signs and an executor pays the fee of, and nothing else: rent is the owner's.
import { randomBytes } from 'node:crypto';
import { PublicKey, SystemProgram, TransactionInstruction, VersionedTransaction } from '@solana/web3.js';
import type { Wrapping } from '../../domain/wrapping.ts';
import { isSignedBySolana } from '../signing/ed25519.ts';
import { TOKEN_PROGRAM, tokenAccount } from './addresses.ts';
import { readingSolana, type SolanaCall, type SolanaChain } from './client.ts';
import type { SolanaAddress } from './codec.ts';
import type { SignedMessage } from './payload.ts';
import { createTokenAccount } from './tips.ts';
import { decodeTokenAccount, readTokenAccount, TOKEN_ACCOUNT_BYTES } from './tokens.ts';
import { nameOfCall } from './walletCalls.ts';

/** Measured at 24,000 where the account is created; clusters have other builds of the token program. */
const WRAP_UNITS = 60_000;
const TRANSFER = 3;
const CLOSE_ACCOUNT = 9;
const SYNC_NATIVE = 17;
const INITIALIZE_ACCOUNT_3 = 18;

/** What decides whether a wallet can wrap and unwrap, in lamports. */
export type WrappingState = {
  sol: bigint;
  /** Null where the wallet has no account of wrapped SOL. */
  wrapped: bigint | null;
  /** Why the account can't be used, in a sentence. */
  problem: string | null;
  /** Rent of a token account, and what a wallet keeps at least unless it is emptied. */
  accountRent: bigint;
  walletRent: bigint;
};

/** @throws AppError `provider_unavailable` */
export async function wrappingState(chain: SolanaChain, wallet: SolanaAddress): Promise<WrappingState> {
  const keys = [wallet, tokenAccount(wallet, chain.wrappedNative).address].map((one) => new PublicKey(one));
  const [[own, account], accountRent, walletRent] = await Promise.all([
    readingSolana(chain, (at) => at.getMultipleAccountsInfo(keys)),
    readingSolana(chain, (at) => at.getMinimumBalanceForRentExemption(TOKEN_ACCOUNT_BYTES)),
    readingSolana(chain, (at) => at.getMinimumBalanceForRentExemption(0)),
  ]);
  const held = readTokenAccount(account ?? null);
  const closer = held && account ? decodeTokenAccount(account.data)?.closeAuthority : null;
  const isOwn = !held || (held.owner === wallet && (closer ?? wallet) === wallet);
  return {
    sol: BigInt(own?.lamports ?? 0),
    wrapped: held ? held.amount : null,
    problem: isOwn ? null : 'Another key controls this wallet’s account of wrapped SOL.',
    accountRent: BigInt(accountRent),
    walletRent: BigInt(walletRent),
  };
}

/** @param units in lamports; null unwraps everything and closes the account */
export async function wrappingCall(
  chain: SolanaChain,
  wallet: SolanaAddress,
  kind: Wrapping,
  units: bigint | null,
  { accountRent }: Pick<WrappingState, 'accountRent'>,
): Promise<SolanaCall> {
  const account = tokenAccount(wallet, chain.wrappedNative).address;
  const owner = new PublicKey(wallet);
  if (kind === 'wrap') {
    const transfer = { fromPubkey: owner, toPubkey: new PublicKey(account), lamports: units ?? 0n };
    return {
      units: WRAP_UNITS,
      instructions: [
        // The wallet pays: rent that an executor paid would be the wallet's with the next unwrapping.
        createTokenAccount(wallet, wallet, chain.wrappedNative),
        SystemProgram.transfer(transfer),
        token(Buffer.from([SYNC_NATIVE]), [account, 'w']),
      ],
    };
  }
  if (units === null) return { units: WRAP_UNITS, instructions: [closing(account, wallet)] };
  // A part goes through an account that lives within the transaction: the other one keeps the rest, and what it approves.
  const seed = randomBytes(16).toString('hex');
  const newAccountPubkey = await PublicKey.createWithSeed(owner, seed, new PublicKey(TOKEN_PROGRAM));
  const created = SystemProgram.createAccountWithSeed({
    fromPubkey: owner,
    basePubkey: owner,
    newAccountPubkey,
    seed,
    lamports: Number(accountRent),
    space: TOKEN_ACCOUNT_BYTES,
    programId: new PublicKey(TOKEN_PROGRAM),
  });
  const passing = newAccountPubkey.toBase58();
  const amount = Buffer.alloc(9);
  amount[0] = TRANSFER;
  amount.writeBigUInt64LE(units, 1);
  const initialize = Buffer.concat([Buffer.from([INITIALIZE_ACCOUNT_3]), owner.toBuffer()]);
  return {
    units: WRAP_UNITS,
    instructions: [
      created,
      token(initialize, [passing, 'w'], [chain.wrappedNative, '']),
      token(amount, [account, 'w'], [passing, 'w'], [wallet, 's']),
      closing(passing, wallet),
    ],
  };
}

function closing(account: SolanaAddress, wallet: SolanaAddress): TransactionInstruction {
  return token(Buffer.from([CLOSE_ACCOUNT]), [account, 'w'], [wallet, 'w'], [wallet, 's']);
}

/** `s` signs, `w` is writable. */
function token(data: Buffer, ...accounts: [SolanaAddress, 's' | 'w' | ''][]): TransactionInstruction {
  const keys = accounts.map(([address, role]) => ({
    pubkey: new PublicKey(address),
    isSigner: role === 's',
    isWritable: role === 'w',
  }));
  return new TransactionInstruction({ programId: new PublicKey(TOKEN_PROGRAM), keys, data });
}

/** The name of the message of a transaction in base64, whatever signed it; null for other bytes. */
export function nameOfTransaction(text: string): string | null {
  return read(text)?.name ?? null;
}

/** The message of a transaction in base64, if the wallet has signed it; null for any other signature. */
export function readSignedBy(text: string, wallet: SolanaAddress, lastValidHeight: bigint): SignedMessage | null {
  const given = read(text);
  if (!given) return null;
  const { message, signatures } = given;
  const at = message.staticAccountKeys.findIndex((key) => key.toBase58() === wallet);
  const signature = signatures[at];
  if (at < 1 || at >= message.header.numRequiredSignatures || !signature) return null;
  if (!isSignedBySolana(wallet, message.serialize(), signature)) return null;
  return { message, signatures: new Map([[wallet, signature]]), lastValidHeight };
}

function read(text: string) {
  try {
    const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(text, 'base64'));
    if (message.version !== 0) return null;
    return { message, signatures, name: nameOfCall({ message }) };
  } catch {
    return null;
  }
}
