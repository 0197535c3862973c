import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ALICE, type Answer, BOB, BOT, GROUP, startWorld, type World } from './world.ts';

let world: World;
let nowMs = Date.UTC(2026, 0, 1);

beforeEach(async () => {
  world = await startWorld({ clock: () => nowMs });
  await world.write({ text: '/start' });
  await world.write({ text: 'hello all', chat_id: GROUP });
});

afterEach(() => world.server.close());

function refusal(error_code: number, description: string): Answer {
  return { ok: false, error_code, description };
}

describe('sendMessage', () => {
  test('stores the message, shows it, and returns it', async () => {
    const { result } = await world.call('sendMessage', {
      chat_id: GROUP,
      text: 'Paid @bob 5 USDC: https://example.com/tx',
      reply_parameters: { message_id: 1 },
      reply_markup: { inline_keyboard: [[{ text: 'View', url: 'https://example.com' }], []] },
    });
    expect(result).toMatchObject({
      message_id: 2,
      date: nowMs / 1000,
      from: { id: BOT.id, is_bot: true },
      chat: { id: GROUP, type: 'supergroup' },
      reply_to_message: { message_id: 1, text: 'hello all' },
      entities: [
        { type: 'mention', offset: 5, length: 4 },
        { type: 'url', offset: 18, length: 22 },
      ],
      reply_markup: { inline_keyboard: [[{ text: 'View', url: 'https://example.com' }]] },
    });
    expect((await world.shown(GROUP)).map(({ text }) => text)).toEqual(['hello all', result.text]);
  });

  test.each<[string, Record<string, unknown>, Answer]>([
    ['no chat', { text: 'x' }, refusal(400, 'Bad Request: chat_id is empty')],
    ['an unknown group', { chat_id: -5, text: 'x' }, refusal(400, 'Bad Request: chat not found')],
    ['a person never seen', { chat_id: 999, text: 'x' }, refusal(400, 'Bad Request: chat not found')],
    ['a public name', { chat_id: '@somewhere', text: 'x' }, refusal(400, 'Bad Request: chat not found')],
    ['a bot', { chat_id: BOT.id, text: 'x' }, refusal(403, "Forbidden: bot can't send messages to bots")],
    ['no text', { chat_id: GROUP, text: ' \n ' }, refusal(400, 'Bad Request: message text is empty')],
    ['a long text', { chat_id: GROUP, text: 'x'.repeat(4097) }, refusal(400, 'Bad Request: message is too long')],
    [
      'half a character',
      { chat_id: GROUP, text: 'a\ud83d' },
      refusal(400, 'Bad Request: strings must be encoded in UTF-8'),
    ],
    [
      'markup in the text',
      { chat_id: GROUP, text: 'x', parse_mode: 'HTML' },
      refusal(400, 'Bad Request: unsupported parse_mode'),
    ],
    [
      'a reply to nothing',
      { chat_id: GROUP, text: 'x', reply_parameters: { message_id: 77 } },
      refusal(400, 'Bad Request: message to be replied not found'),
    ],
    [
      'too much button data',
      {
        chat_id: GROUP,
        text: 'x',
        reply_markup: { inline_keyboard: [[{ text: 'a', callback_data: 'é'.repeat(33) }]] },
      },
      refusal(400, 'Bad Request: BUTTON_DATA_INVALID'),
    ],
    [
      'a button to localhost',
      { chat_id: GROUP, text: 'x', reply_markup: { inline_keyboard: [[{ text: 'a', url: 'http://localhost:1/' }]] } },
      refusal(400, "Bad Request: inline keyboard button URL 'http://localhost:1/' is invalid: Wrong HTTP URL"),
    ],
  ])('refuses %s', async (_, params, expected) => {
    expect(await world.call('sendMessage', params)).toEqual(expected);
  });

  test('403 to somebody who has only spoken in a group, until they write to the bot', async () => {
    await world.write({ from: BOB, chat_id: GROUP, text: 'hi' });
    const attempt = () => world.call('sendMessage', { chat_id: BOB.id, text: 'psst' });
    expect(await attempt()).toEqual(refusal(403, "Forbidden: bot can't initiate conversation with a user"));
    await world.write({ from: BOB, chat_id: BOB.id, text: '/start' });
    expect(await attempt()).toMatchObject({ ok: true });
  });

  test('goes without the answered message when that is allowed', async () => {
    const { ok, result } = await world.call('sendMessage', {
      chat_id: GROUP,
      text: 'x',
      reply_parameters: { message_id: 77, allow_sending_without_reply: true },
    });
    expect(ok).toBe(true);
    expect(result.reply_to_message).toBeUndefined();
  });

  test('takes its parameters from a query, a form and a multipart form as well', async () => {
    const url = `${world.server.url}/bot${BOT.token}/SendMessage`;
    const markup = JSON.stringify({ inline_keyboard: [[{ text: 'a', callback_data: 'b' }]] });
    const form = new FormData();
    form.set('text', 'multipart');
    const answers = (await Promise.all([
      fetch(`${url}?chat_id=${GROUP}&text=query`).then((response) => response.json()),
      fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ chat_id: String(GROUP), text: 'form', reply_markup: markup }),
      }).then((response) => response.json()),
      fetch(`${url}?chat_id=${GROUP}`, { method: 'POST', body: form }).then((response) => response.json()),
    ])) as Answer[];
    expect(answers.map(({ result }) => result.text)).toEqual(['query', 'form', 'multipart']);
    expect(answers[1]?.result.reply_markup).toEqual(JSON.parse(markup));
    const broken = new URLSearchParams({ chat_id: String(GROUP), text: 'x', reply_markup: '{' });
    expect(await (await fetch(url, { method: 'POST', body: broken })).json()).toEqual(
      refusal(400, "Bad Request: can't parse reply keyboard markup JSON object"),
    );
  });
});

describe('editing and deleting', () => {
  test('an edit changes text and keyboard, and is shown as one', async () => {
    const sent = await world.call('sendMessage', {
      chat_id: GROUP,
      text: 'pending',
      reply_markup: { inline_keyboard: [[{ text: 'a', callback_data: 'b' }]] },
    });
    const { message_id } = sent.result;
    nowMs += 5_000;
    const edited = await world.call('editMessageText', { chat_id: GROUP, message_id, text: 'paid' });
    expect(edited.result).toMatchObject({ message_id, text: 'paid', edit_date: nowMs / 1000 });
    expect(edited.result.reply_markup).toBeUndefined();
    expect((await world.shown(GROUP)).at(-1)).toMatchObject({ text: 'paid', edited: true });
    expect(await world.call('editMessageText', { chat_id: GROUP, message_id, text: 'paid' })).toEqual(
      refusal(
        400,
        'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      ),
    );
    const markup = { inline_keyboard: [[{ text: 'c', callback_data: 'd' }]] };
    const keyed = await world.call('editMessageReplyMarkup', { chat_id: GROUP, message_id, reply_markup: markup });
    expect(keyed.result).toMatchObject({ text: 'paid', reply_markup: markup });
  });

  test('only its own messages can be edited, and only those that exist', async () => {
    expect(await world.call('editMessageText', { chat_id: GROUP, message_id: 1, text: 'x' })).toEqual(
      refusal(400, "Bad Request: message can't be edited"),
    );
    expect(await world.call('editMessageText', { chat_id: GROUP, message_id: 50, text: 'x' })).toEqual(
      refusal(400, 'Bad Request: message to edit not found'),
    );
    expect(await world.call('editMessageText', { chat_id: GROUP, text: 'x' })).toEqual(
      refusal(400, 'Bad Request: message identifier is not specified'),
    );
  });

  test('a deleted message is gone and its id is not given again', async () => {
    const sent = await world.call('sendMessage', { chat_id: GROUP, text: 'x' });
    const { message_id } = sent.result;
    expect(await world.call('deleteMessage', { chat_id: GROUP, message_id })).toEqual({ ok: true, result: true });
    expect(await world.call('deleteMessage', { chat_id: GROUP, message_id })).toEqual(
      refusal(400, 'Bad Request: message to delete not found'),
    );
    expect(await world.call('deleteMessage', { chat_id: GROUP, message_id: 1 })).toEqual(
      refusal(400, "Bad Request: message can't be deleted"),
    );
    expect((await world.call('sendMessage', { chat_id: GROUP, text: 'y' })).result.message_id).toBe(message_id + 1);
    nowMs += 49 * 3_600_000;
    expect(await world.call('deleteMessage', { chat_id: GROUP, message_id: message_id + 1 })).toEqual(
      refusal(400, "Bad Request: message can't be deleted"),
    );
  });
});

test('a button can be answered once and in time', async () => {
  const sent = await world.call('sendMessage', {
    chat_id: ALICE.id,
    text: 'sure?',
    reply_markup: { inline_keyboard: [[{ text: 'yes', callback_data: 'token' }]] },
  });
  const { message_id } = sent.result;
  const pressed = await world.press({ message_id, data: 'token' });
  const updates = await world.call('getUpdates', { offset: pressed.update_id });
  expect(updates.result).toMatchObject([
    { callback_query: { id: pressed.callback_query_id, from: ALICE, data: 'token', message: { message_id } } },
  ]);
  const answer = (callback_query_id: string) => world.call('answerCallbackQuery', { callback_query_id, text: 'ok' });
  const tooOld = refusal(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid');
  expect(await answer(pressed.callback_query_id)).toEqual({ ok: true, result: true });
  expect(await answer(pressed.callback_query_id)).toEqual(tooOld);
  const late = await world.press({ message_id, data: 'token' });
  nowMs += 16 * 60_000;
  expect(await answer(late.callback_query_id)).toEqual(tooOld);
});

test('commands are kept by scope and language', async () => {
  const commands = [{ command: 'tip', description: 'Tip somebody' }];
  expect(await world.call('setMyCommands', { commands })).toEqual({ ok: true, result: true });
  const scope = { type: 'all_private_chats' };
  expect((await world.call('getMyCommands', { scope })).result).toEqual([]);
  expect((await world.call('getMyCommands')).result).toEqual(commands);
  expect(await world.call('setMyCommands', { commands: [{ command: 'Tip!', description: 'x' }] })).toEqual(
    refusal(400, 'Bad Request: BOT_COMMAND_INVALID'),
  );
  await world.call('deleteMyCommands');
  expect((await world.call('getMyCommands')).result).toEqual([]);
});

test('chats, members, actions and reactions', async () => {
  expect((await world.call('getChat', { chat_id: ALICE.id })).result).toMatchObject({
    type: 'private',
    username: 'alice',
  });
  const member = (user_id: number) => world.call('getChatMember', { chat_id: GROUP, user_id });
  expect((await member(ALICE.id)).result).toMatchObject({ status: 'member', user: { id: ALICE.id } });
  await world.write({ from: BOB, chat_id: BOB.id, text: 'hi' });
  expect((await member(BOB.id)).result).toMatchObject({ status: 'left' });
  expect(await member(4_242)).toEqual(refusal(400, 'Bad Request: user not found'));
  expect(await world.call('sendChatAction', { chat_id: GROUP, action: 'typing' })).toEqual({ ok: true, result: true });
  expect(await world.call('sendChatAction', { chat_id: GROUP, action: 'dancing' })).toMatchObject({ error_code: 400 });
  const reaction = [{ type: 'emoji', emoji: '👍' }];
  await world.call('setMessageReaction', { chat_id: GROUP, message_id: 1, reaction });
  expect((await world.shown(GROUP))[0]?.reactions).toEqual(reaction);
  expect(await world.call('noSuchMethod')).toEqual(refusal(404, 'Not Found: method not found'));
});

describe('what people write', () => {
  test('edits, forwards and replies arrive as such', async () => {
    const first = await world.write({ text: '/tip @bob 5', chat_id: GROUP });
    nowMs += 1_000;
    const edited = await world.write({ text: '/tip @bob 500', chat_id: GROUP, edit_message_id: first.message_id });
    expect(edited.message_id).toBe(first.message_id);
    await world.write({ text: 'look', chat_id: GROUP, forward: BOB });
    await world.write({ from: BOB, text: '/tip 5', chat_id: GROUP, reply_to_message_id: first.message_id });
    const updates = await world.call('getUpdates', { offset: first.update_id });
    expect(updates.result).toMatchObject([
      { message: { text: '/tip @bob 5' } },
      { edited_message: { text: '/tip @bob 500', edit_date: nowMs / 1000 } },
      { message: { forward_origin: { type: 'user', sender_user: { id: BOB.id } } } },
      {
        message: { reply_to_message: { message_id: first.message_id, text: '/tip @bob 500', from: { id: ALICE.id } } },
      },
    ]);
  });

  test('nobody writes in the private chat of another, or edits what another wrote', async () => {
    await expect(world.write({ from: BOB, chat_id: ALICE.id, text: 'x' })).rejects.toThrow(
      'chat_id is the id of the person',
    );
    await expect(world.press({ from: BOB, chat_id: ALICE.id, message_id: 1, data: 'x' })).rejects.toThrow(
      'chat_id is the id',
    );
    await expect(world.write({ from: BOB, chat_id: GROUP, edit_message_id: 1, text: 'x' })).rejects.toThrow(
      "can't be edited",
    );
    await expect(world.write({ text: '' })).rejects.toThrow('message text is empty');
  });

  test('a chat remembers its last 2,000 messages', async () => {
    for (let n = 0; n < 2_005; n += 5) {
      const five = [0, 1, 2, 3, 4].map((add) => world.call('sendMessage', { chat_id: ALICE.id, text: `m${n + add}` }));
      await Promise.all(five);
    }
    const shown = await world.shown(ALICE.id);
    expect(shown).toHaveLength(2_000);
    expect(shown.at(-1)?.message_id).toBe(2_006);
  });
});
