// A tip from the chat to the chain and back, step by step in one process.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeUpdates } from '../../../bots/telegram/store.ts';
import { TELEGRAM_BOT, TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';

const usdc = (amount: string) => parseUnits(amount, 6);
const ALICE = localPerson('alice');
const BOB = localPerson('bob');
const ME = { id: String(TELEGRAM_BOT.id), username: TELEGRAM_BOT.username };

let world: World;
beforeAll(async () => {
  world = await startWorld({ chains: ['base', 'base-sepolia'] });
  await world.say('alice', 'hi', { chat: ALICE.telegram.id });
});
afterAll(() => world.stop());
// Every test begins in an hour of its own, so that limits of one do not reach into the next.
beforeEach(() => world.later(3_700_000));

async function balances() {
  const [alice, bob, shop, carol, treasury] = await Promise.all(
    ['alice', 'bob', 'shop', 'carol', 'treasury'].map((who) => world.usdc(who)),
  );
  return { alice, bob, shop, carol, treasury } as Record<string, bigint>;
}
async function changes(work: () => Promise<unknown>) {
  const before = await balances();
  await work();
  const after = await balances();
  return Object.fromEntries(
    Object.entries(after)
      .map(([who, units]) => [who, units - (before[who] ?? 0n)])
      .filter(([, change]) => change !== 0n),
  );
}
const lastAnswer = async (chat = TELEGRAM_GROUP) => (await world.botSaid(chat)).at(-1)?.text ?? '';

describe('a tip', () => {
  test('of 5 USDC moves exactly 5 and the fee of 0.10, once, and shows a receipt', async () => {
    const moved = await changes(() => world.say('alice', '/tip @bob 5 usdc'));
    expect(moved).toEqual({ alice: -usdc('5.1'), bob: usdc('5'), treasury: usdc('0.1') });
    const receipt = await world.botSaid();
    expect(receipt.at(-1)?.text).toMatch(/^✅ @alice tipped @bob 5\.00 USDC \(fee \$0\.10\)\. View 0x\w{4}…\w{4}$/);
  });

  test('is one message in the chat: a first receipt at one block, edited when it is final', async () => {
    await world.type('alice', '/tip @bob 1');
    const before = (await world.botSaid()).length;
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    await world.settle();
    await world.watch();
    await world.reply();
    expect(await lastAnswer()).toMatch(/^✅ .* · confirming on Base…$/);
    await world.mine(3);
    await world.watch();
    await world.reply();
    expect(await lastAnswer()).toMatch(/^✅ @alice tipped @bob 1\.00 USDC \(fee \$0\.05\)\. View 0x\w{4}…\w{4}$/);
    expect((await world.botSaid()).length).toBe(before + 1);
  });

  test('delivered twice by Telegram pays once', async () => {
    await world.type('alice', '/tip @bob 1');
    const moved = await changes(async () => {
      const updates = await world.fetchUpdates();
      for (const update of [...updates, ...updates]) await storeUpdates(world.ctx, [update], ME);
      await world.run();
      for (const update of updates) await storeUpdates(world.ctx, [update], ME);
      await world.run();
    });
    expect(moved).toEqual({ alice: -usdc('1.05'), bob: usdc('1'), treasury: usdc('0.05') });
  });

  test('whose rows were lost is taken over from the chain, never paid again', async () => {
    await world.say('alice', '/tip @bob 1');
    const tip = await world.ctx.db.tip.findFirstOrThrow({ orderBy: { id: 'desc' } });
    await world.ctx.db.tip.update({
      where: { id: tip.id },
      data: { status: 'ready', outgoingTxId: null, txHash: null, leaseUntil: null },
    });
    await world.ctx.db.intent.update({ where: { id: tip.intentId }, data: { status: 'routed' } });
    const moved = await changes(() => world.run());
    expect(moved).toEqual({});
    expect(await world.ctx.db.tip.findUniqueOrThrow({ where: { id: tip.id } })).toMatchObject({
      status: 'settled',
      txHash: tip.txHash,
    });
  });

  test('to two people pays each, with a fee a leg, and one receipt', async () => {
    const moved = await changes(() => world.say('alice', '/tip @bob @shop 2 for lunch'));
    expect(moved).toEqual({ alice: -usdc('4.1'), bob: usdc('2'), shop: usdc('2'), treasury: usdc('0.1') });
    expect((await lastAnswer()).split('\n')).toHaveLength(2);
  });

  test('as a reply goes to the author of that message', async () => {
    const hello = await world.type('bob', 'hi');
    await world.fetchUpdates();
    const moved = await changes(() => world.say('alice', '/tip 0.5', { replyTo: hello.message_id }));
    expect(moved).toEqual({ alice: -usdc('0.55'), bob: usdc('0.5'), treasury: usdc('0.05') });
  });

  test('to an Ampersat handle works without a platform account', async () => {
    const moved = await changes(() => world.say('alice', '/tip carol@ampersat 1'));
    expect(moved).toEqual({ alice: -usdc('1.05'), carol: usdc('1'), treasury: usdc('0.05') });
  });

  test('sent to an address on another chain lands there', async () => {
    const to = '0x52908400098527886E0F7030069857D2E4169EE7';
    const before = await world.usdc('alice', 'base-sepolia');
    await world.say('alice', `/send ${to} 3 on base-sepolia`);
    expect(before - (await world.usdc('alice', 'base-sepolia'))).toBe(usdc('3.05'));
    expect(await lastAnswer()).toContain('0x5290…9EE7');
  });

  test('in ETH delivers the native coin, with the fee at the spot price', async () => {
    const coins = () => world.reader().getBalance({ address: BOB.address });
    const before = await coins();
    await world.say('alice', '/tip @bob 0.01 eth');
    expect((await coins()) - before).toBe(10n ** 16n);
    expect(await lastAnswer()).toMatch(/0\.01 ETH \(fee 0\.0000333334 ETH\)/);
  });

  test('typed more than ten minutes ago asks again and never pays', async () => {
    await world.type('alice', '/tip @bob 5');
    world.later(11 * 60_000);
    expect(await changes(() => world.run())).toEqual({});
    expect(await lastAnswer()).toContain('more than 10 minutes late');
  });

  test('in an edited or forwarded message is nothing', async () => {
    const message = await world.say('alice', 'good morning');
    expect(await changes(() => world.say('alice', '/tip @bob 5', { edit: message.message_id }))).toEqual({});
  });

  test('that was accepted long ago expires instead of being paid late', async () => {
    await world.type('alice', '/tip @bob 5');
    await world.fetchUpdates();
    await world.ingest();
    world.later(16 * 60_000);
    expect(await changes(() => world.run())).toEqual({});
    expect(await lastAnswer()).toContain('took too long');
  });

  test('tips of one window share a transaction', async () => {
    await world.type('alice', '/tip @shop 1');
    await world.type('bob', '/tip @shop 1');
    await world.type('shop', '/tip @bob 2');
    const moved = await changes(() => world.run());
    expect(moved).toEqual({ alice: -usdc('1.05'), bob: usdc('0.95'), shop: -usdc('0.05'), treasury: usdc('0.15') });
    const tips = await world.ctx.db.tip.findMany({ orderBy: { id: 'desc' }, take: 3 });
    expect(new Set(tips.map((tip) => tip.txHash)).size).toBe(1);
  });
});

describe('what stands in the way is told, and nothing is taken', () => {
  const refusals: [string, string, string, RegExp][] = [
    ['a name that was never seen', 'alice', '/tip @nobody 5', /I haven’t met @nobody yet/],
    ['little for somebody without an account', 'alice', '/tip @carol 0.2', /The minimum for someone new is \$0\.50/],
    ['a handle that does not exist', 'alice', '/tip ghost@ampersat 5', /There’s no ghost@ampersat/],
    ['oneself under another name', 'alice', '/tip alice@ampersat 5', /is you\. You can’t tip yourself/],
    [
      'too much for one command, the fee included',
      'alice',
      '/tip @bob 100',
      /Your limit per command is \$100\. This is \$100\.10 with the fee/,
    ],
    ['a chain that is not served', 'alice', '/tip @bob 5 on celo', /Celo isn’t available here/],
    ['an amount that reads in two ways', 'alice', '/tip @bob 1,000', /wasn’t sure about/],
    ['no amount', 'alice', '/tip @bob', /How much\?/],
    ['a sender without an account', 'dave', '/tip @bob 5', /@dave, saved for 24 hours\. Connect/],
  ];
  test.each(refusals)('%s', async (_name, who, text, answer) => {
    world.later(11 * 60_000);
    expect(await changes(() => world.say(who, text))).toEqual({});
    const told = await Promise.all([lastAnswer(), lastAnswer(ALICE.telegram.id)]);
    expect(told.join('\n')).toMatch(answer);
  });
});
