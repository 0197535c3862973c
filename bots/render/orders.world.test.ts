// Orders asked for in a chat, from the seller's side of each platform to the chain and back: one for a message, and never who paid.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localKey } from '../../local/stack/people.ts';
import type { Address } from '../../src/chain/rpc/client.ts';
import type { ChatMessage } from '../../src/domain/chat.ts';
import type { OrderCommand } from '../../src/domain/command.ts';
import { ORDER_CHAT_SECONDS } from '../../src/domain/limits.ts';
import { pendingInbox } from '../../src/services/chat/inbox.ts';
import { orderByMessage } from '../../src/services/chat/orders.ts';
import { indexChain } from '../../src/services/operations/feed.ts';
import { prepareCheckout } from '../../src/services/orders/payments/checkout.ts';
import { moveOrders } from '../../src/services/orders/transitions.ts';
import { type Escrows, escrowsOf } from '../../test/setup/escrows.ts';
import { type Chat, chatsOf, PLATFORMS, type Platform, type Saying } from '../../test/setup/everywhere.ts';
import { giveUsdc, payOrder, sendToken } from '../../test/setup/orders.ts';
import { localPerson, startWorld, type World } from '../../test/setup/world.ts';

const HOUR = 3_600_000;
const CHECKOUT = 'https://pay.example.com';
let world: World;
let chats: Record<Platform, Chat>;
let escrows: Escrows;
beforeAll(async () => {
  world = await startWorld({
    discord: true,
    x: { env: { X_DAILY_BUDGET_USD: '1000', CHECKOUT_BASE: CHECKOUT } },
  });
  chats = await chatsOf(world);
  escrows = escrowsOf(world);
  for (const chat of [chats.telegram, chats.discord]) await chat.say('shop', 'help', { own: true });
  await world.run();
});
afterAll(() => world.stop());
// Every test begins on a day of its own: limits and open orders of one do not reach into the next.
beforeEach(async () => {
  await timePasses();
  await world.run();
});

const orders = () => world.ctx.db.order.findMany({ orderBy: { id: 'asc' } });

/** What the bot said or changed while something was done, told once and told again, and the orders that came of it. */
async function during(chat: Chat, work: () => Promise<unknown>) {
  await chat.mark();
  const before = new Map((await chat.heard()).map((one) => [one.id, one.text]));
  const known = new Set((await orders()).map(({ id }) => id));
  await work();
  await world.run();
  // On X the direct message goes first.
  world.later(3_000);
  await chat.redeliver();
  await world.run();
  const told = (await chat.heard()).filter((one) => before.get(one.id) !== one.text);
  return {
    told,
    inPublic: told.filter(({ isPublic }) => isPublic).map(({ text }) => text),
    inPrivate: told.filter(({ isPublic }) => !isPublic).map(({ text }) => text),
    made: (await orders()).filter(({ id }) => !known.has(id)),
  };
}

async function ask(chat: Chat, text = 'order 25 for coffee', name = 'shop') {
  const { told, made } = await during(chat, () => chat.say(name, text));
  const [order] = made;
  if (!order) throw new Error(`no order: ${told.map((one) => one.text).join(' | ')}`);
  return { order, told };
}

/** What is mined is final, and our rows see it. */
async function index(): Promise<void> {
  await world.mine(3);
  await indexChain(world.ctx, world.evmChain());
}
/** The time of every open order is over, by our clock and by the chain's, which is behind it. */
async function timePasses(): Promise<void> {
  await escrows.later(ORDER_CHAT_SECONDS + (2 * HOUR) / 1_000);
  await index();
}
const rowOf = ({ id }: { id: string }) => world.ctx.db.order.findUniqueOrThrow({ where: { id } });
async function pay(order: { id: string }): Promise<void> {
  await payOrder(world, await rowOf(order), 'wendy');
  await index();
}
/** Somebody sends to the order's own address, by an ordinary transfer. */
async function send(order: { id: string }, amount: bigint): Promise<void> {
  const { deposit } = await prepareCheckout(world.ctx, { order_id: order.id, way: 'deposit' });
  await giveUsdc(world, localKey('wendy').address, amount);
  await sendToken(world, localKey('wendy').key, world.evmChain().usdc, deposit?.address as Address, amount);
  await index();
}
const text = (told: Saying[]) => told.map((one) => one.text).join('\n');

describe.each(PLATFORMS)('%s', (platform) => {
  let chat: Chat;
  beforeAll(() => {
    chat = chats[platform];
  });
  const isX = platform === 'x';

  test('a merchant asks for money and gets one link, however often the platform tells it', async () => {
    const { told, inPublic, inPrivate, made } = await during(chat, () => chat.say('shop', 'order 25 for coffee'));
    expect(made).toHaveLength(1);
    const [order] = made;
    expect(order).toMatchObject({
      status: 'awaiting_payment',
      origin: 'chat',
      description: 'coffee',
      currency: 'USDC',
      chain: 'base',
      router: 'business',
      payee: localPerson('shop').address,
      livemode: false,
      deadline: BigInt(Math.floor((order?.createdAt.getTime() ?? 0) / 1_000) + ORDER_CHAT_SECONDS),
    });
    expect([String(order?.units), String(order?.feeUnits)]).toEqual(['25000000', '250000']);
    const link = `${CHECKOUT}/o/${order?.id}`;
    if (isX) {
      expect(inPublic).toEqual([
        expect.stringMatching(new RegExp(`25\\.00 USDC on Base is ready: ${order?.id}.*direct`)),
      ]);
      expect(inPublic[0]).not.toContain('http');
      expect(inPrivate).toEqual([expect.stringContaining(link)]);
    } else {
      expect(told).toHaveLength(1);
      expect(inPublic[0]).toContain(`shop@ampersat requests 25.00 USDC on Base.\nFor: coffee\n`);
      expect(inPublic[0]).toMatch(/until \d\d \w+ \d{4}, \d\d:\d\d UTC: /);
      expect(inPublic[0]).toContain(link);
      expect(told[0]).toMatchObject({ urls: [link], tokens: [expect.any(String)] });
    }
    const events = await world.ctx.db.event.findMany({ where: { resourceId: order?.id ?? '' } });
    expect(events.map(({ type }) => type)).toEqual(['order.created']);
  });

  test.each([
    ['order 12.50 usdc on base for two tickets', { units: '12500000', description: 'two tickets' }],
    ['order 0.01 eth', { units: '10000000000000000', currency: 'ETH', description: null }],
    ['order $3', { units: '3000000', currency: 'USDC' }],
  ])('%s', async (typed, wanted) => {
    if (typed.includes('eth')) await world.freshPrices();
    const { order } = await ask(chat, typed);
    expect({ ...order, units: order.units.toFixed(0) }).toMatchObject(wanted);
  });

  test('the chat is told when it is paid, and not by whom', async () => {
    const { order } = await ask(chat);
    const { told, inPublic, inPrivate } = await during(chat, () => pay(order));
    const words = /✅ Your order of 25\.00 USDC is paid\.\nFor: coffee\nOrder ord_\w+/;
    const receipts = isX ? inPrivate : inPublic;
    expect(receipts.filter((text) => words.test(text))).toHaveLength(1);
    expect(told.find(({ text }) => words.test(text))?.urls).toContain(`${CHECKOUT}/o/${order.id}/receipt`);
    expect(told).toHaveLength(isX ? 1 : 2);
    if (!isX) expect(inPublic.filter((text) => /✅ shop@ampersat received 25\.00 USDC/.test(text))).toHaveLength(1);
    for (const { text, tokens } of told) {
      expect(text).not.toMatch(/wendy|\b0x/i);
      expect(tokens).toEqual([]);
    }
  });

  test('the chat is told when nobody paid in time', async () => {
    const { order } = await ask(chat, 'order 7 for tea');
    const early = await during(chat, index);
    expect(early.told).toEqual([]);
    const { told } = await during(chat, timePasses);
    expect((await rowOf(order)).status).toBe('expired');
    expect(text(told)).toMatch(/⌛ Your order of 7\.00 USDC expired before it was paid\.\nFor: tea/);
    expect(told).toHaveLength(isX ? 1 : 2);
    if (!isX) expect(text(told)).toMatch(/This request for 7\.00 USDC has expired\. Ask shop@ampersat/);
  });

  test('the chat is told of a part, of its end with that, and of more that came late', async () => {
    const { order } = await ask(chat, 'order 8 for tea');
    const at = await prepareCheckout(world.ctx, { order_id: order.id, way: 'deposit' });
    const part = await during(chat, () => send(order, 3_000_000n));
    expect(text(part.told)).toMatch(/⚠️ 3\.00 USDC of 8\.00 USDC received\. 5\.00 USDC still due by /);
    expect(part.told).toHaveLength(1);
    const over = await during(chat, timePasses);
    expect(text(over.told)).toMatch(/expired with only 3\.00 USDC paid/);
    const late = await during(chat, async () => {
      await giveUsdc(world, localKey('wendy').address, 5_000_000n);
      await sendToken(world, localKey('wendy').key, world.evmChain().usdc, at.deposit?.address as Address, 5_000_000n);
      await index();
    });
    expect((await rowOf(order)).status).toBe('expired');
    // Where nothing can be changed, it was said that money came, once.
    if (isX) expect(late.told).toEqual([]);
    else
      expect(text(late.told)).toMatch(/⚠️ 5\.00 USDC came in for your order of 8\.00 USDC but doesn’t count toward it/);
  });

  test('what a seller writes names nobody, leads nowhere and gives no command', async () => {
    const { told } = await ask(chat, 'order 5 for /buy now at https://evil.example/o/1 or evil.ru');
    expect(text(told)).not.toMatch(/evil\.(example|ru)|\/buy|https:\/\/evil/);
    if (!isX) expect(text(told)).toContain('For: buy now at https evil. example/o/1 or evil. ru');
  });

  test('who is not connected gets none, and is told how', async () => {
    const { made, told } = await during(chat, () => chat.say('carol', 'order 25 for coffee'));
    expect(made).toEqual([]);
    expect(told.map(({ text }) => text).join('\n')).toMatch(/Connect your wallet first/);
  });

  test.each([
    ['order 25 @bob for coffee', /has no recipient/],
    ['order 0.001 for coffee', /too little|minimum/i],
    ['order 1 celo', /can’t create orders on that network|isn’t available/],
    ['order 0.000001 eth', /between \$0[. ]01 and \$1,000,000/],
  ])('%s is refused in words', async (typed, words) => {
    await world.freshPrices();
    const { made, told } = await during(chat, () => chat.say('bob', platform === 'telegram' ? typed : `/${typed}`));
    expect(made).toEqual([]);
    expect(text(told)).toMatch(words);
  });
});

describe.each(['telegram', 'discord'] as const)('the button on %s', (platform) => {
  let chat: Chat;
  beforeAll(() => {
    chat = chats[platform];
  });
  const shown = (told: Saying[]) => told.find(({ tokens }) => tokens.length > 0) as Saying;
  const statusOf = async ({ id }: { id: string }) =>
    (await world.ctx.db.order.findUniqueOrThrow({ where: { id } })).status;

  test('is its seller’s alone, and takes the order back once', async () => {
    const { order, told } = await ask(chat);
    await during(chat, () => chat.answer('alice', shown(told), true));
    expect(await statusOf(order)).toBe('awaiting_payment');
    const back = await during(chat, () => chat.answer('shop', shown(told), true));
    expect(await statusOf(order)).toBe('cancelled');
    expect(back.inPublic).toEqual([expect.stringMatching(/shop@ampersat cancelled this request for 25\.00 USDC/)]);
    expect(back.told[0]).toMatchObject({ urls: [], tokens: [] });
    const events = await world.ctx.db.event.findMany({ where: { resourceId: order.id }, orderBy: { id: 'asc' } });
    expect(events.map(({ type }) => type)).toEqual(['order.created', 'order.cancelled']);
  });

  test('does nothing once a payment is on its way, or for an account that is not the seller’s any more', async () => {
    const { order, told } = await ask(chat);
    const account = { platform, platformUserId: String(localPerson('shop')[platform].id) };
    const connection = { where: { platform_platformUserId: account } };
    await world.ctx.db.connection.update({ ...connection, data: { disconnectedAt: new Date(0) } });
    await during(chat, () => chat.answer('shop', shown(told), true));
    await world.ctx.db.connection.update({ ...connection, data: { disconnectedAt: null } });
    expect(await statusOf(order)).toBe('awaiting_payment');
    await world.ctx.db.$transaction((tx) => moveOrders(world.ctx, tx, [{ id: order.id, action: 'submit' }]));
    await during(chat, () => chat.answer('shop', shown(told), true));
    expect(await statusOf(order)).toBe('processing');
  });
});

describe('one message, one order', () => {
  test('also when the process ends between the order and its answer', async () => {
    await world.type('shop', '/order 9 for cake');
    await world.fetchUpdates();
    const [pending] = await pendingInbox(world.ctx, 'telegram', 10);
    if (pending?.entry.kind !== 'message' || pending.entry.command.kind !== 'order') throw new Error('no order');
    const before = (await orders()).length;
    const { key, entry } = pending;
    const { message, command } = entry as { message: ChatMessage; command: OrderCommand };
    // The answer cannot be stored, as when the connection is cut right after the order.
    const { db } = world.ctx;
    await db.$executeRawUnsafe("alter table reply add constraint cut check (kind <> 'order') not valid");
    await expect(orderByMessage(world.ctx, key, message, command)).rejects.toThrow('cut');
    await db.$executeRawUnsafe('alter table reply drop constraint cut');
    expect((await orders()).length).toBe(before + 1);
    // Long after: what was made is answered, nothing is made anew.
    world.later(HOUR);
    await world.run();
    expect((await orders()).length).toBe(before + 1);
    const order = (await orders()).at(-1);
    expect((await world.botSaid()).at(-1)?.text).toContain(`${CHECKOUT}/o/${order?.id}`);
  });

  test('told to two processes at once', async () => {
    await world.type('shop', '/order 9 for cake');
    await world.fetchUpdates();
    const [pending] = await pendingInbox(world.ctx, 'telegram', 10);
    if (pending?.entry.kind !== 'message' || pending.entry.command.kind !== 'order') throw new Error('no order');
    const before = (await orders()).length;
    const { message, command } = pending.entry as { message: ChatMessage; command: OrderCommand };
    await Promise.all([1, 2, 3, 4].map(() => orderByMessage(world.ctx, pending.key, message, command)));
    expect((await orders()).length).toBe(before + 1);
    await world.run();
    const link = `${CHECKOUT}/o/${(await orders()).at(-1)?.id}`;
    expect((await world.botSaid()).filter(({ text }) => text.includes(link))).toHaveLength(1);
  });

  test('an edit makes no second one, and a message that comes late makes none', async () => {
    const { message_id: edit } = await world.say('shop', '/order 9 for cake');
    const before = (await orders()).length;
    await world.say('shop', '/order 90 for cake', { edit });
    expect((await orders()).length).toBe(before);
    await world.type('shop', '/order 9 for pie');
    await world.fetchUpdates();
    world.later(11 * 60_000);
    await world.run();
    expect((await orders()).length).toBe(before);
    expect((await world.botSaid()).at(-1)?.text).toMatch(/more than 10 minutes late/);
  });

  test('thirty an hour for a handle, over all of its chats', async () => {
    const before = (await orders()).length;
    for (let n = 1; n <= 31; n++) await world.type('shop', `/order ${n} for seat ${n}`);
    await world.run();
    await chats.discord.say('shop', 'order 5 for one more');
    await world.run();
    expect((await orders()).length).toBe(before + 30);
    expect((await world.botSaid()).map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/thirtieth order this hour.*in (\d+ minutes|an hour)/),
    );
    world.later(HOUR + 1_000);
    await world.say('shop', '/order 5 for one more');
    expect((await orders()).length).toBe(before + 31);
  });
});

test('a slash command of Discord, in the language of its user', async () => {
  await world.discord.interact('bob', 'order', { amount: '2.50', for: 'Kaffee' }, { locale: 'de' });
  await world.run();
  const order = (await orders()).at(-1);
  expect(order).toMatchObject({ router: 'payment', description: 'Kaffee', origin: 'chat' });
  expect(order?.feeUnits.toFixed(0)).toBe('0');
  const [said] = (await world.discord.botSaid()).slice(-1);
  expect(said?.content.replace(/\\(\W|_)/g, '$1')).toContain('bob@ampersat bittet um 2,50 USDC auf Base.');
  expect(said?.visible_to).toBeNull();
});

test('the rules of a Discord server hold for orders, too', async () => {
  const server = { platform: 'discord', serverId: world.discord.guild };
  const before = (await orders()).length;
  const row = { ...server, tipping: false, channels: [], changedBy: '1', changedAt: new Date() };
  await world.ctx.db.serverSettings.create({ data: row });
  await chats.discord.say('shop', 'order 5 for tea');
  await world.run();
  await world.ctx.db.serverSettings.deleteMany({ where: server });
  expect((await orders()).length).toBe(before);
});

test('where it is configured, the answer on X has the link, as long as the budget of the day has room', async () => {
  const { env } = world.ctx;
  Object.assign(env, { X_ORDER_LINKS: true });
  const first = await ask(chats.x);
  expect(first.told.filter(({ isPublic }) => isPublic)[0]?.urls).toEqual([`${CHECKOUT}/o/${first.order.id}`]);
  // A day of its own, in which the author still has a share.
  world.later(24 * HOUR);
  Object.assign(env, { X_DAILY_BUDGET_USD: 0.5 });
  const second = await ask(chats.x);
  Object.assign(env, { X_ORDER_LINKS: false, X_DAILY_BUDGET_USD: 1_000 });
  const [post] = second.told.filter(({ isPublic }) => isPublic);
  expect(post?.text).toContain(second.order.id);
  expect(post?.urls).toEqual([]);
});
