// The Solana chain of the local Relay: payers deposit at a depository of the real one's form, and a solver pays from its own account.
import { PublicKey, SystemProgram } from '@solana/web3.js';
import type { Hex } from '../../src/chain/rpc/client.ts';
import { tokenAccount } from '../../src/chain/solana/addresses.ts';
import { depositInstruction, depositVault } from '../../src/chain/solana/relayDepository.ts';
import { createTokenAccount } from '../../src/chain/solana/tips.ts';
import { readSolanaAddress } from '../../src/domain/solanaAddress.ts';
import { ROOT } from '../../src/root.ts';
import { readBuild } from '../program/record.ts';
import { readAccount, SYSTEM_PROGRAM } from '../solana/accounts.ts';
import { callOf } from '../solana/cluster.ts';
import {
  addProgram,
  airdrop,
  createTokenAccount as createTokenAccountOf,
  execute,
  mintTokens,
} from '../solana/genesis.ts';
import { type Keypair, localSolanaKey } from '../solana/keys.ts';
import { blockAt, type LandedTransaction, type Ledger } from '../solana/ledger.ts';
import { TOKEN_PROGRAM, tokenAccountOf } from '../solana/tokens.ts';
import { type Call, decodeTransaction } from '../solana/wire.ts';
import type { RelayPlace, Waiting } from './place.ts';

/** As Relay numbers Solana, and what stands for SOL there. */
const CHAIN_ID = 792_703_809;
const SOL = SYSTEM_PROGRAM;
/** Where the source and the build of the stand-in for Relay's depository are. */
export const DEPOSITORY = `${ROOT}/local/bridge/depository`;

/** In units of USDC and lamports. */
const FLOAT = 1_000_000_000_000n;
const NATIVE_FLOAT = 100_000_000_000_000n;
/** Of a token account. */
const RENT = 2_039_280n;
const MICROS_PER_USD = 1e6;
const DECIMALS = 6;

export type SolanaBridgeChain = {
  ledger: Ledger;
  usdc: string;
  /** Mints USDC. */
  issuer: Keypair;
  solUsdPrice: number;
};

const solver = localSolanaKey('relay solver');
const program = localSolanaKey('relay depository').address;

/** The program to which payers deposit. */
export const depositoryAddress = () => program;
/** The account that fills, and those in which deposits lie. */
export const solanaSolver = () => solver.address;
export const depositoryVault = (mint: string | null) => depositVault({ program, mint });

export async function openSolanaPlace(chain: SolanaBridgeChain): Promise<RelayPlace> {
  const { ledger, usdc, issuer } = chain;
  if (!readAccount(ledger, program)) addProgram(ledger, program, readBuild(DEPOSITORY).image);
  if ((readAccount(ledger, solver.address)?.lamports ?? 0n) < NATIVE_FLOAT / 2n)
    airdrop(ledger, solver.address, NATIVE_FLOAT);
  if (heldAt(ledger, tokenAccount(solver.address, usdc).address) < FLOAT / 2n)
    await mintTokens(ledger, { mint: usdc, authority: issuer, owner: solver.address, amount: FLOAT });
  // As on the real network, where the first deposit of a token is long ago: its payer opened this account.
  await createTokenAccountOf(ledger, { owner: depositVault({ program, mint: null }), mint: usdc });
  /** The newest slot that was read. */
  let seen = blockAt(ledger, 'confirmed').slot;
  const microUsd = BigInt(Math.round(chain.solUsdPrice * MICROS_PER_USD));
  return {
    chainId: CHAIN_ID,
    isAddress: (text) => readSolanaAddress(text) !== null,
    assetOf(token) {
      if (token === usdc) return { kind: 'USDC', decimals: DECIMALS, microUsd: 1_000_000n };
      return token === SOL ? { kind: 'SOL', decimals: 9, microUsd } : null;
    },
    openingUsd(recipient, token) {
      if (token === SOL || readAccount(ledger, tokenAccount(recipient, usdc).address)) return 0n;
      return (RENT * microUsd) / 1_000_000_000n + 1n;
    },
    depositData({ orderId, inputToken }, user, input) {
      const mint = inputToken === SOL ? null : inputToken;
      const { keys, programId, data } = depositInstruction({
        program,
        id: orderId as Hex,
        payer: user,
        mint,
        amount: input,
      });
      const instruction = {
        keys: keys.map(({ pubkey, ...role }) => ({ pubkey: pubkey.toBase58(), ...role })),
        programId: programId.toBase58(),
        data: data.toString('hex'),
      };
      return { instructions: [instruction], addressLookupTableAddresses: [] };
    },
    async readDeposits(waits) {
      const { slot } = blockAt(ledger, 'confirmed');
      // A fork may have put other transactions into slots that were read: what waits is looked for a little further back.
      const from = waits.length === 0 ? slot : Math.min(seen, slot) - ledger.finalizedAfter;
      seen = slot;
      return [...ledger.transactions.values()]
        .filter((landed) => landed.error === null && landed.slot >= from && landed.slot <= slot)
        .flatMap((landed) => depositsIn(landed, waits));
    },
    async pay(to, token, amount) {
      const calls =
        token === SOL
          ? [transferSol(to, amount)]
          : [callOf(createTokenAccount(solver.address, to, usdc)), transferUsdc(usdc, to, amount)];
      return execute(ledger, [solver], calls).signature;
    },
  };
}

function heldAt(ledger: Ledger, address: string): bigint {
  return tokenAccountOf(readAccount(ledger, address))?.amount ?? 0n;
}

/** Deposits of those that wait in one transaction: the depository's own instructions, which name the order and the amount. */
function depositsIn(landed: LandedTransaction, waits: readonly Waiting[]): { id: string; hash: string }[] {
  const { instructions } = decodeTransaction(landed.raw).message;
  return instructions.flatMap(({ programIdIndex, data }) => {
    if (landed.keys[programIdIndex] !== program || data.length !== 48) return [];
    const bytes = Buffer.from(data);
    const request = waits.find(({ orderId }) => orderId === `0x${bytes.toString('hex', 16)}`);
    const isPaid = request !== undefined && bytes.readBigUInt64LE(8) >= BigInt(request.input);
    return isPaid ? [{ id: request.id, hash: landed.signature }] : [];
  });
}

function transferSol(to: string, lamports: bigint): Call {
  const keys = { fromPubkey: new PublicKey(solver.address), toPubkey: new PublicKey(to) };
  return callOf(SystemProgram.transfer({ ...keys, lamports }));
}

function transferUsdc(usdc: string, to: string, amount: bigint): Call {
  const data = Buffer.alloc(10);
  data[0] = 12;
  data.writeBigUInt64LE(amount, 1);
  data[9] = DECIMALS;
  const accounts = [
    { address: tokenAccount(solver.address, usdc).address, writable: true },
    { address: usdc },
    { address: tokenAccount(to, usdc).address, writable: true },
    { address: solver.address, signer: true },
  ];
  return { program: TOKEN_PROGRAM, accounts, data };
}
