import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALICE, BOB, GROUP, startWorld, type World } from './world.ts';

/** A published description of the Bot API, which is not part of this repository. */
const DESCRIPTION = join(import.meta.dirname, '../../../../shared/data/telegram-bot-api.json');
const isThere = existsSync(DESCRIPTION);

type Field = { name: string; types: string[]; required: boolean };
type Described = { fields?: Field[]; subtypes?: string[]; returns?: string[] };
type Api = { methods: Record<string, Described>; types: Record<string, Described> };
const api: Api = isThere ? JSON.parse(readFileSync(DESCRIPTION, 'utf8')) : { methods: {}, types: {} };

/** What is wrong with a value of one of the types; empty when nothing is. Unknown fields count as wrong. */
function problems(value: unknown, types: string[], path: string): string[] {
  const all = types.map((type) => problemsOf(value, type, path));
  return all.find((found) => found.length === 0) ?? all.sort((a, b) => a.length - b.length)[0] ?? [`${path}: no type`];
}

function problemsOf(value: unknown, type: string, path: string): string[] {
  const element = /^Array of (.+)$/.exec(type)?.[1];
  if (element) {
    if (!Array.isArray(value)) return [`${path}: not an array`];
    return value.flatMap((item, index) => problems(item, [element], `${path}[${index}]`));
  }
  const simple: Record<string, boolean> = {
    Integer: Number.isSafeInteger(value),
    Float: typeof value === 'number',
    String: typeof value === 'string',
    Boolean: typeof value === 'boolean',
    True: value === true,
  };
  if (type in simple) return simple[type] ? [] : [`${path}: ${JSON.stringify(value)} is no ${type}`];
  const described = api.types[type];
  if (!described) return [`${path}: the description has no type ${type}`];
  if (described.subtypes) return problems(value, described.subtypes, path);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: no object for ${type}`];
  const fields = described.fields ?? [];
  const missing = fields
    .filter(({ name, required }) => required && !(name in value))
    .map(({ name }) => `${path}.${name}: missing`);
  const wrong = Object.entries(value).flatMap(([name, item]) => {
    const field = fields.find((one) => one.name === name);
    return field ? problems(item, field.types, `${path}.${name}`) : [`${path}.${name}: unknown in ${type}`];
  });
  return [...missing, ...wrong];
}

describe.skipIf(!isThere)(`wire format (needs ${DESCRIPTION})`, () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld();
    await world.write({ text: '/start' });
    await world.write({ text: 'hello', chat_id: GROUP });
  });

  afterAll(() => world.server.close());

  const article = { type: 'article', id: '1', title: 'Ampersat', input_message_content: { message_text: 'paid' } };
  const sendable = {
    chat_id: GROUP,
    text: 'Paid @bob: https://example.com',
    entities: [{ type: 'text_link', offset: 0, length: 4, url: 'https://example.com/tx' }],
    reply_parameters: { message_id: 1 },
    reply_markup: {
      inline_keyboard: [
        [
          { text: 'View', url: 'https://example.com' },
          { text: 'Refund', callback_data: 't' },
        ],
      ],
    },
    link_preview_options: { is_disabled: true },
    protect_content: true,
  };

  test('the checker finds what is missing, wrong and unknown', () => {
    const user = { id: '1', is_bot: false, colour: 'red' };
    expect(problems(user, ['User'], 'user')).toEqual([
      'user.first_name: missing',
      'user.id: "1" is no Integer',
      'user.colour: unknown in User',
    ]);
  });

  test.each<[string, () => Record<string, unknown> | Promise<Record<string, unknown>>]>([
    ['getMe', () => ({})],
    ['getUpdates', () => ({})],
    ['sendMessage', () => sendable],
    ['editMessageText', async () => ({ chat_id: GROUP, message_id: await sent(), text: 'edited' })],
    ['editMessageReplyMarkup', async () => ({ chat_id: GROUP, message_id: await sent() })],
    ['setMessageReaction', async () => ({ chat_id: GROUP, message_id: 1, reaction: [{ type: 'emoji', emoji: '🔥' }] })],
    ['answerCallbackQuery', async () => ({ callback_query_id: await pressed() })],
    ['answerGuestQuery', async () => ({ guest_query_id: await summoned(), result: article })],
    ['editMessageText', async () => ({ inline_message_id: await answered(), text: 'edited' })],
    ['deleteMessage', async () => ({ chat_id: GROUP, message_id: await sent() })],
    ['sendChatAction', () => ({ chat_id: GROUP, action: 'typing' })],
    ['setMyCommands', () => ({ commands: [{ command: 'tip', description: 'Tip' }] })],
    ['getMyCommands', () => ({})],
    ['deleteMyCommands', () => ({})],
    ['getChat', () => ({ chat_id: GROUP })],
    ['getChat', () => ({ chat_id: ALICE.id })],
    ['getChatMember', () => ({ chat_id: GROUP, user_id: ALICE.id })],
    ['getWebhookInfo', () => ({})],
    ['setWebhook', () => ({ url: 'http://127.0.0.1:1/hook', allowed_updates: ['message'] })],
    ['getWebhookInfo', () => ({})],
    ['deleteWebhook', () => ({ drop_pending_updates: true })],
  ])('%s answers as described', async (method, params) => {
    const given = await params();
    const described = api.methods[method];
    expect(described, `${method} is described`).toBeDefined();
    const unknown = Object.keys(given).filter((name) => !described?.fields?.some((field) => field.name === name));
    expect(unknown).toEqual([]);
    const answer = await world.call(method, given);
    expect(answer).toMatchObject({ ok: true });
    expect(problems(answer.result, described?.returns ?? [], method)).toEqual([]);
  });

  test('every kind of update is as described', async () => {
    await world.call('getUpdates', { allowed_updates: [] });
    const { message_id } = await world.write({ text: '/tip@ampersat_bot @bob $5 #lunch', chat_id: GROUP });
    await world.write({ text: '/tip @bob 50', chat_id: GROUP, edit_message_id: message_id });
    await world.write({ text: 'forwarded', chat_id: GROUP, forward: BOB, reply_to_message_id: message_id });
    await world.write({ text: 'hidden', chat_id: GROUP, forward: true });
    await world.write({ from: { ...BOB, language_code: 'de' }, chat_id: BOB.id, text: 'private' });
    const mention = { type: 'text_mention', offset: 0, length: 3, user: { id: 12, is_bot: false, first_name: 'Bob' } };
    await world.write({ text: 'Bob hi', entities: [mention], chat_id: GROUP });
    await world.write({ chat_id: GROUP, extra: { forum_topic_created: { name: 'Tips', icon_color: 7322096 } } });
    await pressed();
    await world.write({ text: 'tip @bob 5', chat_id: GROUP, guest: true, reply_to_message_id: undefined });
    const { result } = await world.call('getUpdates');
    expect(result).toHaveLength(9);
    expect(problems(result, ['Array of Update'], 'updates')).toEqual([]);
  });

  test('a reaction is as described, and comes only to a bot that asks for it', async () => {
    const { message_id } = await world.write({ text: 'hello', chat_id: GROUP });
    const react = (emoji: string[]) =>
      fetch(`${world.server.url}/_user/reactions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ chat_id: GROUP, message_id, from: BOB, emoji }),
      }).then((answer) => answer.json() as Promise<{ update_id: number | null }>);
    await world.call('getUpdates', { allowed_updates: [] });
    expect(await react(['👍'])).toEqual({ update_id: null });
    await world.call('getUpdates', { allowed_updates: ['message_reaction'], offset: -1 });
    const { update_id } = await react(['🔥']);
    const { result } = await world.call('getUpdates', { offset: update_id });
    expect(result[0].message_reaction).toMatchObject({
      message_id,
      old_reaction: [{ type: 'emoji', emoji: '👍' }],
      new_reaction: [{ type: 'emoji', emoji: '🔥' }],
    });
    expect(problems(result, ['Array of Update'], 'updates')).toEqual([]);
    expect((await world.shown(GROUP)).find((one) => one.message_id === message_id)?.reactions).toEqual([
      { type: 'emoji', emoji: '🔥' },
    ]);
  });

  async function sent(): Promise<number> {
    return (await world.call('sendMessage', sendable)).result.message_id;
  }

  async function summoned(): Promise<string> {
    const { update_id } = await world.write({ text: 'tip @bob 5', chat_id: GROUP, guest: true });
    const { result } = await world.call('getUpdates', { offset: update_id });
    return result[0].guest_message.guest_query_id;
  }

  async function answered(): Promise<string> {
    const answer = await world.call('answerGuestQuery', { guest_query_id: await summoned(), result: article });
    return answer.result.inline_message_id;
  }

  async function pressed(): Promise<string> {
    return (await world.press({ chat_id: GROUP, message_id: await sent(), data: 't' })).callback_query_id;
  }
});
