// The mirror: whatever happened at the subscription router, by anyone, is in our rows exactly once, in any order, through reorgs.
import { createTestClient, http } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Subscriptions, subscriptionsOf } from '../../../test/setup/subscriptions.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { encodeCharges } from '../../chain/routers/subscription.ts';
import { applyPlanLogs } from './indexing.ts';
import { proveTx } from './proof.ts';

let world: World;
let subs: Subscriptions;
beforeAll(async () => {
  world = await startWorld();
  subs = subscriptionsOf(world);
  for (const name of ['alice', 'bob']) await subs.approve(name, 1_000_000_000n);
  await subs.settle();
});
afterAll(() => world.stop());

const raw = () => createTestClient({ mode: 'anvil', transport: http(world.anvilOf().rpcUrl) });
const reorg = (depth: number) => raw().request({ method: 'anvil_reorg' as never, params: [depth, []] as never });
const units = (value: { toFixed(places: number): string }) => BigInt(value.toFixed(0));

describe('what happened outside the service', () => {
  test('a plan and a subscription straight at the router show, once, with all events of their creator', async () => {
    const plan = await subs.create('shop');
    await subs.subscribe('alice', plan);
    await subs.index();
    expect(await subs.plan(plan)).toBeNull();
    await subs.settle();
    await subs.index();
    const row = await subs.plan(plan);
    const shop = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'shop' } });
    expect(row).toMatchObject({ status: 'active', handleId: shop.id, periodS: plan.period, createTxHash: plan.hash });
    const own = await subs.row('alice', plan);
    expect(own).toMatchObject({ status: 'active', chargesPaid: 1, planId: row?.id, endedAt: null });
    expect([units(own.paidUnits), units(own.feeUnits)]).toEqual([2_000_000n, 20_000n]);
    const chain = await subs.onChain('alice', plan);
    expect(own.nextChargeAt.getTime()).toBe(Number(chain.nextChargeAt) * 1_000);
    expect(await subs.events(row?.id ?? '')).toEqual(['subscription.plan_created']);
    expect(await subs.events(own.id)).toEqual(['subscription.started', 'subscription.charged']);
  });

  test('a charge that a stranger sent, a cancellation and a new start are there, each in its place', async () => {
    const plan = await subs.create('shop');
    await subs.subscribe('bob', plan);
    await subs.settle();
    await subs.later(plan.period + 10);
    const pair = { planKey: plan.key, subscriber: localPerson('bob').address };
    await subs.send('carol', subs.router(), encodeCharges([pair]));
    await subs.settle();
    expect(await subs.row('bob', plan)).toMatchObject({ chargesPaid: 2, status: 'active' });
    await subs.cancel('shop', 'bob', plan);
    await subs.settle();
    const ended = await subs.row('bob', plan);
    expect(ended).toMatchObject({ status: 'cancelled', endedBy: localPerson('shop').address });
    await subs.later(plan.period);
    await subs.subscribe('bob', plan);
    await subs.settle();
    const both = await subs.rows('bob', plan);
    expect(both.map(({ status, chargesPaid }) => [status, chargesPaid])).toEqual([
      ['cancelled', 2],
      ['active', 1],
    ]);
    expect(await subs.events(ended.id)).toEqual([
      'subscription.started',
      'subscription.charged',
      'subscription.charged',
      'subscription.cancelled',
    ]);
  });

  test('a plan follows its state, in the order of the chain', async () => {
    const plan = await subs.create('shop');
    await subs.setPlan(plan, 'inactive');
    await subs.settle();
    expect((await subs.plan(plan))?.status).toBe('inactive');
    await subs.setPlan(plan, 'active');
    await subs.setPlan(plan, 'inactive');
    await subs.setPlan(plan, 'active');
    await subs.settle();
    expect((await subs.plan(plan))?.status).toBe('active');
  });

  test('one that starts again after three unpaid periods ends the one before as lapsed', async () => {
    const plan = await subs.create('shop');
    await subs.subscribe('alice', plan);
    await subs.settle();
    await subs.later(plan.period * 4 + 60);
    await subs.subscribe('alice', plan);
    await subs.settle();
    const rows = await subs.rows('alice', plan);
    expect(rows.map(({ status, haltReason }) => [status, haltReason])).toEqual([
      ['halted', 'lapsed'],
      ['active', null],
    ]);
  });
});

describe('order and repetition', () => {
  test('a later transaction that was proven first is in its place when the earlier one comes', async () => {
    const plan = await subs.create('shop');
    await subs.settle();
    await subs.subscribe('bob', plan);
    const cancelled = await subs.cancel('bob', 'bob', plan);
    await world.mine(3);
    const chain = world.evmChain();
    const proven = await proveTx(chain, cancelled, '');
    const final = await proven.final();
    if (!final) throw new Error('the block is final');
    const logs = final.entries.map((entry) => ({ ...entry, at: final.at }));
    await world.ctx.db.$transaction((tx) => applyPlanLogs(world.ctx, tx, chain, logs));
    expect(await subs.rows('bob', plan)).toEqual([]);
    await subs.index();
    const row = await subs.row('bob', plan);
    expect(row).toMatchObject({ status: 'cancelled', chargesPaid: 1, endTxHash: cancelled });
    await world.ctx.db.$transaction((tx) => applyPlanLogs(world.ctx, tx, chain, logs));
    await subs.index();
    expect(await subs.rows('bob', plan)).toHaveLength(1);
    expect(await subs.events(row.id)).toEqual([
      'subscription.started',
      'subscription.charged',
      'subscription.cancelled',
    ]);
  });

  test('a reorg takes back a cancellation, a charge, a start and a plan, and what comes again is published once', async () => {
    const plan = await subs.create('shop');
    await subs.subscribe('alice', plan);
    await subs.settle();
    const started = await subs.row('alice', plan);
    await subs.cancel('alice', 'alice', plan);
    await subs.settle();
    expect((await subs.row('alice', plan)).status).toBe('cancelled');
    // Past the cancellation alone: three blocks on top of it.
    await reorg(4);
    await world.mine(8);
    await subs.index();
    const after = await subs.row('alice', plan);
    expect(after).toMatchObject({ id: started.id, status: 'active', endedAt: null, endTxHash: null, chargesPaid: 1 });
    await subs.cancel('alice', 'alice', plan);
    await subs.settle();
    expect(await subs.events(started.id)).toEqual([
      'subscription.started',
      'subscription.charged',
      'subscription.cancelled',
    ]);
  });

  test('a start that a reorg takes and includes again is the same subscription', async () => {
    const plan = await subs.create('shop');
    await subs.settle();
    const hash = await subs.subscribe('bob', plan);
    await subs.settle();
    const before = await subs.row('bob', plan);
    const bytes = await raw().request({ method: 'eth_getRawTransactionByHash' as never, params: [hash] as never });
    const { blockNumber } = await world.reader().getTransactionReceipt({ hash });
    const depth = Number((await world.reader().getBlockNumber({ cacheTime: 0 })) - blockNumber) + 1;
    await reorg(depth);
    await world.mine(10);
    await subs.index();
    expect((await subs.row('bob', plan)).status).toBe('reverted');
    await raw().request({ method: 'eth_sendRawTransaction' as never, params: [bytes] as never });
    await world.taken();
    await subs.settle();
    expect(await subs.rows('bob', plan)).toMatchObject([{ id: before.id, status: 'active', chargesPaid: 1 }]);
    expect(await subs.events(before.id)).toEqual(['subscription.started', 'subscription.charged']);
  });

  test('a charge that comes after the cancellation behind it is counted', async () => {
    const plan = await subs.create('shop');
    await subs.subscribe('bob', plan);
    await subs.settle();
    await subs.later(plan.period + 10);
    const pair = { planKey: plan.key, subscriber: localPerson('bob').address as `0x${string}` };
    await subs.send('carol', subs.router(), encodeCharges([pair]));
    const cancelled = await subs.cancel('bob', 'bob', plan);
    await world.mine(3);
    const chain = world.evmChain();
    const proven = await proveTx(chain, cancelled, '');
    const logs = proven.entries.map((entry) => ({ ...entry, at: new Date(world.ctx.clock.now()) }));
    await world.ctx.db.$transaction((tx) => applyPlanLogs(world.ctx, tx, chain, logs));
    expect(await subs.row('bob', plan)).toMatchObject({ status: 'cancelled', chargesPaid: 1 });
    await subs.index();
    const row = await subs.row('bob', plan);
    expect([row.status, row.chargesPaid, units(row.paidUnits)]).toEqual(['cancelled', 2, 4_000_000n]);
  });

  test('what a reorg takes back whole is not shown', async () => {
    const plan = await subs.create('shop');
    await subs.subscribe('bob', plan);
    await subs.settle();
    await reorg(6);
    await world.mine(12);
    await subs.index();
    expect(await subs.rows('bob', plan)).toMatchObject([{ status: 'reverted' }]);
    expect((await subs.plan(plan))?.status).toBe('pending_create');
  });
});
