// Tips to another chain, on Telegram, Discord and X: the money is on Celo, and arrives on Base; or comes back.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultInput } from '../local/bridge/faults.ts';
import { readCase } from '../src/services/operations/cases.ts';
import { summariseHistory } from '../src/services/tips/history.ts';
import { tipReceipt } from '../src/services/tips/receipts.ts';
import { type Chat, chatsOf, PLATFORMS, type Platform } from '../test/setup/everywhere.ts';
import { sendToken } from '../test/setup/orders.ts';
import { type SmartWorld, startSmartWorld } from '../test/setup/smart.ts';
import { localPerson } from '../test/setup/world.ts';

const usdc = (amount: string) => parseUnits(amount, 6);
const ALICE = localPerson('alice');
const BOB = localPerson('bob');

let smart: SmartWorld;
let chats: Record<Platform, Chat>;
beforeAll(async () => {
  smart = await startSmartWorld(['base', 'celo'], { platforms: true });
  const { world } = smart;
  chats = await chatsOf(world);
  for (const chat of [chats.telegram, chats.discord]) await chat.say('alice', 'help', { own: true });
  await world.run();
  // Alice has money on Celo alone, and her allowance and limits there are set.
  await sendToken(world, ALICE.key, world.evmChain().usdc, localPerson('dave').address, await world.usdc('alice'));
});
afterAll(() => smart.stop());
beforeEach(async () => {
  await smart.later(3_700);
  smart.bridges.faults.clear();
});

/** Of all days, in micro-USD. */
async function spent() {
  const { senderHandleId } = await smart.world.ctx.db.tip.findFirstOrThrow();
  const { sent_usd, fees_usd } = await summariseHistory(smart.world.ctx, senderHandleId, { days: 30 });
  return { sent: Number(sent_usd), fees: Math.round(Number(fees_usd) * 1e6) };
}
async function has() {
  const at = async (who: string, chain: 'base' | 'celo') => smart.world.usdc(who, chain);
  return {
    'alice celo': await at('alice', 'celo'),
    'alice base': await at('alice', 'base'),
    'bob base': await at('bob', 'base'),
    'bob celo': await at('bob', 'celo'),
    'treasury celo': await at('treasury', 'celo'),
  };
}
type Has = Awaited<ReturnType<typeof has>>;
async function moved(before: Has) {
  const after = await has();
  return Object.fromEntries(
    Object.entries(after)
      .map(([who, units]) => [who, units - before[who as keyof Has]] as const)
      .filter(([, change]) => change !== 0n),
  );
}
const newest = async (chat: Chat, before: Set<string>) =>
  (await chat.heard()).filter(({ id, text }) => !before.has(`${id} ${text}`)).map(({ text }) => text);
const heardBy = async (chat: Chat) => new Set((await chat.heard()).map(({ id, text }) => `${id} ${text}`));

describe.each(PLATFORMS)('on %s', (platform) => {
  test('a tip on a chain where the sender has nothing is paid from where the money is', async () => {
    const chat = chats[platform];
    const [before, heard] = [await has(), await heardBy(chat)];
    const parties = [ALICE.address, BOB.address];
    const sum = await smart.ledger(parties);
    await chat.mark();
    await chat.say('alice', 'tip @bob 5 on base');
    await smart.world.run();
    await chat.redeliver();
    await smart.world.run();
    const tip = await smart.world.ctx.db.tip.findFirstOrThrow({ orderBy: { id: 'desc' }, include: { crossing: true } });
    const bridge = BigInt(tip.bridgeUnits.toFixed(0));
    expect(tip).toMatchObject({ chain: 'celo', toChain: 'base', status: 'settled', crossing: { status: 'pending' } });
    expect([tip.units, tip.feeUnits].map(String)).toEqual([String(usdc('5')), String(usdc('0.3'))]);
    expect(bridge).toBeGreaterThan(0n);
    expect(bridge).toBeLessThanOrEqual(usdc('0.15'));
    expect(await moved(before)).toEqual({ 'alice celo': -usdc('5.3') - bridge, 'treasury celo': usdc('0.3') });
    // On X nothing is said before the end.
    const onItsWay = await newest(chat, heard);
    if (platform === 'x') expect(onItsWay).toEqual([]);
    else
      expect(onItsWay).toEqual([
        expect.stringMatching(
          /^⏳ .*5\.00 USDC \(fee \$0\.30, plus \$0\.\d\d for the bridge from Celo\): on its way to Base\./,
        ),
      ]);

    await smart.settle();
    await smart.world.reply();
    expect(await moved(before)).toEqual({
      'alice celo': -usdc('5.3') - bridge,
      'treasury celo': usdc('0.3'),
      'bob base': usdc('5'),
    });
    const told = await newest(chat, heard);
    expect(told).toHaveLength(1);
    if (platform === 'x')
      expect(told[0]).toMatch(/tipped bob 5\.00 USDC \(fee \$0\.30\)\.\nPlus \$0\.\d\d for the bridge\./);
    else expect(told[0]).toMatch(/^✅ .* plus \$0\.\d\d for the bridge from Celo\): arrived on Base\./);
    expect(await smart.ledger(parties)).toBe(sum);
  });

  test('one that is never delivered comes back, without the fee', async () => {
    const chat = chats[platform];
    const [before, heard, paid] = [await has(), await heardBy(chat), await spent()];
    smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'never_filled' }));
    await chat.say('alice', 'tip @bob 4 on base');
    await smart.world.run();
    await smart.settle();
    await smart.world.reply();
    expect(await smart.world.ctx.db.smartPayment.findFirst({ orderBy: { id: 'desc' } })).toMatchObject({
      status: 'pending',
    });
    await smart.later(16 * 60);
    await smart.settle();
    await smart.settle();
    await smart.world.reply();
    expect(await moved(before)).toEqual({ 'alice celo': -usdc('0.3'), 'treasury celo': usdc('0.3') });
    const { ctx } = smart.world;
    const tip = await ctx.db.tip.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(await tipReceipt(ctx, tip.id)).toMatchObject({
      ...{ status: 'returned', amount: '4.00', fee: '0.30', arrive_tx_hash: null },
      return_tx_hash: expect.stringMatching(/^0x/),
    });
    // Operators read the same, with the names by which the bridge knows it.
    const { inboxKey } = await ctx.db.intent.findUniqueOrThrow({ where: { id: tip.intentId } });
    const found = await readCase(ctx, inboxKey);
    expect([found.status, found.legs.map(({ chain, status }) => [chain, status])]).toEqual([
      'returned',
      [['celo → base', 'returned']],
    ]);
    expect(found.steps.map(({ step }) => step).filter((one) => one.startsWith('smart_leg'))).toEqual([
      'smart_leg.bridge',
      'smart_leg.refund',
    ]);
    expect(found.steps.find(({ step }) => step === 'smart_leg.refund')?.tx_hash).toMatch(/^0x/);
    // Nothing was sent, and the fee was paid.
    const after = await spent();
    expect([after.sent, after.fees - paid.fees]).toEqual([paid.sent, 300_000]);
    const told = await newest(chat, heard);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(platform === 'x' ? /didn’t reach bob in time and is back/ : /^↩️ 4\.00 USDC for .* back in/);
  });
});
