// Relay's depository on Solana: the one instruction with which a payer gives a request its money. Its id is what the request is known by.
import { createHash } from 'node:crypto';
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { readSolanaAddress } from '../../domain/solanaAddress.ts';
import { ASSOCIATED_TOKEN_PROGRAM, derive, SYSTEM_PROGRAM, TOKEN_PROGRAM, tokenAccount } from './addresses.ts';
import { type Bytes32, bytes32, type SolanaAddress } from './codec.ts';

const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
/** Anchor's name of an instruction: the first 8 bytes of a hash. */
const nameOf = (name: string) => createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);
const DEPOSIT_NATIVE = nameOf('deposit_native');
const DEPOSIT_TOKEN = nameOf('deposit_token');
/** Name, amount and id. */
const DATA_BYTES = 48;

/** `mint` is null for SOL. Amounts in smallest units. */
export type Deposit = {
  program: SolanaAddress;
  id: Bytes32;
  payer: SolanaAddress;
  mint: SolanaAddress | null;
  amount: bigint;
};

/** As Relay's quotes write an instruction; `data` in hex. */
export type QuotedInstruction = {
  programId: string;
  keys: readonly { pubkey: string; isSigner: boolean; isWritable: boolean }[];
  data: string;
};

/** Where deposits of a token lie, or of SOL: an account that the program's address alone decides. */
export function depositVault({ program, mint }: Pick<Deposit, 'program' | 'mint'>): SolanaAddress {
  const vault = derive(program, [Buffer.from('vault')]).address;
  return mint === null ? vault : tokenAccount(vault, mint).address;
}

export function depositInstruction({ program, id, payer, mint, amount }: Deposit): TransactionInstruction {
  const key = (address: SolanaAddress, isSigner = false, isWritable = false) => ({
    pubkey: new PublicKey(address),
    isSigner,
    isWritable,
  });
  const depository = derive(program, [Buffer.from('relay_depository')]).address;
  const vault = derive(program, [Buffer.from('vault')]).address;
  const units = Buffer.alloc(8);
  units.writeBigUInt64LE(amount);
  const data = Buffer.concat([mint === null ? DEPOSIT_NATIVE : DEPOSIT_TOKEN, units, bytes32(id)]);
  const head = [key(depository), key(payer, true, true), key(payer)];
  const keys =
    mint === null
      ? [...head, key(vault, false, true), key(SYSTEM_PROGRAM)]
      : [
          ...head,
          key(vault),
          key(mint),
          key(tokenAccount(payer, mint).address, false, true),
          key(tokenAccount(vault, mint).address, false, true),
          key(TOKEN_PROGRAM),
          key(ASSOCIATED_TOKEN_PROGRAM),
          key(SYSTEM_PROGRAM),
        ];
  return new TransactionInstruction({ programId: new PublicKey(program), keys, data });
}

/**
 * The deposit that a quote asks for, if it is nothing but that: to one of these programs, of the payer, of exactly this amount. Limits and prices of
 * compute units are ours to choose.
 * @returns null for any other instruction
 */
export function readDeposit(
  instructions: readonly QuotedInstruction[],
  { payer, mint, amount }: Pick<Deposit, 'payer' | 'mint' | 'amount'>,
  programs: readonly SolanaAddress[],
): Pick<Deposit, 'program' | 'id'> | null {
  const [asked, ...others] = instructions.filter(({ programId }) => programId !== COMPUTE_BUDGET_PROGRAM);
  if (!asked || others.length > 0 || !programs.includes(asked.programId)) return null;
  const data = /^([0-9a-f]{2})+$/i.test(asked.data) ? Buffer.from(asked.data, 'hex') : Buffer.alloc(0);
  if (data.length !== DATA_BYTES || asked.keys.some(({ pubkey }) => readSolanaAddress(pubkey) === null)) return null;
  const program = asked.programId;
  const id: Bytes32 = `0x${data.subarray(16).toString('hex')}`;
  const ours = depositInstruction({ program, id, payer, mint, amount });
  const isOurs =
    ours.data.equals(data) &&
    ours.keys.length === asked.keys.length &&
    ours.keys.every(({ pubkey }, index) => pubkey.toBase58() === asked.keys[index]?.pubkey) &&
    asked.keys.every(({ pubkey, isSigner }) => !isSigner || pubkey === payer);
  return isOurs ? { program, id } : null;
}
