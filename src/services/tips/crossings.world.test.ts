// From which chain a tip to another one is paid, what it costs, and every way in which it ends. bots/crossings.world.test.ts has what chats read.
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem';
import { describe, expect, test } from 'vitest';
import { faultInput } from '../../../local/bridge/faults.ts';
import { TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { giveUsdc, sendAs, sendToken } from '../../../test/setup/orders.ts';
import { aroundSmart, type SmartWorld } from '../../../test/setup/smart.ts';
import { localPerson, type World } from '../../../test/setup/world.ts';
import { botRouterAbi } from '../../chain/routers/abis/BotRouter.ts';
import { adapterProblem } from '../../chain/routers/adapter.ts';
import { endpointProblem } from '../../chain/routers/verify.ts';
import type { ChainName } from '../../domain/chains.ts';
import { givenFor } from '../../domain/smartPayment.ts';
import { bridgePrice } from '../bridges/prices.ts';

const ALICE = localPerson('alice');
const BOB = localPerson('bob');
const NAMES = ['base', 'celo', 'ink', 'bsc'] as const;

let smart: SmartWorld;
let world: World;
aroundSmart(
  [...NAMES],
  async (started) => {
    smart = started;
    world = smart.world;
    await world.say('alice', 'hi', { chat: ALICE.telegram.id });
  },
  { apart: 25 * 3_600 },
);

const units = (amount: string, name: ChainName) => parseUnits(amount, world.evmChain(name).facts.usdcDecimals);
/** Alice has exactly this much USDC on each chain. */
async function aliceHas(funds: Partial<Record<ChainName, string>>): Promise<void> {
  for (const name of NAMES) {
    const [has, wanted] = [await world.usdc('alice', name), units(funds[name] ?? '0', name)];
    const { usdc } = world.evmChain(name);
    if (has > wanted) await sendToken(world, ALICE.key, usdc, localPerson('dave').address, has - wanted, name);
    if (has < wanted) await giveUsdc(world, ALICE.address, wanted - has, name);
  }
}
const prefers = (slug: string, preferredChain: ChainName) =>
  world.ctx.db.handle.update({ where: { slug }, data: { preferredChain } });
const newestTips = async (count = 1) =>
  (
    await world.ctx.db.tip.findMany({
      orderBy: { id: 'desc' },
      take: count,
      include: { crossing: { include: { legs: true } } },
    })
  ).reverse();
const newestTip = async () => {
  const [tip] = await newestTips();
  if (!tip) throw new Error('there is no tip');
  return tip;
};
const said = async (chat = TELEGRAM_GROUP) => (await world.botSaid(chat)).at(-1)?.text ?? '';
const saidToAlice = () => said(ALICE.telegram.id);
/** To the end, whatever that is. */
async function end() {
  await smart.settle();
  await world.reply();
}
/** The newest question is answered with yes. */
async function confirm() {
  const question = (await world.botSaid()).at(-1);
  if (!question) throw new Error('nothing was asked');
  const yes = question.reply_markup?.inline_keyboard.flat()[0]?.callback_data ?? '';
  await world.press('alice', question, yes);
  await world.run();
}

describe('where it is paid from', () => {
  test('the chain that the recipient prefers, when the sender has money there', async () => {
    await aliceHas({ base: '10', celo: '10' });
    await prefers('bob', 'celo');
    await world.say('alice', '/tip @bob 5');
    expect(await newestTip()).toMatchObject({ chain: 'celo', toChain: null, crossing: null });
    await prefers('bob', 'base');
  });

  test('else the only chain where the money is: the recipient has it all where it is preferred', async () => {
    await aliceHas({ ink: '10' });
    await prefers('bob', 'celo');
    const before = [await world.usdc('bob', 'celo'), await world.usdc('alice', 'ink')] as const;
    await world.say('alice', '/tip @bob 5');
    const tip = await newestTip();
    expect(tip).toMatchObject({ chain: 'ink', toChain: 'celo', status: 'settled' });
    await end();
    expect((await world.usdc('bob', 'celo')) - before[0]).toBe(5_000_000n);
    const bridge = BigInt(tip.bridgeUnits.toFixed(0));
    expect(before[1] - (await world.usdc('alice', 'ink'))).toBe(5_300_000n + bridge);
    // All parts count in the caps.
    expect(tip.usdMicros).toBe(5_300_000n + bridge);
    const ended = await newestTip();
    expect(ended.crossing).toMatchObject({ status: 'succeeded', chain: 'celo', orderId: null, candidateId: null });
    expect(await said()).toMatch(
      /^✅ @alice tipped @bob 5\.00 USDC \(fee \$0\.30, plus \$0\.\d\d for the bridge from Ink\): arrived on Celo\. View 0x/,
    );
    await world.notify();
    await prefers('bob', 'base');
  });

  test.each([
    ['celo', 'bsc'],
    ['bsc', 'celo'],
  ] as const)('from %s to %s: exact in the decimals of each', async (from, to) => {
    await aliceHas({ [from]: '20' });
    const before = await world.usdc('bob', to);
    const [had, fees] = [await world.usdc('alice', from), await world.usdc('treasury', from)];
    await world.say('alice', `/tip @bob 5.123456 on ${to}`);
    await end();
    const tip = await newestTip();
    expect(tip.crossing?.status).toBe('succeeded');
    expect((await world.usdc('bob', to)) - before).toBe(units('5.123456', to));
    expect((await world.usdc('treasury', from)) - fees).toBe(units('0.3', from));
    const bridge = BigInt(tip.bridgeUnits.toFixed(0));
    expect(had - (await world.usdc('alice', from))).toBe(units('5.423456', from) + bridge);
    expect(bridge % units('0.01', from)).toBe(0n);
    expect(bridge).toBeLessThanOrEqual(units('0.151235', from));
  });

  test('one recipient of several prefers another chain: only that part crosses', async () => {
    await aliceHas({ base: '30' });
    await prefers('shop', 'celo');
    await world.say('alice', '/tip @bob @shop 5');
    const tips = await newestTips(2);
    expect(tips.map(({ leg, chain, toChain }) => [leg, chain, toChain]).sort()).toEqual([
      [0, 'base', null],
      [1, 'base', 'celo'],
    ]);
    await end();
    expect((await newestTips(2)).map(({ leg, status, crossing }) => [leg, status, crossing?.status]).sort()).toEqual([
      [0, 'settled', undefined],
      [1, 'settled', 'succeeded'],
    ]);
    await prefers('shop', 'base');
  });

  test('a tab opens where the money is, and carries no fee; where the chain was typed it does not', async () => {
    await aliceHas({ celo: '30' });
    await world.say('alice', '/tip @carol 5');
    expect(await newestTip()).toMatchObject({ chain: 'celo', toChain: null, crossing: null });
    expect(String((await newestTip()).feeUnits)).toBe('0');
    const count = await world.ctx.db.tip.count();
    await world.say('alice', '/tip @carol 5 on base');
    expect(await world.ctx.db.tip.count()).toBe(count);
    expect(await saidToAlice()).toMatch(/^Your balance on Base is 0\.00 USDC/);
  });
});

describe('what is asked or refused', () => {
  test('too little everywhere: the balance of the chain that was meant', async () => {
    await aliceHas({ base: '2', celo: '3' });
    await world.say('alice', '/tip @bob 5 on base');
    expect(await saidToAlice()).toMatch(/^Your balance on Base is 2\.00 USDC/);
    // Enough for the tip, and not for its fees.
    await aliceHas({ celo: '5.2' });
    await world.say('alice', '/tip @bob 5 on base');
    expect(await saidToAlice()).toMatch(/^Your balance on Base is 0\.00 USDC/);
  });

  test('a small one asks: both fees are shown, and yes sends exactly that', async () => {
    await aliceHas({ celo: '20' });
    await world.say('alice', '/tip @bob 1 on base');
    const question = await said();
    expect(question).toMatch(/1\.00 USDC to @bob on Base \(fee \$0\.30, plus \$0\.\d\d for the bridge from Celo\)/);
    expect(question).toContain('The fee is more than a tenth of the amount.');
    // Another price within the same cent is the same plan.
    await smart.later(40);
    await confirm();
    await end();
    expect((await newestTip()).crossing?.status).toBe('succeeded');
    expect(await said()).toMatch(/arrived on Base/);
  });

  test('a bridge that does not answer, and one that asks too much: nothing is sent, and why', async () => {
    await aliceHas({ celo: '50' });
    const count = await world.ctx.db.tip.count();
    smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'status', times: 20 }));
    await world.say('alice', '/tip @bob 5 on base');
    expect(await saidToAlice()).toMatch(/^Your money is on Celo, and the bridge to Base isn’t answering\./);
    // The group does not read where it is.
    expect(await said()).not.toContain('Celo');
    smart.bridges.faults.clear();
    smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'expensive', times: 20 }));
    await world.say('alice', '/tip @bob 6 on base');
    expect(await saidToAlice()).toMatch(/^Your money is on Celo, and the bridge to Base is too expensive right now\./);
    expect(await world.ctx.db.tip.count()).toBe(count);
  });

  test('a limit for fees below 0.30 on the chain that would pay', async () => {
    await aliceHas({ celo: '50' });
    const { routers, usdc } = world.evmChain('celo');
    const limits = (fee: bigint) =>
      sendAs(
        world,
        ALICE.key,
        {
          to: routers.bot,
          data: encodeFunctionData({
            abi: botRouterAbi,
            functionName: 'setLimits',
            args: [usdc, 100_000_000n, 500_000_000n, fee],
          }),
        },
        'celo',
      );
    await limits(200_000n);
    await world.say('alice', '/tip @bob 5 on base');
    expect(await saidToAlice()).toMatch(/^The fee is 0\.30 USDC\. Your limit for a fee on Celo is 0\.20 USDC/);
    await limits(1_000_000n);
  });
});

describe('what becomes of it', () => {
  test('the deposit goes back with its block after it was filled: sent again, it is the same deposit, and paid once', async () => {
    await aliceHas({ celo: '20' });
    const before = [await world.usdc('bob'), await smart.ledger([ALICE.address, BOB.address])] as const;
    await world.type('alice', '/tip @bob 5 on base');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    await world.settle('celo');
    await world.watch('celo');
    await smart.bridge();
    expect((await world.usdc('bob')) - before[0]).toBe(5_000_000n);
    await world.admin('celo').request({ method: 'anvil_rollback' as never, params: [1] as never });
    await world.watch('celo');
    await world.watch('celo');
    await end();
    const tip = await newestTip();
    expect([tip.status, tip.crossing?.status]).toEqual(['settled', 'succeeded']);
    expect((await world.usdc('bob')) - before[0]).toBe(5_000_000n);
    expect(await smart.ledger([ALICE.address, BOB.address])).toBe(before[1]);
  });

  test('rows of a copy that do not know that it was sent: the router’s own event is taken over', async () => {
    await aliceHas({ celo: '20' });
    await world.say('alice', '/tip @bob 5 on base');
    const { id, intentId, txHash } = await newestTip();
    const had = await world.usdc('alice', 'celo');
    const forgotten = { status: 'ready', outgoingTxId: null, txHash: null, leaseUntil: null };
    await world.ctx.db.tip.update({ where: { id }, data: forgotten });
    await world.ctx.db.intent.update({ where: { id: intentId }, data: { status: 'routed' } });
    await world.run();
    expect(await newestTip()).toMatchObject({ id, status: 'settled', txHash });
    expect(await world.usdc('alice', 'celo')).toBe(had);
    await end();
    expect((await newestTip()).crossing?.status).toBe('succeeded');
  });

  test('never sent in time: it fails, and its way ends with it', async () => {
    await aliceHas({ celo: '20' });
    await world.type('alice', '/tip @bob 5 on base');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    expect(await newestTip()).toMatchObject({ status: 'ready', toChain: 'base', crossing: { status: 'pending' } });
    await smart.later(16 * 60);
    await world.run();
    await end();
    const tip = await newestTip();
    expect([tip.status, tip.crossing?.status, tip.crossing?.legs[0]?.status]).toEqual(['failed', 'failed', 'failed']);
    expect(await world.usdc('alice', 'celo')).toBe(20_000_000n);
  });

  test('delayed: it says that it is on its way until it is there', async () => {
    await aliceHas({ celo: '20' });
    smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'delayed', ms: 120_000 }));
    await world.say('alice', '/tip @bob 5 on base');
    await end();
    expect(await said()).toMatch(/, plus \$0\.\d\d for the bridge from Celo\): on its way to Base\. View/);
    await smart.later(130);
    await end();
    expect(await said()).toMatch(/, plus \$0\.\d\d for the bridge from Celo\): arrived on Base\. View/);
  });
});

test('of several chains the cheapest pays', async () => {
  for (const _ of [1, 2]) {
    await smart.later(61);
    await aliceHas({ celo: '20', ink: '20' });
    // One of the two asks a twentieth more, whichever is asked first.
    smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'expensive', times: 1 }));
    await world.say('alice', '/tip @bob 1 on base');
    expect(await said()).toMatch(/plus \$0\.0[1-4] for the bridge from (Ink|Celo)\)/);
    smart.bridges.faults.clear();
  }
});

test('a bridge may take a hundredth and ten cents, and no more', async () => {
  await aliceHas({ celo: '50' });
  const count = await world.ctx.db.tip.count();
  smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'expensive', times: 20 }));
  // 0.15 and more of 3.00, where 0.13 are the most.
  await world.say('alice', '/tip @bob 3 on base');
  expect(await saidToAlice()).toMatch(/^Your money is on Celo, and the bridge to Base is too expensive right now\./);
  expect(await world.ctx.db.tip.count()).toBe(count);
});

test('money of real chains pays no tip of test chains', async () => {
  await aliceHas({ celo: '50' });
  const celo = world.evmChain('celo');
  const count = await world.ctx.db.tip.count();
  Object.assign(celo, { local: false });
  await world.say('alice', '/tip @bob 5 on base').finally(() => Object.assign(celo, { local: true }));
  expect(await world.ctx.db.tip.count()).toBe(count);
  expect(await saidToAlice()).toMatch(/^Your balance on Base is 0\.00 USDC/);
});

test('a contract wallet pays only from chains on which it has proven itself', async () => {
  await aliceHas({ celo: '50' });
  const where = { address: ALICE.address };
  const walletBefore = await world.ctx.db.wallet.findFirstOrThrow({ where });
  await world.ctx.db.wallet.updateMany({ where, data: { kind: 'contract', provenChains: ['base'] } as never });
  const count = await world.ctx.db.tip.count();
  await world.say('alice', '/tip @bob 5 on base');
  await world.ctx.db.wallet.updateMany({
    where,
    data: { kind: walletBefore.kind, provenChains: walletBefore.provenChains } as never,
  });
  expect(await world.ctx.db.tip.count()).toBe(count);
  expect(await saidToAlice()).toMatch(/^Your balance on Base is 0\.00 USDC/);
});

test('enough for the tip and its fee, and not for the bridge', async () => {
  await aliceHas({ celo: '5.305' });
  await world.say('alice', '/tip @bob 5 on base');
  expect(await saidToAlice()).toMatch(/^Your balance on Base is 0\.00 USDC/);
});

test('what the bridge gets is what it asks for, in whole cents rounded up', async () => {
  await aliceHas({ celo: '20' });
  const { celo, base } = { celo: world.evmChain('celo'), base: world.evmChain('base') };
  await world.say('alice', '/tip @bob 5 on base');
  const tip = await newestTip();
  const route = {
    ...{ via: 'across' as const, origin: celo, destination: base, inputToken: celo.usdc, outputToken: base.usdc },
    ...{ inputDecimals: 6, outputDecimals: 6, inputValue: 0n, outputValue: 0n },
  };
  const who = { payer: celo.usdc, recipient: base.usdc, client: null };
  const price = await bridgePrice(world.ctx, route, 5_000_000n, who);
  if (price === null || price === 'unavailable') throw new Error('a price');
  const asked = givenFor(price, 5_000_000n) - 5_000_000n;
  const given = BigInt(tip.bridgeUnits.toFixed(0));
  expect([given >= asked, given - asked < 10_000n]).toEqual([true, true]);
  await end();
});

describe('the adapter', () => {
  test('is checked like a router: code, router, pool and routes', async () => {
    const chain = world.evmChain();
    const { across, routers, client } = chain;
    if (!across?.adapter) throw new Error('the local chain has an adapter');
    expect(await endpointProblem(chain, client)).toBeNull();
    const { pool, adapter } = across;
    const problem = (where = adapter, wiring = { pool, routes: [] as never[] }, router = routers.bot) =>
      adapterProblem(client, where, wiring, router);
    expect(await problem()).toBeNull();
    expect(await problem(routers.bot)).toMatch(/is not this version's bridge adapter/);
    expect(await problem(adapter, undefined, routers.escrow)).toMatch(/has router .*, expected/);
    expect(await problem(adapter, { pool: routers.bot, routes: [] })).toMatch(/has pool .*, expected/);
    const routes = [{ destinationChain: 1n, token: chain.usdc, outputToken: `0x${'11'.repeat(32)}` as const }];
    expect(await problem(adapter, { pool, routes: routes as never[] })).toMatch(/leads to another token on chain 1/);
    // A router that is wired to an adapter that the configuration does not name is not served.
    const { adapter: _, ...rest } = across;
    expect(await endpointProblem({ ...chain, across: { ...rest, adapter: null } }, client)).toMatch(
      /has bridgeAdapter 0x/,
    );
  });

  test('holds nothing after all of this', async () => {
    for (const name of NAMES) {
      const { across, usdc } = world.evmChain(name);
      const args = [across?.adapter ?? '0x'] as const;
      const held = await world
        .reader(name)
        .readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args });
      expect([name, held]).toEqual([name, 0n]);
    }
  });
});
