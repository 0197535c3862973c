// Buckets of message keys that are old enough to be closed.
import type { RentReturn } from '../rent.ts';
import { payersOf } from './accounts.ts';
import { bucketOf } from './addresses.ts';
import type { SolanaChain } from './client.ts';
import { chainTime } from './clock.ts';
import type { SolanaAddress } from './codec.ts';
import { buildInstruction } from './instructions.ts';
import { readAccounts } from './manyAccounts.ts';
import { EXECUTOR, encodeInstructions } from './payload.ts';
import { readConfig } from './verify.ts';

const HOUR = 3_600n;
/** Hours after which the program lets a bucket be closed: the hour itself, and 25 more. */
const CLOSABLE_AFTER = 26n;
/** A week of hours is looked at: what a longer pause of the workers leaves behind stays. */
const HOURS = 168n;
/** Measured at 2,300 for one level; a bucket has 128 at most. */
const UNITS = 200_000;

/** Those that exist, with the calls that close them. @throws AppError `provider_unavailable` */
export async function closableBuckets(chain: SolanaChain): Promise<RentReturn[]> {
  const [config, now] = await Promise.all([readConfig(chain), chainTime(chain)]);
  if (!config) return [];
  // A smaller number of shards uses the first numbers of a larger one.
  const shards = 1 << Math.max(config.shardBits, config.nextShardBits);
  const newest = now / HOUR - CLOSABLE_AFTER;
  const addresses: SolanaAddress[] = [];
  for (let hour = newest; hour > newest - HOURS; hour--)
    for (let shard = 0; shard < shards; shard++) addresses.push(bucketOf(chain.program.id, hour, shard).address);
  const accounts = await readAccounts(chain, addresses);
  return [...accounts].flatMap(([address, { owner, data }]) =>
    owner.toBase58() === chain.program.id ? [closing(chain, address, payersOf(data))] : [],
  );
}

function closing(chain: SolanaChain, address: SolanaAddress, payers: SolanaAddress[]): RentReturn {
  const close = buildInstruction(chain.program, 'closeBucket', {
    args: {},
    accounts: { caller: EXECUTOR, bucket: address },
    each: payers.map((payer) => ({ payer })),
  });
  return { address, call: { to: chain.program.id, data: encodeInstructions([close]), gas: BigInt(UNITS) } };
}
