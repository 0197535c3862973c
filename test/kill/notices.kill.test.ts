// kill -9 between a payment and its notice: the row that the payment's transaction wrote leads to exactly one.
import { expect, test } from 'vitest';
import { exactlyOnce, killedWorlds } from '../setup/killing.ts';
import { lockTable, until } from '../setup/processes.ts';
import { localPerson } from '../setup/world.ts';

const held = killedWorlds();
const BOB = localPerson('bob').telegram.id;
const notices = async () =>
  (await held.world.botSaid(BOB)).map((message) => message.text).filter((text) => text.startsWith('You received'));

test('the notice comes once, with the queues emptied as well', async () => {
  const { world } = held;
  await world.say('bob', '/help', { chat: BOB });
  const lock = await lockTable(world.databaseUrl, 'received_window');
  await Promise.all([held.bots.start(), held.workers.start()]);
  await world.type('alice', '/tip @bob 5');
  await until(async () => (await world.ctx.db.receivedLeg.count()) === 1, 'the row of the leg');
  // The worker holds the legs that it looks at, and waits for their recipient's window.
  await lock.reached();
  await Promise.all([held.workers.kill(), held.bots.kill()]);
  await lock.release();
  await world.ctx.db.outbox.deleteMany();
  expect(await notices()).toEqual([]);
  expect(await world.ctx.db.receivedLeg.findFirst()).toMatchObject({ noticeId: null, dueAt: expect.any(Date) });
  await Promise.all([held.bots.start(), held.workers.start()]);
  await exactlyOnce(held);
  await until(async () => (await notices()).includes('You received 5.00 USDC from @alice.'), 'a final notice', 45_000);
  expect(await notices()).toHaveLength(1);
});
