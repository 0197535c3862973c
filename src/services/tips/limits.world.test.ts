// What people may do in a day, an hour and ten minutes, and how replies behave when the platform does not.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { createConnection, pauseHandle } from '../accounts/handles.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.later(31 * 3_600_000);
  // The router forgets what was spent after 24 to 30 hours.
  await world.admin().increaseTime({ seconds: 31 * 3_600 });
  await world.mine(1);
  await world.freshPrices();
  await fetch(`${world.telegramUrl}/_user/faults`, { method: 'DELETE' });
  // What an earlier test left unsaid is said now, not in the middle of this one.
  await world.reply();
});

const ALICE = localPerson('alice');
const BOB = localPerson('bob');
const lastAnswer = async (chat = TELEGRAM_GROUP) => (await world.botSaid(chat)).at(-1)?.text ?? '';
const answers = async (chat = TELEGRAM_GROUP) => (await world.botSaid(chat)).length;
const bobHas = () => world.usdc('bob');

const reactionsOn = async (messageId: number) => {
  const shown = (await world.shown()) as { message_id: number; reactions?: { emoji: string }[] }[];
  return shown.find(({ message_id }) => message_id === messageId)?.reactions?.map(({ emoji }) => emoji) ?? [];
};

describe('five tips an hour', () => {
  test('the sixth is not taken and is told when, and one later is', async () => {
    const before = await bobHas();
    for (let i = 0; i < 5; i++) {
      await world.say('alice', '/tip @bob 1');
      world.later(60_000);
    }
    expect((await bobHas()) - before).toBe(5_000_000n);
    await world.say('alice', '/tip @bob 1');
    expect((await bobHas()) - before).toBe(5_000_000n);
    expect(await lastAnswer()).toBe('That was your fifth tip this hour. Try again in 55 minutes.');
    world.later(55 * 60_000);
    await world.say('alice', '/tip @bob 1');
    expect((await bobHas()) - before).toBe(6_000_000n);
  });

  test('are not used up by an account of the same handle that only receives', async () => {
    const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
    const dave = localPerson('dave').telegram.id;
    const account = { platform: 'telegram', platformUserId: String(dave), username: 'dave', handleId };
    await createConnection(world.ctx, { ...account, canSpend: false });
    for (let i = 0; i < 6; i++) await world.say('dave', '/tip @bob 1');
    // What is refused in any case counts neither for that account.
    expect(await lastAnswer()).not.toContain('fifth tip');
    const before = await bobHas();
    await world.say('alice', '/tip @bob 1');
    expect((await bobHas()) - before).toBe(1_000_000n);
    await world.ctx.db.connection.deleteMany({ where: { platformUserId: String(dave) } });
  });

  test('count a command with several people once', async () => {
    const before = await bobHas();
    for (let i = 0; i < 5; i++) await world.say('alice', '/tip @bob @shop 0.5');
    expect((await bobHas()) - before).toBe(2_500_000n);
  });
});

describe('caps', () => {
  test('500 USD in 24 hours, whatever is confirmed', async () => {
    const before = await bobHas();
    for (let i = 0; i < 6; i++) {
      world.later(3_700_000);
      await world.say('shop', '/tip @bob 90');
      const question = (await world.botSaid()).at(-1);
      const send = question?.reply_markup?.inline_keyboard
        .flat()
        .find((button) => button.text === 'Send')?.callback_data;
      if (question && send) await world.press('shop', question, send);
      await world.run();
    }
    expect((await bobHas()) - before).toBe(450_000_000n);
    const refused = await world.ctx.db.intent.findFirst({ orderBy: { id: 'desc' } });
    expect(refused?.status).toBe('refused');
    expect(JSON.stringify(refused?.detail)).toMatch(/day_cap|limit_per_day/);
  });
});

describe('the cap for 24 hours', () => {
  test('counts all that a handle sent, below what the wallet allows on-chain', async () => {
    const shop = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'shop' } });
    await world.ctx.db.handle.update({ where: { id: shop.id }, data: { dayCapMicros: 50_000_000n } });
    const before = await bobHas();
    await world.say('shop', '/tip @bob 30');
    await world.say('shop', '/tip @bob 30');
    expect((await bobHas()) - before).toBe(30_000_000n);
    const refused = await world.ctx.db.intent.findFirst({ orderBy: { id: 'desc' } });
    expect(refused?.detail).toMatchObject({ refusal: { code: 'day_cap', left: '19.90' } });
    await world.ctx.db.handle.update({ where: { id: shop.id }, data: { dayCapMicros: 500_000_000n } });
  });
});

describe('errors in a chat', () => {
  test('are told once in ten minutes a person, then shown by a reaction, and others still get theirs', async () => {
    const start = await answers();
    const said = [];
    for (const text of ['/tip @bob', '/tip @bob 1,000', '/tip @bob zero']) said.push(await world.say('alice', text));
    expect((await answers()) - start).toBe(1);
    expect(await Promise.all(said.map(({ message_id }) => reactionsOn(message_id)))).toEqual([[], ['🤔'], ['🤔']]);
    await world.say('shop', '/tip @bob');
    expect((await answers()) - start).toBe(2);
    world.later(10 * 60_000);
    await world.say('alice', '/tip @bob');
    expect((await answers()) - start).toBe(3);
  });

  test('are left at that where a group allows no reactions', async () => {
    await world.user('faults', {
      ...{ method: 'setMessageReaction', status: 400, times: 1 },
      description: 'Bad Request: REACTION_INVALID',
    });
    for (const text of ['/tip @bob', '/tip @bob 0']) await world.say('shop', text);
    expect(await world.ctx.db.reply.findFirst({ where: { kind: 'reaction' }, orderBy: { id: 'desc' } })).toMatchObject({
      ...{ open: false, failure: null },
    });
  });

  test('of one kind hide none of another', async () => {
    const start = await answers();
    await world.say('alice', '/tip @bob');
    await world.say('alice', '/help');
    for (let i = 0; i < 5; i++) await world.say('alice', '/tip @bob 0.5');
    await world.say('alice', '/tip @bob 0.5');
    expect(await lastAnswer()).toContain('fifth tip this hour');
    expect((await answers()) - start).toBe(8);
  });

  test('help is short in a group, and given there six times an hour at most', async () => {
    const start = await answers();
    const { message_id } = await world.say('alice', '/help');
    expect((await lastAnswer()).split('\n')).toHaveLength(2);
    expect((await world.botSaid()).at(-1)?.reply_markup?.inline_keyboard[0]?.[0]?.url).toContain('t.me/');
    await world.say('alice', '/help');
    expect((await answers()) - start).toBe(1);
    for (const name of ['bob', 'carol', 'shop', 'alice', 'bob', 'carol', 'shop']) {
      world.later(4 * 60_000);
      await world.say(name, '/help');
    }
    expect((await answers()) - start).toBe(6);
    expect(await reactionsOn(message_id)).toEqual([]);
  });
});

describe('a direct chat', () => {
  test('answers every message, up to twenty a minute, then says so once', async () => {
    const chat = { chat: ALICE.telegram.id };
    await world.say('alice', '/start', chat);
    world.later(61_000);
    const start = await answers(ALICE.telegram.id);
    for (let i = 0; i < 24; i++) await world.type('alice', i % 2 ? '/tip @bob' : '/help', chat);
    await world.run();
    expect((await answers(ALICE.telegram.id)) - start).toBe(21);
    const told = (await world.botSaid(ALICE.telegram.id)).slice(-21).map(({ text }) => text);
    expect(told.filter((text) => text.startsWith('That’s a lot at once'))).toHaveLength(1);
    world.later(61_000);
    await world.say('alice', '/tip @bob', chat);
    expect((await answers(ALICE.telegram.id)) - start).toBe(22);
  });
});

describe('the bot in a group', () => {
  test('chatter that asks nothing of the bot is neither answered nor stored', async () => {
    const start = await answers();
    const stored = await world.ctx.db.inbox.count();
    await world.say('alice', 'I would tip you 5 dollars if I could');
    await world.say('alice', '/tip@another_bot @bob 5');
    expect(await answers()).toBe(start);
    expect(await world.ctx.db.inbox.count()).toBe(stored);
  });
});

describe('a person’s money', () => {
  test('is told in the direct chat, never in the group; what could not be told waits until that chat is opened', async () => {
    await world.say('bob', '/balance');
    expect(await answers(BOB.telegram.id)).toBe(0);
    expect(await lastAnswer()).not.toContain('USDC\n');
    await world.say('bob', '/tip @alice 99.99');
    expect(await lastAnswer()).toContain('I’ve messaged you why');
    world.later(1_000);
    await world.say('bob', '/limits', { chat: BOB.telegram.id });
    const told = (await world.botSaid(BOB.telegram.id)).map((message) => message.text).join('\n');
    expect(told).toContain('Your limit per command is $100');
    expect(told).toContain('Commands: 5 of 5 left this hour');
  });

  test('balance and history show what happened', async () => {
    await world.say('alice', '/start', { chat: ALICE.telegram.id });
    await world.say('alice', '/tip @bob 1');
    await world.say('alice', '/balance', { chat: ALICE.telegram.id });
    expect(await lastAnswer(ALICE.telegram.id)).toMatch(
      /^Your balance, alice@ampersat\nIn total: \$[\d,]+(\.\d\d)?\nBase: [\d,]+\.\d\d USDC\nBase: [\d,.]+ ETH\nBase: [\d.]+ ETH, wrapped \(worth the same; .*\)$/,
    );
    await world.say('alice', '/history', { chat: ALICE.telegram.id });
    expect(await lastAnswer(ALICE.telegram.id)).toMatch(/^Your latest payments\n→ 1\.00 USDC to @bob · just now/);
    await world.say('bob', '/history', { chat: BOB.telegram.id });
    expect(await lastAnswer(BOB.telegram.id)).toContain('← 1.00 USDC from alice@ampersat');
  });

  test('that a block refused is on its way for who sent it, and nothing yet for who would get it', async () => {
    await world.say('alice', '/tip @bob 1.37');
    const told = async (person: typeof ALICE) => {
      await world.say(person.name, '/history', { chat: person.telegram.id });
      return (await lastAnswer(person.telegram.id)).split('\n').filter((line) => line.includes(' 1.37 USDC '));
    };
    expect(await told(BOB)).toEqual(['← 1.37 USDC from alice@ampersat · just now']);
    const { id } = await world.ctx.db.tip.findFirstOrThrow({ where: { units: 1_370_000 } });
    await world.ctx.db.tip.update({ where: { id }, data: { status: 'mined' } });
    expect(await told(BOB)).toEqual(['← 1.37 USDC from alice@ampersat · just now · confirming']);
    await world.ctx.db.tip.update({ where: { id }, data: { failure: { code: 'expired' } } });
    expect(await told(BOB)).toEqual([]);
    expect(await told(ALICE)).toEqual(['→ 1.37 USDC to @bob · just now · on its way']);
    await world.ctx.db.tip.update({ where: { id }, data: { status: 'failed' } });
    expect(await told(ALICE)).toEqual(['→ 1.37 USDC to @bob · just now · not sent']);
  });

  test('too little of it is told with the figures', async () => {
    const erc20 = world.evmChain().usdc;
    await world.admin().impersonateAccount({ address: ALICE.address });
    const { createWalletClient, erc20Abi, http } = await import('viem');
    const wallet = createWalletClient({ account: ALICE.address, transport: http(world.anvilOf().rpcUrl) });
    const have = await world.usdc('alice');
    const away = localPerson('carol').address;
    await wallet.writeContract({
      address: erc20,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [away, have - 3_200_000n],
      chain: null,
    });
    await world.say('alice', '/tip @bob 5', { chat: ALICE.telegram.id });
    expect(await lastAnswer(ALICE.telegram.id)).toBe(
      'Your balance on Base is 3.20 USDC. You need 5.10 USDC with the fee.',
    );
    const back = createWalletClient({ account: away, transport: http(world.anvilOf().rpcUrl) });
    await world.admin().impersonateAccount({ address: away });
    await back.writeContract({
      address: erc20,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [ALICE.address, have - 3_200_000n],
      chain: null,
    });
    await wallet.writeContract({
      address: erc20,
      abi: erc20Abi,
      functionName: 'approve',
      args: [world.evmChain().routers.bot, 1_000_000n],
      chain: null,
    });
    await world.say('alice', '/tip @bob 5', { chat: ALICE.telegram.id });
    expect(await lastAnswer(ALICE.telegram.id)).toContain(
      'Your wallet lets me send 1.00 USDC more on Base. You need 5.10 USDC with the fee.',
    );
    await wallet.writeContract({
      address: erc20,
      abi: erc20Abi,
      functionName: 'approve',
      args: [world.evmChain().routers.bot, 2n ** 255n],
      chain: null,
    });
  });
});

/** The shop's wallet takes its pause back. */
async function resumeShop(): Promise<void> {
  const { createWalletClient, http, parseAbi } = await import('viem');
  const { privateKeyToAccount } = await import('viem/accounts');
  const wallet = createWalletClient({
    account: privateKeyToAccount(localPerson('shop').key),
    transport: http(world.anvilOf().rpcUrl),
  });
  await wallet.writeContract({
    address: world.evmChain().routers.bot,
    abi: parseAbi(['function unpauseSender()']),
    functionName: 'unpauseSender',
    chain: null,
  });
  await world.mine(1);
}

describe('pause', () => {
  test('stops tips at once, is told to the router, and only the wallet resumes', async () => {
    const before = await bobHas();
    await world.say('shop', '/pause');
    expect(await lastAnswer()).toMatch(/^⏸ All spending is off/);
    const sent = await world.ctx.db.outgoingTx.findFirst({ where: { kind: 'pause' } });
    expect(sent).toMatchObject({ status: 'final', succeeded: true });
    await world.say('shop', '/tip @bob 1');
    expect(await bobHas()).toBe(before);
    await resumeShop();
    await world.say('shop', '/tip @bob 1');
    expect((await bobHas()) - before).toBe(1_000_000n);
  });

  test('holds although the chain has not been told yet', async () => {
    const before = await bobHas();
    const shop = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'shop' } });
    await world.ctx.db.$transaction((tx) => pauseHandle(world.ctx, tx, shop.id));
    await world.type('shop', '/tip @bob 1');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    await world.settle();
    expect(await bobHas()).toBe(before);
    await world.mine(3);
    await resumeShop();
    await world.ctx.db.pause.deleteMany({ where: { handleId: shop.id } });
    await world.ctx.db.handle.update({ where: { id: shop.id }, data: { pausedAt: null } });
  });
});

describe('a reply', () => {
  test('that Telegram slows down comes after the time it asked for, once', async () => {
    const start = await answers();
    await world.user('faults', { method: 'sendMessage', status: 429, retry_after: 7, times: 1 });
    await world.say('alice', '/help');
    expect(await answers()).toBe(start);
    world.later(5_000);
    await world.reply();
    expect(await answers()).toBe(start);
    world.later(2_500);
    await world.reply();
    await world.reply();
    expect((await answers()) - start).toBe(1);
  });

  test('whose connection is cut, or that meets a 502, is tried again', async () => {
    const start = await answers();
    await world.user('faults', { method: 'sendMessage', status: 0, times: 1 });
    await world.say('alice', '/help');
    await world.user('faults', { method: 'sendMessage', status: 502, times: 1 });
    world.later(2_000);
    await world.reply();
    expect(await answers()).toBe(start);
    world.later(10_000);
    await world.reply();
    expect((await answers()) - start).toBe(1);
  });

  test('keeps the wait that Telegram asked for, although there is something newer to say', async () => {
    await world.user('faults', { method: 'sendMessage', status: 429, retry_after: 60, times: 1 });
    const start = await answers();
    await world.say('shop', '/tip @bob 1');
    await world.reply();
    expect(await answers()).toBe(start);
    world.later(61_000);
    await world.reply();
    expect((await answers()) - start).toBe(1);
    expect(await lastAnswer()).toMatch(/^✅/);
  });

  test('refused for good is not looked at again, also when its tip goes on', async () => {
    await world.user('faults', { method: 'sendMessage', status: 403, times: 1 });
    await world.say('shop', '/tip @bob 1');
    await world.run();
    expect(await world.ctx.db.reply.count({ where: { open: true, failure: { not: null } } })).toBe(0);
  });

  test('that may not be written in private is pointed at in the group', async () => {
    await world.user('faults', { method: 'sendMessage', status: 403, times: 1 });
    await world.say('shop', '/limits');
    await world.reply();
    expect(await lastAnswer()).toContain('Your answer is waiting there');
    await world.say('shop', '/start', { chat: localPerson('shop').telegram.id });
    await world.reply();
    expect((await world.botSaid(localPerson('shop').telegram.id)).map((message) => message.text).join()).toContain(
      'Commands:',
    );
  });

  test('that is refused neither repeats nor hides the tip', async () => {
    const before = await bobHas();
    await world.user('faults', { method: 'sendMessage', status: 403, times: 1 });
    await world.say('shop', '/tip @bob 1');
    expect((await bobHas()) - before).toBe(1_000_000n);
    const tip = await world.ctx.db.tip.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(tip.status).toBe('settled');
  });
});
