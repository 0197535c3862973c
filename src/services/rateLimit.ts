// Exact sliding windows: a window counts the actions of its last hour, so no burst fits across its edge.
// Rows count them inside the accepting transaction, where there is one; where there is Redis, one script does.
import type { Ctx } from '../context.ts';
import type { Tx } from '../db.ts';

export type Window = { points: number; windowMs: number };
/** A name under which actions are counted. One name has one window, always the same. */
export type Limit = { key: string; window: Window };
/**
 * Something that is counted once however often it is tried, under every one of its limits or under none. Its id is ours, never a caller’s
 * free choice: the same id is not counted a second time.
 */
export type Action = { id: string; limits: Limit[] };
export type RateAnswer = { allowed: true } | { allowed: false; retryAt: number };

type Counters = Pick<Ctx, 'redis'>;

/**
 * Counts each action for which all of its limits still have room, in the order given and in one round trip. Concurrent callers of one key
 * wait for each other, so exactly `points` of them pass.
 * @param tx rows count in here, so what is rolled back was not counted; Redis keeps the count, and the same id counts once
 * @throws AppError `provider_unavailable` while Redis is away: no call passes unlimited
 */
export function hitMany(ctx: Counters, tx: Tx, actions: Action[], now: number): Promise<RateAnswer[]> {
  if (actions.length === 0) return Promise.resolve([]);
  return ctx.redis ? hitInRedis(ctx.redis, actions, now) : hitInRows(tx, actions, now);
}

/** One action; see `hitMany`. */
export async function hit(ctx: Counters, tx: Tx, action: Action, now: number): Promise<RateAnswer> {
  const [answer] = await hitMany(ctx, tx, [action], now);
  if (!answer) throw new Error('every action is answered');
  return answer;
}

/** What is left of a window, without counting. @param without ids that do not count. @throws AppError as `hitMany` does */
export async function remaining(
  ctx: Counters,
  tx: Tx,
  { key, window }: Limit,
  now: number,
  without: string[] = [],
): Promise<number> {
  const since = now - window.windowMs;
  const used = ctx.redis
    ? Number(await ctx.redis.evaluate(COUNT, [redisKey(key)], [since, ...without]))
    : await tx.rateEvent.count({ where: { key, at: { gt: new Date(since) }, action: { notIn: without } } });
  return Math.max(0, window.points - used);
}

/** Takes actions out of these names again: what was counted and turned out not to count. */
export async function forget(ctx: Counters, tx: Tx, keys: string[], ids: string[]): Promise<void> {
  if (keys.length === 0 || ids.length === 0) return;
  if (ctx.redis) await ctx.redis.evaluate(FORGET, keys.map(redisKey), ids);
  else await tx.rateEvent.deleteMany({ where: { key: { in: keys }, action: { in: ids } } });
}

/** The function is in the migration `rate_hit`. */
async function hitInRows(tx: Tx, actions: Action[], now: number): Promise<RateAnswer[]> {
  const rows = actions.flatMap(({ id, limits }, number) =>
    limits.map(({ key, window }) => ({ number, id, key, window })),
  );
  const [row] = await tx.$queryRaw<{ answers: bigint[] }[]>`
    select rate_hit(${rows.map(({ number }) => number)}::int[], ${rows.map(({ id }) => id)}, ${rows.map(({ key }) => key)},
      ${rows.map(({ window }) => window.points)}::int[], ${rows.map(({ window }) => window.windowMs)}::bigint[],
      ${new Date(now)}::timestamptz) as answers`;
  const retryAts = (row?.answers ?? []).map(Number);
  // What has no limit has no row there, and is allowed.
  return answersOf(actions.map(({ limits }) => (limits.length > 0 ? (retryAts.shift() ?? 0) : 0)));
}

/** @param retryAts 0 for what was counted */
function answersOf(retryAts: number[]): RateAnswer[] {
  return retryAts.map((retryAt) => (retryAt === 0 ? { allowed: true } : { allowed: false, retryAt }));
}

/** The same over sorted sets: member is the action's id, score its time. The set goes when its newest member is too old to count. */
const HIT = `
local now, arg, first, answers = tonumber(ARGV[1]), 2, 1, {}
while arg <= #ARGV do
  local id, limits = ARGV[arg], tonumber(ARGV[arg + 1])
  arg = arg + 2
  local retryAt = 0
  for i = 0, limits - 1 do
    local key, points, window = KEYS[first + i], tonumber(ARGV[arg + 2 * i]), tonumber(ARGV[arg + 2 * i + 1])
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
    local used = redis.call('ZCARD', key)
    if used >= points and not redis.call('ZSCORE', key, id) then
      local oldest = redis.call('ZRANGE', key, used - points, used - points, 'WITHSCORES')
      retryAt = math.max(retryAt, tonumber(oldest[2]) + window)
    end
  end
  if retryAt == 0 then
    for i = 0, limits - 1 do
      redis.call('ZADD', KEYS[first + i], 'NX', now, id)
      redis.call('PEXPIRE', KEYS[first + i], ARGV[arg + 2 * i + 1])
    end
  end
  arg, first = arg + 2 * limits, first + limits
  answers[#answers + 1] = retryAt
end
return answers`;

const COUNT = `
local used = redis.call('ZCOUNT', KEYS[1], '(' .. ARGV[1], '+inf')
for i = 2, #ARGV do
  local at = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if at and tonumber(at) > tonumber(ARGV[1]) then used = used - 1 end
end
return used`;

const FORGET = `for _, key in ipairs(KEYS) do for _, id in ipairs(ARGV) do redis.call('ZREM', key, id) end end`;

async function hitInRedis(redis: NonNullable<Ctx['redis']>, actions: Action[], now: number): Promise<RateAnswer[]> {
  const keys = actions.flatMap(({ limits }) => limits.map(({ key }) => redisKey(key)));
  const args = actions.flatMap(({ id, limits }) => [
    id,
    limits.length,
    ...limits.flatMap(({ window }) => [window.points, window.windowMs]),
  ]);
  return answersOf((await redis.evaluate(HIT, keys, [now, ...args])) as number[]);
}

function redisKey(key: string): string {
  return `rate:${key}`;
}
