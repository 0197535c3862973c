// What a payer signs on Solana to give money for a leg of a smart payment: one transaction that an executor pays for and sends, so that no other can.
import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { solanaAddressOf } from '../../domain/solanaAddress.ts';
import type { SolanaCall, SolanaChain } from './client.ts';
import { type Bytes32, bytes32, type SolanaAddress } from './codec.ts';
import { openDeposit, type SolanaOrder } from './orders.ts';
import { depositInstruction } from './relayDepository.ts';
import { createTokenAccount } from './tips.ts';
import { transferUsdc } from './tokens.ts';

/** Measured at 35,000 with the depository of the local chain; Relay's own may need more. */
const DEPOSIT_UNITS = 200_000;
/** Measured at 35,000 with an account that is opened first. */
const TRANSFER_UNITS = 80_000;
/** Signatures of the payer and of the executor, in lamports. */
const SIGNATURES_FEE = 10_000n;

/** `token` null for SOL, `amount` in smallest units, `gas` in lamports: what the payer gives the executor for the network fee. */
export type SolanaLeg = { from: SolanaAddress; token: SolanaAddress | null; amount: bigint; gas: bigint } & (
  | { into: 'relay'; program: SolanaAddress; id: Bytes32 }
  /** `nonce` tells it from another transfer of the same. */
  | { into: 'order'; order: SolanaOrder; to: SolanaAddress; nonce: Bytes32 }
  /** `opens`: the payer opens the recipient's token account. */
  | { into: 'wallet'; to: SolanaAddress; nonce: Bytes32; opens: boolean }
);

export function solanaLegCall(chain: SolanaChain, leg: SolanaLeg, executor: SolanaAddress): SolanaCall {
  const { from, gas } = leg;
  const money = moneyOf(chain, leg, executor);
  const refund = SystemProgram.transfer({
    fromPubkey: new PublicKey(from),
    toPubkey: new PublicKey(executor),
    lamports: gas,
  });
  return { ...money, instructions: gas > 0n ? [...money.instructions, refund] : money.instructions };
}

function moneyOf(chain: SolanaChain, leg: SolanaLeg, executor: SolanaAddress): SolanaCall {
  const { from, token, amount } = leg;
  if (leg.into === 'relay') {
    const { program, id } = leg;
    const deposit = depositInstruction({ program, id, payer: from, mint: token, amount });
    return { units: DEPOSIT_UNITS, instructions: [deposit] };
  }
  const pay = transfer(leg);
  if (leg.into === 'order')
    return { units: TRANSFER_UNITS, instructions: [openDeposit(chain, leg.order, executor), pay] };
  const opening = leg.opens && token !== null ? [createTokenAccount(from, leg.to, token)] : [];
  return { units: TRANSFER_UNITS, instructions: [...opening, pay] };
}

/** Its nonce is a reference: an account that the transfer names and does not use. */
function transfer({ from, to, token, amount, nonce }: Exclude<SolanaLeg, { into: 'relay' }>): TransactionInstruction {
  const reference = solanaAddressOf(bytes32(nonce));
  if (token !== null) return transferUsdc({ from, to, usdc: token, units: amount }, [reference]);
  const pay = SystemProgram.transfer({
    fromPubkey: new PublicKey(from),
    toPubkey: new PublicKey(to),
    lamports: amount,
  });
  const named = { pubkey: new PublicKey(reference), isSigner: false, isWritable: false };
  return new TransactionInstruction({ ...pay, keys: [...pay.keys, named] });
}

/** What the network takes for a leg at a price of a compute unit, in lamports. @param price micro-lamports */
export function legFee(into: SolanaLeg['into'], price: number): bigint {
  const units = BigInt(into === 'relay' ? DEPOSIT_UNITS : TRANSFER_UNITS);
  return SIGNATURES_FEE + (units * BigInt(price) + 999_999n) / 1_000_000n;
}
