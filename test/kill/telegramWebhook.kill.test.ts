// Webhook mode with a real bots process: Telegram pushes, the secret token proves it, and nothing is acknowledged before it is stored.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../local/stack/ports.ts';
import { companionOf } from '../setup/inWorker.ts';
import { lockTable, processOf, type Runner, until } from '../setup/processes.ts';
import { startWorld, type World } from '../setup/world.ts';

const SECRET = 'a-secret-of-forty-characters-for-the-test';
let world: World;
let bots: Runner;
let workers: Runner;
let hook: string;
beforeAll(async () => {
  world = await startWorld({ anvil: { blockTimeSeconds: 1 } });
  const port = await freePort();
  hook = `http://127.0.0.1:${port}/telegram`;
  bots = processOf(world, 'bots', {
    TELEGRAM_WEBHOOK_URL: hook,
    TELEGRAM_WEBHOOK_SECRET: SECRET,
    TELEGRAM_WEBHOOK_PORT: String(port),
  });
  workers = companionOf(world, 'workers');
  await Promise.all([bots.start(), workers.start()]);
});
afterAll(async () => {
  await Promise.all([bots.stop(), workers.stop()]);
  await world.stop();
});

const forged = (headers: Record<string, string>, body: unknown = { update_id: 1 }) =>
  fetch(hook, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('webhook mode', () => {
  test('pays a tip that Telegram pushed, once', async () => {
    const before = await world.usdc('bob');
    await world.type('alice', '/tip @bob 1');
    await until(async () => ((await world.botSaid()).at(-1)?.text ?? '').startsWith('✅'), 'a receipt');
    expect((await world.usdc('bob')) - before).toBe(1_000_000n);
  });

  test('401 without the secret token, and with a wrong one, and nothing is stored', async () => {
    const stored = await world.ctx.db.inbox.count();
    const from = { id: 7_000_001, is_bot: false, first_name: 'alice', username: 'alice' };
    const message = {
      message_id: 999_999,
      date: Math.floor(Date.now() / 1_000),
      chat: { id: 7_000_001, type: 'private', first_name: 'alice' },
      from,
      text: '/tip @bob 50',
    };
    const update = { update_id: 999_999_999, message };
    expect((await forged({}, update)).status).toBe(401);
    expect((await forged({ 'x-telegram-bot-api-secret-token': `${SECRET}x` }, update)).status).toBe(401);
    expect(await world.ctx.db.inbox.count()).toBe(stored);
  });

  test('404 on another path, 413 for a body that no update has', async () => {
    expect((await fetch(hook.replace('/telegram', '/other'), { method: 'POST' })).status).toBe(404);
    const huge = await forged(
      { 'x-telegram-bot-api-secret-token': SECRET },
      { update_id: 2, filler: 'x'.repeat(1_100_000) },
    ).catch(() => null);
    expect(huge === null || huge.status === 413).toBe(true);
  });

  test('a push is answered only after it is stored: killed before, Telegram pushes again', async () => {
    const before = await world.usdc('bob');
    const lock = await lockTable(world.databaseUrl, 'inbox');
    await world.type('shop', '/tip @bob 1');
    await lock.reached();
    await bots.kill();
    await lock.release();
    await bots.start();
    await until(async () => (await world.usdc('bob')) > before, 'the payment', 60_000);
    await until(async () => (await world.ctx.db.tip.count({ where: { status: 'settled' } })) >= 2, 'both settled');
    expect((await world.usdc('bob')) - before).toBe(1_000_000n);
  });
});
