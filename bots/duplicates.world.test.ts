// A message that Telegram took and whose answer was cut off: it is sent again, and both of them reach their end.
import { parseUnits } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { companionOf } from '../test/setup/inWorker.ts';
import { processOf, until } from '../test/setup/processes.ts';
import { type RpcProxy, startRpcProxy } from '../test/setup/rpcProxy.ts';
import { localPerson, startWorld, type World } from '../test/setup/world.ts';
import { deliverReplies } from './delivery.ts';

let world: World;
let proxy: RpcProxy;
beforeEach(async () => {
  world = await startWorld({
    rpcUrls: {
      base: async (direct) => {
        proxy = await startRpcProxy(direct);
        return proxy.url;
      },
    },
  });
});
afterEach(async () => {
  await world.stop();
  await proxy.close();
});

const UNDER_WAY = /^⏳/;
const texts = async (chat?: number) => (await world.botSaid(chat)).map(({ text }) => text);
const fault = (more: object, method = 'sendMessage') => world.user('faults', { method, times: 1, ...more });
const CUT = { status: 0, accept: true };
const rows = () => world.ctx.db.reply.findMany({ orderBy: { id: 'asc' } });

/** Planned, and held up by a chain that is away: the chat reads that it is on its way. */
async function underWay(name: string, text: string, chat?: number): Promise<void> {
  await world.type(name, text, chat === undefined ? {} : { chat });
  await world.fetchUpdates();
  await world.ingest();
  await world.prepare();
  proxy.setDead(true);
  await world.settle();
}
async function chainGoesOn(): Promise<void> {
  proxy.setDead(false);
  world.later(3_000);
  await world.run();
  await world.run();
}
/** What the outbox does over and over, for as long as it has to. */
async function deliver(rounds = 4): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await world.reply();
    world.later(2_500);
  }
}

describe('a first sign whose answer was cut off', () => {
  test.each([
    ['is cut', CUT],
    ['comes as 500', { status: 500, accept: true }],
  ])('when the answer %s, both messages end as the receipt', async (_name, how) => {
    const before = await world.usdc('bob');
    await underWay('alice', '/tip @bob 5');
    await fault(how);
    await world.reply();
    await world.type('carol', 'is it there?');
    world.later(2_000);
    await deliver();
    expect(await texts()).toEqual([expect.stringMatching(UNDER_WAY), expect.stringMatching(UNDER_WAY)]);
    await chainGoesOn();
    const [first, second, ...more] = await texts();
    expect(first).toMatch(/^✅ @alice tipped @bob 5\.00 USDC/);
    expect([second, more]).toEqual([first, []]);
    expect((await world.usdc('bob')) - before).toBe(parseUnits('5', 6));
  });

  test('three times leaves no message behind', async () => {
    await underWay('alice', '/tip @bob 5');
    await fault({ ...CUT, times: 3 });
    await deliver(6);
    await chainGoesOn();
    const said = await texts();
    expect(said).toHaveLength(4);
    expect(new Set(said).size).toBe(1);
    expect(said[0]).toMatch(/^✅/);
  });

  test('in a direct chat', async () => {
    const own = localPerson('alice').telegram.id;
    await world.say('alice', '/start', { chat: own });
    const before = (await texts(own)).length;
    await underWay('alice', '/tip @bob 5', own);
    await fault(CUT);
    await deliver();
    await chainGoesOn();
    const said = (await texts(own)).slice(before);
    expect(said.length).toBeGreaterThan(1);
    expect(said.filter((text) => UNDER_WAY.test(text))).toEqual([]);
  });
});

test('a receipt whose answer was cut off stands there twice with the same words', async () => {
  await fault(CUT);
  await world.say('alice', '/tip @bob 5');
  await deliver();
  await world.run();
  const said = await texts();
  expect(said).toHaveLength(2);
  expect(said[0]).toMatch(/^✅/);
  expect(said[1]).toBe(said[0]);
  expect(await rows()).toMatchObject([{ open: false, seeksTwins: false, twins: [expect.any(String)] }]);
});

test('two that were cut off in one group each end with their own words', async () => {
  for (const [name, amount] of [
    ['alice', '5'],
    ['shop', '7'],
  ] as const) {
    proxy.setDead(false);
    await underWay(name, `/tip @bob ${amount}`);
  }
  await fault({ ...CUT, times: 2 });
  await deliver(8);
  expect(await texts()).toHaveLength(4);
  await chainGoesOn();
  const said = await texts();
  expect(said.filter((text) => text.startsWith('✅ @alice tipped @bob 5.00'))).toHaveLength(2);
  expect(said.filter((text) => /^✅ @\S+ tipped @bob 7\.00/.test(text))).toHaveLength(2);
});

test('what a call that is still under way has just shown is not taken for it', async () => {
  await underWay('alice', '/tip @bob 5');
  await fault(CUT);
  await world.reply();
  const [alices] = await rows();
  proxy.setDead(false);
  await underWay('shop', '/tip @bob 7');
  const shops = (await rows()).find(({ id }) => id !== alices?.id);
  await fault({ status: 200, accept: true, delay_ms: 1_500 });
  const slow = deliverReplies(world.ctx, world.adapters, [shops?.id ?? '']);
  await until(async () => (await texts()).length === 2, 'the other one stands there');
  const other = (await texts())[1];
  world.later(2_000);
  for (let i = 0; i < 2; i++) {
    await deliverReplies(world.ctx, world.adapters, [alices?.id ?? '']);
    world.later(2_500);
  }
  expect((await rows())[0]).toMatchObject({ seeksTwins: true });
  expect((await texts())[1]).toBe(other);
  await slow;
  await deliver();
  expect((await texts())[1]).toBe(other);
  await chainGoesOn();
  const [first, second, third] = await texts();
  expect(first).toMatch(/^✅ @alice tipped @bob 5/);
  expect(third).toBe(first);
  expect(second).toMatch(/^✅ @\S+ tipped @bob 7/);
});

test('a question that stands there twice can be answered in either, once', async () => {
  const before = await world.usdc('bob');
  await fault(CUT);
  await world.say('alice', '/tip @bob 60');
  await deliver();
  const [first, second] = await world.botSaid();
  const send = first?.reply_markup?.inline_keyboard.flat()[0]?.callback_data ?? '';
  expect(second?.reply_markup?.inline_keyboard.flat()[0]?.callback_data).toBe(send);
  if (first && second) {
    await world.press('alice', first, send);
    await world.press('alice', second, send);
  }
  await world.run();
  await world.run();
  expect((await world.usdc('bob')) - before).toBe(parseUnits('60', 6));
  const said = await world.botSaid();
  expect(said.map(({ text }) => text.slice(0, 1))).toEqual(['✅', '✅']);
  expect(
    said.flatMap((one) => one.reply_markup?.inline_keyboard.flat() ?? []).filter((one) => one.callback_data),
  ).toEqual([]);
});

test('a call that never reached Telegram, or that it put off, is not looked for', async () => {
  await fault({ status: 429, retry_after: 1 });
  await world.say('alice', '/tip @bob 5');
  await deliver();
  expect(await texts()).toEqual([expect.stringMatching(/^✅/)]);
  expect(await rows()).toMatchObject([{ seeksTwins: false, twins: [] }]);
});

test('killed before it hears the answer, the next process sends it again and finds the first', async () => {
  const [bots, workers] = [processOf(world, 'bots'), companionOf(world, 'workers')];
  await underWay('alice', '/tip @bob 5');
  proxy.setDead(false);
  await fault({ status: 200, accept: true, delay_ms: 60_000 });
  await bots.start();
  await until(async () => (await texts()).length === 1, 'it stands there');
  await bots.kill();
  expect(await rows()).toMatchObject([{ platformMessageId: null, begunAt: expect.any(Date) }]);
  await Promise.all([bots.start(), workers.start()]);
  await until(async () => (await texts()).filter((text) => text.startsWith('✅')).length === 2, 'both end', 45_000);
  await Promise.all([bots.stop(), workers.stop()]);
  const said = await texts();
  expect(said).toHaveLength(2);
  expect(said[1]).toBe(said[0]);
});
