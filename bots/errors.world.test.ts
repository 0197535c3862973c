// What people get wrong, typed into the real adapters on each platform, and the reply that they read: the word, what to type instead, one press that
// cures it. And the help, of which every example works as it stands.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PEOPLE, TELEGRAM_GROUP } from '../local/stack/people.ts';
import { LANGUAGES } from '../src/domain/language.ts';
import { type Chat, chatsOf, type Manner, PLATFORMS, type Platform, type Saying } from '../test/setup/everywhere.ts';
import { startWorld, type World } from '../test/setup/world.ts';
import { say } from './render/say.ts';
import { keepNames } from './x/text.ts';

const SOLANA = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
/** An author on X gets one error a day. */
const apart = (platform: Platform) => (platform === 'x' ? 25 : 1.1) * 3_600_000;

let world: World;
let chats: Record<Platform, Chat>;
beforeAll(async () => {
  world = await startWorld({ discord: true, x: { env: { X_DAILY_BUDGET_USD: '1000' } } });
  chats = await chatsOf(world);
  for (const chat of [chats.telegram, chats.discord]) await chat.say('alice', 'help', { own: true });
  await world.run();
});
afterAll(() => world.stop());

async function hear(chat: Chat, work: () => Promise<unknown>): Promise<Saying[]> {
  world.later(apart(chat.platform));
  const before = new Map((await chat.heard()).map(({ id, text }) => [id, text]));
  await work();
  await world.run();
  return (await chat.heard()).filter(({ id, text }) => before.get(id) !== text);
}
/** What X puts under each of our posts, so that no two are the same. */
const read = (text: string) => text.replace(/\n+\(?(Ref )?[0-9A-Z]{6}\)?$/, '');

/** As sentences name it, in English. */
const TIP = {
  telegram: '/tip @name 5',
  discord: '/tip to:@name amount:5',
  x: '“tip 5” with my name in a reply to their post',
};
const SEND = { telegram: '/send 0x… 5', discord: '/send to:0x… amount:5', x: '“send 0x… 5” with my name' };
const THERE = { telegram: 'on this page', discord: 'on this page', x: 'on the page in my profile' };

const rows: [typed: string, says: string, page?: string][] = [
  [`send ${SOLANA} 1`, '7EcDhS…FLtV belongs to another kind of network. I can send to addresses on Base.'],
  [`send ${SOLANA} 1 on base`, 'That address belongs to another kind of network. I can send to addresses on Base.'],
  ['tip @bob 0.001 eth on bsc', 'ETH isn’t available on BNB Smart Chain. Leave the network out, or send USDC.'],
  ['tip @bob 1 bnb', 'BNB isn’t available here. I can send USDC and ETH.'],
  ['tip @bob 1 on celo', 'Celo isn’t available here. I can send on Base.'],
  ['tip @bob 5 usdt', 'I can’t send “usdt”. I can send USDC and ETH.'],
  ['tip @bob 5 on tron', 'I don’t know the network “tron”. I can send on Base.'],
  ['tip @bob fünf', 'I couldn’t read “fünf” as an amount. Try {tip}.'],
  ['tip Müller 5', 'I couldn’t tell who “Müller” is. Try {tip}.'],
  ['tip Боб 5', 'I couldn’t tell who “Боб” is. Try {tip}.'],
  ['split 10 @bob', 'A split needs at least two people. For one, try {tip}.'],
  [`tip ${ADDRESS} 1`, 'To pay an address, use {send}.'],
  ['resume', 'Only your wallet can turn spending back on. You can do it {there}.', '/spending'],
  ['refund', 'You can take back what hasn’t been claimed {there}.', '/tabs'],
  ['settings', 'Your settings are {there}.', '/settings'],
];

describe.each(PLATFORMS)('on %s', (platform) => {
  const chat = () => chats[platform];
  const wanted = (text: string) =>
    text.replace('{tip}', TIP[platform]).replace('{send}', SEND[platform]).replace('{there}', THERE[platform]);
  const heard = async (typed: string, manner?: Manner) => {
    const said = await hear(chat(), () => chat().say('alice', typed, manner));
    return said.map(({ text, urls }) => ({ text: read(text), urls }));
  };

  test.each(rows)('%s', async (typed, says, page) => {
    const tips = await world.ctx.db.tip.count();
    // Without the bot's name it is a command of any other bot of the group.
    const isForUs = page !== undefined && platform === 'telegram';
    const [told, ...more] = await heard(isForUs ? `${typed}@bot` : typed);
    expect([told?.text, more]).toEqual([wanted(says), []]);
    // A post has no buttons, and one with a link costs more.
    if (page !== undefined && platform !== 'x') expect(told?.urls).toEqual([expect.stringMatching(`${page}$`)]);
    expect(await world.ctx.db.tip.count()).toBe(tips);
  });

  test('an ENS name', async () => {
    const [told] = await heard('send vitalik.eth 1');
    // A post with a link costs more, so none is left in its words.
    const name = platform === 'x' ? '“vitalik eth” ' : '“vitalik.eth”.';
    expect(told?.text).toBe(`I can’t read ENS names like ${name} Use the address: ${SEND[platform]}.`);
  });

  test('more than the limit, with a button to it', async () => {
    const said = await hear(chat(), () => chat().say('alice', 'tip @bob 100'));
    const told = said.find(({ text }) =>
      text.includes('Your limit per command is $100. This is $100.10 with the fee.'),
    );
    expect(told?.isPublic).toBe(false);
    expect(told?.urls[0] ?? told?.text).toMatch(/\/spending/);
  });

  test('somebody unknown, with a button that holds the money', async () => {
    const [told] = await hear(chat(), () => chat().say('alice', 'tip @nobody_at_all 5'));
    if (platform === 'x') return;
    expect(told?.text).toMatch(/^I haven’t met @nobody_at_all yet\. You can .*, or hold the money for them\.$/);
    expect(told?.urls).toEqual([expect.stringContaining('/tabs/new?')]);
  });

  test('who is not connected has a button to connect', async () => {
    const [told] = await hear(chat(), () => chat().say('dave', 'balance'));
    if (platform === 'x') return;
    expect(told?.text).toBe('Connect your wallet first. It takes a minute.');
    // On Discord the press answers in place, so its button carries no address.
    expect(told?.urls).toHaveLength(platform === 'discord' ? 0 : 1);
  });
});

describe('in the direct chat', () => {
  test.each(['telegram', 'discord'] as const)('of %s nothing points to the direct chat', async (platform) => {
    for (const typed of ['resume', 'refund', 'settings']) {
      const said = await hear(chats[platform], () => chats[platform].say('alice', typed, { own: true }));
      expect([typed, said.map(({ text }) => text).join()]).toEqual([typed, expect.not.stringMatching(/direct chat/)]);
      expect([typed, said.flatMap(({ urls }) => urls).length]).toEqual([typed, 1]);
    }
  });
});

describe('on Telegram, a reply', () => {
  test.each([
    [
      'a channel',
      { id: -1005, type: 'channel', title: 'News' },
      { id: 136817688, username: 'Channel_Bot', is_bot: true },
    ],
    [
      'an anonymous admin',
      { id: TELEGRAM_GROUP, type: 'supergroup', title: 'Friends' },
      { id: 1087968824, username: 'GroupAnonymousBot', is_bot: true },
    ],
  ])('to %s cannot tell whose it is', async (_name, sender_chat, from) => {
    const post = { chat_id: TELEGRAM_GROUP, from, text: 'news', extra: { sender_chat } };
    const { message_id } = await world.user<{ message_id: number }>('messages', post);
    const [told] = await hear(chats.telegram, () =>
      chats.telegram.say('alice', 'tip 5', { replyTo: { id: String(message_id) } }),
    );
    expect(told?.text).toBe(
      'That was posted as a channel, so I can’t tell whose it is. Name the person: /tip @name 5.',
    );
  });
});

describe('in the menu of Discord', () => {
  const idOf = (name: string) => PEOPLE.find((one) => one.name === name)?.discord.id ?? '';
  test.each([
    ['tip', { to: idOf('bob'), amount: 'fünf' }, 'I couldn’t read “fünf” as an amount. Try /tip to:@name amount:5.'],
    ['tip', { to: idOf('bob'), amount: '5 usdt' }, 'I can’t send “usdt”. I can send USDC and ETH.'],
    ['send', { to: 'Müller', amount: '5' }, 'I couldn’t tell who “Müller” is. Try /tip to:@name amount:5.'],
    [
      'send',
      { to: SOLANA, amount: '1' },
      '7EcDhS…FLtV belongs to another kind of network. I can send to addresses on Base.',
    ],
    ['tip', { to: idOf('bob'), amount: '1 bnb' }, 'BNB isn’t available here. I can send USDC and ETH.'],
  ])('/%s %j is answered once', async (command, options, says) => {
    const before = (await world.discord.botSaid(world.discord.channel, 'alice')).length;
    world.later(apart('discord'));
    await world.discord.interact('alice', command, options);
    await world.run();
    const said = (await world.discord.botSaid(world.discord.channel, 'alice')).slice(before);
    expect(said.map(({ content }) => content.replace(/\\(\W|_)/g, '$1'))).toEqual([says]);
  });
});

const QUOTED = { en: /“([^”]*)”/g, de: /„([^“]*)“/g, es: /«([^»]*)»/g };

describe.each(LANGUAGES)('every example of the help in %s', (language) => {
  const NAMES = ['name', 'nombre'];
  beforeAll(async () => {
    for (const [index, username] of NAMES.entries())
      await world.user('messages', {
        chat_id: TELEGRAM_GROUP,
        from: { id: 7_900_000 + index, username, first_name: username },
        text: 'hello',
      });
    await world.fetchUpdates();
  });
  const examplesIn = (text: string) => [...text.matchAll(/^\s*(.+) → /gm)].map(([, typed = '']) => typed);
  /** Fails on an error, a refusal or silence. */
  const works = async (platform: Platform, typed: string, type: () => Promise<unknown>) => {
    world.later(apart(platform));
    const known = new Set((await world.ctx.db.inbox.findMany({ select: { key: true } })).map(({ key }) => key));
    await type();
    await world.run();
    const entries = (await world.ctx.db.inbox.findMany()).filter(({ key }) => !known.has(key));
    expect([typed, entries.map(({ outcome }) => outcome)]).toEqual([typed, [expect.stringMatching(/^(int|ord)_/)]]);
    const intents = await world.ctx.db.intent.findMany({
      where: { id: { in: entries.map(({ outcome }) => outcome ?? '') } },
      include: { tips: true },
    });
    for (const { status, tips } of intents)
      expect([typed, status, tips.map((tip) => [tip.status, tip.failure])]).toEqual([
        typed,
        'completed',
        [['settled', null]],
      ]);
  };

  test('on Telegram works as it stands', async () => {
    const examples = examplesIn(say(language, 'help-telegram'));
    expect(examples).toHaveLength(3);
    for (const typed of examples)
      await works('telegram', typed, async () => {
        const { message_id } = await world.type('bob', 'I made a thing');
        await world.type('alice', typed, /^\/tip \d/.test(typed) ? { replyTo: message_id } : {});
      });
  });

  test('on Discord works as it stands', async () => {
    const { discord } = world;
    const bob = PEOPLE.find(({ name }) => name === 'bob')?.discord.id ?? '';
    const examples = examplesIn(say(language, 'help-discord', { bot: 'ampersat' }));
    expect(examples).toHaveLength(3);
    for (const typed of examples)
      await works('discord', typed, async () => {
        const [, command = '', options = ''] = /^\/(\w+) (.*)$/.exec(typed) ?? [];
        // Discord puts the mention in place of the name, and the person in place of a field's.
        if (!command) {
          const { message_id } = await discord.type('bob', 'I made a thing');
          return discord.type('alice', typed.replace('@ampersat', discord.at('bot')), { replyTo: message_id });
        }
        const fields = [...options.matchAll(/(\w+):(\S+)/g)].map(([, field = '', value = '']) => [
          field,
          value.startsWith('@') ? bob : value,
        ]);
        return discord.interact('alice', command, Object.fromEntries(fields));
      });
  });

  test('on X works as it stands', async () => {
    const quoted = [...say(language, 'x-help').matchAll(QUOTED[language])].map(([, typed = '']) => typed);
    const examples = quoted.filter((typed) => /\d/.test(typed));
    expect(examples.length).toBeGreaterThan(1);
    // Shown without the @ of anybody else, so an example that needs one would not work as it is read.
    for (const typed of examples) expect(keepNames(typed, null)).toBe(typed);
    for (const typed of examples)
      await works('x', typed, async () => {
        const post = await world.x.post('bob', 'I made a thing');
        const words = typed.replace(/^@ampersat_bot /, '').replace('0x…', ADDRESS);
        await world.x.post('alice', `@ampersat_bot ${words}`, { replyTo: post.id });
      });
  });
});
