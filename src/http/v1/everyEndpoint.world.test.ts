// What holds for every endpoint of the public API, whichever are added: a key, its scopes, its workspace and its mode, and answers as documented.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ApiDocument,
  documentChecker,
  expectError,
  keyOf,
  type Program,
  program,
} from '../../../test/setup/api.ts';
import { campaignsOf } from '../../../test/setup/campaigns.ts';
import { until } from '../../../test/setup/processes.ts';
import { serveWorld } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { SCOPES } from '../../domain/apiKey.ts';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';

let world: World;
let base: string;
let checker: ReturnType<typeof documentChecker>;
/** What alice has in test mode, by the name that paths have for it. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  world = await startWorld();
  Object.assign(world.ctx.env, { API_RATE_PER_SECOND: 10_000, API_RATE_BURST: 10_000 });
  base = await serveWorld(world);
  checker = documentChecker((await (await fetch(`${base}/v1/openapi.json`)).json()) as ApiDocument);
  const alice = await as('alice');
  const made = async (path: string, body: object) => (await alice.post(path, body)).body.id as string;
  ids['endpoint_id'] = await made('/v1/webhook_endpoints', { url: 'https://93.184.215.14/hook' });
  ids['order_id'] = await made('/v1/orders', { amount: '5', chain: 'base' });
  ids['link_id'] = await made('/v1/payment_links', { label: 'Coffee', amount: '5', chain: 'base' });
  const { id } = await world.ctx.db.event.findFirstOrThrow({ where: { resourceId: ids['order_id'] } });
  ids['event_id'] = id;
  const answered = await alice.get('/v1/orders?limit=1');
  ids['request_id'] = answered.headers.get('request-id') ?? '';
  const logged = { where: { id: ids['request_id'] } };
  await until(async () => (await world.ctx.db.requestLog.count(logged)) === 1, 'a request is logged');
  const campaigns = campaignsOf(world);
  const campaign = await campaigns.stage('alice');
  await campaigns.add('alice', campaign, [{ key: 'a', recipient: '@bob', amount: '1' }]);
  ids['campaign_id'] = campaign.id;
  const plan = await campaigns.create('alice');
  await campaigns.approve('carol', 100_000_000n);
  await campaigns.fund('carol', 100_000_000n);
  await campaigns.subscribe('carol', plan);
  await campaigns.settle();
  ids['plan_id'] = (await campaigns.plan(plan))?.id ?? '';
  ids['subscription_id'] = (await campaigns.row('carol', plan)).id;
});
afterAll(() => world.stop());

const programs = new Map<string, Program>();

async function as(slug: string, { mode = 'test' as 'test' | 'live', scopes = [...SCOPES] } = {}): Promise<Program> {
  const name = `${slug} ${mode} ${scopes}`;
  const known = programs.get(name) ?? program(base, await keyOf(world, slug, { mode, scopes }), checker.check);
  programs.set(name, known);
  return known;
}

/** The endpoint's address for something of alice's. */
function pathOf({ path }: Endpoint): string {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return path;
  expect(ids[name], `this test knows no ${name}: make one above`).toMatch(/^[a-z]{3,4}_/);
  return path.replace(`{${name}}`, ids[name] ?? '');
}

/** Enough of a body that nothing but the resource is wrong with the call. */
const BODIES: Record<string, object> = {
  replayWebhookEndpoint: { since: 0 },
  createGrants: { grants: [{ key: 'b', recipient: '@bob', amount: '1' }] },
};
const call = (who: Program, one: Endpoint) =>
  who.send(one.method.toUpperCase(), pathOf(one), one.method === 'post' ? (BODIES[one.operationId] ?? {}) : undefined);

const named = ENDPOINTS.map((one) => [one.operationId, one] as const);
const ofResources = named.filter(([, { path }]) => path.includes('{'));

test.each(named)('%s: 401 without a key, 403 without one of its scopes', async (_name, one) => {
  const nobody = await fetch(base + pathOf(one), { method: one.method.toUpperCase() });
  expect(nobody.status).toBe(401);
  const scopes = SCOPES.filter((scope) => !one.scopes.includes(scope));
  expectError(await call(await as('alice', { scopes }), one), 'scope_missing');
});

test.each(ofResources)(
  '%s: 404 for what is another workspace’s, and for what is of the other mode',
  async (_name, one) => {
    for (const who of [await as('bob'), await as('alice', { mode: 'live' })])
      expectError(await call(who, one), 'resource_missing');
  },
);

test('nothing of it was changed', async () => {
  const alice = await as('alice');
  expect((await alice.get(`/v1/webhook_endpoints/${ids['endpoint_id']}`)).body.status).toBe('enabled');
  expect((await alice.get(`/v1/orders/${ids['order_id']}`)).body.status).toBe('awaiting_payment');
  expect((await alice.get(`/v1/payment_links/${ids['link_id']}`)).body.active).toBe(true);
  expect((await alice.get(`/v1/campaigns/${ids['campaign_id']}`)).body.grants).toMatchObject({ total: 1, queued: 1 });
  expect(await world.ctx.db.event.count({ where: { isTest: true } })).toBe(0);
});

test('lists of another workspace, and of the other mode, are empty', async () => {
  // Each workspace has calls of its own in its log: this test makes them.
  const lists = named.filter(
    ([name, { path }]) => name.startsWith('list') && !path.includes('{') && name !== 'listRequestLogs',
  );
  expect(lists.length).toBeGreaterThan(3);
  for (const who of [await as('bob'), await as('alice', { mode: 'live' })])
    for (const [name, one] of lists) expect((await call(who, one)).body.data, name).toEqual([]);
  for (const [name, one] of lists) expect((await call(await as('alice'), one)).body.data, name).not.toEqual([]);
});
