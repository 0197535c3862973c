import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webhookCallback } from 'grammy';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../stack/ports.ts';
import type { Update } from './wire.ts';
import { ALICE, eventually, startWorld, type World } from './world.ts';

let world: World;
let hook: Server;
let hookUrl: string;
let received: { update: Update; secret: string | undefined }[];
/** What the hook answers, one after the other; 200 when there is nothing left. */
let answers: { status: number; body?: unknown }[];

beforeEach(async () => {
  world = await startWorld({ webhookRetryMs: 5 });
  received = [];
  answers = [];
  hook = createServer(async (request, response) => {
    received.push({
      update: await readJson(request),
      secret: request.headers['x-telegram-bot-api-secret-token'] as string,
    });
    const { status, body } = answers.shift() ?? { status: 200 };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`;
});

afterEach(async () => {
  await world.server.close();
  hook.closeAllConnections();
  hook.close();
});

async function readJson(request: IncomingMessage): Promise<Update> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function texts(): (string | undefined)[] {
  return received.map(({ update }) => update.message?.text);
}

test('delivers what is pending and what comes, in order, with the secret', async () => {
  await world.write({ text: 'before' });
  const set = await world.call('setWebhook', { url: hookUrl, secret_token: 'a-secret_1' });
  expect(set).toEqual({ ok: true, result: true, description: 'Webhook was set' });
  for (const text of ['one', 'two', 'three']) await world.write({ text });
  await eventually(() => expect(texts()).toEqual(['before', 'one', 'two', 'three']));
  expect(received.every(({ secret }) => secret === 'a-secret_1')).toBe(true);
  await eventually(async () => {
    expect((await world.call('getWebhookInfo')).result).toMatchObject({ url: hookUrl, pending_update_count: 0 });
  });
});

test('repeats a failed delivery, and nothing overtakes it', async () => {
  answers = [{ status: 500 }, { status: 502 }];
  await world.call('setWebhook', { url: hookUrl });
  await world.write({ text: 'one' });
  await world.write({ text: 'two' });
  await eventually(() => expect(texts()).toEqual(['one', 'one', 'one', 'two']));
  expect((await world.call('getWebhookInfo')).result.last_error_message).toBe(
    'Wrong response from the webhook: 502 Bad Gateway',
  );
});

test('keeps updates for polling when the webhook goes, unless they are to be dropped', async () => {
  await world.call('setWebhook', { url: `http://127.0.0.1:${await freePort()}/closed` });
  const { update_id } = await world.write({ text: 'kept' });
  await eventually(async () => {
    expect((await world.call('getWebhookInfo')).result).toMatchObject({
      pending_update_count: 1,
      last_error_message: 'Connection refused',
    });
  });
  expect(await world.call('deleteWebhook')).toMatchObject({ description: 'Webhook was deleted' });
  expect(await world.call('deleteWebhook')).toMatchObject({ description: 'Webhook is already deleted' });
  expect((await world.call('getUpdates')).result).toMatchObject([{ update_id }]);
  await world.call('deleteWebhook', { drop_pending_updates: true });
  expect((await world.call('getUpdates')).result).toEqual([]);
});

test('carries out the method call that a webhook answers with', async () => {
  answers = [{ status: 200, body: { method: 'sendMessage', chat_id: ALICE.id, text: 'by answer' } }];
  await world.call('setWebhook', { url: hookUrl });
  await world.write({ text: 'hello' });
  await eventually(async () => expect((await world.shown(ALICE.id)).at(-1)?.text).toBe('by answer'));
});

test('ends a waiting poll, and refuses addresses that Telegram could not call', async () => {
  const poll = world.call('getUpdates', { timeout: 30 });
  const set = async () => {
    await world.call('setWebhook', { url: hookUrl });
    await world.call('deleteWebhook');
  };
  await eventually(async () => {
    await set();
    expect(await Promise.race([poll, Promise.resolve(undefined)])).toMatchObject({
      error_code: 409,
      description: 'Conflict: terminated by setWebhook request',
    });
  });
  for (const params of [
    { url: 'http://example.com/hook' },
    { url: 'nowhere' },
    { url: hookUrl, secret_token: 'a b' },
  ]) {
    expect(await world.call('setWebhook', params)).toMatchObject({ ok: false, error_code: 400 });
  }
});

test("grammY's own webhook adapter takes the deliveries and checks the secret", async () => {
  const bot = world.bot();
  const seen: string[] = [];
  bot.on('message:text', async (context) => {
    seen.push(context.msg.text);
    await context.reply(`got ${context.msg.text}`);
  });
  await bot.init();
  const server = createServer(webhookCallback(bot, 'http', { secretToken: 'right' })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await bot.api.setWebhook(url, { secret_token: 'wrong' });
  await world.write({ text: 'hello' });
  await eventually(async () => expect((await bot.api.getWebhookInfo()).last_error_message).toContain('401'));
  expect(seen).toEqual([]);
  await bot.api.setWebhook(url, { secret_token: 'right' });
  await eventually(async () => expect((await world.shown(ALICE.id)).at(-1)?.text).toBe('got hello'));
  expect(seen).toEqual(['hello']);
  server.closeAllConnections();
  server.close();
});
