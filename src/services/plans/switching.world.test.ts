// Switching to another price: the old subscription ends and stays paid, the new one begins where that is over, and nothing is charged twice, whatever
// comes in which order.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintUsdc } from '../../../local/chains/deploy/usdc.ts';
import { signedIn } from '../../../test/setup/shop.ts';
import { MONTH_S, type OwnPlan, type Subscriptions, subscriptionsOf } from '../../../test/setup/subscriptions.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { encodeCharges } from '../../chain/routers/subscription.ts';
import type { Address, Hex } from '../../chain/rpc/client.ts';
import { prepareManage, submitManage } from './managing.ts';
import { notifyNewPrices } from './newPrices.ts';
import { type PreparedSwitch, prepareSwitch, submitSwitch } from './switching.ts';
import { leaveTrial, startDueTrials } from './trials.ts';

let world: World;
let subs: Subscriptions;
beforeAll(async () => {
  world = await startWorld();
  subs = subscriptionsOf(world);
  const to = ['alice', 'bob'].map((name) => localPerson(name).address as Address);
  await mintUsdc({ rpcUrl: world.anvilOf().rpcUrl, usdc: world.evmChain().usdc, to, amount: 1_000_000_000n });
  for (const name of ['alice', 'bob']) await subs.approve(name, 500_000_000n);
  await world.say('alice', '/help', { chat: localPerson('alice').telegram.id });
});
afterAll(() => world.stop());

const account = privateKeyToAccount(localPerson('alice').key);
const sign = (data: PreparedSwitch['cancel']) => account.signTypedData(data as never);

/** A plan of 2 USDC to which alice has subscribed, and the one of 3 USDC that has replaced it. */
async function replaced(): Promise<{ old: OwnPlan; next: OwnPlan; id: string }> {
  const [old, next] = [await subs.create('shop'), await subs.create('shop', { amount: 3_000_000n })];
  await subs.subscribe('alice', old);
  await subs.settle();
  const [from, to] = [await subs.plan(old), await subs.plan(next)];
  await world.ctx.db.plan.update({ where: { id: from?.id ?? '' }, data: { replacedById: to?.id ?? null } });
  return { old, next, id: (await subs.row('alice', old)).id };
}

async function prepared(id: string) {
  const alice = await signedIn(world, 'alice');
  const { cancel, subscribe, permit, submit } = await prepareSwitch(world.ctx, alice, id);
  const signatures = {
    cancel_signature: await sign(cancel),
    signature: await sign(subscribe),
    ...(permit ? { permit_signature: await sign(permit) } : {}),
  };
  return { submit, signatures, run: () => submitSwitch(world.ctx, alice, id, submit, signatures) };
}

const chargesOf = async (name: string, plan: OwnPlan) =>
  (await subs.rows(name, plan)).reduce((sum, { chargesPaid }) => sum + chargesPaid, 0);

test('the old one ends now and stays paid; the new one begins where that is over', async () => {
  const { old, next, id } = await replaced();
  const before = await world.usdc('alice');
  const { submit, run } = await prepared(id);
  expect(submit.permit).toBeNull();
  const { trial } = await run();
  expect(trial).toMatchObject({ status: 'waiting', switches_from: id });
  await subs.settle();
  expect((await subs.row('alice', old)).status).toBe('cancelled');
  await subs.later(MONTH_S - 3_600);
  expect(await startDueTrials(world.ctx)).toBe(0);
  expect(await world.usdc('alice')).toBe(before);
  await subs.later(3_700);
  await startDueTrials(world.ctx);
  await subs.settle();
  expect(before - (await world.usdc('alice'))).toBe(3_000_000n);
  expect([await chargesOf('alice', old), await chargesOf('alice', next)]).toEqual([1, 1]);
  expect((await subs.row('alice', next)).status).toBe('active');
});

test('where a charge came before the end, the new one does not begin', async () => {
  const { old, next, id } = await replaced();
  await subs.later(MONTH_S - 11 * 60);
  const { run } = await prepared(id);
  const { trial } = await run();
  const before = await world.usdc('alice');
  // The executor's cancellation runs out, a stranger charges what is due, and then the wallet cancels by itself.
  await subs.later(12 * 60);
  await subs.send('bob', subs.router(), encodeCharges([{ planKey: old.key, subscriber: account.address }]));
  await subs.cancel('alice', 'alice', old);
  await subs.settle();
  await startDueTrials(world.ctx);
  await subs.settle();
  expect([(await subs.row('alice', old)).status, await chargesOf('alice', old)]).toEqual(['cancelled', 2]);
  expect([before - (await world.usdc('alice')), await chargesOf('alice', next)]).toEqual([2_000_000n, 0]);
  const row = await world.ctx.db.trial.findUniqueOrThrow({ where: { id: trial.id } });
  expect([row.status, row.failure]).toEqual(['failed', expect.stringContaining('was charged before')]);
});

test('a cancellation that is never made leaves the old one as it was', async () => {
  const { old, next, id } = await replaced();
  const { run } = await prepared(id);
  const { trial } = await run();
  // Its signature runs out before any executor sends it.
  await subs.later(3_600);
  await subs.settle();
  expect((await subs.row('alice', old)).status).toBe('active');
  await subs.later(MONTH_S);
  await startDueTrials(world.ctx);
  await subs.charge();
  expect([await chargesOf('alice', old), await chargesOf('alice', next)]).toEqual([2, 0]);
  const row = await world.ctx.db.trial.findUniqueOrThrow({ where: { id: trial.id } });
  expect([row.status, row.failure]).toEqual(['failed', expect.stringContaining('wasn’t cancelled')]);
});

test('a cancellation that the feed does not have yet does not end the switch', async () => {
  const { old, next, id } = await replaced();
  const { run } = await prepared(id);
  const { trial } = await run();
  await world.send();
  await world.mine(1);
  expect((await subs.onChain('alice', old)).state).toBe('cancelled');
  await subs.later(MONTH_S + 60);
  await startDueTrials(world.ctx);
  const statusOf = async () => (await world.ctx.db.trial.findUniqueOrThrow({ where: { id: trial.id } })).status;
  expect([(await subs.row('alice', old)).status, await statusOf()]).toEqual(['active', 'waiting']);
  await subs.settle();
  await subs.later(61);
  await startDueTrials(world.ctx);
  await subs.settle();
  expect([await statusOf(), await chargesOf('alice', next)]).toEqual(['started', 1]);
});

test('who leaves before it begins subscribes to neither, and may subscribe again', async () => {
  const { old, next, id } = await replaced();
  const { run } = await prepared(id);
  const { trial } = await run();
  await subs.settle();
  await leaveTrial(world.ctx, account.address, trial.id);
  await subs.later(MONTH_S + 60);
  await startDueTrials(world.ctx);
  await subs.settle();
  expect((await subs.row('alice', old)).status).toBe('cancelled');
  expect(await chargesOf('alice', next)).toBe(0);
});

test('where the cancellation is refused, what was signed for the new one is deleted', async () => {
  const { id } = await replaced();
  const alice = await signedIn(world, 'alice');
  const { run } = await prepared(id);
  // The same number of the wallet is under way for another cancellation, signed a moment later.
  await subs.later(5);
  const cancel = { action: 'cancel', subscriptionId: id } as const;
  const manage = await prepareManage(world.ctx, alice, cancel);
  if (!('typed_data' in manage)) throw new Error('wallets of EVM sign typed data');
  const { typed_data, submit } = manage;
  await submitManage(world.ctx, alice, cancel, submit, await sign(typed_data), { waitMs: 0 });
  await expect(run()).rejects.toMatchObject({ code: 'state_conflict' });
  const trial = await world.ctx.db.trial.findFirstOrThrow({ where: { switchesFromId: id } });
  expect([trial.status, trial.data]).toEqual(['left', '0x']);
  await subs.settle();
  await subs.later(MONTH_S + 60);
  expect(await startDueTrials(world.ctx)).toBe(0);
});

test('an allowance that does not cover the new price is signed with it', async () => {
  const { id } = await replaced();
  await subs.approve('alice', 1_000_000n);
  const { submit, run } = await prepared(id);
  expect(submit.permit?.value).toBe('37000000');
  await run();
  await subs.settle();
  await subs.later(MONTH_S + 60);
  const before = await world.usdc('alice');
  await startDueTrials(world.ctx);
  await subs.settle();
  expect(before - (await world.usdc('alice'))).toBe(3_000_000n);
  await subs.approve('alice', 500_000_000n);
});

test('no other wallet, no other price, no other signature, not twice, not while a charge is due', async () => {
  const { old, id } = await replaced();
  const [alice, bob] = [await signedIn(world, 'alice'), await signedIn(world, 'bob')];
  await expect(prepareSwitch(world.ctx, bob, id)).rejects.toMatchObject({ code: 'resource_missing' });
  const { submit, signatures, run } = await prepared(id);
  const wrong = privateKeyToAccount(localPerson('bob').key);
  const forged = await wrong.signMessage({ message: 'anything' });
  for (const which of ['cancel_signature', 'signature'])
    await expect(
      submitSwitch(world.ctx, alice, id, submit, { ...signatures, [which]: forged as Hex }),
    ).rejects.toMatchObject({ code: 'signature_invalid' });
  await expect(
    submitSwitch(world.ctx, alice, id, { ...submit, deadline: submit.deadline + 1 }, signatures),
  ).rejects.toMatchObject({ param: 'deadline' });
  await run();
  await expect(run()).rejects.toMatchObject({ code: 'state_conflict' });
  await subs.settle();
  await expect(prepareSwitch(world.ctx, alice, id)).rejects.toMatchObject({ code: 'state_conflict' });
  const other = await subs.create('shop');
  await subs.subscribe('alice', other);
  await subs.settle();
  const { id: single } = await subs.row('alice', other);
  await expect(prepareSwitch(world.ctx, alice, single)).rejects.toMatchObject({ code: 'state_conflict' });
  const late = await replaced();
  await subs.later(MONTH_S - 60);
  await expect(prepareSwitch(world.ctx, alice, late.id)).rejects.toMatchObject({ code: 'state_conflict' });
  expect((await subs.row('alice', old)).status).toBe('cancelled');
});

test('the subscribers of a replaced plan get one notice, where a bot may write', async () => {
  const { id } = await replaced();
  while ((await notifyNewPrices(world.ctx)) > 0);
  const told = { kind: 'subscription_price', data: { path: ['subscriptionId'], equals: id } };
  expect(await world.ctx.db.reply.count({ where: told })).toBe(1);
  expect(await notifyNewPrices(world.ctx)).toBe(0);
});
