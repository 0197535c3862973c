// The connection to Redis: what a start refuses, what an outage costs, and what is said about it.
import { createServer } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { REDIS_PASSWORD, type RunningRedis } from '../local/stack/redis.ts';
import { databaseForTest } from '../test/setup/database.ts';
import { until } from '../test/setup/processes.ts';
import { HOW_TO_INSTALL_REDIS, hasRedis, redisForTest } from '../test/setup/redis.ts';
import { identifyDb } from './db.ts';
import { AppError, StartError } from './domain/errors.ts';
import { createLog } from './log.ts';
import { openRedis } from './redis.ts';

const silent = createLog('test', 'silent');
const unavailable = expect.objectContaining({ name: 'AppError', code: 'provider_unavailable' });

async function refusal(url: string): Promise<string> {
  const error = await openRedis(url, 'a database', silent).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StartError)) throw new Error('the start was not refused', { cause: error });
  expect(error.message).not.toContain(REDIS_PASSWORD);
  return error.message;
}

test('nobody there: the start says so in one line', async () => {
  expect(await refusal('redis://:secret@127.0.0.1:1')).toBe(
    'Redis of REDIS_URL cannot be used (ECONNREFUSED). Start it, or correct REDIS_URL.',
  );
});

test('somebody there who never answers: the start ends all the same', async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  expect(await refusal(`redis://127.0.0.1:${port}`)).toContain('Redis of REDIS_URL cannot be used');
  server.close();
});

test('a database is the same under every address, and no other database is', async () => {
  const [one, other] = [await databaseForTest(), await databaseForTest()];
  expect(await identifyDb(one)).toMatch(/^\d+\/\d+$/);
  expect(await identifyDb(one.replace('127.0.0.1', 'localhost'))).toBe(await identifyDb(one));
  expect(await identifyDb(other)).not.toBe(await identifyDb(one));
});

describe.skipIf(!hasRedis)(`with a server (${HOW_TO_INSTALL_REDIS})`, () => {
  const open = async (redis: RunningRedis) => {
    const log = createLog('test', 'silent');
    const lines: unknown[] = [];
    for (const level of ['warn', 'info', 'error'] as const)
      vi.spyOn(log, level).mockImplementation((...line: unknown[]) => void lines.push(line));
    return { space: await openRedis(redis.url, 'a database', log), lines };
  };

  test('the start refuses a wrong password', async () => {
    const redis = await redisForTest();
    expect(await refusal(redis.url.replace(REDIS_PASSWORD, 'wrong'))).toContain('cannot be used (WRONGPASS)');
    expect(await refusal(redis.url.replace(`:${REDIS_PASSWORD}@`, ''))).toContain('cannot be used (NOAUTH)');
  });

  test('the start refuses a Redis that may evict keys', async () => {
    const redis = await redisForTest({ args: ['--maxmemory-policy', 'allkeys-lru'] });
    expect(await refusal(redis.url)).toBe(
      'Redis of REDIS_URL may evict keys (maxmemory-policy allkeys-lru), so limits could be forgotten. Set maxmemory-policy to noeviction.',
    );
  });

  test('killed, it fails calls at once; back, it serves them; each is told once and without the password', async () => {
    const redis = await redisForTest();
    const { space, lines } = await open(redis);
    expect(await space.evaluate('return ARGV[1]', [], ['here'])).toBe('here');
    await redis.kill();
    await until(() => lines.length > 0, 'the outage is noticed');
    const started = Date.now();
    for (let i = 0; i < 20; i++) await expect(space.evaluate('return 1', [], [])).rejects.toEqual(unavailable);
    expect(Date.now() - started).toBeLessThan(1_000);
    await redis.restart();
    await until(() => lines.length > 1, 'it is told that Redis is back');
    expect(await space.evaluate('return 7', [], [])).toBe(7);
    expect(lines).toEqual([
      [expect.anything(), 'Redis does not answer; work waits until it does'],
      ['Redis answers again'],
    ]);
    expect(JSON.stringify(lines, Object.getOwnPropertyNames(Error.prototype))).not.toContain(REDIS_PASSWORD);
    await space.close();
  });

  test('frozen, it fails calls within four seconds, and serves them when it goes on', async () => {
    const redis = await redisForTest();
    const { space } = await open(redis);
    redis.freeze();
    const started = Date.now();
    await expect(space.evaluate('return 1', [], [])).rejects.toEqual(unavailable);
    expect(Date.now() - started).toBeLessThan(4_000);
    redis.thaw();
    await until(() => space.evaluate('return 1', [], []).then(Boolean, () => false), 'it answers again');
    await space.close();
  });

  test('full, it refuses what would need room, which is told once', async () => {
    const redis = await redisForTest();
    const { space, lines } = await open(redis);
    await redis.client.config('SET', 'maxmemory', '1');
    for (let i = 0; i < 3; i++)
      await expect(space.evaluate("return redis.call('SET', KEYS[1], 1)", ['a'], [])).rejects.toBeInstanceOf(AppError);
    expect(lines).toEqual([[expect.anything(), 'Redis refused a command; it is tried again']]);
    await redis.client.config('SET', 'maxmemory', '0');
    expect(await space.evaluate("return redis.call('SET', KEYS[1], 1)", ['a'], [])).toBe('OK');
    await space.close();
  });
});
