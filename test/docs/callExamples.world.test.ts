// The examples of the API reference: for each endpoint, every language asks the running service for exactly the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES } from '../../src/domain/apiKey.ts';
import { ENDPOINTS } from '../../src/http/v1/endpoints.ts';
import { ROOT } from '../../src/root.ts';
import { examplesOf, SDK_VERBS } from '../../web/src/docs/callExamples.ts';
import { callOf } from '../../web/src/docs/endpointCall.ts';
import type { Language } from '../../web/src/docs/languages.ts';
import { endpointsOf, type OpenApi } from '../../web/src/docs/openApi.ts';
import { keyOf, program } from '../setup/api.ts';
import { campaignsOf } from '../setup/campaigns.ts';
import { type Asked, RUNNABLE, startExamples } from '../setup/examples.ts';
import { serveWorld } from '../setup/visitor.ts';
import { endpointRow } from '../setup/webhooks.ts';
import { startWorld, type World } from '../setup/world.ts';

const document = JSON.parse(readFileSync(join(ROOT, 'docs/api/openapi.json'), 'utf8')) as OpenApi;
/** Answered by an error, the same for each: the example’s host does not exist, and an order is not paid. */
const REFUSED: Record<string, number> = { createWebhookEndpoint: 400, updateWebhookEndpoint: 400, refundOrder: 409 };

const CAMPAIGN_ENDS = Date.parse('2027-01-31T00:00:00Z');
const DAY_MS = 86_400_000;

let world: World;
let key: string;
let examples: Awaited<ReturnType<typeof startExamples>>;
let base: string;
/** Made once: nothing that an example does ends them. */
let standing: Record<string, string>;
beforeAll(async () => {
  world = await startWorld({ chains: ['base', 'base-sepolia'] });
  base = await serveWorld(world);
  examples = await startExamples(base);
  standing = await standingResources();
  // The campaign of the example ends on a certain day: for the service it is the day before.
  world.later(CAMPAIGN_ENDS - DAY_MS - world.ctx.clock.now());
  key = await keyOf(world, 'shop', { scopes: [...SCOPES] });
});
afterAll(async () => {
  examples.stop();
  await world.stop();
});

async function standingResources(): Promise<Record<string, string>> {
  const campaigns = campaignsOf(world);
  await campaigns.fund('alice', 100_000_000n);
  await campaigns.approve('alice', 100_000_000n);
  const own = await campaigns.create('shop');
  await campaigns.subscribe('alice', own);
  const { id: campaign_id } = await campaigns.open('shop', {
    expires_at: new Date(Date.now() + 300 * DAY_MS).toISOString(),
  });
  const [plan, { id: subscription_id }] = [await campaigns.plan(own), await campaigns.row('alice', own)];
  return { plan_id: plan?.id ?? '', subscription_id, campaign_id };
}

/** Resources of the workspace, so that what an example names is there. */
async function resources(): Promise<Record<string, string>> {
  const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'shop' } });
  const endpoint = await endpointRow(world.ctx, 'http://127.0.0.1:9/hook', { handleId });
  const api = program(base, key);
  const order = await api.send('POST', '/v1/orders', { amount: '1.00', chain: 'base-sepolia' });
  const link = await api.send('POST', '/v1/payment_links', { amount: '1.00', chain: 'base-sepolia', label: 'Coffee' });
  const events = await api.send('GET', `/v1/events?resource=${order.body.id}`);
  const [order_id, link_id, event_id] = [order.body.id, link.body.id, events.body.data[0].id];
  const request_id = order.headers.get('request-id') ?? '';
  await expect.poll(() => world.ctx.db.requestLog.count({ where: { id: request_id } })).toBe(1);
  return { ...standing, order_id, link_id, endpoint_id: endpoint.id, event_id, request_id };
}

test('every operation has its verb of the SDK, and no other has', () => {
  expect(Object.keys(SDK_VERBS).sort()).toEqual(ENDPOINTS.map(({ operationId }) => operationId).sort());
});

test('curl, Node.js and Python are there to be run', () => {
  expect(RUNNABLE).toEqual(expect.arrayContaining(['curl', 'node', 'python']));
});

test.each(endpointsOf(document).map((endpoint) => [endpoint.operationId, endpoint] as const))(
  '%s',
  async (operationId, endpoint) => {
    const keyFor = (language: Language) => `${operationId}-${language}`;
    const asked: Asked[] = [];
    for (const language of RUNNABLE) {
      // What is deleted or cancelled is so for the next one.
      const ids = await resources();
      const idempotencyKey = keyFor(language);
      const call = callOf(document, endpoint, { origin: examples.origin, key, idempotencyKey, ids });
      const { text = '' } = examplesOf(call).find((one) => one.language === language) ?? {};
      const ran = await examples.run(language, text, { hasEnd: !call.isStream });
      const [one] = ran.asked;
      if (ran.asked.length !== 1 || !one) throw new Error(`${language} asked ${ran.asked.length} times: ${ran.out}`);
      if (!(operationId in REFUSED) && !call.isStream) expect(ran.code, `${language}: ${ran.out}`).toBe(0);
      expect(one.idempotencyKey).toBe(endpoint.method === 'POST' ? idempotencyKey : undefined);
      const address = Object.entries(ids).reduce((text, [name, id]) => text.replace(id, name), one.address);
      asked.push({ ...one, address, idempotencyKey: undefined });
    }
    const [first, ...others] = asked;
    expect(first).toMatchObject({
      method: endpoint.method,
      authorization: `Bearer ${key}`,
      status: REFUSED[operationId] ?? Number(Object.keys(endpoint.responses)[0]),
    });
    for (const one of others) expect(one).toEqual(first);
  },
);
