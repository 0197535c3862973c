// A Telegram group in which people talk, other bots work and channels post: what is not for us gets no word of ours, and what is gets a short one.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TELEGRAM_BOT, TELEGRAM_GROUP } from '../../local/stack/people.ts';
import { localPerson, type Shown, startWorld, type World } from '../../test/setup/world.ts';
import { storeUpdates } from './store.ts';

const US = `@${TELEGRAM_BOT.username}`;
const BOTS = ['top_bot', 'ip_bot', 'trip_bot', 'convert_bot', 'quiz_bot'].map((username, index) => ({
  ...{ id: 990_001 + index, username, first_name: username, is_bot: true },
}));
const ME = { id: String(TELEGRAM_BOT.id), username: TELEGRAM_BOT.username };
const MINUTE = 60_000;
type Whispered = {
  message_id: number;
  ephemeral_message_id: number;
  text: string;
  receiver_user: { id: number };
  reply_markup?: object;
};

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.later(61 * MINUTE);
  await world.user('admins', { bot_id: TELEGRAM_BOT.id, chat_id: TELEGRAM_GROUP, is_admin: false });
});

const answers = async () => (await world.botSaid()).length;
const lastAnswer = async () => (await world.botSaid()).at(-1);
const whispers = () => world.user<Whispered[]>('whispers');
const reactions = async () =>
  ((await world.shown()) as (Shown & { reactions?: unknown[] })[]).flatMap(({ reactions }) => reactions ?? []).length;

async function post(from: object, text: string, more: object = {}): Promise<{ message_id: number }> {
  return world.user('messages', { chat_id: TELEGRAM_GROUP, from, text, ...more });
}
const alice = { ...localPerson('alice').telegram, first_name: 'alice' };
const bob = { ...localPerson('bob').telegram, first_name: 'bob' };

describe('a group with five other bots', () => {
  /** Who says what; a number is the bot of that place. */
  const TRANSCRIPT: [number | 'alice' | 'bob', string][] = [
    ['alice', '/top'],
    [0, 'Top chatters today: 1. @alice (240) 2. @bob (180)'],
    ['bob', '/ip 8.8.8.8'],
    [1, '8.8.8.8 is in Mountain View'],
    ['alice', '/trip Berlin 5'],
    ['alice', '/trip @bob 5'],
    [2, 'A trip to Berlin: 5 days, from 300 USD. Book with /trip book 5'],
    ['bob', '/end'],
    ['bob', '/convert 5 usd eur'],
    [3, '5 USD = 4.60 EUR. /send @bob 5'],
    ['alice', '/start@quiz_bot'],
    ['alice', '/help@quiz_bot'],
    [4, 'Who wrote Faust? /tip @alice 5 to the fastest'],
    ['bob', '/tip@quiz_bot @alice 5'],
    ['bob', '/balance@top_bot'],
    [0, `/tip@${TELEGRAM_BOT.username} @bob 5`],
    [1, `${US} send @bob 5`],
    ['alice', `I love ${US}`],
    ['bob', `${US} is so much better than the old one`],
    ['alice', `did you see what ${US} can do now?`],
    ['bob', 'tip: never send crypto to strangers'],
    ['alice', 'I would tip you 5 dollars if I could'],
    ['bob', 'send me the slides @alice, 5 of them'],
    ['alice', 'lol 5/5'],
    ['bob', '/shrug'],
    ['alice', '/me waves'],
  ];

  test('reads nothing of ours that was not for us, and no reaction either', async () => {
    const [before, shown] = [await answers(), await reactions()];
    for (const [who, text] of TRANSCRIPT) {
      const from = typeof who === 'number' ? BOTS[who] : who === 'alice' ? alice : bob;
      await post(from as object, text);
    }
    await world.run();
    expect((await world.botSaid()).slice(before).map(({ text }) => text)).toEqual([]);
    expect([await reactions(), await whispers()]).toEqual([shown, []]);
    expect(await world.ctx.db.intent.count()).toBe(0);
  });

  test('and what is for us in the middle of it is answered', async () => {
    const before = await answers();
    await post(BOTS[0] as object, '/tip @bob 5');
    await post(alice, `/tip@${TELEGRAM_BOT.username} @bob 1`);
    await post(BOTS[1] as object, 'Thanks!');
    await world.run();
    expect((await world.botSaid()).slice(before).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^✅ @alice/),
    ]);
  });
});

describe('a typo', () => {
  test('with a name behind it gets one short line, then a reaction', async () => {
    const before = await answers();
    await world.say('alice', `/tpi@${TELEGRAM_BOT.username} @bob`);
    expect((await answers()) - before).toBe(1);
    expect((await lastAnswer())?.text.split('\n')).toHaveLength(1);
    expect(await world.ctx.db.intent.count({ where: { status: { in: ['accepted', 'settled'] }, chatId: 'x' } })).toBe(
      0,
    );
    const shown = await reactions();
    await world.say('alice', `/tpi@${TELEGRAM_BOT.username} @bob`);
    expect([(await answers()) - before, (await reactions()) - shown]).toEqual([1, 1]);
  });
});

describe('in a group where the bot is an administrator', () => {
  beforeEach(() => world.user('admins', { bot_id: TELEGRAM_BOT.id, chat_id: TELEGRAM_GROUP, is_admin: true }));

  test('an error and help are for who asked alone', async () => {
    const [before, heard] = [await answers(), (await whispers()).length];
    await world.say('alice', '/tip @bob');
    await world.say('bob', '/help');
    expect(await answers()).toBe(before);
    const now = (await whispers()).slice(heard);
    expect(now.map(({ receiver_user }) => receiver_user.id)).toEqual([alice.id, bob.id]);
    expect(now[0]?.text).toMatch(/^How much/);
    expect(JSON.stringify(now[1]?.reply_markup)).toContain('t.me/');
  });

  test('that answer can be changed, and a press below it is known by it', async () => {
    await world.say('alice', '/tip @bob');
    const { ephemeral_message_id: id } = (await whispers()).at(-1) ?? {};
    const to = { platform: 'telegram', botId: String(TELEGRAM_BOT.id), chatId: String(TELEGRAM_GROUP) };
    const name = `whisper:${alice.id}:${id}`;
    expect(await world.adapter.edit(to, name, { text: 'Changed', links: [], buttons: [] })).toMatchObject({
      kind: 'sent',
    });
    expect((await whispers()).at(-1)?.text).toBe('Changed');
    const chat = { id: TELEGRAM_GROUP, type: 'supergroup', title: 'x' };
    const message = { message_id: 0, ephemeral_message_id: id, chat, date: 1 };
    const callback_query = { id: '1', from: { ...alice, is_bot: false }, message, data: 'token', chat_instance: '1' };
    await storeUpdates(world.ctx, [{ update_id: 8_000_009, callback_query } as never], ME);
    const entry = await world.ctx.db.inbox.findFirstOrThrow({ where: { key: { endsWith: ':8000009' } } });
    expect(entry.payload).toMatchObject({ button: { messageId: name } });
    await world.run();
  });

  test('a receipt is for all', async () => {
    const before = await answers();
    await world.say('alice', '/tip @bob 1');
    expect((await answers()) - before).toBe(1);
  });

  test('what somebody answers to that, seen by them alone, is one command each time', async () => {
    const had = await world.usdc('bob');
    const typed = { message_id: 0, ephemeral_message_id: 5, text: '/tip @bob 1', entities: [] };
    for (const update_id of [8_000_001, 8_000_002, 8_000_002]) {
      const chat = { id: TELEGRAM_GROUP, type: 'supergroup', title: 'x' };
      const from = { ...alice, is_bot: false };
      const date = Math.floor(world.ctx.clock.now() / 1_000);
      await storeUpdates(world.ctx, [{ update_id, message: { ...typed, chat, from, date } } as never], ME);
    }
    await world.run();
    expect((await world.usdc('bob')) - had).toBe(parseUnits('2', 6));
  });
});

test('a group that takes no such message reads it as before, and is asked again an hour later', async () => {
  const before = await answers();
  await world.say('alice', '/tip @bob');
  expect((await answers()) - before).toBe(1);
  await world.user('admins', { bot_id: TELEGRAM_BOT.id, chat_id: TELEGRAM_GROUP, is_admin: true });
  world.later(11 * MINUTE);
  await world.say('alice', '/tip @bob');
  expect((await answers()) - before).toBe(2);
  world.later(61 * MINUTE);
  const heard = (await whispers()).length;
  await world.say('alice', '/tip @bob');
  expect([(await answers()) - before, (await whispers()).length - heard]).toEqual([2, 1]);
});

describe('a caption is read as text', () => {
  test.each(['photo', 'video'])('below a %s', async (media) => {
    const had = await world.usdc('bob');
    await post(alice, '/tip @bob 1 for this', { media });
    await world.run();
    expect((await world.usdc('bob')) - had).toBe(parseUnits('1', 6));
  });

  test('with a mention of somebody who has no username', async () => {
    const had = await world.usdc('bob');
    const text = '/tip Bobby 1';
    const entities = [
      { type: 'bot_command', offset: 0, length: 4 },
      { type: 'text_mention', offset: 5, length: 5, user: { ...bob, is_bot: false } },
    ];
    await post(alice, text, { media: 'photo', entities });
    await world.run();
    expect((await world.usdc('bob')) - had).toBe(parseUnits('1', 6));
  });

  test('and as an answer to a photo with one', async () => {
    const had = await world.usdc('bob');
    const { message_id } = await post(bob, 'sunset', { media: 'photo' });
    await post(alice, '/tip 1', { reply_to_message_id: message_id });
    await world.run();
    expect((await world.usdc('bob')) - had).toBe(parseUnits('1', 6));
  });
});

describe('an answer to what a channel or an anonymous administrator wrote', () => {
  const channel = { id: -1_001_234, type: 'channel', title: 'News' };
  const group = { id: TELEGRAM_GROUP, type: 'supergroup', title: 'Ampersat friends' };
  const forwarded = { type: 'channel', date: 1, chat: channel, message_id: 7 };
  test.each([
    [
      'a post of the linked channel',
      { id: 777_000, first_name: 'Telegram' },
      { sender_chat: channel, is_automatic_forward: true, forward_origin: forwarded },
    ],
    ['an anonymous administrator', { id: 1_087_968_824, first_name: 'Group', is_bot: true }, { sender_chat: group }],
    ['a channel that comments', { id: 136_817_688, first_name: 'Channel', is_bot: true }, { sender_chat: channel }],
  ])('%s: says that nobody can tell whose it is', async (_name, from, extra) => {
    const { message_id } = await post(from, 'Read this', { extra });
    await post(alice, '/tip 5', { reply_to_message_id: message_id });
    await world.run();
    const entry = await world.ctx.db.inbox.findFirstOrThrow({ orderBy: { receivedAt: 'desc' } });
    expect(entry.outcome).toBe('error:recipient_channel');
    expect((await lastAnswer())?.text).toMatch(/posted as a channel/);
  });
});

describe('what a misspelt command probably meant', () => {
  const asked = () => world.ctx.db.intent.count({ where: { doubt: 'suggestion' } });
  const outcome = async () =>
    (await world.ctx.db.inbox.findFirstOrThrow({ where: { kind: 'message' }, orderBy: { receivedAt: 'desc' } }))
      .outcome;

  test('is offered once in ten minutes to one person; the next one is an error with a reaction, and no intent', async () => {
    const [before, offers, shown] = [await answers(), await asked(), await reactions()];
    await world.say('alice', '/tpi @bob 1');
    expect([(await answers()) - before, (await asked()) - offers]).toEqual([1, 1]);
    expect((await lastAnswer())?.text).toMatch(/1\.00 USDC to @bob[\s\S]*Did you mean/);
    await world.say('alice', '/tpi @bob 1');
    expect([(await answers()) - before, (await asked()) - offers, (await reactions()) - shown]).toEqual([1, 1, 1]);
    expect(await outcome()).toBe('error:unknown_command');
  });

  test('shares the limits of typos: one that was answered leaves no offer, and the other way round', async () => {
    const [before, offers] = [await answers(), await asked()];
    await world.say('alice', `/tpi@${TELEGRAM_BOT.username} @bob`);
    await world.say('alice', '/tpi @bob 1');
    await world.say('bob', '/tpi @alice 1');
    await world.say('bob', `/tpi@${TELEGRAM_BOT.username} @alice`);
    expect([(await answers()) - before, (await asked()) - offers]).toEqual([2, 1]);
  });

  test('is offered six times an hour in one group, whoever misspells', async () => {
    const [before, offers, had] = [await answers(), await asked(), await world.usdc('bob')];
    for (let round = 0; round < 4; round++) {
      for (const name of ['alice', 'shop']) await world.say(name, '/tpi @bob 1');
      world.later(11 * MINUTE);
    }
    expect([(await answers()) - before, (await asked()) - offers]).toEqual([6, 6]);
    expect(await outcome()).toBe('error:unknown_command');
    expect(await world.usdc('bob')).toBe(had);
  });

  test('is always offered in the direct chat', async () => {
    const chat = localPerson('alice').telegram.id;
    const before = (await world.botSaid(chat)).length;
    for (let i = 0; i < 3; i++) await world.say('alice', '/tpi @bob 1', { chat });
    expect((await world.botSaid(chat)).length - before).toBe(3);
  });

  test('counts no command that was not offered: five stay for the hour', async () => {
    for (let i = 0; i < 7; i++) await world.say('alice', '/tpi @bob 1');
    const had = await world.usdc('bob');
    for (let i = 0; i < 4; i++) await world.say('alice', '/tip @bob 1');
    expect((await world.usdc('bob')) - had).toBe(parseUnits('4', 6));
  });
});
