// What a sender of tips has and allows, on a chain of any family.
import type { Chain } from './chain.ts';
import { senderStates as evmSenderStates, tokenBalance as evmTokenBalance, type SenderState } from './routers/bot.ts';
import { NATIVE_TOKEN } from './routers/payment.ts';
import { type Address, reading } from './rpc/client.ts';
import { SOL } from './solana/orders.ts';
import { solanaSenderStates } from './solana/tips.ts';
import { solanaBalance, solanaTokenBalance, solanaTokenBalances } from './solana/tokens.ts';

export type { SenderState };
export type SenderToken = { sender: string; token: string };

/**
 * Everything that decides whether senders can pay, in their order, of one block.
 * @param now in milliseconds: what was spent is counted up to it where the chain does not say so itself
 * @throws AppError `provider_unavailable`
 */
export function senderStates(chain: Chain, senders: readonly SenderToken[], now: number): Promise<SenderState[]> {
  if (chain.family === 'solana') return solanaSenderStates(chain, senders, BigInt(Math.floor(now / 1_000)));
  return evmSenderStates(
    chain,
    senders.map(({ sender, token }) => ({ sender: sender as Address, token: token as Address })),
  );
}

/** The same of one sender and one token. */
export async function senderState(chain: Chain, sender: string, token: string, now: number): Promise<SenderState> {
  const [state] = await senderStates(chain, [{ sender, token }], now);
  if (!state) throw new Error('every sender has a state');
  return state;
}

/** In smallest units. @throws AppError `provider_unavailable` */
export function tokenBalance(chain: Chain, token: string, owner: string): Promise<bigint> {
  return chain.family === 'solana'
    ? solanaTokenBalance(chain, token, owner)
    : evmTokenBalance(chain, token as Address, owner as Address);
}

/** Of the native asset, in smallest units. @throws AppError `provider_unavailable` */
export function nativeBalance(chain: Chain, owner: string): Promise<bigint> {
  return chain.family === 'solana'
    ? solanaBalance(chain, owner)
    : reading(chain, () => chain.client.getBalance({ address: owner as Address }));
}

/** Of USDC, or of what stands for the native asset in orders. @throws AppError `provider_unavailable` */
export function assetBalance(chain: Chain, token: string, owner: string): Promise<bigint> {
  const isNative = token === (chain.family === 'solana' ? SOL : NATIVE_TOKEN);
  return isNative ? nativeBalance(chain, owner) : tokenBalance(chain, token, owner);
}

/** The same of many, in their order. @throws AppError `provider_unavailable` */
export function assetBalances(chain: Chain, holders: readonly { token: string; owner: string }[]): Promise<bigint[]> {
  if (chain.family === 'solana' && holders.every(({ token }) => token !== SOL))
    return solanaTokenBalances(chain, holders);
  return Promise.all(holders.map(({ token, owner }) => assetBalance(chain, token, owner)));
}
