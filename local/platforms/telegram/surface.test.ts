import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ALICE, BOT, eventually, GROUP, startWorld, type World } from './world.ts';

const OWN = 'http://127.0.0.1:3000';
let world: World;

beforeEach(async () => {
  world = await startWorld({ allowedOrigins: [OWN] });
});

afterEach(() => world.server.close());

/** fetch sets Host and Origin by itself, so these requests are made by hand. */
function get(
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const call = request(`${world.server.url}${path}`, { headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode!, headers: response.headers });
    });
    call.on('error', reject);
    call.end();
  });
}

test('serves the own page, and no foreign page or name', async () => {
  const path = `/_user/messages?chat_id=${ALICE.id}`;
  const own = await get(path, { origin: OWN });
  expect([own.status, own.headers['access-control-allow-origin']]).toEqual([200, OWN]);
  const foreigners: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { host: 'evil.example' },
    { host: `evil.example:${world.server.port}` },
  ];
  for (const headers of foreigners) {
    const foreign = await get(path, headers);
    expect([headers, foreign.status]).toEqual([headers, 403]);
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
    expect((await get(`/bot${BOT.token}/getMe`, headers)).status).toBe(403);
  }
  expect((await get(path, { host: `localhost:${world.server.port}` })).status).toBe(200);
});

test('answers the preflight of the own page only', async () => {
  const preflight = (origin: string) =>
    fetch(`${world.server.url}/_user/messages`, { method: 'OPTIONS', headers: { origin } });
  const own = await preflight(OWN);
  expect([own.status, own.headers.get('access-control-allow-headers')]).toEqual([204, 'content-type']);
  expect((await preflight('https://evil.example')).status).toBe(403);
});

test('a body over a megabyte is refused, and so is one that is not JSON', async () => {
  expect(await world.call('sendMessage', { chat_id: 1, text: 'x'.repeat(1_100_000) })).toMatchObject({
    error_code: 413,
  });
  const broken = await fetch(`${world.server.url}/_user/messages`, { method: 'POST', body: '{' });
  expect(broken.status).toBe(400);
});

test('events tell of new, changed and deleted messages and of answered buttons', async () => {
  const abort = new AbortController();
  const response = await fetch(`${world.server.url}/_user/events`, { signal: abort.signal });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  })().catch(() => {});
  await world.write({ text: 'hello', chat_id: GROUP });
  const markup = { inline_keyboard: [[{ text: 'a', callback_data: 'b' }]] };
  const sent = await world.call('sendMessage', { chat_id: GROUP, text: 'x', reply_markup: markup });
  const { message_id } = sent.result;
  const { callback_query_id } = await world.press({ chat_id: GROUP, message_id, data: 'b' });
  await world.call('answerCallbackQuery', { callback_query_id, text: 'done' });
  await world.call('editMessageText', { chat_id: GROUP, message_id, text: 'y' });
  await world.call('deleteMessage', { chat_id: GROUP, message_id });
  const kinds = () => [...text.matchAll(/^event: (.+)$/gm)].map(([, kind]) => kind);
  await eventually(() => {
    expect(kinds()).toEqual(['message', 'message', 'callback_answer', 'edited_message', 'deleted_message']);
  });
  expect(text).toContain(`"callback_query_id":"${callback_query_id}","text":"done"`);
  abort.abort();
  await reading;
});
