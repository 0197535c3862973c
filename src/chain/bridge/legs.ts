// How a payer gives the money of a leg on a chain of any family: by a signature over a text, by its wallet's own transaction, or by signing a whole
// transaction that an executor sends. And what the network takes for it.
import type { Via } from '../../domain/smartLeg.ts';
import { type SignedCall, signedCallOf, type TransactionToSign } from '../calls.ts';
import type { Chain } from '../chain.ts';
import type { OrderAt } from '../orders.ts';
import { type Address, currentFees } from '../rpc/client.ts';
import { codeOf, gaslessWays } from '../signing/gasless.ts';
import { tokenDomain } from '../signing/permits.ts';
import { type SolanaChain, unitPrice } from '../solana/client.ts';
import type { Bytes32 } from '../solana/codec.ts';
import { legFee, type SolanaLeg, solanaLegCall } from '../solana/legs.ts';
import { ACCOUNT_LAMPORTS, WALLET_LAMPORTS } from '../solana/recipients.ts';
import { buildPaidMessage, readSignedCall, unsignedTransaction } from '../solana/walletCalls.ts';

export type LegWay = 'signature' | 'wallet' | 'transaction';

/**
 * How a wallet can pay an asset. A text is signed for USDC alone (EIP-3009).
 * @throws AppError `provider_unavailable`
 */
export async function legWay(chain: Chain, payer: string, { isUsdc }: { isUsdc: boolean }): Promise<LegWay> {
  if (chain.family === 'solana') return 'transaction';
  if (!isUsdc || !chain.facts.permits.includes('eip3009')) return 'wallet';
  const account = payer as Address;
  const [code, domain] = await Promise.all([codeOf(chain, account), tokenDomain(chain)]);
  if (domain === null) return 'wallet';
  if (code === '0x') return 'signature';
  const { ways } = await gaslessWays(chain, account, { router: 'payment', amount: 1n });
  return ways.some(({ way }) => way === 'eip3009') ? 'signature' : 'wallet';
}

/** Gas of what a payer's wallet, or an executor for it, sends: at a price that has room to rise until then. */
const GAS = { approve: 60_000n, deposit: 130_000n, authorized: 260_000n, transfer: 65_000n, native: 40_000n };

/** What a unit of gas costs now: in wei, or on Solana in micro-lamports. @throws AppError `provider_unavailable` */
export async function gasPrice(chain: Chain): Promise<bigint> {
  return chain.family === 'solana' ? BigInt(await unitPrice(chain, [], 0)) : (await currentFees(chain)).maxFee;
}

export type Sending = { via: Via; by: LegWay; isNative: boolean; opens: boolean };

/** What the network takes at most for a leg, in smallest native units. @param price as {@link gasPrice} gives it */
export function networkCost(chain: Chain, price: bigint, { via, by, isNative, opens }: Sending): bigint {
  if (chain.family === 'solana') {
    const rent = opens && !isNative ? ACCOUNT_LAMPORTS : 0n;
    return legFee(via === 'relay' ? 'relay' : 'wallet', Number(price)) + rent;
  }
  if (by === 'signature') return GAS.authorized * price;
  return (isNative ? GAS.native : via === 'across' ? GAS.approve + GAS.deposit : GAS.transfer) * price;
}

/** What of the native asset has to stay in a wallet that pays, in smallest units. */
export function leastKept({ family }: Chain): bigint {
  return family === 'solana' ? WALLET_LAMPORTS : 0n;
}

/** A leg whose payer signs the whole transaction. See chain/solana/legs. */
export type WholeLeg = { from: string; token: string | null; amount: bigint; gas: bigint } & (
  | { into: 'relay'; program: string; id: string }
  | { into: 'order'; order: OrderAt; to: string; nonce: string }
  | { into: 'wallet'; to: string; nonce: string; opens: boolean }
);

function solanaLeg(chain: Chain, leg: WholeLeg): { chain: SolanaChain; leg: SolanaLeg } {
  if (chain.family !== 'solana') throw new Error(`no payer signs whole transactions on ${chain.name}`);
  if (leg.into === 'relay') return { chain, leg: { ...leg, id: leg.id as Bytes32 } };
  return { chain, leg: { ...leg, nonce: leg.nonce as Bytes32 } };
}

/** @param payer the key of ours that pays the network. @throws AppError `provider_unavailable` */
export async function prepareLeg(at: Chain, whole: WholeLeg, payer: string | null): Promise<TransactionToSign> {
  const { chain, leg } = solanaLeg(at, whole);
  if (payer === null) throw new Error('a transaction on Solana names who pays for it');
  const paid = await buildPaidMessage(chain, payer, solanaLegCall(chain, leg, payer));
  return { signed_by: leg.from, solana_transaction: unsignedTransaction(paid) };
}

/**
 * A leg in a transaction that its payer has signed.
 * @param text in base64
 * @returns null for any other transaction than {@link prepareLeg} gives, and for another signature
 * @throws AppError `provider_unavailable`
 */
export async function readLeg(at: Chain, whole: WholeLeg, text: string): Promise<SignedCall | null> {
  const { chain, leg } = solanaLeg(at, whole);
  const signed = await readSignedCall(chain, text, leg.from, (payer) => solanaLegCall(chain, leg, payer));
  return signed && signedCallOf(chain, signed);
}
