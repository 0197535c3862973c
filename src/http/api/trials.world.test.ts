// The API of trials: a signature that waits for the trial's end, and is worth nothing once the trial was left.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { walletOfPerson } from '../../../test/setup/signer.ts';
import { type Any, MANAGE, SUBSCRIBE, type Subscribing, subscribingOf } from '../../../test/setup/subscribing.ts';
import { DAY_S, type Subscriptions, subscriptionsOf } from '../../../test/setup/subscriptions.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { startDueTrials } from '../../services/plans/trials.ts';

let world: World;
let subs: Subscriptions;
let api: Subscribing;
let alice: Visitor;
let bob: Visitor;
let anyone: Visitor;
let shop: Visitor;
beforeAll(async () => {
  world = await startWorld();
  const base = await serveWorld(world);
  subs = subscriptionsOf(world);
  [shop, alice, bob, anyone] = [visitor(base), visitor(base), visitor(base), visitor(base)];
  api = subscribingOf(world, subs, { shop, anyone });
  await shop.signIn(walletOfPerson('shop'));
  await alice.signIn(walletOfPerson('alice'));
  await bob.signIn(walletOfPerson('bob'));
});
afterAll(() => world.stop());
// No call counts against those of another test.
beforeEach(() => subs.later(61));

test('the signature waits for the end, and the subscription starts then; one trial a wallet and a handle', async () => {
  const plan = await api.activePlan({ trial_days: 7 });
  const { prepared, call } = await api.signedSubscription(plan, walletOfPerson('alice'));
  expect(prepared.trial.days).toBe(7);
  expect([call.status, call.body.trial.status]).toEqual([201, 'waiting']);
  expect(call.body.trial).toMatchObject({
    plan: plan.id,
    amount: plan.amount,
    period: plan.period,
    creatorHandle: 'shop',
  });
  const figures = (await shop.get(`/api/subscriptions/figures?planId=${plan.id}`)).body;
  expect(figures).toMatchObject({ active: 0, trials: 1, upcoming: { count: 1, amount: plan.amount } });
  const again = await anyone.post(`${SUBSCRIBE}/prepare`, { plan: plan.id, subscriber: localPerson('alice').address });
  expect([again.status, again.body.error.code]).toEqual([409, 'state_conflict']);
  await subs.later(7 * DAY_S - 60);
  expect(await startDueTrials(world.ctx)).toBe(0);
  expect(await subs.rows('alice', { key: plan.planKey })).toEqual([]);
  await subs.later(120);
  expect(await startDueTrials(world.ctx)).toBe(1);
  await subs.settle();
  const row = await subs.row('alice', { key: plan.planKey });
  expect(await subs.events(row.id)).toEqual(['subscription.started', 'subscription.charged']);
  const { body } = await alice.get('/api/subscriptions/trials');
  expect(body.trials.find((one: Any) => one.plan === plan.id).status).toBe('started');
});

test('left before its end: nothing is ever charged; of another wallet it cannot be left', async () => {
  const plan = await api.activePlan({ trial_days: 3 });
  const { call } = await api.signedSubscription(plan, walletOfPerson('bob'));
  const { id } = call.body.trial;
  const foreign = await alice.post(`/api/subscriptions/trials/${id}`, { action: 'leave' });
  expect([foreign.status, foreign.body.error.code]).toEqual([404, 'resource_missing']);
  expect((await bob.post(`/api/subscriptions/trials/${id}`, { action: 'leave' })).body.trial.status).toBe('left');
  await subs.later(4 * DAY_S);
  expect(await startDueTrials(world.ctx)).toBe(0);
  expect((await world.ctx.db.trial.findUniqueOrThrow({ where: { id } })).data).toBe('0x');
});

test('no money at its end: tried again until the signature expires, then failed with its reason', async () => {
  const plan = await api.activePlan({ trial_days: 1 });
  const poor = await api.fresh(0n);
  const { call } = await api.signedSubscription(plan, poor);
  await subs.later(DAY_S + 60);
  await startDueTrials(world.ctx);
  await subs.settle();
  const { id } = call.body.trial;
  expect((await world.ctx.db.trial.findUniqueOrThrow({ where: { id } })).status).toBe('waiting');
  await subs.later(3 * DAY_S);
  await startDueTrials(world.ctx);
  await subs.settle();
  expect(await world.ctx.db.trial.findUniqueOrThrow({ where: { id } })).toMatchObject({
    status: 'failed',
    failure: 'The signature expired before the first charge succeeded.',
  });
});

test('revoking voids what a trial that was left had signed: a copy of it subscribes to nothing', async () => {
  const plan = await api.activePlan({ trial_days: 1 });
  const { call } = await api.signedSubscription(plan, walletOfPerson('bob'));
  const { id } = call.body.trial;
  const { data } = await world.ctx.db.trial.findUniqueOrThrow({ where: { id } });
  await bob.post(`/api/subscriptions/trials/${id}`, { action: 'leave' });
  await subs.whileWorking(
    bob.post(MANAGE, (await api.signedManage(bob, 'bob', { action: 'revoke', chain: 'base' })).body),
  );
  await subs.settle();
  const before = await world.usdc('bob');
  await subs.send('alice', subs.router(), data as `0x${string}`);
  await subs.settle();
  expect([await world.usdc('bob'), await subs.rows('bob', { key: plan.planKey })]).toEqual([before, []]);
});
