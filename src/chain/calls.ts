// Calls that are stored before they are sent, on a chain of any family: whether one would succeed, and whether it still can.
import { AppError } from '../domain/errors.ts';
import type { Chain } from './chain.ts';
import { type RevertReason, simulateCall } from './routers/reverts.ts';
import type { Address, Hex } from './rpc/client.ts';
import type { SolanaChain } from './solana/client.ts';
import {
  decodeInstructions,
  decodePayload,
  EXECUTOR,
  encodeSignedMessage,
  type SignedMessage,
} from './solana/payload.ts';
import { isHashOver, simulateMessage, simulateSolana } from './solana/transactions.ts';
import { executorsInForce, nameOfCall, payerOf } from './solana/walletCalls.ts';

/** As `queueCall` takes it: on Solana `data` is what solana/payload writes. */
export type ChainCall = { to: string; data: string; gas: bigint };

/** A transaction in base64 that its wallet has still to sign, and that an executor pays for. */
export type TransactionToSign = { signed_by: string; solana_transaction: string };
/** @param number names what was signed among all that the wallet signs; `payer` is the key of ours that pays */
export type SignedCall = { call: ChainCall; number: string; payer: string };

/** What a wallet has signed whole, as it is queued. */
export function signedCallOf(chain: SolanaChain, signed: SignedMessage): SignedCall {
  const call = { to: chain.program.id, data: encodeSignedMessage(signed), gas: 0n };
  return { call, number: nameOfCall(signed), payer: payerOf(signed) };
}

/**
 * Plays a call against the newest block.
 * @param executor who sends it, where it does not name that itself; on Solana by default one that the program knows
 * @throws AppError `provider_unavailable`
 */
export async function simulateQueued(
  chain: Chain,
  { to, data, gas }: ChainCall,
  executor: string | undefined,
): Promise<RevertReason | null> {
  if (chain.family === 'evm') {
    const account = executor === undefined ? {} : { account: executor as Address };
    return simulateCall(chain, { to: to as Address, data: data as Hex, gas, ...account });
  }
  const stored = decodePayload(data, executor ?? EXECUTOR);
  if ('message' in stored) return simulateMessage(chain, stored.message);
  const payer = executor ?? (await executorsInForce(chain))[0];
  if (payer === undefined) throw new AppError('provider_unavailable', `${chain.facts.label} has no executor`);
  const { instructions } = decodeInstructions(data, payer);
  return simulateSolana(chain, payer, { instructions, units: Number(gas) });
}

/** Whether a call can no longer land, because what was signed with it is over. @throws AppError `provider_unavailable` */
export async function isCallOver(chain: Chain, data: string): Promise<boolean> {
  if (chain.family === 'evm') return false;
  const payload = decodePayload(data, EXECUTOR);
  return 'message' in payload && isHashOver(chain, payload.lastValidHeight);
}
