// kill -9 of the real processes around a mention on X: what was posted is neither lost nor repeated.
import { parseUnits } from 'viem';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { companionOf } from '../setup/inWorker.ts';
import { lockTable, processOf, type Runner, until } from '../setup/processes.ts';
import { startWorld, type World } from '../setup/world.ts';

let world: World;
let bots: Runner;
let workers: Runner;
let bobHad: bigint;
beforeEach(async () => {
  world = await startWorld({
    x: { env: { X_POLL_SECONDS: '0.3' }, rateLimits: { mentions: 10_000 } },
    anvil: { blockTimeSeconds: 1 },
  });
  bots = processOf(world, 'bots');
  workers = companionOf(world, 'workers');
  bobHad = await world.usdc('bob');
});
afterEach(async () => {
  await Promise.all([bots.stop(), workers.stop()]);
  await world.stop();
});

async function exactlyOnce(conversation: string): Promise<void> {
  const { db } = world.ctx;
  await until(async () => (await db.tip.count({ where: { status: 'settled' } })) === 1, 'a final payment', 45_000);
  await until(async () => (await db.reply.count({ where: { open: true } })) === 0, 'no reply is open', 45_000);
  expect((await world.usdc('bob')) - bobHad).toBe(parseUnits('1', 6));
  const said = await world.x.botSaid(conversation);
  expect(said.map((post) => post.visible_text)).toEqual([expect.stringMatching(/^✅ @alice tipped bob 1\.00 USDC/)]);
}

test('between the page in the inbox and the place in the feed', async () => {
  await world.x.fault({ method: 'mentions', status: 200, delay_ms: 3_000 });
  const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
  await bots.start();
  // The place was read before the call; it cannot be moved after it.
  await until(
    async () => (await world.ctx.db.xBudgetDay.count({ where: { reservedMicros: { gt: 0 } } })) === 1,
    'a look',
  );
  const lock = await lockTable(world.databaseUrl, 'cursor');
  await lock.reached();
  expect(await world.ctx.db.inbox.count()).toBe(1);
  await bots.kill();
  // The server would carry out what the dead process had asked for.
  await world.ctx.db.$queryRaw`
    select pg_terminate_backend(pid) from pg_locks where relation = 'cursor'::regclass and not granted`;
  await lock.release();
  expect(await world.ctx.db.cursor.count()).toBe(0);
  await Promise.all([bots.start(), workers.start()]);
  await exactlyOnce(post.conversation_id);
  expect((await world.ctx.db.cursor.findFirst())?.value).toBe(post.id);
});

test('after X has taken the receipt and before it said so', async () => {
  await world.x.fault({ method: 'createPost', status: 200, accept: true, delay_ms: 60_000 });
  await Promise.all([bots.start(), workers.start()]);
  const post = await world.x.post('alice', '@ampersat_bot tip @bob 1');
  await until(async () => (await world.x.botSaid(post.conversation_id)).length === 1, 'the receipt at X', 45_000);
  await bots.kill();
  expect(await world.ctx.db.reply.count({ where: { open: true } })).toBe(1);
  await bots.start();
  await exactlyOnce(post.conversation_id);
});
