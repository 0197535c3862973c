// Tips to people without an account, splits, and what becomes of them: money to the unit, one escrow a leg.
import fc from 'fast-check';
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeUpdates } from '../../../bots/telegram/store.ts';
import { TELEGRAM_BOT, TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { openTotal, readChainStatus } from '../../chain/routers/escrow.ts';
import type { Hex } from '../../chain/rpc/client.ts';
import { isPayment, type PaymentCommand, shareOf } from '../../domain/payment.ts';

const usdc = (amount: string) => parseUnits(amount, 6);
const CAROL = localPerson('carol');
const ME = { id: String(TELEGRAM_BOT.id), username: TELEGRAM_BOT.username };
const WEEK_SECONDS = 7 * 24 * 3_600;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
// Every test begins in an hour of its own, so that limits of one do not reach into the next.
beforeEach(() => world.later(3_700_000));

const people = ['alice', 'bob', 'shop', 'carol', 'treasury'];
async function changes(work: () => Promise<unknown>) {
  const read = async () => Promise.all(people.map((who) => world.usdc(who)));
  const inEscrow = () => openTotal(world.evmChain(), world.evmChain().usdc);
  const [before, escrowBefore] = [await read(), await inEscrow()];
  await work();
  const [after, escrowAfter] = [await read(), await inEscrow()];
  const moved = people.map((who, index) => [who, (after[index] ?? 0n) - (before[index] ?? 0n)] as const);
  return Object.fromEntries(
    [...moved, ['escrows', escrowAfter - escrowBefore] as const].filter(([, change]) => change !== 0n),
  );
}
const newestEscrow = () => world.ctx.db.escrow.findFirstOrThrow({ orderBy: { id: 'desc' }, include: { tip: true } });
const newestIntent = () =>
  world.ctx.db.intent.findFirstOrThrow({ orderBy: { id: 'desc' }, include: { tips: { orderBy: { leg: 'asc' } } } });

describe('a tip to somebody without an account', () => {
  test('who has no username is called as they call themselves, and what waits names the id', async () => {
    const text = '/tip Dave 5';
    const dave = { id: 7_770_001, is_bot: false, first_name: 'Dave 🔥', last_name: '@alice 5.00' };
    await world.user('messages', {
      chat_id: TELEGRAM_GROUP,
      from: { ...localPerson('alice').telegram, first_name: 'alice' },
      text,
      entities: [
        { type: 'bot_command', offset: 0, length: 4 },
        { type: 'text_mention', offset: 5, length: 4, user: dave },
      ],
    });
    const moved = await changes(() => world.run());
    expect(moved).toEqual({ alice: -usdc('5'), escrows: usdc('5') });
    expect(await newestEscrow()).toMatchObject({
      handleSlug: `telegram:id:${dave.id}`,
      recipientLabel: 'Dave alice on Telegram',
    });
    expect((await world.botSaid()).at(-1)?.text).toMatch(/^🎁 5\.00 USDC for Dave alice, from @alice\./);
  });

  test('waits in a tab that names the numeric id, without a fee, for seven days', async () => {
    const moved = await changes(() => world.say('alice', '/tip @carol 5'));
    expect(moved).toEqual({ alice: -usdc('5'), escrows: usdc('5') });
    const escrow = await newestEscrow();
    expect(escrow).toMatchObject({
      status: 'open',
      origin: 'tip',
      handleSlug: `telegram:id:${CAROL.telegram.id}`,
      recipientLabel: '@carol on Telegram',
      revocable: true,
    });
    expect(escrow.tip).toMatchObject({ status: 'settled', tabSlug: escrow.handleSlug });
    expect(escrow.openTxHash).toBe(escrow.tip?.txHash);
    expect(await readChainStatus(world.evmChain(), escrow.tabId as Hex)).toBe('open');
    const lasts = Number(escrow.deadline) - Math.floor(world.ctx.clock.now() / 1_000);
    expect(lasts).toBeGreaterThan(WEEK_SECONDS - 60);
    expect(lasts).toBeLessThanOrEqual(WEEK_SECONDS);
  });

  test('as a reply to somebody the bot knows by id only', async () => {
    const { message_id } = await world.type('dave', 'good evening');
    await world.fetchUpdates();
    const moved = await changes(() => world.say('alice', '/tip 2', { replyTo: message_id }));
    expect(moved).toEqual({ alice: -usdc('2'), escrows: usdc('2') });
    expect((await newestEscrow()).handleSlug).toBe(`telegram:id:${localPerson('dave').telegram.id}`);
  });

  test('delivered twice opens one tab', async () => {
    await world.type('alice', '/tip @carol 1');
    const escrowBefore = await world.ctx.db.escrow.count();
    const moved = await changes(async () => {
      const updates = await world.fetchUpdates();
      for (const update of [...updates, ...updates]) await storeUpdates(world.ctx, [update], ME);
      await world.run();
      for (const update of updates) await storeUpdates(world.ctx, [update], ME);
      await world.run();
    });
    expect(moved).toEqual({ alice: -usdc('1'), escrows: usdc('1') });
    expect(await world.ctx.db.escrow.count()).toBe(escrowBefore + 1);
  });

  test('whose rows were lost is taken over from the chain, never opened again', async () => {
    await world.say('alice', '/tip @carol 1');
    const { id, tip } = await newestEscrow();
    await world.ctx.db.tip.update({
      where: { id: tip?.id ?? '' },
      data: { status: 'ready', outgoingTxId: null, txHash: null, settledAt: null },
    });
    await world.ctx.db.intent.update({ where: { id: tip?.intentId ?? '' }, data: { status: 'routed' } });
    await world.ctx.db.escrow.update({ where: { id }, data: { status: 'pending_create', openTxHash: null } });
    expect(await changes(() => world.run())).toEqual({});
    expect(await newestEscrow()).toMatchObject({ id, status: 'open', openTxHash: tip?.txHash });
  });

  test('that a reorg takes back is opened again, and its tab is not called open in between', async () => {
    await world.type('alice', '/tip @carol 3');
    const moved = await changes(async () => {
      await world.fetchUpdates();
      await world.ingest();
      await world.prepare();
      const checkpoint = await world.admin().snapshot();
      await world.settle();
      await world.watch();
      expect(await newestEscrow()).toMatchObject({ status: 'pending_create', tip: { status: 'mined' } });
      await world.admin().revert({ id: checkpoint });
      await world.watch();
      expect(await newestEscrow()).toMatchObject({ status: 'pending_create' });
      await world.run();
      await world.run();
    });
    expect(moved).toEqual({ alice: -usdc('3'), escrows: usdc('3') });
    expect((await newestEscrow()).status).toBe('open');
  });

  test('that the router refuses takes nothing and drops the tab', async () => {
    await world.type('alice', '/tip @carol 4');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    world.later(16 * 60_000);
    expect(await changes(() => world.run())).toEqual({});
    expect(await newestEscrow()).toMatchObject({
      status: 'dropped',
      tip: { status: 'failed', failure: { code: 'expired' } },
    });
  });

  test('of less than half a dollar is refused, and takes nothing', async () => {
    expect(await changes(() => world.say('alice', '/tip @carol 0.49'))).toEqual({});
    const { status, detail } = await newestIntent();
    expect({ status, detail }).toMatchObject({
      status: 'refused',
      detail: { refusal: { code: 'tab_too_small', label: '@carol', least: '0.50' } },
    });
  });

  test('above 50 dollars asks first and says that it waits', async () => {
    await world.say('alice', '/tip @carol 60');
    expect(await newestIntent()).toMatchObject({
      status: 'awaiting_confirmation',
      detail: { plan: [{ tabDays: 7, fee: '0.00' }] },
    });
    const question = (await world.botSaid()).at(-1);
    const cancel = question?.reply_markup?.inline_keyboard[0]?.[1]?.callback_data ?? '';
    if (question) await world.press('alice', question, cancel);
    expect(await changes(() => world.run())).toEqual({});
  });

  test('with a bot that nobody can pay: bots are refused', async () => {
    await world.ctx.db.seenUser.updateMany({ where: { username: 'carol' }, data: { isBot: true } });
    expect(await changes(() => world.say('alice', '/tip @carol 5'))).toEqual({});
    await world.ctx.db.seenUser.updateMany({ where: { username: 'carol' }, data: { isBot: false } });
  });
});

describe('several recipients', () => {
  test('of both kinds: wallets share a transaction, the tab has its own, one receipt', async () => {
    const before = (await world.botSaid()).length;
    const moved = await changes(() => world.say('alice', '/tip @bob @carol @shop 2'));
    expect(moved).toEqual({
      alice: -usdc('6.1'),
      bob: usdc('2'),
      shop: usdc('2'),
      escrows: usdc('2'),
      treasury: usdc('0.1'),
    });
    const { tips } = await newestIntent();
    expect(tips.map((leg) => leg.status)).toEqual(['settled', 'settled', 'settled']);
    expect(tips[0]?.outgoingTxId).toBe(tips[2]?.outgoingTxId);
    expect(tips[1]?.outgoingTxId).not.toBe(tips[0]?.outgoingTxId);
    expect((await world.botSaid()).length).toBe(before + 1);
  });

  test('of whom one is unknown: the others are paid', async () => {
    const moved = await changes(() => world.say('alice', '/tip @bob @carol @nobody_here 1'));
    expect(moved).toEqual({ alice: -usdc('2.05'), bob: usdc('1'), escrows: usdc('1'), treasury: usdc('0.05') });
  });
});

describe('a split', () => {
  test('evenly over three gives the remainder to the first, and the parts are the whole', async () => {
    const moved = await changes(() => world.say('alice', '/split 10 @bob @carol @shop'));
    expect(moved).toEqual({
      alice: -usdc('10.1'),
      bob: usdc('3.333334'),
      escrows: usdc('3.333333'),
      shop: usdc('3.333333'),
      treasury: usdc('0.1'),
    });
  });

  test('by percentages', async () => {
    const moved = await changes(() => world.say('alice', '/split 20 @bob 75% @carol 25%'));
    expect(moved).toEqual({ alice: -usdc('20.1'), bob: usdc('15'), escrows: usdc('5'), treasury: usdc('0.1') });
  });

  test('by amounts, also said as tips of different sums', async () => {
    const moved = await changes(() => world.say('alice', '/tip @bob 1 @shop 2'));
    expect(moved).toEqual({ alice: -usdc('3.1'), bob: usdc('1'), shop: usdc('2'), treasury: usdc('0.1') });
  });

  test('a part that cannot be sent stays with the sender, who is asked; the others arrive', async () => {
    expect(await changes(() => world.say('alice', '/split 9 @bob @nobody_here @shop'))).toEqual({});
    const [question] = (await world.botSaid()).slice(-1);
    const token = question?.reply_markup?.inline_keyboard.flat().find(({ text }) => text === 'Send')?.callback_data;
    if (!question || token === undefined) throw new Error('the bot asked nothing');
    const moved = await changes(async () => {
      await world.press('alice', question, token);
      await world.run();
    });
    expect(moved).toEqual({ alice: -usdc('6.1'), bob: usdc('3'), shop: usdc('3'), treasury: usdc('0.1') });
  });

  test('parts in millionths always add up to the total', () => {
    const parts = fc.array(fc.integer({ min: 0, max: 10 ** 12 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(parts, (shares_micro) => {
        const command = { kind: 'split', recipients: [], unit: 'USDC', mode: 'custom', total: '0', shares_micro };
        expect(isPayment(command as unknown as PaymentCommand)).toBe(true);
        const sum = shares_micro.reduce(
          (all, _, place) => all + parseUnits(shareOf(command as unknown as PaymentCommand, place), 6),
          0n,
        );
        expect(sum).toBe(shares_micro.reduce((all, part) => all + BigInt(part), 0n));
      }),
    );
  });
});

test('a group hears of a tab in one message, and the recipient in the direct chat when there is one', async () => {
  await world.say('carol', 'hi', { chat: CAROL.telegram.id });
  await world.notify();
  world.later(61_000);
  await world.say('alice', '/tip @carol 5');
  await world.notify();
  expect((await world.botSaid(TELEGRAM_GROUP)).at(-1)?.text).toContain('5.00 USDC for @carol');
  const told = (await world.botSaid(CAROL.telegram.id)).at(-1);
  expect(told?.text).toMatch(/^🎁 5\.00 USDC from @alice for you\. Claim it by \d\d \w+ \d{4}/);
  expect(told?.reply_markup?.inline_keyboard[0]?.[0]?.url).toContain('start=connect');
});
