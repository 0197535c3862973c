// Wrapping of SOL: the one chain whose native asset a wallet wraps at our cost.
import type { Wrapping } from '../domain/wrapping.ts';
import type { SignedCall, TransactionToSign } from './calls.ts';
import { signedCallOf } from './calls.ts';
import type { Chain } from './chain.ts';
import type { SolanaChain } from './solana/client.ts';
import { buildPaidMessage, executorsInForce, nameOfCall, unsignedTransaction } from './solana/walletCalls.ts';
import { nameOfTransaction, readSignedBy, type WrappingState, wrappingCall, wrappingState } from './solana/wrapping.ts';

export { nameOfTransaction, type WrappingState };

/** Whether wallets can wrap the native asset here. */
export function wrapsNative(chain: Chain | undefined): chain is SolanaChain {
  return chain?.family === 'solana';
}

/** @throws AppError `provider_unavailable` */
export function readWrapping(chain: Chain, wallet: string): Promise<WrappingState> {
  return wrappingState(solana(chain), wallet);
}

export type PreparedWrapping = TransactionToSign & {
  /** Of the message, in hexadecimal: what is signed later is this one or nothing. */
  messageHash: string;
  lastValidHeight: bigint;
};

/**
 * The transaction for the wallet to sign, which none has signed yet.
 * @param units null unwraps everything
 * @param payer the key of ours that pays the fee
 * @returns null for a wallet that is itself an executor, which would pay for more than the fee
 * @throws AppError `provider_unavailable`
 */
export async function prepareWrapping(
  chain: Chain,
  wallet: string,
  { kind, units, state }: { kind: Wrapping; units: bigint | null; state: WrappingState },
  payer: string,
): Promise<PreparedWrapping | null> {
  const at = solana(chain);
  if (wallet === payer || (await executorsInForce(at)).includes(wallet)) return null;
  const paid = await buildPaidMessage(at, payer, await wrappingCall(at, wallet, kind, units, state));
  return {
    signed_by: wallet,
    solana_transaction: unsignedTransaction(paid),
    messageHash: nameOfCall(paid),
    lastValidHeight: paid.lastValidHeight,
  };
}

/** A transaction whose message is known to be ours, as it is queued; null where its wallet has not signed it. */
export function readSignedWrapping(
  chain: Chain,
  text: string,
  { wallet, lastValidHeight }: { wallet: string; lastValidHeight: bigint },
): SignedCall | null {
  const signed = readSignedBy(text, wallet, lastValidHeight);
  return signed && signedCallOf(solana(chain), signed);
}

function solana(chain: Chain): SolanaChain {
  if (!wrapsNative(chain)) throw new Error(`${chain.name} wraps nothing`);
  return chain;
}
