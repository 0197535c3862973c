// Real processes around a halt of X: it is ended with a restart that raises the budget, and without one by an operator.
import { parseUnits } from 'viem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { utcDay } from '../../src/domain/xBudget.ts';
import { lockDay } from '../../src/services/chat/xBudget.ts';
import { listResumes } from '../../src/services/operations/xResume.ts';
import { commandLine } from '../setup/cli.ts';
import { companionOf } from '../setup/inWorker.ts';
import { processOf, type Runner, until } from '../setup/processes.ts';
import { startWorld, type World } from '../setup/world.ts';

let world: World;
let running: Runner[];
let bobHad: bigint;
beforeEach(async () => {
  world = await startWorld({
    x: { env: { X_POLL_SECONDS: '0.3' }, rateLimits: { mentions: 10_000 } },
    anvil: { blockTimeSeconds: 1 },
  });
  running = [];
  bobHad = await world.usdc('bob');
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await world.stop();
});

async function start(name: 'bots' | 'workers', env: Record<string, string> = {}): Promise<Runner> {
  const one = (name === 'workers' ? companionOf : processOf)(world, name, env);
  running.push(one);
  await one.start();
  return one;
}
const halted = async (reason: string | null) =>
  (await world.ctx.db.xBudgetDay.count({ where: { halted: reason, requests: { gt: 0 } } })) === 1;
/** Under the lock of the day: a look that is being booked writes the whole row that it has read. */
const spend = (spentMicros: bigint) =>
  world.ctx.db.$transaction(async (tx) => {
    const day = utcDay(Date.now());
    await lockDay(tx, day);
    await tx.xBudgetDay.update({ where: { day }, data: { spentMicros } });
  });

async function paidOnce(conversation: string): Promise<void> {
  const { db } = world.ctx;
  await until(async () => (await db.tip.count({ where: { status: 'settled' } })) === 1, 'a final payment', 45_000);
  await until(async () => (await db.reply.count({ where: { open: true } })) === 0, 'no reply is open', 45_000);
  expect((await world.usdc('bob')) - bobHad).toBe(parseUnits('1', 6));
  const said = await world.x.botSaid(conversation);
  expect(said.map((post) => post.visible_text)).toEqual([expect.stringMatching(/^✅ @alice tipped bob 1\.00 USDC/)]);
}

test('killed in a halt and started with a larger budget, the bots read what was posted meanwhile', async () => {
  const bots = await start('bots');
  await start('workers');
  await until(async () => (await world.ctx.db.xBudgetDay.count({ where: { requests: { gt: 1 } } })) === 1, 'a look');
  await spend(9_480_000n);
  await until(() => halted('budget'), 'the halt');
  await bots.kill();
  const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
  // The same budget again changes nothing.
  await start('bots').then((one) => one.kill());
  expect(await halted('budget')).toBe(true);
  expect(await world.ctx.db.inbox.count()).toBe(0);
  await start('bots', { X_DAILY_BUDGET_USD: '12' });
  await paidOnce(post.conversation_id);
  expect(await listResumes(world.ctx, 5)).toMatchObject([{ by: 'the raised budget', halted: 'budget' }]);
});

test('without credit, `ampersat x resume` lets the running bots read at once', async () => {
  await world.x.user('credits', { micros: 0 });
  await start('bots');
  await start('workers');
  await until(() => halted('credits'), 'the halt');
  const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
  await world.x.user('credits', { micros: null });
  const run = commandLine(world.processEnv);
  // With no word of the budget in its own environment, and with another one.
  const { code, out } = await run(['x', 'resume']);
  expect([code, out]).toEqual([0, expect.stringMatching(/^Resumed reading X\. Spent \$\d\.\d\d of \$10\.00 on /)]);
  await paidOnce(post.conversation_id);
  expect(await listResumes(world.ctx, 5)).toMatchObject([{ by: 'command line', halted: 'credits' }]);
  expect((await run(['x', 'resume'])).code).toBe(1);
});
