import { GrammyError, HttpError } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ALICE, startWorld, type World } from './world.ts';

let world: World;

beforeEach(async () => {
  world = await startWorld();
  await world.write({ text: '/start' });
});

afterEach(() => world.server.close());

async function send(text: string): Promise<unknown> {
  return world
    .bot()
    .api.sendMessage(ALICE.id, text)
    .catch((error: unknown) => error);
}

async function botTexts(): Promise<(string | undefined)[]> {
  return (await world.shown(ALICE.id)).filter(({ from }) => from?.is_bot).map(({ text }) => text);
}

test('429 carries retry_after, for as many calls as were ordered', async () => {
  await world.fail({ method: 'sendMessage', status: 429, retry_after: 7, times: 2 });
  for (let call = 0; call < 2; call++) {
    const refused = await send('x');
    expect(refused).toBeInstanceOf(GrammyError);
    expect(refused).toMatchObject({
      error_code: 429,
      description: 'Too Many Requests: retry after 7',
      parameters: { retry_after: 7 },
    });
  }
  expect(await send('third')).toMatchObject({ text: 'third' });
  expect(await botTexts()).toEqual(['third']);
});

test('a dropped connection did nothing, an accepted one did', async () => {
  await world.fail({ method: 'sendMessage', status: 0 });
  expect(await send('lost')).toBeInstanceOf(HttpError);
  await world.fail({ method: 'sendMessage', status: 0, accept: true });
  expect(await send('accepted')).toBeInstanceOf(HttpError);
  expect(await botTexts()).toEqual(['accepted']);
});

test('updates lost on the way are delivered again', async () => {
  await world.fail({ method: 'getUpdates', status: 0, accept: true });
  await expect(world.bot().api.getUpdates()).rejects.toBeInstanceOf(HttpError);
  expect(await world.bot().api.getUpdates()).toMatchObject([{ message: { text: '/start' } }]);
});

test('other statuses and own words, any method, and no more once they are called off', async () => {
  await world.fail({ method: '*', status: 502 });
  expect(await send('x')).toMatchObject({ error_code: 502, description: 'Bad Gateway' });
  await world.fail({ method: 'sendmessage', status: 403, description: 'Forbidden: user is deactivated' });
  expect(await send('x')).toMatchObject({ description: 'Forbidden: user is deactivated' });
  await world.fail({ method: 'sendMessage', status: 500, times: 99 });
  await fetch(`${world.server.url}/_user/faults`, { method: 'DELETE' });
  expect(await send('through')).toMatchObject({ text: 'through' });
});

test('a delay holds the answer back', async () => {
  await world.fail({ method: 'getMe', status: 200, delay_ms: 150 });
  const since = Date.now();
  await world.bot().api.getMe();
  expect(Date.now() - since).toBeGreaterThanOrEqual(140);
});

test('an order that makes no sense is refused with the reason', async () => {
  await expect(world.fail({ method: 'sendMessage' })).rejects.toThrow(/status/);
});

test('a call that is held is not carried out once its caller hung up', async () => {
  await world.fail({ method: 'sendMessage', status: 200, delay_ms: 400 });
  const held = world.bot().api.sendMessage(ALICE.id, 'not waited for', {}, AbortSignal.timeout(50) as never);
  await expect(held).rejects.toThrow();
  // A later call that is held for longer ends when the first would have.
  await world.fail({ method: 'getMe', status: 200, delay_ms: 500 });
  await world.bot().api.getMe();
  expect(await botTexts()).not.toContain('not waited for');
});
