// Two hundred people who mention the bot in one window of a poll: few transactions, everybody answered, within the budget.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../../local/platforms/loadGenerator.ts';
import { seedMore } from '../../local/stack/seed.ts';
import { budgetToday } from '../../src/services/chat/xBudget.ts';
import { startWorld, type World } from '../../test/setup/world.ts';

const SENDERS = 200;
/** X's own limit of posts in 15 minutes. */
const POSTS_A_WINDOW = 100;
const MOST_TRANSACTIONS = 10;

let world: World;
const people = crowd('fan', 500, SENDERS);
beforeAll(async () => {
  world = await startWorld({ x: true });
  await seedMore(world.processEnv, world.embedded, people, { platforms: ['x'], isSignedIn: false });
});
afterAll(() => world.stop());

test('200 mentions of 200 senders settle in at most 10 transactions and are all answered, within the budget', async () => {
  const before = await Promise.all([world.usdc('bob'), world.usdc('treasury')]);
  const posts: string[] = [];
  for (const one of people) posts.push((await world.x.post(one.x, '@ampersat_bot tip @bob 1')).id);

  expect(await world.x.poll()).toBe('stored');
  await world.x.ingest();
  await world.prepare();
  await world.settle();
  await world.watch();
  await world.mine(3);
  await world.watch();
  const transactions = await world.ctx.db.outgoingTx.findMany({ where: { kind: { not: 'pause' } } });
  expect(transactions.length).toBeLessThanOrEqual(MOST_TRANSACTIONS);
  const after = await Promise.all([world.usdc('bob'), world.usdc('treasury')]);
  expect(after.map((units, index) => units - (before[index] ?? 0n))).toEqual([
    parseUnits(String(SENDERS), 6),
    parseUnits('0.05', 6) * BigInt(SENDERS),
  ]);

  // X takes a hundred posts in 15 minutes: the others wait for the next window, and none is tried in vain again and again.
  const answered = async () => {
    const conversations = await Promise.all(posts.map((id) => world.x.botSaid(id)));
    return conversations.map((replies) => replies.length);
  };
  await world.reply();
  expect((await answered()).filter((count) => count === 1)).toHaveLength(POSTS_A_WINDOW);
  world.later(16 * 60_000);
  await world.run();
  expect(new Set(await answered())).toEqual(new Set([1]));

  const { state, spent, reserved } = await budgetToday(world.ctx);
  expect({ state, reserved }).toEqual({ state: 'closed', reserved: 0n });
  const meter = await world.x.meter();
  expect(Number(spent)).toBe(meter.micros);
  expect(meter.micros).toBeLessThan(8_000_000);
});
