// Token buckets: a steady rate with room for bursts. Where there is Redis all processes share one; without it each process has its own.
import type { Ctx } from '../context.ts';

/** `perSecond` tokens come back each second, up to `burst`. */
export type Bucket = { perSecond: number; burst: number };
/** `left` are whole tokens; `fullInMs` is when all are back, `retryAfterMs` when one is: 0 when this one was given. */
export type Taken = { allowed: boolean; left: number; fullInMs: number; retryAfterMs: number };
export type TokenBuckets = { take(name: string, bucket: Bucket): Promise<Taken> };

/** Buckets in memory: beyond these the full ones are forgotten, which changes nothing, and if those are few, the tenth that was used least lately. */
const MOST_BUCKETS = 10_000;

type Level = { tokens: number; at: number; bucket: Bucket };

export function createTokenBuckets(ctx: Pick<Ctx, 'redis' | 'clock'>, most = MOST_BUCKETS): TokenBuckets {
  const levels = new Map<string, Level>();

  function takeHere(name: string, bucket: Bucket, now: number): Taken {
    const level = levels.get(name);
    const tokens = level ? levelNow(level, now) : bucket.burst;
    const allowed = tokens >= 1;
    // Put in again at the end: a Map's order is then the order of last use.
    levels.delete(name);
    if (levels.size >= most) makeRoom(now);
    const left = allowed ? tokens - 1 : tokens;
    levels.set(name, { tokens: left, at: Math.max(now, level?.at ?? now), bucket });
    return answer(allowed, left, bucket);
  }

  /** Looked through once for many that come in, so that a flood of names costs each of them little. */
  function makeRoom(now: number): void {
    for (const [name, level] of levels) if (levelNow(level, now) >= level.bucket.burst) levels.delete(name);
    for (const name of levels.keys()) {
      if (levels.size <= most * 0.9) return;
      levels.delete(name);
    }
  }

  return {
    async take(name, bucket) {
      const now = ctx.clock.now();
      if (!ctx.redis) return takeHere(name, bucket, now);
      try {
        const args = [now, bucket.perSecond / 1_000, bucket.burst];
        const [allowed, left] = (await ctx.redis.evaluate(TAKE, [`bucket:${name}`], args)) as [number, string];
        return answer(allowed === 1, Number(left), bucket);
      } catch {
        // A Redis that is away stops no payment: until it is back each process counts for itself.
        return takeHere(name, bucket, now);
      }
    },
  };
}

/** A clock that went back gives nothing, now or when it has caught up. */
function levelNow({ tokens, at, bucket: { perSecond, burst } }: Level, now: number): number {
  return Math.min(burst, tokens + (Math.max(0, now - at) * perSecond) / 1_000);
}

function answer(allowed: boolean, left: number, { perSecond, burst }: Bucket): Taken {
  const msUntil = (tokens: number) => Math.ceil((Math.max(0, tokens - left) * 1_000) / perSecond);
  return { allowed, left: Math.floor(left), fullInMs: msUntil(burst), retryAfterMs: allowed ? 0 : msUntil(1) };
}

/** The same over a hash, which goes when it would be full. What is left goes back as text: Redis cuts numbers. */
const TAKE = `
local now, rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local level = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = burst, now
if level[1] then
  at = math.max(now, tonumber(level[2]))
  tokens = math.min(burst, tonumber(level[1]) + math.max(0, now - tonumber(level[2])) * rate)
end
local allowed = 0
if tokens >= 1 then allowed, tokens = 1, tokens - 1 end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', string.format('%.0f', at))
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) / rate) + 1000)
return {allowed, tostring(tokens)}`;
