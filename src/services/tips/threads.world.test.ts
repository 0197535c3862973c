// The total under a message that several people answered with tips: one message, always right.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { moveEscrow } from '../escrow/transitions.ts';
import { escrowClosed } from './escrowTips.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const totals = async () => (await world.botSaid()).filter(({ text }) => text.startsWith('💚'));

test('the third person under a message makes a total, and every further tip is added to it where it stands', async () => {
  const { message_id: replyTo } = await world.type('carol', 'I have baked for everybody');
  await world.fetchUpdates();
  await world.say('alice', '/tip 1', { replyTo });
  await world.say('bob', '/tip 2', { replyTo });
  expect(await totals()).toEqual([]);
  await world.say('shop', '/tip 0.5', { replyTo });
  expect(await totals()).toMatchObject([
    { text: '💚 3.50 USDC here so far, from @alice, @bob, @shop.', reply_to_message: { message_id: replyTo } },
  ]);
  // The same person again is another sum, not another person; a refused tip is neither.
  await world.say('alice', '/tip 4', { replyTo });
  await world.say('alice', '/tip 400', { replyTo });
  expect((await totals()).map(({ text }) => text)).toEqual(['💚 7.50 USDC here so far, from @alice, @bob, @shop.']);
});

test('what went back out of a tab is not counted any more', async () => {
  const escrow = await world.ctx.db.escrow.findFirstOrThrow({ where: { status: 'open' }, orderBy: { id: 'desc' } });
  await world.ctx.db.$transaction(async (tx) => {
    await moveEscrow(world.ctx, tx, { id: escrow.id, action: 'refund' });
    await escrowClosed(world.ctx, tx, escrow, null);
  });
  await world.run();
  expect((await totals()).map(({ text }) => text)).toEqual(['💚 3.50 USDC here so far, from @alice, @bob, @shop.']);
});

test('other messages, and tips that answer nothing, have totals of their own or none', async () => {
  const { message_id: replyTo } = await world.type('carol', 'more bread');
  await world.fetchUpdates();
  await world.say('alice', '/tip 1', { replyTo });
  await world.say('bob', '/tip @carol 1');
  await world.say('shop', '/tip @carol 1');
  expect(await totals()).toHaveLength(1);
});
