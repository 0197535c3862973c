// Queues only wake workers: emptied again and again in mid-flight, every tip still settles, once.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { processOf, queueEmptier, type Runner, until } from '../setup/processes.ts';
import { startWorld, type World } from '../setup/world.ts';

let world: World;
let workers: Runner;
let bots: Runner;
beforeAll(async () => {
  world = await startWorld({ anvil: { blockTimeSeconds: 1 } });
  workers = processOf(world, 'workers');
  bots = processOf(world, 'bots');
});
afterAll(async () => {
  await Promise.all([workers.stop(), bots.stop()]);
  await world.stop();
});

test('twelve tips settle once each while all that the queues hold is emptied forty times', async () => {
  const before = await Promise.all(['alice', 'bob', 'shop', 'treasury'].map((who) => world.usdc(who)));
  await Promise.all([bots.start(), workers.start()]);
  const { empty, close } = await queueEmptier(world.databaseUrl);
  onTestFinished(close);

  let emptied = 0;
  for (let round = 0; round < 4; round++) {
    await world.type('alice', '/tip @bob 1');
    await world.type('bob', '/tip @shop 1');
    await world.type('shop', '/tip @alice 1');
    for (let i = 0; i < 10; i++) {
      await empty();
      emptied += 1;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }
  expect(emptied).toBe(40);
  await until(
    async () => (await world.ctx.db.tip.count({ where: { status: 'settled' } })) === 12,
    'twelve settled tips',
    60_000,
  );
  await until(
    async () => (await world.ctx.db.reply.count({ where: { open: true } })) === 0,
    'every receipt shown',
    60_000,
  );

  const after = await Promise.all(['alice', 'bob', 'shop', 'treasury'].map((who) => world.usdc(who)));
  const changes = after.map((units, index) => units - (before[index] ?? 0n));
  const fee = parseUnits('0.05', 6);
  expect(changes).toEqual([-4n * fee, -4n * fee, -4n * fee, 12n * fee]);
  const receipts = (await world.botSaid()).filter(
    (message) => message.text.startsWith('✅') && !message.text.includes('confirming'),
  );
  expect(receipts).toHaveLength(12);
});
