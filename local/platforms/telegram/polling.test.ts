import { once } from 'node:events';
import { request } from 'node:http';
import { GrammyError } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BOT, eventually, GROUP, startWorld, type World } from './world.ts';

let world: World;
let nowMs = Date.UTC(2026, 0, 1);

beforeEach(async () => {
  world = await startWorld({ clock: () => nowMs });
});

afterEach(() => world.server.close());

function ids(answer: { result?: { update_id: number }[] }): number[] {
  return (answer.result ?? []).map(({ update_id }) => update_id);
}

test('an offset confirms everything below it for ever, and nothing else does', async () => {
  const first = await world.write({ text: 'one' });
  const second = await world.write({ text: 'two' });
  expect(second.update_id).toBe(first.update_id + 1);
  const both = [first.update_id, second.update_id];
  expect(ids(await world.call('getUpdates'))).toEqual(both);
  expect(ids(await world.call('getUpdates', { offset: first.update_id }))).toEqual(both);
  expect(ids(await world.call('getUpdates', { offset: second.update_id }))).toEqual([second.update_id]);
  expect(ids(await world.call('getUpdates', { offset: 0 }))).toEqual([second.update_id]);
  expect(ids(await world.call('getUpdates', { offset: second.update_id + 1 }))).toEqual([]);
  expect(ids(await world.call('getUpdates', { offset: -10 }))).toEqual([]);
});

test('a negative offset counts from the end and forgets what is before', async () => {
  const sent = [];
  for (const text of ['a', 'b', 'c']) sent.push((await world.write({ text })).update_id);
  expect(ids(await world.call('getUpdates', { offset: -2 }))).toEqual(sent.slice(1));
  expect(ids(await world.call('getUpdates'))).toEqual(sent.slice(1));
});

test('limit is kept between 1 and 100', async () => {
  for (let n = 0; n < 105; n++) await world.write({ text: `message ${n}` });
  expect(ids(await world.call('getUpdates', { limit: 3 }))).toHaveLength(3);
  expect(ids(await world.call('getUpdates', { limit: 500 }))).toHaveLength(100);
  expect(ids(await world.call('getUpdates', { limit: -5 }))).toHaveLength(1);
});

test('a long poll waits for an update and answers at once when it comes', async () => {
  const poll = world.call('getUpdates', { timeout: 30 });
  const started = Date.now();
  const { update_id } = await world.write({ text: 'hello' });
  expect(ids(await poll)).toEqual([update_id]);
  expect(Date.now() - started).toBeLessThan(2_000);
});

test('a connection cut off during a poll confirms nothing', async () => {
  const { update_id } = await world.write({ text: 'one' });
  await world.call('getUpdates', { offset: update_id + 1 });
  const poll = request(`${world.server.url}/bot${BOT.token}/getUpdates?offset=${update_id + 1}&timeout=30`);
  poll.on('error', () => {});
  poll.end();
  await once(poll, 'finish');
  poll.destroy();
  const next = await world.write({ text: 'two' });
  expect(ids(await world.call('getUpdates', { offset: update_id + 1 }))).toEqual([next.update_id]);
});

test('409 to the poll that waits when another begins', async () => {
  const first = world.call('getUpdates', { timeout: 30 });
  await eventually(async () => {
    const second = world.call('getUpdates', { timeout: 1 });
    const ended = await Promise.race([first, second.then(() => undefined)]);
    expect(ended).toEqual({
      ok: false,
      error_code: 409,
      description: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    });
  });
});

test('updates that nobody fetched for a day are gone', async () => {
  const old = await world.write({ text: 'old' });
  nowMs += 23 * 3_600_000;
  const young = await world.write({ text: 'young' });
  nowMs += 2 * 3_600_000;
  expect(ids(await world.call('getUpdates'))).toEqual([young.update_id]);
  expect(old.update_id).toBeLessThan(young.update_id);
});

test('allowed_updates holds for updates that come later, until it is changed', async () => {
  await world.call('getUpdates', { allowed_updates: ['callback_query'] });
  expect((await world.write({ text: 'unseen' })).update_id).toBeNull();
  await world.call('getUpdates', {});
  expect((await world.write({ text: 'unseen too' })).update_id).toBeNull();
  await world.call('getUpdates', { allowed_updates: [] });
  expect((await world.write({ text: 'seen' })).update_id).toEqual(expect.any(Number));
});

test('a client that dies after fetching gets the same updates again, and one that confirms does not', async () => {
  await world.write({ text: '/tip @bob 5', chat_id: GROUP });
  const seen: number[] = [];
  // Fetching without ever asking for the next offset is what a crash leaves behind.
  const crashed = world.bot();
  seen.push(...(await crashed.api.getUpdates()).map(({ update_id }) => update_id));

  const bot = world.bot();
  const handled = new Promise<void>((resolve) => {
    bot.on('message:text', (context) => {
      seen.push(context.update.update_id);
      expect(context.msg.entities?.map(({ type }) => type)).toEqual(['bot_command', 'mention']);
      resolve();
    });
  });
  const polling = bot.start({ drop_pending_updates: false });
  await handled;
  await bot.stop();
  await polling;
  expect(seen).toEqual([seen[0], seen[0]]);
  expect(await world.bot().api.getUpdates()).toEqual([]);
});

test('grammY sees a wrong token and a conflict as what they are', async () => {
  const wrong = await fetch(`${world.server.url}/bot7100:wrong/getMe`);
  expect([wrong.status, await wrong.json()]).toEqual([
    401,
    { ok: false, error_code: 401, description: 'Unauthorized' },
  ]);
  await world.call('setWebhook', { url: 'http://127.0.0.1:1/hook' });
  const refused = await world
    .bot()
    .api.getUpdates()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(GrammyError);
  expect(refused).toMatchObject({
    error_code: 409,
    description:
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  });
});
