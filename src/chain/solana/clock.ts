// The cluster's own clock, which the program compares times with: the clock sysvar.
import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js';
import { readingSolana, type SolanaChain } from './client.ts';
import type { SolanaAddress } from './codec.ts';

export const CLOCK_SYSVAR: SolanaAddress = 'SysvarC1ock11111111111111111111111111111111';
const UNIX_TIME_AT = 32;

/** In Unix seconds. @throws Error when the account is not the clock */
export function timeOfClock(account: AccountInfo<Buffer> | null | undefined): bigint {
  if (!account || account.data.length < UNIX_TIME_AT + 8) throw new Error('the endpoint shows no clock');
  return account.data.readBigInt64LE(UNIX_TIME_AT);
}

/** The newest final slot of an endpoint, and its time in Unix seconds. @throws Error when it does not answer */
export async function finalClock(at: Connection): Promise<{ slot: bigint; time: bigint }> {
  const { context, value } = await at.getAccountInfoAndContext(new PublicKey(CLOCK_SYSVAR), 'finalized');
  return { slot: BigInt(context.slot), time: timeOfClock(value) };
}

/** The time of the newest confirmed slot, in Unix seconds. @throws AppError `provider_unavailable` */
export function chainTime(chain: SolanaChain): Promise<bigint> {
  return readingSolana(chain, async (at) => timeOfClock(await at.getAccountInfo(new PublicKey(CLOCK_SYSVAR))));
}
