// Tips on Solana on Telegram, Discord and X: each told twice by its platform, with all money counted and one receipt each.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Chat, chatsOf, PLATFORMS, type Platform } from '../test/setup/everywhere.ts';
import { startWorld, type World } from '../test/setup/world.ts';

const HOUR_MS = 3_600_000;
const usdc = (amount: number) => BigInt(Math.round(amount * 1_000_000));

let world: World;
let chats: Record<Platform, Chat>;
beforeAll(async () => {
  world = await startWorld({ solana: true, discord: true, x: { env: { X_DAILY_BUDGET_USD: '1000' } } });
  chats = await chatsOf(world);
  for (const chat of [chats.telegram, chats.discord])
    for (const name of ['alice', 'bob']) await chat.say(name, 'help', { own: true });
  await world.run();
});
afterAll(() => world.stop());
// Every test begins in an hour of its own, so that limits of one do not reach into the next.
beforeEach(() => world.later(2 * HOUR_MS));

function balances(): [string, bigint][] {
  const { usdcOf, addressOf, roles, fixed } = world.solana;
  const people = ['alice', 'bob', 'shop'].map((who): [string, bigint] => [who, usdcOf(addressOf(who))]);
  return [...people, ['treasury', usdcOf(roles.treasury.address)], ['tabs', usdcOf(fixed.vault)]];
}

/** What moved on Solana, and what the bot said or changed, while something was done, told once and told again. */
async function during(chat: Chat, work: () => Promise<unknown>) {
  await chat.mark();
  const had = new Map(balances());
  const before = new Map((await chat.heard()).map((one) => [one.id, one.text]));
  await work();
  await world.run();
  await chat.redeliver();
  await world.run();
  const moved = balances().map(([who, units]) => [who, units - (had.get(who) ?? 0n)] as const);
  return {
    moved: Object.fromEntries(moved.filter(([, units]) => units !== 0n)),
    told: (await chat.heard()).filter((one) => before.get(one.id) !== one.text),
  };
}

describe.each(PLATFORMS)('%s', (platform) => {
  let chat: Chat;
  beforeAll(() => {
    chat = chats[platform];
  });

  test('a tip is paid once, and its one receipt names the network', async () => {
    const { moved, told } = await during(chat, () => chat.say('alice', 'tip @bob 5 on solana'));
    expect(moved).toEqual({ alice: -usdc(5.1), bob: usdc(5), treasury: usdc(0.1) });
    const [receipt, ...others] = told.filter(({ isPublic }) => isPublic);
    expect(others).toEqual([]);
    const { txHash } = await world.ctx.db.tip.findFirstOrThrow({ orderBy: { id: 'desc' } });
    // On X, where a link makes a post dear, a receipt has a code in place of both.
    const link = `, on Solana). View ${txHash?.slice(0, 6)}…${txHash?.slice(-4)}`;
    expect(receipt?.text.replaceAll(/[@[]/g, '')).toContain(
      `alice tipped bob 5.00 USDC (fee $0.10${platform === 'x' ? ').\nReceipt ' : link}`,
    );
  });

  test('a split over a wallet and a person without an account fills a tab, and takes one fee', async () => {
    const { moved, told } = await during(chat, () => chat.say('alice', 'split 6 @bob 4 @carol 2 on solana'));
    expect(moved).toEqual({ alice: -usdc(6.05), bob: usdc(4), tabs: usdc(2), treasury: usdc(0.05) });
    const words = told.filter(({ isPublic }) => isPublic).map(({ text }) => text);
    expect(words).toEqual([expect.stringMatching(/bob 4\.00 USDC[\s\S]*🎁 2\.00 USDC/)]);
  });

  test('a reply pays the author who is answered', async () => {
    const { moved } = await during(chat, async () => {
      const line = await chat.chatter('shop', 'I made a thing');
      await chat.say('alice', 'tip 2 on solana', { replyTo: line });
    });
    expect(moved).toEqual({ alice: -usdc(2.05), shop: usdc(2), treasury: usdc(0.05) });
  });

  test('refusals take nothing and say why', async () => {
    const { moved, told } = await during(chat, () => chat.say('alice', 'tip @bob 3 eth on solana'));
    expect(moved).toEqual({});
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('Solana')]);
  });

  test('balance and history show what is on Solana', async () => {
    const own = platform !== 'x';
    const { told } = await during(chat, async () => {
      await chat.say('alice', 'balance', { own });
      await chat.say('alice', 'history', { own });
    });
    const all = told.map(({ text }) => text).join('\n');
    expect(all).toContain('Solana');
  });
});
