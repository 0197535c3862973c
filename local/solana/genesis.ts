// What the stack's seed and tests need on a chain: SOL, mints, token accounts and programs. All but mints and programs come by signed transactions, with history.
import { base58 } from '@scure/base';
import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { SYSTEM_PROGRAM, writeAccount } from './accounts.ts';
import { submit } from './execution.ts';
import { type Keypair, localSolanaKey } from './keys.ts';
import { blockAt, type LandedTransaction, type Ledger } from './ledger.ts';
import { ATA_PROGRAM, MINT_BYTES, TOKEN_PROGRAM } from './tokens.ts';
import { sentenceOf } from './transactionErrors.ts';
import { type Call, decodeTransaction, signTransaction } from './wire.ts';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** Below what a JSON number holds exactly. */
const FAUCET_LAMPORTS = 5_000_000_000_000_000n;
export const FAUCET = localSolanaKey('faucet');

export function fillFaucet(ledger: Ledger): void {
  writeAccount(ledger, FAUCET.address, {
    lamports: FAUCET_LAMPORTS,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(),
    executable: false,
  });
}

/** Signs and executes calls in the open block. @throws Error when they fail */
export function execute(ledger: Ledger, signers: readonly Keypair[], calls: readonly Call[]): LandedTransaction {
  const raw = signTransaction(signers, blockAt(ledger, 'processed').hash, [distinct(ledger), ...calls]);
  const landed = submit(ledger, decodeTransaction(raw));
  const error = typeof landed === 'object' && 'signature' in landed ? landed.error : landed;
  if (error !== null) throw new Error(`The transaction failed: ${sentenceOf(error)}`);
  return landed as LandedTransaction;
}

/** Two equal transfers of one slot would be the same transaction: their compute limits differ. */
function distinct({ transactionCount }: Ledger): Call {
  const data = Buffer.alloc(5);
  data[0] = 2;
  data.writeUInt32LE(1_000_000 + (transactionCount % 400_000), 1);
  return { program: COMPUTE_BUDGET, accounts: [], data };
}

/** @returns the transaction's signature */
export function airdrop(ledger: Ledger, to: string, lamports: bigint | number): string {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(BigInt(lamports), 4);
  const accounts = [
    { address: FAUCET.address, signer: true, writable: true },
    { address: to, writable: true },
  ];
  return execute(ledger, [FAUCET], [{ program: SYSTEM_PROGRAM, accounts, data }]).signature;
}

export type MintTerms = {
  address: string;
  decimals?: number;
  mintAuthority: string;
  /** Who can freeze accounts, as Circle can those of USDC. */
  freezeAuthority?: string | null;
  /** Token-2022's for a look-alike. */
  program?: string;
};

/** Writes a mint without supply at an address for which no key is needed. */
export function placeMint(ledger: Ledger, terms: MintTerms): void {
  const { address, decimals = 6, mintAuthority, freezeAuthority = null, program = TOKEN_PROGRAM } = terms;
  const data = Buffer.alloc(MINT_BYTES);
  data.writeUInt32LE(1, 0);
  data.set(base58.decode(mintAuthority), 4);
  data[44] = decimals;
  data[45] = 1;
  if (freezeAuthority !== null) {
    data.writeUInt32LE(1, 46);
    data.set(base58.decode(freezeAuthority), 50);
  }
  const lamports = ledger.svm.minimumBalanceForRentExemption(BigInt(MINT_BYTES));
  writeAccount(ledger, address, { lamports, owner: program, data, executable: false });
}

/** The associated token account of an owner. */
export async function tokenAddress(owner: string, mint: string, program = TOKEN_PROGRAM): Promise<string> {
  const encode = getAddressEncoder().encode;
  const [address] = await getProgramDerivedAddress({
    programAddress: ATA_PROGRAM as Address,
    seeds: [owner, program, mint].map((part) => encode(part as Address)),
  });
  return address;
}

/** Makes the associated token account of an owner where it is missing; the faucet pays its rent. @returns its address */
export async function createTokenAccount(
  ledger: Ledger,
  { owner, mint, program = TOKEN_PROGRAM }: { owner: string; mint: string; program?: string },
): Promise<string> {
  const address = await tokenAddress(owner, mint, program);
  const accounts = [
    { address: FAUCET.address, signer: true, writable: true },
    { address, writable: true },
    ...[owner, mint, SYSTEM_PROGRAM, program].map((one) => ({ address: one })),
  ];
  execute(ledger, [FAUCET], [{ program: ATA_PROGRAM, accounts, data: Uint8Array.from([1]) }]);
  return address;
}

export type TokenGrant = { mint: string; authority: Keypair; owner: string; amount: bigint; program?: string };

/** Mints to the associated token account of an owner, which is made where it is missing. @returns the signature */
export async function mintTokens(ledger: Ledger, grant: TokenGrant): Promise<string> {
  const { mint, authority, owner, amount, program = TOKEN_PROGRAM } = grant;
  const address = await createTokenAccount(ledger, { owner, mint, program });
  const data = Buffer.alloc(9);
  data[0] = 7;
  data.writeBigUInt64LE(amount, 1);
  const accounts = [
    { address: mint, writable: true },
    { address, writable: true },
    { address: authority.address, signer: true },
  ];
  return execute(ledger, [FAUCET, authority], [{ program, accounts, data }]).signature;
}

export type Freeze = { mint: string; account: string; authority: Keypair; isFrozen?: boolean; program?: string };

/** Freezes a token account, or thaws it: what Circle does with addresses on its list. @returns the signature */
export function freezeAccount(ledger: Ledger, freeze: Freeze): string {
  const { mint, account, authority, isFrozen = true, program = TOKEN_PROGRAM } = freeze;
  const accounts = [
    { address: account, writable: true },
    { address: mint },
    { address: authority.address, signer: true },
  ];
  const data = Uint8Array.from([isFrozen ? 10 : 11]);
  return execute(ledger, [FAUCET, authority], [{ program, accounts, data }]).signature;
}

/** Installs a program without a deployment. It is there at every commitment, and forks do not remove it. */
export function addProgram(ledger: Ledger, address: string, bytes: Uint8Array): void {
  ledger.svm.addProgram(address as Address, bytes);
  ledger.changes++;
}
