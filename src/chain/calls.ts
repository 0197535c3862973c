// Calls that are stored before they are sent, on a chain of any family: whether one would succeed, and whether it still can.
import type { Chain } from './chain.ts';
import { type RevertReason, simulateCall } from './routers/reverts.ts';
import type { Address, Hex } from './rpc/client.ts';
import { decodePayload, EXECUTOR } from './solana/payload.ts';
import { isHashOver, simulateMessage, simulateSolana } from './solana/transactions.ts';

/** As `queueCall` takes it: on Solana `data` is what solana/payload writes. */
export type ChainCall = { to: string; data: string; gas: bigint };

/** Plays a call against the newest block. @param executor who sends it, where it does not name that itself. @throws AppError `provider_unavailable` */
export async function simulateQueued(
  chain: Chain,
  { to, data, gas }: ChainCall,
  executor: string | undefined,
): Promise<RevertReason | null> {
  if (chain.family === 'evm') {
    const account = executor === undefined ? {} : { account: executor as Address };
    return simulateCall(chain, { to: to as Address, data: data as Hex, gas, ...account });
  }
  const payload = decodePayload(data, executor ?? EXECUTOR);
  if ('message' in payload) return simulateMessage(chain, payload.message);
  return simulateSolana(chain, executor ?? EXECUTOR, { ...payload, units: Number(gas) });
}

/** Whether a call can no longer land, because what was signed with it is over. @throws AppError `provider_unavailable` */
export async function isCallOver(chain: Chain, data: string): Promise<boolean> {
  if (chain.family === 'evm') return false;
  const payload = decodePayload(data, EXECUTOR);
  return 'message' in payload && isHashOver(chain, payload.lastValidHeight);
}
