// Leases keep processes out of each other's way, and nothing depends on them.
import { parseUnits } from 'viem';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunningRedis } from '../../local/stack/redis.ts';
import { ROLES } from '../../local/stack/roles.ts';
import { lockTable, until } from '../../test/setup/processes.ts';
import { HOW_TO_INSTALL_REDIS, hasRedis, redisForTest } from '../../test/setup/redis.ts';
import { startWorld } from '../../test/setup/world.ts';
import { createLog } from '../log.ts';
import { openRedis, type RedisSpace } from '../redis.ts';
import { takeLease } from './leases.ts';
import { settleChain } from './tips/settle.ts';

test('without Redis there is no lease, and the rows decide alone', async () => {
  expect(await takeLease({ redis: null }, ['a'])).toBeNull();
});

describe.skipIf(!hasRedis)(`a lease (${HOW_TO_INSTALL_REDIS})`, () => {
  async function open(): Promise<{ server: RunningRedis; redis: RedisSpace }> {
    const server = await redisForTest();
    const redis = await openRedis(server.url, 'a database', createLog('test', 'silent'));
    onTestFinished(() => redis.close());
    return { server, redis };
  }

  test('has one holder; the next one gets the next name, or none', async () => {
    const { redis } = await open();
    const [first, second] = [await takeLease({ redis }, ['a', 'b']), await takeLease({ redis }, ['a', 'b'])];
    expect([first?.name, second?.name]).toEqual(['a', 'b']);
    expect(await takeLease({ redis }, ['a', 'b'])).toBeNull();
    await first?.release();
    const third = await takeLease({ redis }, ['b', 'a']);
    expect(third?.name).toBe('a');
    await Promise.all([second?.release(), third?.release()]);
  });

  test('goes to exactly one of twenty who want it at once', async () => {
    const { redis } = await open();
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeLease({ redis }, ['a'])));
    const holders = taken.filter((lease) => lease !== null);
    expect(holders).toHaveLength(1);
    await holders[0]?.release();
  });

  test('is kept alive while it is held, ends by itself when the holder died, and is not given back by a former holder', async () => {
    const { server, redis } = await open();
    const key = `${redis.prefix}:lease:a`;
    const first = await takeLease({ redis }, ['a']);
    expect(await server.client.pttl(key)).toBeGreaterThan(0);
    await server.client.pexpire(key, 3_000);
    await until(async () => (await server.client.pttl(key)) > 4_000, 'the lease is renewed');
    await server.client.del(key);
    const second = await takeLease({ redis }, ['a']);
    await first?.release();
    expect(await server.client.exists(key)).toBe(1);
    await second?.release();
    expect(await server.client.exists(key)).toBe(0);
  });

  test('is done without while Redis is away', async () => {
    const { server, redis } = await open();
    await server.kill();
    await until(() => redis.commands.status !== 'ready', 'the outage is noticed');
    expect(await takeLease({ redis }, ['a'])).toBeNull();
  });
});

test.skipIf(!hasRedis)(
  `two holders of one lease: one transaction a nonce, every leg paid once (${HOW_TO_INSTALL_REDIS})`,
  async () => {
    const server = await redisForTest();
    const [executor] = ROLES.executors;
    const world = await startWorld({ env: { REDIS_URL: server.url, EXECUTOR_KEYS: executor?.key ?? '' } });
    onTestFinished(() => world.stop());
    const bobHad = await world.usdc('bob');
    const ready = async (who: string) => {
      await world.type(who, '/tip @bob 5');
      await world.fetchUpdates();
      await world.ingest();
      await world.prepare();
    };
    const holder = () =>
      server.client.get(`${world.ctx.redis?.prefix}:lease:executor:base:${world.ctx.executors[0]?.address}`);

    await ready('alice');
    const lock = await lockTable(world.databaseUrl, 'tx_attempt');
    const first = settleChain(world.ctx, 'base');
    await lock.reached();
    const firstHolder = await holder();
    expect(firstHolder).not.toBeNull();

    // The first one stands in its storing transaction; its lease is lost, and so is its claim of the leg.
    await server.client.flushall();
    await world.ctx.db.tip.updateMany({ data: { leaseUntil: null } });
    await ready('shop');
    const second = settleChain(world.ctx, 'base');
    await until(async () => (await holder()) !== null, 'a second holder');
    expect(await holder()).not.toBe(firstHolder);
    await lock.release();
    expect((await first) + (await second)).toBe(2);

    for (let i = 0; i < 3; i++) {
      await world.watch();
      await world.mine(1);
    }
    await world.watch();
    const sent = await world.ctx.db.outgoingTx.findMany({ orderBy: { nonce: 'asc' } });
    expect(sent.map((row) => [row.status, row.succeeded])).toEqual([
      ['final', true],
      ['final', true],
    ]);
    expect(sent[1]?.nonce).toBe((sent[0]?.nonce ?? 0) + 1);
    expect((await world.ctx.db.tip.findMany()).map((tip) => tip.status)).toEqual(['settled', 'settled']);
    expect((await world.usdc('bob')) - bobHad).toBe(parseUnits('10', 6));
  },
);
