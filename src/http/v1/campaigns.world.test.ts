// Campaigns, grants, plans, subscriptions and charges of the public API, over HTTP: every answer is held against the OpenAPI document.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ApiDocument,
  documentChecker,
  expectError,
  keyOf,
  type Program,
  program,
} from '../../../test/setup/api.ts';
import { type Campaigns, campaignsOf } from '../../../test/setup/campaigns.ts';
import { MONTH_S } from '../../../test/setup/subscriptions.ts';
import { serveWorld } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';

let world: World;
let base: string;
let shop: Program;
let other: Program;
let reader: Program;
let personal: Program;
let campaigns: Campaigns;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  campaigns = campaignsOf(world);
  const { check } = documentChecker((await (await fetch(`${base}/v1/openapi.json`)).json()) as ApiDocument);
  const scopes = { scopes: ['campaigns', 'read'] as ('campaigns' | 'read')[] };
  shop = program(base, await keyOf(world, 'shop', scopes), check);
  reader = program(base, await keyOf(world, 'shop'), check);
  personal = program(base, await keyOf(world, 'alice', scopes), check);
  other = program(base, await keyOf(world, 'bob', scopes), check);
});
afterAll(() => world.stop());

const wish = () => ({
  name: 'Rewards',
  chain: 'base',
  budget: '100',
  most_per_grant: '20',
  expires_at: new Date(world.ctx.clock.now() + 7 * 86_400_000).toISOString(),
});
const made = async () => (await shop.post('/v1/campaigns', wish())).body.id as string;
const wallet = (number: number) => `0x${(0xdddd_0000 + number).toString(16).padStart(40, '0')}`;

describe('campaigns', () => {
  test('201 for a business, once for one Idempotency-Key; another workspace does not see it', async () => {
    const headers = { 'idempotency-key': 'one campaign' };
    const answers = [
      await shop.post('/v1/campaigns', wish(), headers),
      await shop.post('/v1/campaigns', { ...wish() }, { 'idempotency-key': 'another' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const [{ body }] = answers as [(typeof answers)[0], (typeof answers)[0]];
    expect(body).toMatchObject({
      object: 'campaign',
      status: 'pending_create',
      budget: '100.00',
      spent: '0.00',
      left: '100.00',
      most_per_grant: '20.00',
      problem: null,
      url: `${world.ctx.env.BASE_URL}/campaigns/${body.id}`,
    });
    expect((await shop.get(`/v1/campaigns/${body.id}`)).body).toEqual(body);
    expect((await reader.get('/v1/campaigns?limit=1')).body).toMatchObject({ object: 'list', has_more: true });
    for (const path of ['', '/grants'])
      expectError(await other.get(`/v1/campaigns/${body.id}${path}`), 'resource_missing');
    expectError(await personal.post('/v1/campaigns', wish()), 'business_required');
    expectError(await reader.post('/v1/campaigns', wish()), 'scope_missing');
  });

  test('a thousand grants in one call, those that are wrong with a reason, the same again once', async () => {
    const id = await made();
    const grants = [...Array(1_000).keys()].map((number) => ({
      key: `k${number}`,
      recipient: number === 7 ? 'seven' : wallet(number),
      amount: '0.05',
      note: 'For the survey of this spring, with our thanks',
    }));
    const added = await shop.post(`/v1/campaigns/${id}/grants`, { grants });
    expect(added.status).toBe(200);
    expect(added.body.grants).toHaveLength(999);
    expect(added.body.rejected).toEqual([
      { index: 7, key: 'k7', code: 'recipient_invalid', message: expect.stringContaining('@handle') },
    ]);
    const again = await shop.post(`/v1/campaigns/${id}/grants`, { grants: grants.slice(0, 3) });
    expect([added.body.existing, again.body.existing]).toEqual([[], ['k0', 'k1', 'k2']]);
    expect(again.body.grants.map((one: { id: string }) => one.id)).toEqual(
      added.body.grants.slice(0, 3).map((one: { id: string }) => one.id),
    );
    expectError(await shop.post(`/v1/campaigns/${id}/grants`, { grants: [] }), 'parameter_invalid');
    expectError(await shop.post(`/v1/campaigns/${id}/grants`, { grants: [...grants, grants[0]] }), 'parameter_invalid');
    const cancelled = await shop.post(`/v1/campaigns/${id}/cancel`, { keys: ['k0', 'k1', 'none'] });
    expect(cancelled.body.grants).toMatchObject({ total: 999, queued: 997, cancelled: 2 });
    const page = await reader.get(`/v1/campaigns/${id}/grants?status=cancelled&limit=1`);
    expect(page.body).toMatchObject({ has_more: true, data: [{ key: 'k0', status: 'cancelled' }] });
    const next = await reader.get(`/v1/campaigns/${id}/grants?status=cancelled&cursor=${page.body.next_cursor}`);
    expect(next.body).toMatchObject({ has_more: false, data: [{ key: 'k1' }] });
    expectError(await reader.get(`/v1/campaigns/${id}/grants?cursor=x`), 'parameter_invalid');
    expect((await shop.post(`/v1/campaigns/${id}/cancel`)).body.grants).toMatchObject({ queued: 0, cancelled: 999 });
  });

  test('a paid grant publishes an event', async () => {
    const id = await made();
    await campaigns.openOnChain('shop', { id });
    const { body } = await shop.post(`/v1/campaigns/${id}/grants`, {
      grants: [{ key: 'a', recipient: '@alice', amount: '1.50' }],
    });
    const before = await world.usdc('alice');
    await campaigns.dispatch();
    expect((await world.usdc('alice')) - before).toBe(1_500_000n);
    const [grant] = (await reader.get(`/v1/campaigns/${id}/grants`)).body.data;
    expect(grant).toMatchObject({ id: body.grants[0].id, status: 'paid', recipientHandle: 'alice', amount: '1.50' });
    const events = await reader.get(`/v1/events?type=campaign.grant_paid&resource=${grant.id}`);
    expect(events.body.data).toHaveLength(1);
    expect(events.body.data[0].data.object.grant).toEqual(grant);
  });
});

test('plans, subscriptions and charges are read by the workspace that is paid, and by no other', async () => {
  const plan = await campaigns.create('shop');
  await campaigns.approve('alice', 100_000_000n);
  await campaigns.subscribe('alice', plan);
  await campaigns.settle();
  await campaigns.later(MONTH_S + 60);
  await campaigns.charge();
  const [row] = (await reader.get('/v1/plans?status=active')).body.data;
  expect(row).toMatchObject({ object: 'plan', planKey: plan.key, amount: '2.00', fee: '0.02', you_get: '1.98' });
  expect((await reader.get(`/v1/plans/${row.id}`)).body).toEqual(row);
  for (const subscriber of ['@alice', localPerson('alice').address]) {
    const found = await reader.get(`/v1/subscriptions?plan=${row.id}&subscriber=${subscriber}`);
    expect(found.body.data).toMatchObject([{ chargesPaid: 2, total_paid: '4.00', subscriberHandle: 'alice' }]);
  }
  const [sub] = (await reader.get('/v1/subscriptions?status=active')).body.data;
  expect((await reader.get(`/v1/subscriptions/${sub.id}`)).body).toEqual(sub);
  const first = await reader.get(`/v1/subscriptions/${sub.id}/charges?limit=1`);
  expect(first.body).toMatchObject({ has_more: true, data: [{ number: 2, amount: '2.00', fee: '0.02' }] });
  const rest = await reader.get(`/v1/subscriptions/${sub.id}/charges?cursor=${first.body.next_cursor}`);
  expect(rest.body).toMatchObject({ has_more: false, data: [{ number: 1 }] });
  expect((await reader.get('/v1/subscriptions?subscriber=@nobody')).body.data).toEqual([]);
  for (const path of [`/v1/plans/${row.id}`, `/v1/subscriptions/${sub.id}`, `/v1/subscriptions/${sub.id}/charges`])
    expectError(await other.get(path), 'resource_missing');
  expectError(await other.get(`/v1/subscriptions?plan=${row.id}`), 'resource_missing');
});
