// Charge runs: each due subscription once a period, none early; what cannot be charged ends as the rules say, with a notice to those who can act.
import { type Address, encodeFunctionData, parseAbi, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { mintUsdc } from '../../../local/chains/deploy/usdc.ts';
import { ROLES } from '../../../local/stack/roles.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { signedIn } from '../../../test/setup/shop.ts';
import {
  DAY_S,
  MONTH_S,
  type OwnPlan,
  type Subscriptions,
  subscriptionsOf,
} from '../../../test/setup/subscriptions.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { encodeCharges } from '../../chain/routers/subscription.ts';
import { chargeHourly, runCharges } from './chargeRun.ts';
import { chooseChargeNotices } from './notices.ts';

let world: World;
let subs: Subscriptions;
let proxy: RpcProxy;
beforeAll(async () => {
  world = await startWorld({
    rpcUrls: {
      base: async (direct) => {
        proxy = await startRpcProxy(direct);
        return proxy.url;
      },
    },
  });
  subs = subscriptionsOf(world);
  await fund('carol', 1_000_000_000n);
  for (const name of PAYERS) await subs.approve(name, 1_000_000_000n);
  // The bot may write to those who have written to it.
  for (const name of ['alice', 'bob']) await world.say(name, '/help', { chat: localPerson(name).telegram.id });
  await subs.settle();
});
afterAll(async () => {
  await world.stop();
  await proxy.close();
});

const NONE = { chain: 'base', scanned: 0, charged: 0, skippedEarly: 0, skippedFailed: 0, errors: [] };
const usdcAbi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'function pause()',
  'function unpause()',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
  'function pauser() view returns (address)',
  'function blacklister() view returns (address)',
]);
const usdc = () => world.evmChain().usdc;

const PAYERS = ['alice', 'bob', 'carol'];
const made: { plan: OwnPlan; names: string[] }[] = [];

/** A plan with these subscribers, due in one period. */
async function subscribed(names: string[], terms: { amount?: bigint; period?: number } = {}): Promise<OwnPlan> {
  const plan = await subs.create('shop', terms);
  made.push({ plan, names });
  for (const name of names) await subs.subscribe(name, plan);
  await subs.settle();
  return plan;
}

/** Everyone pays again, and no other test's subscriptions are due. */
afterEach(async () => {
  for (const { plan, names } of made.splice(0))
    for (const name of names)
      if ((await subs.onChain(name, plan)).state === 'active') await subs.cancel(name, name, plan);
  for (const name of PAYERS) await fund(name, 100_000_000n);
  for (const name of PAYERS) await subs.approve(name, 1_000_000_000n);
  await subs.settle();
  await subs.settle();
});

const balance = (name: string): Promise<bigint> => world.usdc(name);
const drain = async (name: string) =>
  subs.send(
    name,
    usdc(),
    encodeFunctionData({ abi: usdcAbi, functionName: 'transfer', args: [ROLES.owner.address, await balance(name)] }),
  );
/** The token's own roles act. */
async function asRole(role: 'pauser' | 'blacklister', data: `0x${string}`): Promise<void> {
  const account = await world.reader().readContract({ address: usdc(), abi: usdcAbi, functionName: role });
  const admin = world.admin();
  await admin.impersonateAccount({ address: account });
  await admin.setBalance({ address: account, value: 10n ** 18n });
  await admin.request({
    method: 'eth_sendTransaction' as never,
    params: [{ from: account, to: usdc(), data, gas: toHex(500_000) }] as never,
  });
  await world.taken();
}

const fund = (name: string, amount: bigint) =>
  mintUsdc({ rpcUrl: world.anvilOf().rpcUrl, usdc: usdc(), to: [localPerson(name).address as Address], amount });

test('a subscriber who wants notices of renewals gets one, once', async () => {
  const plan = await subscribed(['alice', 'bob']);
  const { id } = await signedIn(world, 'alice');
  await chooseChargeNotices(world.ctx, id, true);
  await subs.later(plan.period + 60);
  await subs.charge();
  const told = await world.ctx.db.reply.findMany({ where: { kind: 'subscription_charged' } });
  const { id: subscriptionId } = await subs.row('alice', plan);
  expect(told.map(({ data }) => data)).toEqual([{ subscriptionId, number: 2 }]);
  await chooseChargeNotices(world.ctx, id, false);
});

describe('what is due', () => {
  test('is charged once, with figures that add up; nothing is charged early', async () => {
    const plan = await subscribed(['alice', 'bob']);
    expect(await subs.charge()).toEqual(NONE);
    await subs.later(plan.period - 120);
    expect(await subs.charge()).toEqual(NONE);
    await subs.later(240);
    const before = [await balance('alice'), await balance('bob'), await balance('treasury')];
    expect(await subs.charge()).toEqual({ ...NONE, scanned: 2, charged: 2 });
    expect([await balance('alice'), await balance('bob'), await balance('treasury')]).toEqual([
      (before[0] ?? 0n) - plan.amount,
      (before[1] ?? 0n) - plan.amount,
      (before[2] ?? 0n) + 40_000n,
    ]);
    expect(await subs.charge()).toEqual(NONE);
    for (const name of ['alice', 'bob']) {
      const row = await subs.row(name, plan);
      expect(row).toMatchObject({ chargesPaid: 2, chargeBatchId: null, failure: null });
      expect((await subs.events(row.id)).filter((type) => type === 'subscription.charged')).toHaveLength(2);
    }
  });

  test('two calls at once are one run with one answer', async () => {
    const plan = await subscribed(['alice', 'bob', 'carol']);
    await subs.later(plan.period + 5);
    const other = runCharges(world.ctx, 'base', { minedWithinMs: 8_000 });
    const [one, two] = [await subs.charge(), await other];
    expect(one).toEqual({ ...NONE, scanned: 3, charged: 3 });
    expect(two).toEqual(one);
  });

  test('what another wallet charged in the meantime is not charged again', async () => {
    const plan = await subscribed(['alice']);
    await subs.later(plan.period + 5);
    await subs.send(
      'carol',
      subs.router(),
      encodeCharges([{ planKey: plan.key, subscriber: localPerson('alice').address as Address }]),
    );
    const run = runCharges(world.ctx, 'base', { minedWithinMs: 0 });
    expect(await run).toEqual({ ...NONE, scanned: 1, skippedEarly: 1 });
    await subs.settle();
    expect((await subs.row('alice', plan)).chargesPaid).toBe(2);
  });

  test('more than a page is charged in batches, and what no time is left for is said', async () => {
    await subscribed(['alice', 'bob']);
    await subscribed(['alice', 'bob']);
    await subs.later(MONTH_S + 5);
    const none = await runCharges(world.ctx, 'base', { sendingMs: 0 });
    expect([none.scanned, none.errors.map(({ code }) => code)]).toEqual([0, ['more_due']]);
    expect((await subs.charge()).charged).toBe(4);
  });
});

describe('failures', () => {
  test('no balance: tried with every run, told at once, cured by the next run', async () => {
    const plan = await subscribed(['bob']);
    await drain('bob');
    await subs.later(plan.period + 5);
    const run = await subs.charge();
    const { id } = await subs.row('bob', plan);
    expect(run).toEqual({
      ...NONE,
      scanned: 1,
      skippedFailed: 1,
      errors: [{ subscription: id, code: 'insufficient_balance', message: 'The subscriber’s balance is too low.' }],
    });
    expect(await subs.row('bob', plan)).toMatchObject({ failure: 'insufficient_balance', failureNotices: 1 });
    const replies = await world.ctx.db.reply.findMany({ where: { kind: 'subscription_failing' } });
    expect(replies.length).toBeGreaterThan(0);
    // Within the hour the loop leaves it alone; a call does not.
    expect(await chargeHourly(world.ctx, world.evmChain())).toBe(0);
    await fund('bob', 500_000_000n);
    expect((await subs.charge()).charged).toBe(1);
    expect(await subs.row('bob', plan)).toMatchObject({ failure: null, failingSince: null, failureNotices: 0 });
  });

  test('no allowance, for seven days: daily tries, three notices, halted on-chain, then told', async () => {
    const plan = await subscribed(['alice']);
    await subs.approve('alice', 0n);
    await subs.later(plan.period + 5);
    expect((await subs.charge()).errors.map(({ code }) => code)).toEqual(['insufficient_allowance']);
    for (let day = 1; day < 7; day++) {
      await subs.later(DAY_S);
      expect((await subs.charge()).skippedFailed).toBe(1);
      expect((await subs.charge()).scanned).toBe(0);
    }
    const { id } = await subs.row('alice', plan);
    const notices = await world.ctx.db.reply.findMany({
      where: { kind: 'subscription_failing', key: { contains: id }, platform: 'telegram' },
      orderBy: { createdAt: 'asc' },
    });
    expect(notices.map(({ data }) => (data as { stage: string }).stage)).toEqual(['first', 'third_day', 'last']);
    expect((await subs.onChain('alice', plan)).state).toBe('active');
    await subs.later(DAY_S);
    await subs.charge();
    await subs.settle();
    expect((await subs.onChain('alice', plan)).state).toBe('halted');
    expect(await subs.row('alice', plan)).toMatchObject({ status: 'halted', haltReason: 'unpaid' });
    expect((await subs.events(id)).at(-1)).toBe('subscription.halted');
    expect(
      await world.ctx.db.reply.count({ where: { kind: 'subscription_halted', key: { contains: id } } }),
    ).toBeGreaterThan(0);
    await subs.approve('alice', 1_000_000_000n);
    expect(await subs.charge()).toEqual(NONE);
  });

  test('money that comes before the halt is sent keeps the subscription', async () => {
    const plan = await subscribed(['alice']);
    await subs.approve('alice', 0n);
    await subs.later(plan.period + 5);
    await subs.charge();
    for (let day = 1; day < 7; day++) {
      await subs.later(DAY_S);
      await subs.charge();
    }
    await subs.later(DAY_S);
    await runCharges(world.ctx, 'base', { minedWithinMs: 0 });
    expect(await world.ctx.db.outgoingTx.count({ where: { kind: 'halt', status: 'queued' } })).toBe(1);
    await subs.approve('alice', 1_000_000_000n);
    await subs.settle();
    expect((await subs.onChain('alice', plan)).state).toBe('active');
    expect((await subs.charge()).charged).toBe(1);
  });

  test('a plan that was deactivated is not charged and halts no one; it goes on, or lapses after three periods', async () => {
    const [goesOn, lapses] = [await subscribed(['alice']), await subscribed(['bob'])];
    for (const plan of [goesOn, lapses]) await subs.setPlan(plan, 'inactive');
    await subs.settle();
    await subs.later(MONTH_S + 5);
    expect((await subs.charge()).errors.map(({ code }) => code)).toEqual(['plan_inactive', 'plan_inactive']);
    await subs.later(10 * DAY_S);
    await subs.charge();
    expect(await world.ctx.db.outgoingTx.count({ where: { kind: 'halt', status: 'queued' } })).toBe(0);
    await subs.setPlan(goesOn, 'active');
    await subs.settle();
    await subs.later(DAY_S);
    expect((await subs.charge()).charged).toBe(1);
    await subs.later(3 * MONTH_S);
    await subs.charge();
    expect(await subs.row('bob', lapses)).toMatchObject({ status: 'halted', haltReason: 'lapsed' });
    expect((await subs.onChain('bob', lapses)).state).toBe('halted');
    expect((await subs.events((await subs.row('bob', lapses)).id)).at(-1)).toBe('subscription.halted');
  });

  test('deactivated between the scan and the block, and cancelled in the same block: not charged, nothing else undone', async () => {
    const plan = await subscribed(['alice', 'bob']);
    const other = await subscribed(['alice']);
    await subs.later(MONTH_S + 5);
    await runCharges(world.ctx, 'base', { minedWithinMs: 0 });
    await subs.cancel('bob', 'bob', plan);
    await subs.setPlan(other, 'inactive');
    await subs.settle();
    await subs.settle();
    expect((await subs.row('alice', plan)).chargesPaid).toBe(2);
    expect(await subs.row('bob', plan)).toMatchObject({ status: 'cancelled', chargesPaid: 1, chargeBatchId: null });
    expect(await subs.row('alice', other)).toMatchObject({ failure: 'plan_inactive', chargesPaid: 1 });
  });

  test('a paused token and a blacklisted subscriber or creator are refused by the token, and halt no one', async () => {
    await subscribed(['alice', 'bob']);
    await subs.later(MONTH_S + 5);
    await asRole('pauser', encodeFunctionData({ abi: usdcAbi, functionName: 'pause' }));
    expect((await subs.charge()).errors.map(({ code }) => code)).toEqual(['token_refused', 'token_refused']);
    await asRole('pauser', encodeFunctionData({ abi: usdcAbi, functionName: 'unpause' }));
    const bob = localPerson('bob').address as Address;
    const shop = localPerson('shop').address as Address;
    await asRole('blacklister', encodeFunctionData({ abi: usdcAbi, functionName: 'blacklist', args: [bob] }));
    await subs.later(DAY_S + 5);
    const run = await subs.charge();
    expect([run.charged, run.errors.map(({ code }) => code)]).toEqual([1, ['token_refused']]);
    await asRole('blacklister', encodeFunctionData({ abi: usdcAbi, functionName: 'unBlacklist', args: [bob] }));
    await asRole('blacklister', encodeFunctionData({ abi: usdcAbi, functionName: 'blacklist', args: [shop] }));
    await subs.later(DAY_S + 5);
    expect((await subs.charge()).errors.map(({ code }) => code)).toEqual(['token_refused']);
    await asRole('blacklister', encodeFunctionData({ abi: usdcAbi, functionName: 'unBlacklist', args: [shop] }));
    await subs.later(DAY_S + 5);
    expect((await subs.charge()).charged).toBe(1);
  });

  test('a node that refuses to simulate says nothing about anyone’s money', async () => {
    const plan = await subscribed(['bob']);
    await subs.later(MONTH_S + 5);
    proxy.refuse('eth_call', { code: -32005, message: 'rate limit exceeded' });
    await expect(runCharges(world.ctx, 'base', { minedWithinMs: 0 })).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    proxy.refuse('eth_call', null);
    expect(await subs.row('bob', plan)).toMatchObject({ failure: null, failingSince: null, nextTryAt: null });
    expect(await subs.charge()).toMatchObject({ charged: 1, skippedFailed: 0 });
  });

  test('due by our clock a moment before it is by the chain’s: charged with the next blocks, not an hour later', async () => {
    const plan = await subscribed(['bob']);
    world.later(MONTH_S * 1_000 + 5_000);
    expect(await subs.charge()).toMatchObject({ charged: 0, skippedEarly: 1 });
    const { nextTryAt } = await subs.row('bob', plan);
    expect((nextTryAt?.getTime() ?? 0) - world.ctx.clock.now()).toBeLessThanOrEqual(15_000);
    await world.admin().increaseTime({ seconds: MONTH_S + 5 });
    await world.mine(1);
    await subs.later(20);
    expect(await subs.charge()).toMatchObject({ charged: 1 });
  });

  test('a plan that comes back is charged at once; a halt that was queued is not sent for a plan that is away', async () => {
    const plan = await subscribed(['bob']);
    await subs.setPlan(plan, 'inactive');
    await subs.settle();
    await subs.later(MONTH_S + 5);
    expect(await subs.charge()).toMatchObject({ charged: 0, skippedFailed: 1 });
    await subs.setPlan(plan, 'active');
    await subs.settle();
    expect(await subs.row('bob', plan)).toMatchObject({ failure: null, nextTryAt: null });
    expect(await subs.charge()).toMatchObject({ charged: 1 });
    await subs.approve('bob', 0n);
    await subs.later(MONTH_S);
    await runCharges(world.ctx, 'base', { minedWithinMs: 0 });
    await subs.later(8 * DAY_S);
    await runCharges(world.ctx, 'base', { minedWithinMs: 0 });
    const { id } = await subs.row('bob', plan);
    expect(await world.ctx.db.outgoingTx.count({ where: { kind: 'halt', subjectId: id, status: 'queued' } })).toBe(1);
    await subs.setPlan(plan, 'inactive');
    await subs.settle();
    await subs.settle();
    expect((await subs.row('bob', plan)).status).toBe('active');
    expect((await subs.onChain('bob', plan)).state).toBe('active');
  });

  test('a node that is away: the run says so, and nothing is lost or charged twice', async () => {
    const plan = await subscribed(['alice']);
    await subs.later(MONTH_S + 5);
    proxy.setDead(true);
    await expect(runCharges(world.ctx, 'base')).rejects.toMatchObject({ code: 'provider_unavailable' });
    proxy.setDead(false);
    expect((await subs.charge()).charged).toBe(1);
    expect((await subs.row('alice', plan)).chargesPaid).toBe(2);
  });

  test('a reorg that undoes a charge: the same bytes go out again, and it is charged once', async () => {
    const plan = await subscribed(['bob']);
    await subs.later(MONTH_S + 5);
    const before = await balance('bob');
    await runCharges(world.ctx, 'base', { minedWithinMs: 0 });
    await world.send();
    await world.watch();
    expect(await world.ctx.db.chargeBatch.count({ where: { status: 'mined' } })).toBe(1);
    await world.admin().request({ method: 'anvil_reorg' as never, params: [1, []] as never });
    await world.watch();
    await subs.settle();
    await subs.settle();
    expect((await subs.row('bob', plan)).chargesPaid).toBe(2);
    expect(await balance('bob')).toBe(before - plan.amount);
  });
});
