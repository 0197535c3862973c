// A doubt on each platform, through its real adapter: what is asked, who may answer and how, and that one answer moves the money once or not at all.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Chat, chatsOf, PLATFORMS, type Platform, type Saying } from '../test/setup/everywhere.ts';
import { localPerson, startWorld, type World } from '../test/setup/world.ts';

const TEN_MINUTES = 10 * 60_000 + 1_000;
const usdc = (amount: string) => parseUnits(amount, 6);

let world: World;
let chats: Record<Platform, Chat>;
beforeAll(async () => {
  world = await startWorld({ discord: true, x: { env: { X_DAILY_BUDGET_USD: '1000' } } });
  chats = await chatsOf(world);
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.later(25 * 3_600_000);
  await world.admin().increaseTime({ seconds: 25 * 3_600 });
  await world.mine(1);
  await world.freshPrices();
  // What an earlier test left open is over.
  await world.run();
});

/** What bob got, and what the bot said or changed for all to see, while something was done and everything happened that comes of it. */
async function during(chat: Chat, work: () => Promise<unknown>) {
  const had = await world.usdc('bob');
  const before = new Map((await chat.heard()).map(({ id, text }) => [id, text]));
  await work();
  await world.run();
  const all = (await chat.heard()).filter(({ id, text }) => before.get(id) !== text);
  const [told, whispered] = [all.filter((one) => one.isPublic), all.filter((one) => !one.isPublic)];
  return { paid: (await world.usdc('bob')) - had, told, texts: told.map(({ text }) => text), whispered };
}

/** The question to which a doubt leads. */
async function ask(chat: Chat, text: string, work: () => Promise<unknown> = () => chat.say('alice', text)) {
  const { paid, told } = await during(chat, work);
  expect([paid, told.length]).toEqual([0n, 1]);
  return told[0] as Saying;
}

describe.each(PLATFORMS)('%s: a doubt', (platform) => {
  let chat: Chat;
  beforeAll(() => {
    chat = chats[platform];
  });

  test.each([
    ['tip @bob 2 kr', 'kr', /note/],
    ['tip @bob 2 usdc only if he wins', 'only if he wins', /condition/],
    ['tip @bob 2 make that 50', 'make that 50', /another amount/],
    ['please can you tip @bob 2?', null, /sentence/],
  ])('%s shows what goes out, the note and why, and moves nothing', async (text, note, why) => {
    // A sentence is no slash command.
    const isNamed = platform === 'telegram' && !text.startsWith('tip');
    const say = () =>
      isNamed ? world.type('alice', `@${world.adapter.botUsername} ${text}`) : chat.say('alice', text);
    const question = await ask(chat, text, say);
    expect(question.text).toMatch(/2\.00 USDC to @?bob/);
    expect(question.text).toMatch(why);
    if (note !== null) expect(question.text).toContain(`“${note}”`);
  });

  test('is paid once after a yes of its sender, told twice, and not after one of a stranger', async () => {
    const question = await ask(chat, 'tip @bob 2 kr');
    expect((await during(chat, () => chat.answer('bob', question, true))).paid).toBe(0n);
    const { paid, texts } = await during(chat, async () => {
      await chat.mark();
      await chat.answer('alice', question, true);
      await chat.answer('alice', question, true);
      await world.run();
      await chat.redeliver();
    });
    expect(paid).toBe(usdc('2'));
    expect(texts).toEqual([expect.stringMatching(/^✅ @alice tipped @?bob 2\.00 USDC/)]);
  });

  test('is paid once or not at all when a yes and a no come together', async () => {
    const question = await ask(chat, 'tip @bob 2 kr');
    const { paid } = await during(chat, async () => {
      for (const yes of [true, false, true, false]) await chat.answer('alice', question, yes);
    });
    const { status } = await world.ctx.db.intent.findFirstOrThrow({ where: { platform }, orderBy: { id: 'desc' } });
    expect(paid).toBe(status === 'declined' ? 0n : usdc('2'));
  });

  test('is over after a no, whatever comes then', async () => {
    const question = await ask(chat, 'tip @bob 2 kr');
    const { paid, texts } = await during(chat, async () => {
      await chat.answer('alice', question, false);
      await world.run();
      await chat.answer('alice', question, true);
    });
    expect([paid, texts]).toEqual([0n, [expect.stringMatching(/^Cancelled/)]]);
  });

  test('runs out after ten minutes, and a yes after that pays nothing', async () => {
    const question = await ask(chat, 'tip @bob 2 kr');
    world.later(TEN_MINUTES);
    const late = await during(chat, () => chat.answer('alice', question, true));
    const later = await during(chat, () => chat.answer('alice', question, true));
    expect([late.paid, later.paid]).toEqual([0n, 0n]);
    // X keeps what was posted as it was: the question tells when it closes.
    expect(late.texts).toEqual(platform === 'x' ? [] : [expect.stringMatching(/in time/)]);
    const intent = await world.ctx.db.intent.findFirstOrThrow({ where: { platform }, orderBy: { id: 'desc' } });
    expect(intent.status).toBe('lapsed');
  });
});

describe('Discord', () => {
  const bob = () => localPerson('bob').discord.id;

  test('a doubtful note of a menu command asks in the answer itself; only its user may press', async () => {
    const chat = chats.discord;
    const options = { to: bob(), amount: '2', note: 'only if he wins' };
    const question = await ask(chat, '', () => world.discord.interact('alice', 'tip', options));
    expect(question.text).toMatch(/2\.00 USDC to @bob[\s\S]*“only if he wins”[\s\S]*condition/);
    const stranger = await during(chat, () => chat.answer('bob', question, true));
    expect([stranger.paid, stranger.texts]).toEqual([0n, []]);
    expect(stranger.whispered.map(({ text }) => text)).toEqual([expect.stringMatching(/^Only /)]);
    const { paid, texts } = await during(chat, async () => {
      for (let i = 0; i < 2; i++) await chat.answer('alice', question, true);
    });
    expect(paid).toBe(usdc('2'));
    expect(texts).toEqual([expect.stringMatching(/^✅/)]);
  });

  test('a menu command that is not answered says so in the end', async () => {
    const chat = chats.discord;
    const options = { to: bob(), amount: '2', note: 'make that 50' };
    const question = await ask(chat, '', () => world.discord.interact('alice', 'tip', options));
    world.later(TEN_MINUTES);
    const { paid, told } = await during(chat, () => chat.answer('alice', question, true));
    expect(paid).toBe(0n);
    expect(told.find(({ id }) => id === question.id)).toMatchObject({
      text: expect.stringMatching(/in time/),
      tokens: [],
    });
  });
});

describe('Discord, where tipping is off', () => {
  const rule = (tipping: boolean) => world.discord.interact('alice', 'settings', { tipping }).then(() => world.run());

  test('a doubt is refused, to its sender alone, and not asked about', async () => {
    await rule(false);
    const options = { to: localPerson('bob').discord.id, amount: '2', note: 'only if he wins' };
    const { paid, texts, whispered } = await during(chats.discord, () =>
      world.discord.interact('alice', 'tip', options),
    );
    await rule(true);
    expect([paid, texts, whispered.length]).toEqual([0n, [], 1]);
    expect(whispered[0]).toMatchObject({ tokens: [], text: expect.stringMatching(/off/) });
  });
});

describe('X', () => {
  test('a question tells the sum and the note where not all of its lines fit', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `somebody_new_${index}`);
    for (const [index, username] of names.entries())
      await world.x.post({ id: `12000000000009900${index}`, username }, `@${world.x.bot.username} tip @bob 1 kr`);
    await world.run();
    const question = await ask(chats.x, `split 18 ${names.map((name) => `@${name}`).join(' ')} kr`);
    expect(question.text).toMatch(/^Send 18\.00 USDC to 9 people \(fees \$0\)\?\nNote: “kr”\n/);
    const [, more] = /and (\d) more\n/.exec(question.text) ?? [];
    expect(question.text.match(/2\.00 USDC for/g) ?? []).toHaveLength(9 - Number(more));
  });

  test.each(['yes', 'Yep', 'yes please', 'Yes!', 'ja', 'Ja, bitte', 'sí', 'Sí, por favor', '👍'])(
    '%s is a yes',
    async (word) => {
      const question = await ask(chats.x, 'tip @bob 1 kr');
      const { paid, texts } = await during(chats.x, () => world.x.post('alice', word, { replyTo: question.id }));
      expect([paid, texts]).toEqual([usdc('1'), [expect.stringMatching(/^✅/)]]);
    },
  );

  test.each(['no', 'Nope', 'no thanks', 'nein', 'nein, danke', 'no, gracias'])('%s is a no', async (word) => {
    const question = await ask(chats.x, 'tip @bob 1 kr');
    const { paid, texts } = await during(chats.x, () => world.x.post('alice', word, { replyTo: question.id }));
    expect([paid, texts]).toEqual([0n, [expect.stringMatching(/^Cancelled/)]]);
  });

  test.each(['yes but make it 50', 'yes 50', 'yes if he wins'])('%s is no answer', async (words) => {
    const question = await ask(chats.x, 'tip @bob 1 kr');
    const { paid } = await during(chats.x, () => world.x.post('alice', words, { replyTo: question.id }));
    expect(paid).toBe(0n);
    expect(await world.ctx.db.intent.count({ where: { platform: 'x', status: 'awaiting_confirmation' } })).toBe(1);
  });

  test('a yes that was edited, and one below the command in place of the question, move nothing', async () => {
    const line = await chats.x.say('alice', 'tip @bob 1 kr');
    await world.run();
    const question = (await chats.x.heard()).at(-1);
    const { paid } = await during(chats.x, async () => {
      await world.x.post('alice', 'yes', { replyTo: line.id });
      const no = await world.x.post('alice', 'no wait', { replyTo: question?.id ?? '' });
      await world.x.post('alice', 'yes', { edit: no.id });
    });
    expect(paid).toBe(0n);
  });

  test('a yes that was posted in time and is read after a restart pays once', async () => {
    const question = await ask(chats.x, 'tip @bob 1 kr');
    await world.x.post('alice', 'yes', { replyTo: question.id });
    await world.x.restart();
    expect((await during(chats.x, () => Promise.resolve())).paid).toBe(usdc('1'));
  });
});
