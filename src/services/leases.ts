// Leases: who works with a thing at the moment, so that processes keep out of each other's way. They only save waiting: what is right is
// decided by rows, and two holders of one lease do no harm. Without Redis there are none, and the row's own lock keeps the order.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../context.ts';
import { AppError } from '../domain/errors.ts';

/** A holder that was killed stands in the way for this long. */
const LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_500;
/** How often to try before giving up when no name comes free: then the rows decide. */
const LOOKS = 20;
const LOOK_AGAIN_MS = 15;

export type Lease = { name: string; release(): Promise<void> };

/**
 * Takes the first free name, and keeps it until it is released.
 * @returns null when all stay taken, and wherever there is no Redis or it is away: then go on without
 */
export async function takeLease(ctx: Pick<Ctx, 'redis'>, names: string[]): Promise<Lease | null> {
  const { redis } = ctx;
  if (!redis || names.length === 0) return null;
  const token = randomUUID();
  const run = (script: string, among: string[]) =>
    redis
      .evaluate(
        script,
        among.map((name) => `lease:${name}`),
        [token, LEASE_MS],
      )
      .then(Number, (error: unknown) => {
        if (error instanceof AppError) return AWAY;
        throw error;
      });
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await sleep(LOOK_AGAIN_MS);
    const answer = await run(TAKE, names);
    if (answer === AWAY) return null;
    const name = names[answer - 1];
    if (name === undefined) continue;
    const renewal = setInterval(() => void run(RENEW, [name]), RENEW_EVERY_MS).unref();
    return {
      name,
      async release() {
        clearInterval(renewal);
        await run(RELEASE, [name]);
      },
    };
  }
  return null;
}

const AWAY = -1;
/** The place of the name that was taken, or 0. */
const TAKE = `
for place, key in ipairs(KEYS) do
  if redis.call('SET', key, ARGV[1], 'NX', 'PX', ARGV[2]) then return place end
end
return 0`;
const RENEW = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`;
const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;
