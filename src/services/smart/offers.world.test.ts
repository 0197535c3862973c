// What is offered to a payer, for how long, to whom, and how often: prices, least parts, fees and limits.
import { zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { sendToken } from '../../../test/setup/orders.ts';
import { type Races, racesOf } from '../../../test/setup/races.ts';
import { aroundSmart, type SmartWorld } from '../../../test/setup/smart.ts';
import { gasPrice } from '../../chain/bridge/legs.ts';
import { firmQuote, spotPrice } from '../bridges/prices.ts';

let smart: SmartWorld;
let race: Races;
aroundSmart(['base', 'celo', 'ink', 'bsc'], (started) => {
  smart = started;
  race = racesOf(smart);
});
const inSeconds = (seconds: number) => BigInt(Math.floor(smart.world.ctx.clock.now() / 1_000) + seconds);

test('a candidate is as good as its price, and no longer', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('c1', { celo: '9' });
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  const now = smart.world.ctx.clock.now();
  // Across's price is kept for half a minute.
  for (const at of [body.expires_at, body.data[0].expires_at]) expect(Date.parse(at) - now).toBeLessThanOrEqual(30_000);
  await smart.later(31);
  const late = await smart.pay({ candidateId: body.data[0].id, payer: payer.address });
  expect([late.status, late.body.error?.code]).toEqual([409, 'quote_expired']);
});

test('a payment whose prices are over hands out nothing more to sign', async () => {
  const { id } = await smart.order(5, { deadline: inSeconds(7_200) });
  const payer = await smart.payer('v1', { celo: '9' });
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  const wish = { candidateId: body.data[0].id, payer: payer.address };
  expect((await smart.pay(wish)).body.legs[0].steps).toHaveLength(1);
  await smart.later(601);
  expect((await smart.pay(wish)).body.legs).toMatchObject([{ status: 'prepared', steps: [] }]);
});

test('a wallet that the candidate does not name begins nothing; what a request repeats is the order’s own', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('pa1', { celo: '9' });
  const stranger = await smart.payer('pa1 stranger', {});
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  const refused = await smart.pay({ candidateId: body.data[0].id, payer: stranger.address });
  expect([refused.status, refused.body.error?.code]).toEqual([400, 'parameter_invalid']);
  for (const [more, code] of [
    [{ recipient: stranger.address }, 'parameter_invalid'],
    [{ chain: 'celo' }, 'unsupported_chain'],
    [{ currency: 'ETH' }, 'unsupported_asset'],
    [{ sources: [{ chain: 'mars', asset: 'USDC' }] }, 'unsupported_chain'],
  ] as const)
    expect((await smart.candidates({ orderId: id, payer: [payer.address], ...more })).body.error?.code).toBe(code);
});

test('an order of test chains is not paid from real ones', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('o1', { celo: '9', ink: '9' });
  const celo = smart.world.evmChain('celo');
  const ask = async () =>
    (await smart.candidates({ orderId: id, payer: [payer.address] })).body.data.map(
      ({ legs }: { legs: { chain: string }[] }) => legs[0]?.chain,
    );
  expect((await ask()).sort()).toEqual(['celo', 'ink']);
  Object.assign(celo, { local: false });
  const without = await ask().finally(() => Object.assign(celo, { local: true }));
  expect(without).toEqual(['ink']);
});

test('of a native asset what the network takes stays in the wallet', async () => {
  const { id } = await smart.order(0, { token: zeroAddress, units: (10n ** 15n) as never });
  const payer = await smart.payer('o2', { celo: '20' }, { gas: true });
  await smart.world.admin('base').setBalance({ address: payer.address, value: 10n ** 15n });
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  expect(body.data.map(({ legs: [leg] }: { legs: { chain: string; asset: string }[] }) => leg?.asset)).not.toContain(
    'ETH',
  );
  // Where nothing suffices it is listed, and said to be too little.
  const poor = await smart.payer('all but the gas', {});
  await smart.world.admin('base').setBalance({ address: poor.address, value: 10n ** 15n });
  const list = (await smart.candidates({ orderId: id, payer: [poor.address] })).body.data;
  expect(list.map(({ balance_ok }: { balance_ok: boolean }) => balance_ok)).toEqual(list.map(() => false));
  expect(list.length).toBeGreaterThan(0);
});

test('an executor asks for what its gas costs, and for a cent at least', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('o3', { celo: '9' });
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  const fee = body.data[0].legs[0].fees.find(({ kind }: { kind: string }) => kind === 'executor');
  const { ctx } = smart.world;
  const celo = smart.world.evmChain('celo');
  // A deposit by signature takes about 200,000 gas.
  const worth = ((await gasPrice(celo)) * 200_000n * ((await spotPrice(ctx, celo)) ?? 0n)) / 10n ** 18n;
  expect(Number(fee.amount)).toBeGreaterThanOrEqual(Math.max(0.01, Number(worth) / 1e6));
});

test('no part of a pack delivers less than half a dollar', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('c3', { base: '0.49', celo: '5.6' });
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  expect(body.data.every(({ balance_ok }: { balance_ok: boolean }) => !balance_ok)).toBe(true);
  const enough = await smart.payer('c3 enough', { base: '0.6', celo: '5.6' });
  const list = (await smart.candidates({ orderId: id, payer: [enough.address] })).body.data;
  expect(list[0]).toMatchObject({ kind: 'multi', balance_ok: true });
});

test('a signature that the chain would refuse is refused at once, with why', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('s4', { celo: '9' });
  const safe = await smart.payer('s4 safe', {});
  const send = await race.signer(await race.prepare(id, payer), payer);
  await sendToken(smart.world, payer.key, smart.world.evmChain('celo').usdc, safe.address, 9_000_000n, 'celo');
  const { body } = await send();
  expect([body.error?.code, body.error?.message]).toEqual([
    'call_refused',
    'Your balance on Celo no longer covers it. Choose again.',
  ]);
  expect((await smart.candidates({ orderId: id, payer: [payer.address] })).status).toBe(200);
});

test('transfers that we pay for are limited a day; deposits, which pay themselves, are not counted', async () => {
  const { env, clock, db } = smart.world.ctx;
  const [direct, bridged] = [await smart.payer('s1', { base: '30' }), await smart.payer('s1 bridged', { base: '30' })];
  const sign = async (payer: typeof direct, chain: 'base' | 'celo' = 'base') => {
    const { id } = await smart.order(5, { chain });
    const { status, body } = await (await race.signer(await race.prepare(id, payer), payer))();
    return [status, body.error?.code];
  };
  const most = env.SPONSORED_PAYMENTS_PER_CHAIN;
  const sentAt = { gt: new Date(clock.now() - 86_400_000) };
  const today = await db.smartLeg.count({ where: { chain: 'base', via: 'direct', sentAt } });
  try {
    env.SPONSORED_PAYMENTS_PER_CHAIN = 0;
    expect(await sign(bridged, 'celo')).toEqual([200, undefined]);
    env.SPONSORED_PAYMENTS_PER_CHAIN = today;
    expect(await sign(direct)).toEqual([429, 'rate_limited']);
    env.SPONSORED_PAYMENTS_PER_CHAIN = today + 1;
    expect(await sign(direct)).toEqual([200, undefined]);
  } finally {
    env.SPONSORED_PAYMENTS_PER_CHAIN = most;
  }
  await smart.settle();
});

test('one network address cannot use up the quotes that are kept for payments', async () => {
  const { world } = smart;
  const payer = await smart.payer('b1', {});
  const [celo, base] = [world.evmChain('celo'), world.evmChain('base')];
  const route = {
    ...{ via: 'relay' as const, origin: celo, destination: base, inputToken: celo.usdc, outputToken: base.usdc },
    ...{ inputDecimals: 6, outputDecimals: 6, inputValue: 10n ** 18n, outputValue: 10n ** 18n },
  };
  const ask = (client: string, n: number) =>
    firmQuote(
      world.ctx,
      route,
      {
        ...{ payer: payer.address, recipient: payer.address, client },
        amount: BigInt(1_000_000 + n),
        slippageBps: 200,
      },
      'payment',
    );
  const ended = await Promise.allSettled(Array.from({ length: 9 }, (_, n) => ask('192.0.2.1', n)));
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
  await expect(ask('192.0.2.2', 99)).resolves.toBeDefined();
});

test('one network address begins ten payments a minute, and lists candidates thirty times', async () => {
  await smart.later(61);
  const payer = await smart.payer('asks often', {});
  const codes = async (ask: () => Promise<{ body: { error?: { code: string } } }>, times: number) => {
    const found: (string | undefined)[] = [];
    for (let n = 0; n < times; n += 1) found.push((await ask()).body.error?.code);
    return found;
  };
  const pay = () => smart.pay({ candidateId: 'cand_0000000000000000000000000x', payer: payer.address });
  expect(await codes(pay, 11)).toEqual([...Array(10).fill('resource_missing'), 'rate_limited']);
  const list = () => smart.candidates({ orderId: 'ord_0000000000000000000000000x', payer: [payer.address] });
  expect(await codes(list, 31)).toEqual([...Array(30).fill('resource_missing'), 'rate_limited']);
});
