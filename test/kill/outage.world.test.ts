// What the services do while Redis is away: nothing is lost, nobody is let through uncounted, and what needs no queue goes on.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIngest } from '../../bots/ingest.ts';
import { type RunningRedis, startRedis } from '../../local/stack/redis.ts';
import { sweep } from '../../src/services/operations/sweep.ts';
import { until } from '../setup/processes.ts';
import { HOW_TO_INSTALL_REDIS, hasRedis } from '../setup/redis.ts';
import { startWorld, type World } from '../setup/world.ts';

describe.skipIf(!hasRedis)(`while Redis is away (${HOW_TO_INSTALL_REDIS})`, () => {
  let redis: RunningRedis;
  let world: World;
  beforeAll(async () => {
    redis = await startRedis();
    world = await startWorld({ env: { REDIS_URL: redis.url } });
  });
  afterAll(async () => {
    await world.stop();
    await redis.stop();
  });
  const away = async () => {
    await redis.kill();
    await until(() => world.ctx.redis?.commands.status !== 'ready', 'the outage is noticed');
  };
  const back = async () => {
    await redis.restart();
    await until(() => world.ctx.redis?.commands.status === 'ready', 'Redis is back');
  };

  test('a command stays in the inbox, uncounted and unanswered, and is paid when it is back', async () => {
    const before = await world.usdc('bob');
    await away();
    await world.type('alice', '/tip @bob 2');
    await world.fetchUpdates();
    await expect(world.ingest()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await world.ctx.db.inbox.count({ where: { status: 'received' } })).toBe(1);
    expect(await world.ctx.db.intent.count()).toBe(0);
    expect(await world.botSaid()).toEqual([]);
    await back();
    await world.run();
    expect((await world.usdc('bob')) - before).toBe(parseUnits('2', 6));
  });

  test('the sweeper goes on with what needs no queue, and does not fill the outbox', async () => {
    const { db } = world.ctx;
    await world.type('alice', '/tip @bob 60');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    expect(await db.intent.count({ where: { status: 'awaiting_confirmation' } })).toBe(1);
    await away();
    world.later(16 * 60_000);
    await sweep(world.ctx);
    expect(await db.intent.count({ where: { status: 'awaiting_confirmation' } })).toBe(0);
    const waiting = await db.outbox.count();
    expect(waiting).toBeGreaterThan(0);
    for (let i = 0; i < 5; i++) {
      world.later(10_000);
      await sweep(world.ctx);
    }
    expect(await db.outbox.count()).toBe(waiting);
    await back();
    await sweep(world.ctx);
    expect(await db.outbox.count()).toBe(0);
  });

  // The last one: from here on the inbox is worked through by itself.
  test('a pause is done at once behind more commands than are read at a time, and they when it is back', async () => {
    const { db } = world.ctx;
    await away();
    for (let i = 1; i <= 120; i++) await world.type('dave', `/tip @bob ${i}`);
    await world.type('bob', '/tip @alice 1');
    while ((await world.fetchUpdates()).length > 0) {}
    await world.type('bob', '/help');
    await world.type('alice', '/pause');
    await world.fetchUpdates();
    startIngest(world.ctx, world.adapter);
    const isPaused = async () => (await db.handle.findUniqueOrThrow({ where: { slug: 'alice' } })).pausedAt !== null;
    await until(isPaused, 'the pause', 5_000);
    await until(async () => (await db.inbox.count({ where: { outcome: 'help' } })) === 1, 'the help', 5_000);
    expect(await db.inbox.count({ where: { status: 'received' } })).toBe(121);
    await back();
    await until(async () => (await db.inbox.count({ where: { status: 'received' } })) === 0, 'all are worked on');
    expect(await db.intent.count({ where: { status: 'accepted' } })).toBe(1);
  });
});
