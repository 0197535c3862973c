// What a creator sees of its plans: figures and charts, subscribers found and taken away as a file, and a plan at a new price.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintUsdc } from '../../../local/chains/deploy/usdc.ts';
import { walletOfPerson } from '../../../test/setup/signer.ts';
import {
  DAY_S,
  MONTH_S,
  type OwnPlan,
  type Subscriptions,
  subscriptionsOf,
} from '../../../test/setup/subscriptions.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import type { Address } from '../../chain/rpc/client.ts';

let world: World;
let subs: Subscriptions;
let shop: Visitor;
let alice: Visitor;
let monthly: OwnPlan;
let fortnightly: OwnPlan;
beforeAll(async () => {
  world = await startWorld();
  subs = subscriptionsOf(world);
  const base = await serveWorld(world);
  [shop, alice] = [visitor(base), visitor(base)];
  await signInAll();
  monthly = await subs.create('shop', { amount: 2_000_000n });
  fortnightly = await subs.create('shop', { amount: 7_000_000n, period: 15 * DAY_S });
  const { rpcUrl } = world.anvilOf();
  const to = [localPerson('carol').address as Address];
  await mintUsdc({ rpcUrl, usdc: world.evmChain().usdc, to, amount: 50_000_000n });
  for (const name of ['alice', 'bob', 'carol']) {
    await subs.approve(name, 1_000_000_000n);
    await subs.subscribe(name, monthly);
  }
  await subs.subscribe('alice', fortnightly);
  await subs.settle();
});
afterAll(() => world.stop());

async function signInAll() {
  await shop.signIn(walletOfPerson('shop'));
  await alice.signIn(walletOfPerson('alice'));
}

const FIGURES = '/api/subscriptions/figures';
const SUBS = '/api/subscriptions/subs';
const idOf = async (plan: OwnPlan) => (await subs.plan(plan))?.id ?? '';
const figures = async (query = '') => (await shop.get(`${FIGURES}${query}`)).body;

test('what recurs in thirty days, what was charged and what is to come add up to what the chain did', async () => {
  const all = await figures();
  // 3 × 2 USDC in thirty days, and twice 7.
  expect(all).toMatchObject({
    currency: 'USDC',
    active: 4,
    failing: 0,
    trials: 0,
    mrr: '20.00',
    started: 4,
    ended: 0,
    churn: 0,
  });
  expect(all.charged).toEqual({ count: 4, amount: '13.00', fees: '0.13', net: '12.87' });
  expect(all.days).toHaveLength(30);
  expect(all.days.at(-1)).toMatchObject({ mrr: '20.00', active: 4, started: 4, ended: 0, charged: '13.00' });
  expect(all.days[0]).toMatchObject({ mrr: '0.00', active: 0, started: 0 });
  // Each month once, and a fortnight twice.
  expect(all.upcoming).toMatchObject({ count: 5, amount: '20.00' });
  const sum = all.upcoming.days.reduce((count: number, day: { count: number }) => count + day.count, 0);
  expect(sum).toBe(5);
  const one = await figures(`?planId=${await idOf(fortnightly)}&days=7`);
  expect(one).toMatchObject({ active: 1, mrr: '14.00', charged: { count: 1, amount: '7.00' } });
  expect(one.days).toHaveLength(7);
});

test('a failing and a cancelled one count as what they are, in figures, in the list and in the file', async () => {
  await subs.cancel('carol', 'carol', monthly);
  await subs.approve('bob', 0n);
  await subs.settle();
  await subs.later(MONTH_S + 60);
  await signInAll();
  await subs.charge();
  const now = await figures('?days=90');
  expect(now).toMatchObject({ active: 3, failing: 1, started: 4, ended: 1, churn: 0.25, mrr: '18.00' });
  const list = async (query: string) => (await shop.get(`${SUBS}?as=creator${query}`)).body.subscriptions;
  expect((await list('&status=failing')).map(({ subscriberHandle: who }: { subscriberHandle: string }) => who)).toEqual(
    ['bob'],
  );
  expect(await list('&status=cancelled')).toMatchObject([{ subscriberHandle: 'carol', cancelled_by: 'subscriber' }]);
  expect(await list('&search=@ali')).toHaveLength(2);
  expect(await list(`&search=${localPerson('bob').address.slice(0, 12)}`)).toHaveLength(1);
  expect(await list(`&planId=${await idOf(fortnightly)}`)).toHaveLength(1);
  const csv = await shop.get(`${SUBS}.csv?status=failing`);
  const [head, line, end] = (csv.body as string).split('\r\n');
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename=ampersat-subscribers-shop-test.csv');
  expect(head).toMatch(/^id,plan,plan_name,handle,subscriber,status,/);
  expect(line).toContain(`,bob,${localPerson('bob').address},active,2.00,USDC,base,`);
  expect([line?.split(',').length, end]).toEqual([head?.split(',').length, '']);
});

test('figures and subscribers are the creator’s alone', async () => {
  const plan = await idOf(monthly);
  expect((await alice.get(FIGURES)).body).toMatchObject({ active: 0, mrr: '0.00', churn: null });
  for (const path of [`${FIGURES}?planId=${plan}`, `${SUBS}?planId=${plan}`, `${SUBS}.csv?planId=${plan}`])
    expect((await alice.get(path)).status).toBe(404);
  expect((await alice.get(`${SUBS}?as=creator`)).body.subscriptions).toEqual([]);
  expect((await shop.get(`${FIGURES}?days=5000`)).status).toBe(400);
  expect((await shop.get(`${FIGURES}?tz=Mars`)).status).toBe(400);
});

test('a new price is a plan that takes the old one’s place once it is created, and only once', async () => {
  const old = await idOf(monthly);
  const wish = { name: 'Supporters', amount: '3', chain: 'base', period: MONTH_S, replaces: old };
  const post = (body: object) => shop.post('/api/subscriptions/plans', body);
  const { plan, transaction } = (await post(wish)).body;
  const oldNow = async () => (await shop.get(`/api/subscriptions/plans/${old}`)).body.plan;
  expect((await oldNow()).replaced_by).toBeNull();
  await subs.send('shop', transaction.to, transaction.data);
  await subs.settle();
  expect((await oldNow()).replaced_by).toBe(plan.id);
  expect(await post(wish)).toMatchObject({ status: 409 });
  expect(await post({ ...wish, replaces: 'plan_unknown' })).toMatchObject({
    status: 400,
    body: { error: { param: 'replaces' } },
  });
  const other = await alice.post('/api/subscriptions/plans', { ...wish, replaces: await idOf(fortnightly) });
  expect([other.status, other.body.error.param]).toEqual([400, 'replaces']);
});

test('a wallet that cannot sign has its own transaction for everything that a signature does', async () => {
  const manage = (body: object) => alice.post('/api/subscriptions/manage', { ...body, by: 'wallet' });
  const { id } = await subs.row('alice', fortnightly);
  const { transaction } = (await manage({ action: 'cancel', subscriptionId: id })).body;
  expect(transaction).toMatchObject({ to: subs.router(), value: '0x0' });
  const revoke = (await manage({ action: 'revoke', chain: 'base' })).body.transaction;
  await subs.send('alice', revoke.to, revoke.data);
  await subs.send('alice', transaction.to, transaction.data);
  await subs.settle();
  expect(await subs.row('alice', fortnightly)).toMatchObject({ status: 'cancelled' });
  const { allowances } = (await alice.get('/api/subscriptions/allowances')).body;
  expect(allowances).toMatchObject([{ chain: 'base', allowance: '0.00' }]);
});
