// The poller and shutdown: what is not stored is not confirmed.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockTable, processOf, type Runner, until } from '../../test/setup/processes.ts';
import { startWorld, type World } from '../../test/setup/world.ts';

let world: World;
let bots: Runner;
beforeEach(async () => {
  world = await startWorld();
  bots = processOf(world, 'bots');
});
afterEach(async () => {
  await bots.stop();
  await world.stop();
});

describe('an orderly stop', () => {
  test('while an update waits for the database leaves that update, and those behind it, at Telegram', async () => {
    await bots.start();
    const lock = await lockTable(world.databaseUrl, 'seen_user');
    for (let i = 0; i < 3; i++) await world.type('alice', `/tip @bob 1 for ${i} apples`);
    await lock.reached();
    const stopped = bots.stop();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await lock.release();
    await stopped;
    await bots.start();
    await until(
      async () => (await world.ctx.db.inbox.count({ where: { status: 'done' } })) === 3,
      'all three are worked on',
    );
    expect(await world.ctx.db.intent.count()).toBe(3);
  });

  test('takes a moment and confirms what was stored', async () => {
    await bots.start();
    await world.type('alice', '/help');
    await until(async () => (await world.botSaid()).length === 1, 'the answer');
    const started = Date.now();
    await bots.stop();
    expect(Date.now() - started).toBeLessThan(9_000);
    await bots.start();
    // Help is given once in ten minutes there, so the second answer is another one.
    await world.type('alice', '/tip @bob');
    await until(async () => (await world.botSaid()).length === 2, 'the second answer');
  });
});
