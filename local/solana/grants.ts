// What a person has on the local Solana chain: SOL, USDC, token accounts, and how much the program may take of it. One transaction gives all of it.
import { limitsOf, tokenAccount } from '../../src/chain/solana/addresses.ts';
import { buildInstruction } from '../../src/chain/solana/instructions.ts';
import { SYSTEM_PROGRAM } from './accounts.ts';
import { callOf } from './cluster.ts';
import type { LocalSolana } from './deployLocal.ts';
import { execute, FAUCET } from './genesis.ts';
import type { Keypair } from './keys.ts';
import type { LandedTransaction, Ledger } from './ledger.ts';
import { ATA_PROGRAM, TOKEN_PROGRAM } from './tokens.ts';
import type { Call } from './wire.ts';

/** The asset bytes of the program. */
const [USDC_ASSET, WRAPPED_ASSET] = [0, 1];
/** The token program's instruction that counts lamports as wrapped SOL. */
const SYNC_NATIVE = 17;
const MOST_UNITS = 2n ** 64n - 1n;

type Limits = { perTip: bigint; perDay: bigint; maxFee: bigint };
/** In lamports and in units of USDC. */
export type SolanaGrant = {
  lamports: bigint;
  usdc: bigint;
  /** Approves the program for all USDC, within these limits. The person signs; the faucet pays, so that their SOL is what they were given. */
  limits?: Limits;
};

/** Adds to what the person has; token accounts for USDC and wrapped SOL are made where they are missing. */
export function giveSolana(ledger: Ledger, local: LocalSolana, to: Keypair, grant: SolanaGrant): LandedTransaction {
  const { usdc, wrappedNative, issuer } = local;
  const { lamports, limits } = grant;
  const calls = [
    transfer(to, lamports),
    ...[usdc, wrappedNative].map((mint) => openTokenAccount(to, mint)),
    mintTo(local, to, grant.usdc),
    ...(limits ? [approve(local, to, usdc), setLimits(local, to, USDC_ASSET, limits)] : []),
  ];
  return execute(ledger, limits ? [FAUCET, issuer, to] : [FAUCET, issuer], calls);
}

/** Wrapped SOL, all of which the program may take within limits. The person has its token account already. */
export function giveWrapped(
  ledger: Ledger,
  local: LocalSolana,
  to: Keypair,
  { lamports, limits }: { lamports: bigint; limits: Limits },
): LandedTransaction {
  const { wrappedNative } = local;
  const { address } = tokenAccount(to.address, wrappedNative);
  const calls = [
    transfer({ address }, lamports),
    { program: TOKEN_PROGRAM, accounts: [{ address, writable: true }], data: Uint8Array.from([SYNC_NATIVE]) },
    approve(local, to, wrappedNative),
    setLimits(local, to, WRAPPED_ASSET, limits),
  ];
  return execute(ledger, [FAUCET, to], calls);
}

function transfer(to: { address: string }, lamports: bigint): Call {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(lamports, 4);
  const accounts = [
    { address: FAUCET.address, signer: true, writable: true },
    { address: to.address, writable: true },
  ];
  return { program: SYSTEM_PROGRAM, accounts, data };
}

function openTokenAccount(owner: Keypair, mint: string): Call {
  const accounts = [
    { address: FAUCET.address, signer: true, writable: true },
    { address: tokenAccount(owner.address, mint).address, writable: true },
    ...[owner.address, mint, SYSTEM_PROGRAM, TOKEN_PROGRAM].map((address) => ({ address })),
  ];
  return { program: ATA_PROGRAM, accounts, data: Uint8Array.from([1]) };
}

function mintTo({ usdc, issuer }: LocalSolana, to: Keypair, units: bigint): Call {
  const accounts = [
    { address: usdc, writable: true },
    { address: tokenAccount(to.address, usdc).address, writable: true },
    { address: issuer.address, signer: true },
  ];
  return { program: TOKEN_PROGRAM, accounts, data: tokenData(7, units) };
}

function approve({ fixed }: LocalSolana, owner: Keypair, mint: string): Call {
  const accounts = [
    { address: tokenAccount(owner.address, mint).address, writable: true },
    { address: fixed.spender },
    { address: owner.address, signer: true },
  ];
  return { program: TOKEN_PROGRAM, accounts, data: tokenData(4, MOST_UNITS) };
}

function tokenData(tag: number, units: bigint): Buffer {
  const data = Buffer.alloc(9);
  data[0] = tag;
  data.writeBigUInt64LE(units, 1);
  return data;
}

function setLimits({ program, fixed }: LocalSolana, owner: Keypair, asset: number, limits: Limits): Call {
  const instruction = buildInstruction({ id: program, fixed }, 'setLimits', {
    args: { asset, ...limits },
    accounts: { payer: FAUCET.address, owner: owner.address, limits: limitsOf(program, owner.address).address },
  });
  return callOf(instruction);
}
