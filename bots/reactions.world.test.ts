// Tips by reaction: only for who set it, only to who wrote the message, once a message, and like any other command in all else.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TELEGRAM_BOT, TELEGRAM_GROUP } from '../local/stack/people.ts';
import { dropOldRows } from '../src/services/operations/housekeeping.ts';
import { localPerson, type Shown, startWorld, type World } from '../test/setup/world.ts';
import { storeUpdates } from './telegram/store.ts';

const usdc = (amount: string) => parseUnits(amount, 6);
const idOf = (name: string) => localPerson(name).telegram.id;
const ME = { id: String(TELEGRAM_BOT.id), username: TELEGRAM_BOT.username };
const DAY_MS = 24 * 3_600_000;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
// An hour of its own for each test, and the setting that most of them begin with.
beforeEach(async () => {
  world.later(3_700_000);
  await chat('alice', '/react 👍 1', idOf('alice'));
  await chat('alice', 'here I am');
});

/** Types, and gets an answer: no chain is needed for it. */
async function chat(name: string, text: string, where = TELEGRAM_GROUP) {
  const message = await world.type(name, text, { chat: where });
  await world.fetchUpdates();
  await world.ingest();
  await world.reply();
  return message;
}

async function react(name: string, message: { message_id: number }, emoji: string[] = ['👍'], chat = TELEGRAM_GROUP) {
  const from = { ...localPerson(name).telegram, first_name: name };
  await world.user('reactions', { chat_id: chat, message_id: message.message_id, from, emoji });
}
async function moved(work: () => Promise<unknown>) {
  const balances = () => Promise.all(['alice', 'bob'].map((who) => world.usdc(who)));
  const [alice = 0n, bob = 0n] = await balances();
  await work();
  const [alice2 = 0n, bob2 = 0n] = await balances();
  return { alice: alice2 - alice, bob: bob2 - bob };
}
/** Takes in what lies at Telegram; what is accepted by that and not sent within minutes runs out before the next test. */
async function takeIn() {
  await world.fetchUpdates();
  await world.ingest();
}
async function accepted(work: () => Promise<unknown>): Promise<number> {
  const before = await world.ctx.db.intent.count();
  await work();
  return (await world.ctx.db.intent.count()) - before;
}
const NOTHING = { alice: 0n, bob: 0n };
const PAID = { alice: -usdc('1.05'), bob: usdc('1') };
const told = async (name = 'alice') => (await world.botSaid(idOf(name))).at(-1)?.text ?? '';
const lastAnswer = async () => (await world.botSaid()).at(-1);
const write = (name = 'bob', text = 'a good thought') => chat(name, text);

describe('a reaction with the chosen emoji', () => {
  test('tips the author of the message, with a receipt under it', async () => {
    const message = await write();
    const change = await moved(async () => {
      await react('alice', message);
      await world.run();
    });
    expect(change).toEqual(PAID);
    const receipt = await lastAnswer();
    expect(receipt?.text).toMatch(/^✅ @alice tipped @bob 1\.00 USDC \(fee \$0\.05\)\. View 0x/);
    expect(receipt?.reply_to_message?.message_id).toBe(message.message_id);
  });

  test('taken away and put there again pays once, however often its updates come', async () => {
    const message = await write();
    const change = await moved(async () => {
      for (const emoji of [['👍'], [], ['👍'], ['👍', '🔥'], []]) await react('alice', message, emoji);
      const updates = await world.fetchUpdates();
      for (const update of [...updates, ...updates]) await storeUpdates(world.ctx, [update], ME);
      await world.run();
      await react('alice', message);
      await world.run();
    });
    expect(change).toEqual(PAID);
    const { inboxKey } = await world.ctx.db.intent.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(inboxKey).toBe(`tg:e:${ME.id}:${TELEGRAM_GROUP}:${idOf('alice')}:r${message.message_id}`);
  });

  test('in the very batch in which the message came', async () => {
    const message = await world.type('bob', 'both at once');
    await react('alice', message);
    expect(await accepted(takeIn)).toBe(1);
  });

  test('that is shown in another style or skin is the same', async () => {
    await chat('alice', '/react ❤️ 1', idOf('alice'));
    const message = await write();
    await react('alice', message, ['❤']);
    expect(await accepted(takeIn)).toBe(1);
  });

  test('counts as one of twenty an hour, beside the five commands, and what is over is told in private', async () => {
    const messages: { message_id: number }[] = [];
    for (let tip = 0; tip < 21; tip += 1) messages.push(await world.type('bob', 'a good thought'));
    const over = messages.pop() as { message_id: number };
    for (const message of messages) await react('alice', message);
    expect(await accepted(takeIn)).toBe(20);
    const before = (await world.botSaid()).length;
    await react('alice', over);
    expect(await accepted(takeIn)).toBe(0);
    await world.reply();
    expect(await told()).toMatch(/twenty tips by reaction this hour/);
    expect(await world.botSaid()).toHaveLength(before);
  });

  test('asks above the limit like any other', async () => {
    await chat('alice', '/react 🔥 60', idOf('alice'));
    const message = await write();
    await react('alice', message, ['🔥']);
    expect(await moved(() => world.run())).toEqual(NOTHING);
    const question = (await lastAnswer()) as Shown;
    expect(question.text).toMatch(/60\.00 USDC to @bob/);
    await world.press('alice', question, question.reply_markup?.inline_keyboard[0]?.[0]?.callback_data ?? '');
    expect(await moved(() => world.run())).toEqual({ alice: -usdc('60.1'), bob: usdc('60') });
  });
});

describe('no tip is', () => {
  const cases: [string, () => Promise<unknown>][] = [
    ['a reaction with another emoji', async () => react('alice', await write(), ['🔥'])],
    ['a reaction of somebody who set nothing', async () => react('shop', await write())],
    ['a reaction to a message of one’s own', async () => react('alice', await write('alice'))],
    [
      'a reaction that goes away',
      async () => {
        const message = await write();
        await react('alice', message, ['👍']);
        await world.ctx.db.reactionTip.deleteMany();
        await world.fetchUpdates();
        await chat('alice', '/react 👍 1', idOf('alice'));
        await react('alice', message, []);
      },
    ],
    [
      'a reaction to what the bot said',
      async () => {
        await chat('bob', '/help');
        await react('alice', (await lastAnswer()) as Shown);
      },
    ],
    [
      'a reaction after “off”',
      async () => {
        await chat('alice', '/react off', idOf('alice'));
        await react('alice', await write());
      },
    ],
    [
      'a reaction in the direct chat',
      async () => {
        const message = await chat('alice', 'hm', idOf('alice'));
        await react('alice', message, ['👍'], idOf('alice'));
      },
    ],
    [
      'a reaction to a message that stands for a channel',
      async () => {
        const from = { ...localPerson('bob').telegram, first_name: 'bob' };
        const sender_chat = { id: -100_5, type: 'channel', title: 'News' };
        const post = { chat_id: TELEGRAM_GROUP, from, text: 'news', extra: { sender_chat } };
        const message = await world.user<{ message_id: number }>('messages', post);
        await react('alice', message);
      },
    ],
  ];
  test.each(cases)('%s', async (_, act) => {
    await act();
    expect(await accepted(takeIn)).toBe(0);
  });

  test('a reaction from before the setting, or as a group', async () => {
    const message = await write();
    await react('alice', message);
    const updates = await world.fetchUpdates();
    const change = updates.find((update) => update.message_reaction)?.message_reaction;
    await world.ctx.db.inbox.deleteMany({ where: { status: 'received' } });
    for (const odd of [
      { ...change, date: Math.floor(world.ctx.clock.now() / 1_000) - 600 },
      { ...change, user: undefined, actor_chat: { id: TELEGRAM_GROUP, type: 'supergroup', title: 'x' } },
      { ...change, actor_chat: { id: TELEGRAM_GROUP, type: 'supergroup', title: 'x' } },
    ])
      expect(await storeUpdates(world.ctx, [{ update_id: 1, message_reaction: odd } as never], ME)).toBe(0);
  });

  test('a reaction after the account was disconnected and connected anew', async () => {
    const { db } = world.ctx;
    const where = { platform_platformUserId: { platform: 'telegram', platformUserId: String(idOf('alice')) } };
    const { id } = await db.connection.findUniqueOrThrow({ where });
    await db.connection.update({ where, data: { id: `${id}_again` } });
    try {
      await react('alice', await write());
      expect(await accepted(takeIn)).toBe(0);
      expect(await db.reactionTip.count()).toBe(1);
      await chat('alice', '/react', idOf('alice'));
      expect(await told()).toMatch(/^Tips by reaction are off\./);
    } finally {
      await db.connection.update({ where: { id: `${id}_again` }, data: { id } });
    }
  });
});

describe('who wrote a message', () => {
  test('is noted only where somebody tips by reaction, and for seven days', async () => {
    const { messageAuthor, reactionChat } = world.ctx.db;
    const elsewhere = -1_009_111;
    await chat('bob', 'nobody reacts here', elsewhere);
    expect(await messageAuthor.count({ where: { chatId: String(elsewhere) } })).toBe(0);
    const message = await write();
    const where = { chatId: String(TELEGRAM_GROUP), messageId: String(message.message_id) };
    expect(await messageAuthor.findFirst({ where })).toMatchObject({ platformUserId: String(idOf('bob')) });
    world.later(6 * DAY_MS);
    await dropOldRows(world.ctx);
    expect(await messageAuthor.count({ where })).toBe(1);
    world.later(2 * DAY_MS);
    await dropOldRows(world.ctx);
    expect([await messageAuthor.count(), await reactionChat.count()]).toEqual([0, 0]);
    await react('alice', message);
    expect(await accepted(takeIn)).toBe(0);
    // That reaction was seen: from now on it is noted again.
    expect(await reactionChat.count()).toBe(1);
  });
});

describe('/react', () => {
  const inPrivate: [string, RegExp][] = [
    ['/react', /^React with 👍 .* 1\.00 USDC/s],
    ['/react 🔥 2.50', /^React with 🔥 .* 2\.50 USDC/s],
    ['/react off', /^Tips by reaction are off\./],
    ['/react 🔥 100', /^Tips by reaction can be from \$0\.01 to \$100,.*\nReact with 👍/s],
    ['/react 🔥 0.001', /^Tips by reaction can be from/],
    ['/react 🔥', /^Sorry, I didn’t get that.*\nReact with 👍 .* 1\.00/s],
  ];
  test.each(inPrivate)('%s', async (text, answer) => {
    await chat('alice', text, idOf('alice'));
    expect(await told()).toMatch(answer);
  });

  test('in a group changes nothing; the answer stands in the direct chat', async () => {
    const before = (await world.botSaid()).length;
    await chat('alice', '/react 🔥 5');
    expect(await told()).toMatch(/^You can only set that in our direct chat.*\nReact with 👍/s);
    expect(await world.botSaid()).toHaveLength(before);
  });

  test('is nothing for somebody who is not connected', async () => {
    await chat('dave', '/react 👍 1', idOf('dave'));
    expect(await told('dave')).toMatch(/Connect your wallet first/);
    expect(await world.ctx.db.reactionTip.count({ where: { platformUserId: String(idOf('dave')) } })).toBe(0);
  });
});
