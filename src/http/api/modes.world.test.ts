// Each list, counter, search and file of a merchant's pages shows one mode: a workspace with data in both sees that of the mode it asks for, and that of
// the usual mode where it asks for none.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderRow } from '../../../test/setup/orders.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { endpointRow } from '../../../test/setup/webhooks.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { newId } from '../../context.ts';
import { ROOT } from '../../root.ts';
import { ROUTES } from './routes.ts';

let world: World;
let shop: Visitor;
const MARKS = { test: 'plum-in-test', live: 'plum-in-live' } as const;
type Mode = keyof typeof MARKS;

/** What lists: an answer has the mark of its mode in it. `named`: of a thing that has a mode, which wins without a mode in the query. */
const LISTS: Record<string, { query?: string }> = {
  '/api/orders': {},
  '/api/orders.csv': {},
  '/api/payment_links': {},
  '/api/search': { query: 'q=plum' },
  '/api/events': {},
  '/api/deliveries': {},
  '/api/webhooks': {},
  '/api/keys': {},
  '/api/subscriptions/plans': {},
  '/api/subscriptions/subs': { query: 'as=creator' },
  '/api/subscriptions/subs.csv': {},
  '/api/campaigns': {},
  '/api/request_logs': {},
  '/api/overview': {},
};

/** What counts: in test mode there are two orders, in live mode one. */
const COUNTS: Record<string, { query?: string; of: (body: unknown) => unknown; test: unknown; live: unknown }> = {
  '/api/orders/counts': {
    of: (body) => (body as { completed: { count: number } }).completed.count,
    test: 2,
    live: 1,
  },
  '/api/volume': {
    of: (body) => (body as { today: { count: number; usd: string } }).today,
    test: expect.objectContaining({ count: 2, usd: '2.00' }),
    live: expect.objectContaining({ count: 1, usd: '3.00' }),
  },
  '/api/overview': {
    query: 'period=7d',
    of: (body) => (body as { currencies: { gross: string; payments: number }[] }).currencies,
    test: [expect.objectContaining({ gross: '2.00', payments: 2 })],
    live: [expect.objectContaining({ gross: '3.00', payments: 1 })],
  },
  '/api/overview.csv': {
    query: 'period=today',
    of: (body) => String(body).match(/,USDC,[1-9]\d*\.00,.*$/gm),
    test: [expect.stringMatching(/,USDC,2\.00,.*,test$/)],
    live: [expect.stringMatching(/,USDC,3\.00,.*,live$/)],
  },
  '/api/subscriptions/figures': {
    of: (body) => (body as { active: number }).active,
    test: 1,
    live: 1,
  },
};

/** Of one thing, of an account, of its payer or of nobody: they list nothing that a workspace has in two modes. */
const OTHERS = [
  /\{|:/,
  /^\/api\/(auth|operations|session|sessions|connections|history|settings|escrow|pay|solana|diag|config|wallet|waiting|spending|balances|sends|workspace)\b/,
  /^\/api\/subscriptions\/(allowances|trials)$/,
  /^\/api\/(webhooks\/stream|request_log_routes|branding|handle_pages)$/,
  // A team belongs to both modes, and its log says of which each change is.
  /^\/api\/(teams?|audit_log(\.csv)?)$/,
];

beforeAll(async () => {
  world = await startWorld();
  const base = await serveWorld(world);
  shop = visitor(base);
  expect((await shop.signIn(privateKeyToAccount(localPerson('shop').key))).status).toBe(200);
  await put('test', 2, '1000000');
  await put('live', 1, '3000000');
});
afterAll(() => world.stop());

async function put(mode: Mode, count: number, units: string): Promise<void> {
  const { ctx } = world;
  const { db, clock } = ctx;
  const [mark, livemode, createdAt] = [MARKS[mode], mode === 'live', new Date(clock.now())];
  const { id: handleId } = await db.handle.findUniqueOrThrow({ where: { slug: 'shop' } });
  const { usdc: token, facts } = world.evmChain();
  const link = await db.paymentLink.create({
    data: {
      id: newId(ctx, 'plk'),
      handleId,
      recipientId: handleId,
      livemode,
      label: mark,
      openAmount: true,
      currency: 'USDC',
      chain: 'base',
      createdAt,
    },
  });
  for (let index = 0; index < count; index++) {
    const wishes = { merchant: 'shop', livemode, description: mark, linkId: link.id, units, feeUnits: '0' };
    const { id } = await orderRow(world, wishes as object);
    await db.order.update({ where: { id }, data: { status: 'completed', endedAt: createdAt } });
  }
  await shop.post('/api/keys', { label: mark, mode, scopes: ['orders'] });
  const endpoint = await endpointRow(ctx, `https://${mark}.example/hook`, {
    handleId,
    livemode,
    description: mark,
  });
  const event = await db.event.create({
    data: {
      id: newId(ctx, 'evt'),
      handleId,
      livemode,
      type: 'order.completed',
      apiVersion: '2026-11-01',
      resourceId: mark,
      uniqueKey: mark,
      object: { order: { description: mark } },
      createdAt,
    },
  });
  await db.delivery.create({ data: { eventId: event.id, endpointId: endpoint.id, status: 'delivered', createdAt } });
  const key = () => `0x${randomBytes(32).toString('hex')}`;
  const plan = await db.plan.create({
    data: {
      id: newId(ctx, 'plan'),
      chain: 'base',
      planKey: key(),
      planIdHash: key(),
      handleId,
      creator: localPerson('shop').address,
      livemode,
      status: 'active',
      name: mark,
      description: mark,
      token,
      decimals: facts.usdcDecimals,
      units,
      feeUnits: '0',
      periodS: 2_592_000,
      createdAt,
      confirmedAt: createdAt,
    },
  });
  await db.subscription.create({
    data: {
      id: newId(ctx, 'sub'),
      chain: 'base',
      planId: plan.id,
      planKey: plan.planKey,
      subscriber: localPerson('alice').address,
      startTxHash: key(),
      status: 'active',
      startedAt: createdAt,
      lastChargedAt: createdAt,
      nextChargeAt: new Date(clock.now() + 2_592_000_000),
      chargesPaid: 1,
      paidUnits: units,
      feeUnits: '0',
      block: 1n,
      logIndex: livemode ? 1 : 0,
    },
  });
  await db.requestLog.create({
    data: {
      id: newId(ctx, 'req'),
      handleId,
      livemode,
      keyId: 'key_of_the_test',
      method: 'GET',
      route: '/v1/orders',
      path: `/v1/orders?${mark}`,
      status: 200,
      durationMs: 5,
    },
  });
  await db.campaign.create({
    data: {
      id: newId(ctx, 'cgr'),
      chain: 'base',
      campaignKey: key(),
      salt: key(),
      handleId,
      sponsor: localPerson('shop').address,
      livemode,
      status: 'active',
      name: mark,
      token,
      decimals: facts.usdcDecimals,
      totalUnits: units,
      mostUnits: units,
      expiresAt: new Date(clock.now() + 86_400_000),
      createdAt,
      openedAt: createdAt,
    },
  });
}

const pathOf = (path: string, query: string | undefined, mode: Mode | null) =>
  `${path}?${[query, mode && `mode=${mode}`].filter(Boolean).join('&')}`;

async function textOf(path: string): Promise<string> {
  const { status, body } = await shop.get(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return typeof body === 'string' ? body : JSON.stringify(body);
}

describe.each(Object.entries(LISTS))('%s', (path, { query }) => {
  test.each(['test', 'live'] as const)('in %s mode has nothing of the other one', async (mode) => {
    const text = await textOf(pathOf(path, query, mode));
    expect(text).toContain(MARKS[mode]);
    expect(text).not.toContain(MARKS[mode === 'test' ? 'live' : 'test']);
  });

  // The command line lists the keys of both modes, and names the mode of each.
  if (path !== '/api/keys')
    test('has the usual mode without one: test, where all networks are for tests', async () => {
      const text = await textOf(pathOf(path, query, null));
      expect(text).toContain(MARKS.test);
      expect(text).not.toContain(MARKS.live);
    });
});

describe.each(Object.entries(COUNTS))('the figures of %s', (path, { query, of, ...expected }) => {
  test.each([
    ['test', expected.test],
    ['live', expected.live],
    [null, expected.test],
  ] as const)('mode %s', async (mode, figures) => {
    expect(of((await shop.get(pathOf(path, query, mode))).body)).toEqual(figures);
  });
});

test('what is named has its own mode', async () => {
  const { db } = world.ctx;
  const plan = await db.plan.findFirstOrThrow({ where: { livemode: true } });
  const endpoint = await db.webhookEndpoint.findFirstOrThrow({ where: { livemode: true } });
  expect(await textOf(`/api/subscriptions/subs?planId=${plan.id}`)).toContain(MARKS.live);
  expect(await textOf(`/api/subscriptions/figures?planId=${plan.id}`)).toContain('"active":1');
  expect(await textOf(`/api/deliveries?endpoint=${endpoint.id}`)).toContain(endpoint.id);
  expect(await textOf(`/api/events?resource=${MARKS.live}`)).toContain(MARKS.live);
});

test('each route that lists is tried above, or lists nothing that has a mode', () => {
  const folder = join(ROOT, 'src/http/api');
  const mounted = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/app\.get\('(\/api\/[^']+)'/g)])
    .map(([, path = '']) => path);
  const paths = [...mounted, ...ROUTES.filter(({ method }) => method === 'get').map(({ path }) => path)];
  const tried = [...Object.keys(LISTS), ...Object.keys(COUNTS)];
  const forgotten = paths.filter((path) => !tried.includes(path) && !OTHERS.some((other) => other.test(path)));
  expect(forgotten).toEqual([]);
  for (const path of tried) expect(paths).toContain(path);
});
