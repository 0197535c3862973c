// Guest mode of the local server: a summons is answered once, the answer can be edited, and the chat stays closed to the bot.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTelegramServer } from './server.ts';
import type { Message } from './wire.ts';
import { ALICE, BOT, startWorld, type World, worldAt } from './world.ts';

const FRIENDS = -1_077;
let world: World;
let folder: string;
let now: number;
const options = () => ({ dataFile: join(folder, 'telegram.jsonl'), clock: () => now });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ampersat-guests-'));
  now = 1_700_000_000_000;
  world = await startWorld(options());
});
afterEach(async () => {
  await world.server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function summon(): Promise<string> {
  const { update_id } = await world.write({ text: 'tip @bob 5', chat_id: FRIENDS, guest: true });
  const { result } = await world.call('getUpdates', { offset: update_id });
  expect(result[0].guest_message).toMatchObject({ chat: { id: FRIENDS }, from: ALICE, text: 'tip @bob 5' });
  return result[0].guest_message.guest_query_id;
}
const answer = (guest_query_id: string, message_text = 'paid', more: object = {}) =>
  world.call('answerGuestQuery', {
    guest_query_id,
    result: { type: 'article', id: '1', title: 'Paid', input_message_content: { message_text }, ...more },
  });
const shown = async () =>
  (await (await fetch(`${world.server.url}/_user/messages?chat_id=${FRIENDS}&guest=true`)).json()) as Message[];

test('a summons is answered once, and the answer edited by its inline id, also after a restart', async () => {
  const query = await summon();
  const { result } = await answer(query);
  expect((await answer(query)).description).toMatch(/query is too old/);
  await world.server.close();
  world = worldAt(await startTelegramServer({ bots: [BOT], ...options() }));
  expect((await answer(query)).ok).toBe(false);
  expect(await world.call('editMessageText', { ...result, text: 'final' })).toEqual({ ok: true, result: true });
  expect((await shown()).map(({ text }) => text)).toEqual(['tip @bob 5', 'final']);
  const odd = await world.call('editMessageText', { inline_message_id: 'nothing', text: 'final' });
  expect(odd.description).toBe('Bad Request: MESSAGE_ID_INVALID');
});

test('a summons waits a minute', async () => {
  const query = await summon();
  now += 61_000;
  expect((await answer(query)).ok).toBe(false);
});

test('the chat itself is closed to the bot', async () => {
  await summon();
  expect(await world.call('sendMessage', { chat_id: FRIENDS, text: 'hi' })).toMatchObject({ ok: false });
  expect((await world.call('getMe')).result.supports_guest_queries).toBe(true);
});

test.each([
  ['photo', { type: 'photo' }],
  ['no title', { title: '' }],
  ['no text', { input_message_content: { message_text: ' ' } }],
  ['no content', { input_message_content: undefined }],
])('an answer with %s is refused', async (_, more) => {
  expect(await answer(await summon(), 'paid', more)).toMatchObject({ ok: false, error_code: 400 });
});
