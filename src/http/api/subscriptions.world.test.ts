// The API of plans and subscriptions: what people may ask for, that the chain is believed and no one else, and what a wallet signs.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { placeContractWallet } from '../../../test/setup/contractWallet.ts';
import { forge } from '../../../test/setup/forgedLogs.ts';
import { signPrepared, walletOfPerson } from '../../../test/setup/signer.ts';
import {
  type Any,
  MANAGE,
  PLANS,
  SUBSCRIBE,
  type Subscribing,
  subscribingOf,
  WISH,
} from '../../../test/setup/subscribing.ts';
import { DAY_S, MONTH_S, type Subscriptions, subscriptionsOf } from '../../../test/setup/subscriptions.ts';
import { type Answer, serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import type { Address } from '../../chain/rpc/client.ts';
import { dropStagedPlans } from '../../services/plans/plans.ts';

let world: World;
let subs: Subscriptions;
let api: Subscribing;
let base: string;
let shop: Visitor;
let alice: Visitor;
let bob: Visitor;
let anyone: Visitor;
beforeAll(async () => {
  world = await startWorld();
  world.ctx.env.ADMIN_SECRET = ADMIN;
  base = await serveWorld(world);
  subs = subscriptionsOf(world);
  [shop, alice, bob, anyone] = [visitor(base), visitor(base), visitor(base), visitor(base)];
  api = subscribingOf(world, subs, { shop, anyone });
  await signInAll();
});
afterAll(() => world.stop());
/** Again where a test lived through the end of the sessions. */
async function signInAll() {
  for (const [who, name] of [
    [shop, 'shop'],
    [alice, 'alice'],
    [bob, 'bob'],
  ] as const)
    await who.signIn(walletOfPerson(name));
}
// No call counts against those of another test.
beforeEach(() => subs.later(61));

const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';
const SUBS = '/api/subscriptions/subs';
const codeOf = ({ status, body }: Answer) => [status, body.error?.code];
const addressOf = (name: string) => localPerson(name).address as Address;
describe('plans', () => {
  test('201 with the plan and what the wallet is to send; active once that is final', async () => {
    const { plan, onChainArgs, transaction } = await api.staged({ metadata: { tier: 'gold' }, trial_days: 0 });
    expect(plan).toMatchObject({
      object: 'plan',
      status: 'pending_create',
      amount: '2.50',
      fee: '0.025',
      you_get: '2.475',
      currency: 'USDC',
      period: MONTH_S,
      creatorHandle: 'shop',
      metadata: { tier: 'gold' },
    });
    expect(onChainArgs).toMatchObject({ planId: plan.id, amount: '2500000', period: MONTH_S, router: subs.router() });
    const txHash = await subs.send('shop', transaction.to, transaction.data);
    const body = { action: 'confirm_create', planKey: plan.planKey, txHash };
    const confirmed = await subs.whileWorking(shop.post(`${PLANS}/${plan.id}`, body));
    expect([confirmed.status, confirmed.body.plan.status]).toEqual([200, 'active']);
    expect((await shop.post(`${PLANS}/${plan.id}`, body)).body).toEqual(confirmed.body);
    await subs.index();
    expect(await subs.events(plan.id)).toEqual(['subscription.plan_created']);
    const { body: own } = await shop.get(PLANS);
    expect(own.plans[0]).toMatchObject({ id: plan.id, status: 'active' });
  });

  test('the public look-up by key: without metadata, without a session, nothing for an unknown key', async () => {
    const { plan: waiting } = await api.staged();
    const plan = await api.activePlan({ metadata: { secret: 'no' } });
    const { body, status } = await anyone.get(`${PLANS}?planKey=${plan.planKey}`);
    expect([status, body.plans.length, body.plans[0].id, body.plans[0].metadata]).toEqual([200, 1, plan.id, undefined]);
    expect((await anyone.get(`${PLANS}?planKey=${waiting.planKey}`)).body.plans).toEqual([]);
    expect((await anyone.get(`${PLANS}?planKey=0x${'ab'.repeat(32)}`)).body.plans).toEqual([]);
    expect(codeOf(await anyone.get(PLANS))).toEqual([401, 'session_required']);
    expect((await anyone.get(`/api/subscriptions/hosted/${plan.id}`)).body.plan.name).toBe('Coffee club');
  });

  test('confirmed by the chain alone, without a hash', async () => {
    const { plan, transaction } = await api.staged();
    const bare = { action: 'confirm_create', planKey: plan.planKey };
    expect(codeOf(await shop.post(`${PLANS}/${plan.id}`, bare))).toEqual([409, 'state_conflict']);
    await subs.send('shop', transaction.to, transaction.data);
    const { body } = await subs.whileWorking(shop.post(`${PLANS}/${plan.id}`, bare));
    expect(body.plan.status).toBe('active');
    await subs.settle();
    expect(await subs.events(plan.id)).toEqual(['subscription.plan_created']);
  });

  test('lies are refused: another plan’s transaction or key, a failed one, one that is in no block', async () => {
    const [one, other] = [await api.staged(), await api.staged()];
    const confirm = (planKey: string, txHash: string) =>
      shop.post(`${PLANS}/${one.plan.id}`, { action: 'confirm_create', planKey, txHash });
    const hash = await subs.send('shop', other.transaction.to, other.transaction.data);
    expect(codeOf(await confirm(one.plan.planKey, hash))).toEqual([422, 'tx_mismatch']);
    expect(codeOf(await confirm(other.plan.planKey, hash))).toEqual([422, 'tx_mismatch']);
    expect(codeOf(await confirm(one.plan.planKey, `0x${'12'.repeat(32)}`))).toEqual([422, 'tx_not_found']);
    const failed = await subs.send('shop', other.transaction.to, other.transaction.data);
    expect(codeOf(await confirm(one.plan.planKey, failed))).toEqual([422, 'tx_mismatch']);
    expect(codeOf(await alice.post(`${PLANS}/${one.plan.id}`, { action: 'update', name: 'Mine' }))).toEqual([
      404,
      'resource_missing',
    ]);
  });

  test('the same event from another contract proves nothing', async () => {
    const [one, other] = [await api.staged(), await api.staged()];
    const hash = await subs.send('shop', other.transaction.to, other.transaction.data);
    const [log] = (await world.reader().getTransactionReceipt({ hash })).logs;
    const lie = await forge(world, log ?? { topics: [], data: '0x' }, one.plan.planKey);
    const forged = await subs.send('shop', lie.to, lie.data);
    const { logs } = await world.reader().getTransactionReceipt({ hash: forged });
    expect([logs[0]?.topics[0], logs[0]?.topics[1], logs[0]?.data]).toEqual([
      log?.topics[0],
      one.plan.planKey,
      log?.data,
    ]);
    const given = { action: 'confirm_create', planKey: one.plan.planKey, txHash: forged };
    expect(codeOf(await shop.post(`${PLANS}/${one.plan.id}`, given))).toEqual([422, 'tx_mismatch']);
    await subs.settle();
    expect((await shop.get(`${PLANS}/${one.plan.id}`)).body.plan.status).toBe('pending_create');
  });

  test('deactivated and reactivated by the wallet, then said; not before', async () => {
    const plan = await api.activePlan();
    const act = (action: string, txHash?: string) =>
      shop.post(`${PLANS}/${plan.id}`, { action, ...(txHash ? { txHash } : {}) });
    expect(codeOf(await act('deactivate'))).toEqual([409, 'state_conflict']);
    const own = { key: plan.planKey, amount: 0n, period: 0, creator: 'shop' };
    const off = await subs.setPlan(own, 'inactive');
    expect(codeOf(await act('reactivate', off))).toEqual([422, 'tx_mismatch']);
    expect((await subs.whileWorking(act('deactivate', off))).body.plan.status).toBe('inactive');
    expect(
      codeOf(await anyone.post(`${SUBSCRIBE}/prepare`, { plan: plan.id, subscriber: addressOf('alice') })),
    ).toEqual([409, 'state_conflict']);
    await subs.setPlan(own, 'active');
    expect((await subs.whileWorking(act('reactivate'))).body.plan.status).toBe('active');
  });

  test('texts can be changed, and bad input says what is wrong with which field', async () => {
    const plan = await api.activePlan();
    const { body } = await shop.post(`${PLANS}/${plan.id}`, {
      action: 'update',
      name: 'Tea club',
      image_url: 'https://a.example/t.png',
    });
    expect(body.plan).toMatchObject({ name: 'Tea club', image_url: 'https://a.example/t.png', description: '' });
    for (const [wish, code, param] of [
      [{ period: 60 }, 'parameter_invalid', 'period'],
      [{ period: 367 * DAY_S }, 'parameter_invalid', 'period'],
      [{ amount: '0.001' }, 'amount_out_of_range', 'amount'],
      [{ amount: 'ten' }, 'parameter_invalid', 'amount'],
      [{ chain: 'solana' }, 'unsupported_chain', 'chain'],
      [{ name: '' }, 'parameter_invalid', 'name'],
      [{ name: 'a\nb' }, 'parameter_invalid', 'name'],
      [{ name: 'n'.repeat(81) }, 'parameter_invalid', 'name'],
      [{ trial_days: 91 }, 'parameter_invalid', 'trial_days'],
      [{ image_url: 'http://a.example' }, 'parameter_invalid', 'image_url'],
      [{ return_url: 'javascript:alert(1)' }, 'parameter_invalid', 'return_url'],
      [{ metadata: { '': 'x' } }, 'parameter_invalid', 'metadata'],
    ] as const) {
      const answer = await shop.post(PLANS, { ...WISH, ...wish });
      expect([answer.body.error?.code, answer.body.error?.param], JSON.stringify(wish)).toEqual([code, param]);
    }
  });

  test('a plan that was never created goes after a day', async () => {
    const { plan } = await api.staged();
    await subs.later(DAY_S + 1);
    expect(await dropStagedPlans(world.ctx)).toBeGreaterThan(0);
    expect(codeOf(await shop.get(`${PLANS}/${plan.id}`))).toEqual([404, 'resource_missing']);
  });
});

describe('subscribing', () => {
  test('two signatures and no gas: the first charge is in it, and the allowance covers the periods that were picked', async () => {
    const plan = await api.activePlan();
    const account = await api.fresh(100_000_000n);
    const { prepared, call, body } = await api.signedSubscription(plan, account, { periods: 6 });
    expect(prepared).toMatchObject({
      allowance: { periods: 6, amount: '15.00', total: '15.00' },
      balance: '100.00',
      funded: true,
      trial: null,
    });
    expect([call.status, call.body.request.kind]).toEqual([201, 'subscribe']);
    expect((await anyone.post(SUBSCRIBE, body)).body.request.id).toBe(call.body.request.id);
    await subs.settle();
    const query = new URLSearchParams({ plan: plan.id, subscriber: account.address });
    const { body: done } = await anyone.get(`${SUBSCRIBE}/${call.body.request.id}?${query}`);
    expect(done.subscription).toMatchObject({
      status: 'active',
      subscriber: account.address,
      subscriberHandle: null,
      chargesPaid: 1,
      total_paid: '2.50',
    });
    expect(await world.reader().getTransactionCount({ address: account.address })).toBe(0);
    expect(codeOf(await anyone.post(`${SUBSCRIBE}/prepare`, { plan: plan.id, subscriber: account.address }))).toEqual([
      409,
      'state_conflict',
    ]);
  });

  test('a wallet without the money, a wrong signature, one for another plan and one that was used are refused', async () => {
    const [plan, other] = [await api.activePlan(), await api.activePlan({ amount: '3.00' })];
    const poor = await api.fresh(1_000_000n);
    const { call } = await api.signedSubscription(plan, poor);
    expect(codeOf(call)).toEqual([402, 'call_refused']);
    const rich = await api.fresh(100_000_000n);
    const stranger = await api.fresh(0n);
    const { body } = await api.signedSubscription(plan, rich);
    const signedBy = await api.signedSubscription(other, rich);
    expect(codeOf(await anyone.post(SUBSCRIBE, { ...body, subscriber: stranger.address }))).toEqual([
      400,
      'signature_invalid',
    ]);
    expect(codeOf(await anyone.post(SUBSCRIBE, { ...signedBy.body, plan: plan.id }))).toEqual([
      400,
      'signature_invalid',
    ]);
    await subs.settle();
    expect(codeOf(await anyone.post(SUBSCRIBE, { ...body, permit: null, permit_signature: undefined }))[0]).toBe(409);
  });

  test('the wallet’s own call is recorded once: 201, and again the same row; lies are refused', async () => {
    const [plan, other] = [await api.activePlan(), await api.activePlan()];
    const { body } = await anyone.post(`${SUBSCRIBE}/prepare`, { plan: plan.id, subscriber: addressOf('bob') });
    expect(body.own.approve).not.toBeNull();
    await subs.send('bob', body.own.approve.to, body.own.approve.data);
    const txHash = await subs.send('bob', body.own.subscribe.to, body.own.subscribe.data);
    expect(codeOf(await bob.post(SUBS, { planKey: other.planKey, txHash }))).toEqual([422, 'tx_mismatch']);
    expect(codeOf(await alice.post(SUBS, { planKey: plan.planKey, txHash }))).toEqual([422, 'tx_mismatch']);
    expect(codeOf(await bob.post(SUBS, { planKey: `0x${'cd'.repeat(32)}`, txHash }))).toEqual([
      404,
      'resource_missing',
    ]);
    expect(codeOf(await bob.post(SUBS, { planKey: plan.planKey, txHash: `0x${'12'.repeat(32)}` }))).toEqual([
      422,
      'tx_not_found',
    ]);
    const recorded = await subs.whileWorking(bob.post(SUBS, { planKey: plan.planKey, txHash }));
    expect([recorded.status, recorded.body.subscription.subscriberHandle]).toEqual([201, 'bob']);
    expect((await bob.post(SUBS, { planKey: plan.planKey, txHash })).body).toEqual(recorded.body);
    const { logs } = await world.reader().getTransactionReceipt({ hash: txHash });
    const started = logs.find(({ topics }) => topics[1] === plan.planKey);
    const lie = await forge(world, started ?? { topics: [], data: '0x' }, other.planKey);
    const forged = await subs.send('bob', lie.to, lie.data);
    expect(codeOf(await bob.post(SUBS, { planKey: other.planKey, txHash: forged }))).toEqual([422, 'tx_mismatch']);
    const { body: mine } = await bob.get(SUBS);
    expect(mine.subscriptions[0].id).toBe(recorded.body.subscription.id);
    const { body: theirs } = await shop.get(`${SUBS}?planId=${plan.id}`);
    expect(theirs.subscriptions.map(({ id }: Any) => id)).toEqual([recorded.body.subscription.id]);
    expect(codeOf(await alice.get(`${SUBS}?planId=${plan.id}`))).toEqual([404, 'resource_missing']);
    expect((await shop.get(`${SUBS}?planId=${plan.id}&search=bo`)).body.subscriptions).toHaveLength(1);
    expect((await shop.get(`${SUBS}?planId=${plan.id}&search=zzz`)).body.subscriptions).toEqual([]);
  });

  test('Permit2: one approval, one signature, the wallet’s own call; an expired one fails the next charge', async () => {
    const plan = await api.activePlan();
    const who = { plan: plan.id, subscriber: addressOf('alice'), periods: 1 };
    const { body } = await anyone.post(`${SUBSCRIBE}/prepare`, who);
    await subs.send('alice', body.permit2.approve.to, body.permit2.approve.data);
    const { body: again } = await anyone.post(`${SUBSCRIBE}/prepare`, who);
    expect(again.permit2.approve).toBeNull();
    const { sign, terms } = again.permit2;
    const signature = await signPrepared({ typed_data: sign, submit: {} }, walletOfPerson('alice'));
    const { body: call, status } = await anyone.post(`${SUBSCRIBE}/permit2`, { ...who, terms, signature });
    expect(status).toBe(200);
    await subs.send('alice', call.transaction.to, call.transaction.data);
    await subs.settle();
    expect((await subs.onChain('alice', { key: plan.planKey })).viaPermit2).toBe(true);
    expect(await subs.row('alice', { key: plan.planKey })).toMatchObject({ status: 'active' });
    await subs.later(MONTH_S * 2);
    await signInAll();
    const run = await subs.charge();
    const { id } = await subs.row('alice', { key: plan.planKey });
    expect(run.errors.find(({ subscription }) => subscription === id)?.code).toBe('insufficient_allowance');
    await subs.cancel('alice', 'alice', { key: plan.planKey });
    await subs.settle();
  });

  test('a contract wallet takes its own way; a delegated account with old code gets 409 delegation_legacy, and has its own call', async () => {
    const plan = await api.activePlan();
    const contract = '0x00000000000000000000000000000000000c0de1' as Address;
    await placeContractWallet(world, contract, addressOf('alice'));
    const { body: ofContract } = await anyone.post(`${SUBSCRIBE}/prepare`, { plan: plan.id, subscriber: contract });
    expect([ofContract.own.subscribe.to, ofContract.own.approve.to]).toEqual([subs.router(), world.evmChain().usdc]);

    const legacy = await api.fresh(50_000_000n);
    const { body } = await api.unsentSubscription(plan, legacy);
    const delegate = '0x00000000000000000000000000000000000de102';
    await world.admin().setCode({ address: delegate, bytecode: '0x5f5ffd' });
    await world.admin().setCode({ address: legacy.address, bytecode: `0xef0100${delegate.slice(2)}` });
    const prepared = await anyone.post(`${SUBSCRIBE}/prepare`, { plan: plan.id, subscriber: legacy.address });
    expect([prepared.body.closed, prepared.body.gasless]).toEqual(['delegation_legacy', null]);
    // What was signed before the account was delegated: the token no longer knows the key.
    expect(codeOf(await anyone.post(SUBSCRIBE, body))).toEqual([409, 'delegation_legacy']);
  });
});

describe('managing without gas', () => {
  test('deactivate and reactivate: typed data first, then the call with its hash', async () => {
    const plan = await api.activePlan();
    const off = await api.signedManage(shop, 'shop', { planId: plan.id, action: 'deactivate' });
    const answer = await subs.whileWorking(shop.post(MANAGE, off.body));
    expect([answer.status, /^0x[0-9a-f]{64}$/.test(answer.body.txHash)]).toEqual([200, true]);
    await subs.settle();
    expect((await subs.plan({ key: plan.planKey }))?.status).toBe('inactive');
    expect(codeOf(await shop.post(MANAGE, { planId: plan.id, action: 'deactivate' }))).toEqual([409, 'state_conflict']);
    await subs.whileWorking(
      shop.post(MANAGE, (await api.signedManage(shop, 'shop', { planId: plan.id, action: 'reactivate' })).body),
    );
    await subs.settle();
    expect((await subs.plan({ key: plan.planKey }))?.status).toBe('active');
  });

  test('cancelled by the subscriber and by the creator; a stranger’s signature counts for nothing', async () => {
    const plan = await api.activePlan();
    const [one, two] = [await api.subscribed(plan, 'alice'), await api.subscribed(plan, 'bob')];
    const mine = await api.signedManage(alice, 'alice', { action: 'cancel', subscriptionId: one.id });
    expect(codeOf(await bob.post(MANAGE, mine.body))).toEqual([404, 'resource_missing']);
    const forged = await api.signedManage(alice, 'bob', { action: 'cancel', subscriptionId: one.id });
    expect(codeOf(await alice.post(MANAGE, forged.body))).toEqual([400, 'signature_invalid']);
    await subs.whileWorking(alice.post(MANAGE, mine.body));
    const theirs = await api.signedManage(shop, 'shop', { action: 'cancel', subscriptionId: two.id });
    await subs.whileWorking(shop.post(MANAGE, theirs.body));
    await subs.settle();
    expect((await alice.get(`${SUBS}/${one.id}`)).body.subscription).toMatchObject({
      status: 'cancelled',
      cancelled_by: 'subscriber',
    });
    expect((await bob.get(`${SUBS}/${two.id}`)).body.subscription).toMatchObject({
      status: 'cancelled',
      cancelled_by: 'creator',
    });
  });

  test('cancelled by the wallet’s own call, then said', async () => {
    const plan = await api.activePlan();
    const row = await api.subscribed(plan, 'alice');
    const say = (txHash?: string) =>
      alice.post(`${SUBS}/${row.id}`, { action: 'cancel', ...(txHash ? { txHash } : {}) });
    expect(codeOf(await say())).toEqual([409, 'state_conflict']);
    expect(codeOf(await say(row.startTxHash))).toEqual([422, 'tx_mismatch']);
    const txHash = await subs.cancel('alice', 'alice', { key: plan.planKey });
    expect((await subs.whileWorking(say(txHash))).body.subscription.status).toBe('cancelled');
    expect((await say()).body.subscription.status).toBe('cancelled');
  });

  test('the allowance is renewed and revoked with one signature, and adds to what is left', async () => {
    const plan = await api.activePlan();
    const row = await api.subscribed(plan, 'alice', { periods: 2 });
    const allowed = async () => {
      const { body } = await alice.get('/api/subscriptions/allowances');
      return body.allowances.find(({ chain }: Any) => chain === 'base')?.allowance;
    };
    const left = Number(await allowed());
    const renew = await api.signedManage(alice, 'alice', { action: 'renew', subscriptionId: row.id, periods: 4 });
    expect((await subs.whileWorking(alice.post(MANAGE, renew.body))).status).toBe(200);
    await subs.settle();
    expect(Number(await allowed())).toBe(left + 10);
    await subs.whileWorking(
      alice.post(MANAGE, (await api.signedManage(alice, 'alice', { action: 'revoke', chain: 'base' })).body),
    );
    await subs.settle();
    expect(await allowed()).toBe('0.00');
    const tooMuch = await alice.post(MANAGE, { ...renew.body, value: '999999999999' });
    expect(codeOf(tooMuch)).toEqual([400, 'parameter_invalid']);
    await subs.cancel('alice', 'alice', { key: plan.planKey });
    await subs.settle();
  });

  test('409 delegation_legacy for a payout contract that verifies nothing; the page has the wallet’s own call', async () => {
    const plan = await api.activePlan();
    await world.admin().setCode({ address: addressOf('shop'), bytecode: '0x5f5ffd' });
    expect(codeOf(await shop.post(MANAGE, { planId: plan.id, action: 'deactivate' }))).toEqual([
      409,
      'delegation_legacy',
    ]);
    await world.admin().setCode({ address: addressOf('shop'), bytecode: '0x' });
  });

  test('60 a minute a workspace, then 429', async () => {
    const plan = await api.activePlan();
    const ask = () => shop.post(MANAGE, { planId: plan.id, action: 'deactivate' });
    const answers = await Promise.all(Array.from({ length: 61 }, ask));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  });
});

test('POST /api/cron/charge: the interface’s result and nothing else, for the admin secret alone', async () => {
  const admin = { authorization: `Bearer ${ADMIN}` };
  const { status, body } = await anyone.post('/api/cron/charge', { chain: 'base' }, admin);
  expect([status, Object.keys(body)]).toEqual([
    200,
    ['chain', 'scanned', 'charged', 'skippedEarly', 'skippedFailed', 'errors'],
  ]);
  expect(codeOf(await anyone.post('/api/cron/charge', { chain: 'base' }))).toEqual([401, 'admin_secret_invalid']);
  expect(codeOf(await anyone.post('/api/cron/charge', { chain: 'nowhere' }, admin))).toEqual([
    422,
    'unsupported_chain',
  ]);
});
