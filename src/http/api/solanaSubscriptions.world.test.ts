// Plans and subscriptions on Solana over real HTTP: made, signed whole by their wallets, sent by an executor, and believed by the chain alone.
import { type MessageV0, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { signTransaction, walletOfPerson } from '../../../test/setup/signer.ts';
import { type SolanaSubscriptions, startSolanaSubscriptions } from '../../../test/setup/solanaSubscriptions.ts';
import { type Any, MANAGE, PLANS, SUBSCRIBE, WISH } from '../../../test/setup/subscribing.ts';
import { MONTH_S } from '../../../test/setup/subscriptions.ts';
import { type Answer, serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';

const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';
const SUBS = '/api/subscriptions/subs';
const PRICE = 2_500_000n;
let world: World;
let subs: SolanaSubscriptions;
let base: string;
let shop: Visitor;
let alice: Visitor;
let bob: Visitor;
let anyone: Visitor;
beforeAll(async () => {
  world = await startWorld();
  world.ctx.env.ADMIN_SECRET = ADMIN;
  subs = await startSolanaSubscriptions(world);
  for (const name of ['alice', 'bob', 'shop', 'mallory', 'carol']) subs.person(name);
  subs.solana.step(3);
  base = await serveWorld(world);
  [shop, alice, bob, anyone] = [visitor(base), visitor(base), visitor(base), visitor(base)];
  await signInAll();
  for (const name of ['alice', 'bob', 'shop']) await subs.wallet(name);
});
afterAll(async () => {
  await subs.stop();
  await world.stop();
});
async function signInAll() {
  for (const [who, name] of [
    [shop, 'shop'],
    [alice, 'alice'],
    [bob, 'bob'],
  ] as const)
    await who.signIn(walletOfPerson(name));
}
// A day later no budget of another test counts.
beforeEach(async () => {
  subs.later(25 * 3_600);
  await signInAll();
});

const codeOf = ({ status, body }: Answer) => [status, body.error?.code];
const addressOf = (name: string) => localSolanaKey(name).address;
const signed = (name: string, base64: string, change?: (message: MessageV0) => void) =>
  signTransaction(localSolanaKey(name), base64, change);

async function staged(wish: object = {}): Promise<Any> {
  const answer = await shop.post(PLANS, { ...WISH, chain: 'solana', ...wish });
  expect(answer.body.error).toBeUndefined();
  return answer.body;
}

/** What the wallet signs for a call of `manage`, taken by the service. */
async function managed(who: Visitor, name: string, what: object): Promise<Answer> {
  const { body } = await who.post(MANAGE, what);
  expect(body.error).toBeUndefined();
  const { solana_transaction: text, submit } = body;
  return subs.whileWorking(who.post(MANAGE, { ...what, ...submit, solana_transaction: signed(name, text) }));
}

async function activePlan(wish: object = {}): Promise<Any> {
  const { plan } = await staged(wish);
  const { status } = await managed(shop, 'shop', { action: 'create', planId: plan.id });
  expect(status).toBe(200);
  return plan;
}

const prepare = (plan: Any, name: string, more: object = {}) =>
  anyone.post(`${SUBSCRIBE}/prepare`, { plan: plan.id, subscriber: addressOf(name), ...more });

async function unsent(plan: Any, name: string, more: object = {}) {
  const { body: prepared } = await prepare(plan, name, more);
  expect(prepared.error).toBeUndefined();
  const { solana_transaction: text, submit } = prepared.transaction;
  const body = { plan: plan.id, subscriber: addressOf(name), ...more, ...submit };
  return { prepared, text, body: { ...body, solana_transaction: signed(name, text) } };
}

async function subscribed(plan: Any, name: string, more: object = {}) {
  const { prepared, body } = await unsent(plan, name, more);
  const call = await anyone.post(SUBSCRIBE, body);
  expect(call.body.error).toBeUndefined();
  await subs.settle();
  return { prepared, body, call, row: await subs.row(name, { key: plan.planKey }) };
}

describe('plans', () => {
  test('staged, signed by the creator, paid for by an executor, active once that is final', async () => {
    const lamports = subs.solana.lamportsOf(addressOf('shop'));
    const { plan, onChainArgs, transaction } = await staged({ metadata: { tier: 'gold' } });
    expect(plan).toMatchObject({
      status: 'pending_create',
      chain: 'solana',
      amount: '2.50',
      fee: '0.025',
      you_get: '2.475',
      creator: addressOf('shop'),
      creatorHandle: 'shop',
    });
    expect([transaction, onChainArgs]).toEqual([
      null,
      {
        router: subs.solana.program,
        planId: plan.id,
        planIdHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        token: subs.solana.usdc,
        amount: '2500000',
        period: MONTH_S,
        chainId: null,
      },
    ]);
    const bare = { action: 'confirm_create', planKey: plan.planKey };
    expect(codeOf(await shop.post(`${PLANS}/${plan.id}`, bare))).toEqual([409, 'state_conflict']);
    const answer = await managed(shop, 'shop', { action: 'create', planId: plan.id });
    expect(answer.body.request).toMatchObject({ kind: 'create_plan', chain: 'solana' });
    const { txHash } = answer.body;
    const confirmed = await shop.post(`${PLANS}/${plan.id}`, { ...bare, txHash });
    expect([confirmed.status, confirmed.body.plan.status]).toEqual([200, 'active']);
    expect(subs.solana.lamportsOf(addressOf('shop'))).toBe(lamports);
    expect(await subs.events(plan.id)).toEqual(['subscription.plan_created']);
    expect((await anyone.get(`${PLANS}?planKey=${plan.planKey}`)).body.plans[0].id).toBe(plan.id);
    const { body: hosted } = await anyone.get(`/api/subscriptions/hosted/${plan.id}`);
    expect([hosted.chain_label, hosted.chain_id]).toEqual(['Solana', null]);
    expect(codeOf(await shop.post(MANAGE, { action: 'create', planId: plan.id }))).toEqual([409, 'state_conflict']);
  });

  test('lies about a creation are refused', async () => {
    const [one, other] = [await staged(), await staged()];
    const { body } = await managed(shop, 'shop', { action: 'create', planId: other.plan.id });
    const confirm = (planKey: string, txHash: string) =>
      shop.post(`${PLANS}/${one.plan.id}`, { action: 'confirm_create', planKey, txHash });
    expect(codeOf(await confirm(one.plan.planKey, body.txHash))).toEqual([422, 'tx_mismatch']);
    expect(codeOf(await confirm(other.plan.planKey, body.txHash))).toEqual([422, 'tx_mismatch']);
    const unknown = '5'.repeat(87);
    expect(codeOf(await confirm(one.plan.planKey, unknown))).toEqual([422, 'tx_not_found']);
  });

  test('the creator’s token account is opened with the plan, so that it can be paid', async () => {
    const id = (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'shop' } })).id;
    const { address } = localSolanaKey('a shop without an account');
    await world.ctx.db.wallet.updateMany({ where: { handleId: id, family: 'solana' }, data: { address } });
    try {
      const { plan } = await staged();
      expect((await managed(shop, 'a shop without an account', { action: 'create', planId: plan.id })).status).toBe(
        200,
      );
      await subscribed(plan, 'carol');
      expect(subs.solana.usdcOf(address)).toBe(2_475_000n);
    } finally {
      await subs.wallet('shop');
    }
  });

  test('deactivated and reactivated by one signature each; nothing else is sent', async () => {
    const plan = await activePlan();
    const off = { action: 'deactivate', planId: plan.id };
    const { body } = await shop.post(MANAGE, off);
    expect(body).toEqual({ signed_by: addressOf('shop'), solana_transaction: expect.any(String), submit: {} });
    const send = (text: string) => shop.post(MANAGE, { ...off, solana_transaction: text });
    expect(codeOf(await send(signed('alice', body.solana_transaction)))).toEqual([400, 'signature_invalid']);
    const other = await activePlan();
    const elsewhere = (await shop.post(MANAGE, { ...off, planId: other.id })).body.solana_transaction;
    expect(codeOf(await send(signed('shop', elsewhere)))).toEqual([400, 'signature_invalid']);
    const text = signed('shop', body.solana_transaction);
    const twice = await subs.whileWorking(Promise.all([send(text), send(text)]));
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    expect(twice[0]?.body.request.id).toBe(twice[1]?.body.request.id);
    expect((await shop.get(`${PLANS}/${plan.id}`)).body.plan.status).toBe('inactive');
    expect(codeOf(await prepare(plan, 'alice'))).toEqual([409, 'state_conflict']);
    expect((await shop.post(`${PLANS}/${plan.id}`, { action: 'deactivate' })).body.plan.status).toBe('inactive');
    await managed(shop, 'shop', { action: 'reactivate', planId: plan.id });
    expect((await shop.get(`${PLANS}/${plan.id}`)).body.plan.status).toBe('active');
    expect(codeOf(await alice.post(MANAGE, off))).toEqual([404, 'resource_missing']);
    expect(codeOf(await shop.post(MANAGE, { ...off, by: 'wallet' }))).toEqual([409, 'state_conflict']);
    const evm = { ...off, nonce: '0', deadline: Math.floor(world.ctx.clock.now() / 1_000) + 300, signature: '0x12' };
    expect(codeOf(await shop.post(MANAGE, evm))).toEqual([400, 'parameter_missing']);
  });

  test('a trial is refused, with its reason', async () => {
    const { status, body } = await shop.post(PLANS, { ...WISH, chain: 'solana', trial_days: 7 });
    expect([status, body.error.code, body.error.param]).toEqual([422, 'unsupported_chain', 'trial_days']);
    expect(body.error.message).toContain('about a minute');
  });
});

describe('subscribing', () => {
  test('one signature and no SOL: the first charge is in it, the allowance covers the periods that were picked', async () => {
    const plan = await activePlan();
    const lamports = subs.solana.lamportsOf(addressOf('alice'));
    const [had, shopHad, treasuryHad] = [subs.usdc('alice'), subs.usdc('shop'), subs.treasury()];
    const { prepared, body, call, row } = await subscribed(plan, 'alice', { periods: 6 });
    expect(prepared).toMatchObject({
      allowance: { periods: 6, amount: '15.00', total: '15.00' },
      funded: true,
      gasless: null,
      own: null,
      permit2: null,
      trial: null,
      transaction: { signed_by: addressOf('alice'), submit: { value: '15000000' } },
    });
    expect([call.status, call.body.request.kind]).toEqual([201, 'subscribe']);
    expect((await anyone.post(SUBSCRIBE, body)).body.request.id).toBe(call.body.request.id);
    expect(row).toMatchObject({ status: 'active', chargesPaid: 1, subscriber: addressOf('alice') });
    expect([had - subs.usdc('alice'), subs.usdc('shop') - shopHad, subs.treasury() - treasuryHad]).toEqual([
      PRICE,
      2_475_000n,
      25_000n,
    ]);
    expect(subs.allowance('alice')).toBe(15_000_000n - PRICE);
    expect(subs.solana.lamportsOf(addressOf('alice'))).toBe(lamports);
    const query = new URLSearchParams({ plan: plan.id, subscriber: addressOf('alice') });
    const { body: done } = await anyone.get(`${SUBSCRIBE}/${call.body.request.id}?${query}`);
    expect(done.subscription).toMatchObject({ id: row.id, subscriberHandle: 'alice', total_paid: '2.50' });
    expect(await subs.events(row.id)).toEqual(['subscription.started', 'subscription.charged']);
    expect(codeOf(await prepare(plan, 'alice'))).toEqual([409, 'state_conflict']);
    expect((await alice.get(SUBS)).body.subscriptions.map(({ id }: Any) => id)).toContain(row.id);
    expect((await shop.get(`${SUBS}?planId=${plan.id}`)).body.subscriptions[0].subscriber).toBe(addressOf('alice'));
    const found = await shop.get(`${SUBS}?planId=${plan.id}&search=${addressOf('alice').slice(0, 8)}`);
    expect(found.body.subscriptions).toHaveLength(1);
  });

  test('two subscriptions and tips share one approval, which never falls', async () => {
    const [one, other] = [await activePlan(), await activePlan({ amount: '1.00' })];
    subs.approve('bob', 40_000_000n);
    subs.solana.step(3);
    const first = await subscribed(one, 'bob', { periods: 2 });
    expect(first.prepared.transaction.submit).toEqual({ value: '45000000' });
    expect(subs.allowance('bob')).toBe(42_500_000n);
    const second = await subscribed(other, 'bob', { periods: 3 });
    expect(second.prepared.transaction.submit).toEqual({ value: '45500000' });
    expect(subs.allowance('bob')).toBe(44_500_000n);
    const { body } = await bob.get('/api/subscriptions/allowances');
    expect(body.allowances.find((view: Any) => view.chain === 'solana')).toMatchObject({
      allowance: '44.50',
      per_period: '3.50',
      subscriptions: 2,
      permit: true,
      shared: true,
    });
    await managed(bob, 'bob', { action: 'renew', subscriptionId: first.row.id, periods: 4 });
    expect(subs.allowance('bob')).toBe(54_500_000n);
    await managed(bob, 'bob', { action: 'revoke', chain: 'solana' });
    expect(subs.allowance('bob')).toBe(0n);
  });

  test('an approval that would lower what was allowed meanwhile, or was used up, is refused', async () => {
    const plan = await activePlan();
    subs.approve('carol', 10_000_000n);
    subs.solana.step(3);
    const { body } = await unsent(plan, 'carol', { periods: 2 });
    subs.approve('carol', 90_000_000n);
    subs.solana.step(3);
    expect(codeOf(await anyone.post(SUBSCRIBE, body))).toEqual([400, 'parameter_invalid']);
    subs.approve('carol', 1_000_000n);
    subs.solana.step(3);
    const { body: again } = await anyone.post(SUBSCRIBE, body);
    expect([again.error?.code, again.error?.param]).toEqual(['parameter_invalid', 'value']);
    expect(await subs.rows('carol', { key: plan.planKey })).toEqual([]);
  });

  test('altered bytes, another wallet’s signature, other terms and a hash that is over are refused; a lost answer is one call', async () => {
    const [plan, other] = [await activePlan(), await activePlan({ amount: '3.00' })];
    const { body, text } = await unsent(plan, 'carol');
    const send = (more: object) => anyone.post(SUBSCRIBE, { ...body, ...more });
    const by = (name: string, change?: (message: MessageV0) => void) => ({
      solana_transaction: signed(name, text, change),
    });
    const invalid = [400, 'signature_invalid'];
    expect(codeOf(await send(by('mallory')))).toEqual(invalid);
    const toMallory = (message: MessageV0) => {
      const at = message.staticAccountKeys.findIndex((key) => key.toBase58() === subs.solana.fixed.spender);
      message.staticAccountKeys[at] = new PublicKey(addressOf('mallory'));
    };
    expect(codeOf(await send(by('carol', toMallory)))).toEqual(invalid);
    expect(codeOf(await send({ plan: other.id }))).toEqual(invalid);
    expect(codeOf(await send({ subscriber: addressOf('alice') }))).toEqual(invalid);
    expect(codeOf(await send({ value: '1000000000' }))).toEqual(invalid);
    expect(codeOf(await send({ solana_transaction: 'AAAA' }))).toEqual(invalid);
    subs.solana.step(200);
    expect(codeOf(await send({}))).toEqual([402, 'call_refused']);
    expect(await subs.rows('carol', { key: plan.planKey })).toEqual([]);
    const deadline = Math.floor(world.ctx.clock.now() / 1_000) + 300;
    const evm = { plan: plan.id, subscriber: addressOf('carol'), nonce: '0', deadline, permit: null };
    const { body: answer } = await anyone.post(SUBSCRIBE, { ...evm, trial: false, signature: '0x12' });
    expect([answer.error.code, answer.error.param]).toEqual(['parameter_missing', 'solana_transaction']);
  });

  test('a wallet without the money, with an unknown plan or address is told why', async () => {
    const plan = await activePlan();
    subs.person('a poor one', { usdc: 1_000_000n });
    subs.solana.step(3);
    const { prepared, body } = await unsent(plan, 'a poor one');
    expect([prepared.funded, prepared.balance]).toEqual([false, '1.00']);
    const { status, body: refused } = await anyone.post(SUBSCRIBE, body);
    expect([status, refused.error.code]).toEqual([402, 'call_refused']);
    expect(refused.error.message).toContain('balance and allowance');
    const nowhere = { plan: plan.id, subscriber: walletOfPerson('alice').address };
    expect(codeOf(await anyone.post(`${SUBSCRIBE}/prepare`, nowhere))).toEqual([400, 'parameter_invalid']);
  });

  test('again after a cancellation only half a period after the last charge', async () => {
    const plan = await activePlan();
    const { row } = await subscribed(plan, 'carol');
    subs.cancel('carol', 'carol', { key: plan.planKey, amount: PRICE, period: MONTH_S, creator: 'shop' });
    await subs.settle();
    expect((await subs.row('carol', { key: plan.planKey })).status).toBe('cancelled');
    expect(codeOf(await prepare(plan, 'carol'))).toEqual([409, 'state_conflict']);
    subs.later(MONTH_S / 2 + 60);
    await signInAll();
    const again = await subscribed(plan, 'carol');
    expect(again.row.id).not.toBe(row.id);
    expect(again.row).toMatchObject({ status: 'active', chargesPaid: 1 });
  });

  test('what the wallet sent itself is recorded by its signature, and for the wallet that did', async () => {
    const plan = await activePlan();
    subs.approve('alice', 100_000_000n);
    const own = { key: plan.planKey, amount: PRICE, period: MONTH_S, creator: 'shop' };
    const txHash = subs.subscribe('alice', own);
    subs.solana.step(12);
    const sent = { planKey: plan.planKey, txHash };
    expect(codeOf(await bob.post(SUBS, sent))).toEqual([422, 'tx_mismatch']);
    const { status, body } = await alice.post(SUBS, sent);
    expect([status, body.subscription.subscriber, body.subscription.txHash]).toEqual([201, addressOf('alice'), txHash]);
    const twice = await anyone.post(`${SUBSCRIBE}/sent`, { ...sent, subscriber: addressOf('alice') });
    expect(twice.body.subscription.id).toBe(body.subscription.id);
    await subs.index();
    expect(await subs.rows('alice', own)).toHaveLength(1);
  });
});

describe('cancelling', () => {
  test.each([
    ['the subscriber', 'subscriber'],
    ['the creator', 'creator'],
  ] as const)('by %s: one signature', async (_, by) => {
    const plan = await activePlan();
    const { row } = await subscribed(plan, 'bob');
    const [who, name] = by === 'subscriber' ? ([bob, 'bob'] as const) : ([shop, 'shop'] as const);
    expect(codeOf(await alice.post(MANAGE, { action: 'cancel', subscriptionId: row.id }))).toEqual([
      404,
      'resource_missing',
    ]);
    expect(codeOf(await who.post(`${SUBS}/${row.id}`, { action: 'cancel' }))).toEqual([409, 'state_conflict']);
    const { body } = await managed(who, name, { action: 'cancel', subscriptionId: row.id });
    expect(body.request.kind).toBe('cancel_subscription');
    const told = await who.post(`${SUBS}/${row.id}`, { action: 'cancel', txHash: body.txHash });
    expect(told.body.subscription).toMatchObject({ status: 'cancelled', cancelled_by: by });
    expect((await subs.events(row.id)).at(-1)).toBe('subscription.cancelled');
    expect(codeOf(await who.post(MANAGE, { action: 'cancel', subscriptionId: row.id }))).toEqual([
      409,
      'state_conflict',
    ]);
  });

  test('a new price is no switch ahead: the answer says what to do', async () => {
    const plan = await activePlan();
    const { row } = await subscribed(plan, 'alice');
    await activePlan({ amount: '4.00', replaces: plan.id });
    const { status, body } = await alice.post('/api/subscriptions/switch', { subscriptionId: row.id });
    expect([status, body.error.code]).toEqual([422, 'unsupported_chain']);
    expect(body.error.message).toContain('Cancel this subscription');
  });
});

describe('POST /api/cron/charge', () => {
  const cron = () =>
    fetch(`${base}/api/cron/charge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN}` },
      body: '{"chain":"solana"}',
    });

  test('the same answer as on other chains', async () => {
    const plan = await activePlan();
    await subscribed(plan, 'bob');
    subs.later(MONTH_S + 60);
    const answer = await subs.whileWorking(cron());
    const run = (await answer.json()) as Any;
    expect([answer.status, Object.keys(run).sort()]).toEqual([
      200,
      ['chain', 'charged', 'errors', 'scanned', 'skippedEarly', 'skippedFailed'],
    ]);
    expect(run).toMatchObject({ chain: 'solana', skippedEarly: 0 });
    expect(run.scanned).toBe(run.charged + run.skippedFailed);
    expect((await subs.row('bob', { key: plan.planKey })).chargesPaid).toBe(2);
  });
});
