// What operators and machines call, over real HTTP: who may, what it says, and every metric brought about once.

import { createTestClient, http, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../../../local/stack/roles.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { endpointRow, eventRow, receiverForTest } from '../../../test/setup/webhooks.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { COUNTED, FIGURES } from '../../metrics.ts';
import { enqueue } from '../../queues.ts';
import { raiseEvent } from '../../services/alerts.ts';
import { reserve, settleReservation as settleX } from '../../services/chat/xBudget.ts';
import { evaluateAlerts } from '../../services/operations/alertChecks.ts';
import { indexChain } from '../../services/operations/feed.ts';
import { beat } from '../../services/operations/heartbeats.ts';
import { lookAtChains } from '../../services/operations/probes.ts';
import { recordSamples } from '../../services/operations/timeSeries.ts';
import { openKeys, pauseKey } from '../../services/outgoing/keys.ts';
import { createDeliverer } from '../../services/webhooks/dispatcher.ts';
import { serve } from '../serve.ts';

const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';
const METRICS = 'tE7uY2iO9pA4sD6fG1hJ3kL8zX5cV0bn';
let world: World;
let proxy: RpcProxy;
let base: string;
beforeAll(async () => {
  world = await startWorld({
    rpcUrls: {
      base: async (direct) => {
        proxy = await startRpcProxy(direct);
        return proxy.url;
      },
    },
  });
  Object.assign(world.ctx.env, { PORT: 0, ADMIN_SECRET: ADMIN, METRICS_TOKEN: METRICS });
  const port = await serve(world.ctx);
  base = `http://127.0.0.1:${port}`;
  Object.assign(world.ctx.env, { BASE_URL: base });
  await openKeys(world.ctx, world.evmChain());
});
afterAll(async () => {
  await world.stop();
  await proxy.close();
});
afterEach(() => proxy.setDead(false));

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const get = (path: string, headers: Record<string, string> = {}) => fetch(base + path, { headers, redirect: 'manual' });
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base, ...headers },
    body: JSON.stringify(body),
  });
const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;
const raw = () => createTestClient({ mode: 'anvil', transport: http(world.anvilOf().rpcUrl) });

/** Name and labels → value, of everything that a scrape gives. */
async function scrape(): Promise<Map<string, number>> {
  const response = await get('/metrics', bearer(METRICS));
  expect(response.status).toBe(200);
  const lines = (await response.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

describe('who may', () => {
  const guarded = ['/api/operations/overview', '/api/operations/charts', '/api/operations/alerts'];
  test.each([...guarded, '/metrics'])('%s: nobody without the secret', async (path) => {
    for (const headers of [{}, bearer('x'), bearer(''), bearer(`${ADMIN}x`), { cookie: 'service-operator=x' }]) {
      const response = await get(path, headers as Record<string, string>);
      expect(response.status).toBe(401);
      expect(await codeOf(response)).toBe('admin_secret_invalid');
    }
    expect((await get(path, bearer(ADMIN))).status).toBe(200);
  });

  test('the token for metrics opens nothing else', async () => {
    expect((await get('/metrics', bearer(METRICS))).status).toBe(200);
    for (const path of guarded) expect((await get(path, bearer(METRICS))).status).toBe(401);
    expect((await post('/api/operations/session', { secret: METRICS })).status).toBe(401);
  });

  test('where no secret is configured, none is right', async () => {
    Object.assign(world.ctx.env, { ADMIN_SECRET: undefined, METRICS_TOKEN: undefined });
    for (const secret of ['undefined', '', 'null']) expect((await get('/metrics', bearer(secret))).status).toBe(401);
    expect((await post('/api/operations/session', { secret: 'undefined' })).status).toBe(401);
    Object.assign(world.ctx.env, { ADMIN_SECRET: ADMIN, METRICS_TOKEN: METRICS });
  });

  test('a browser trades the secret for a cookie of twelve hours, which ends by itself or by signing out', async () => {
    const wrong = await post('/api/operations/session', { secret: 'wrong' });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('set-cookie')).toBeNull();
    const signedIn = await post('/api/operations/session', { secret: ADMIN });
    expect(signedIn.status).toBe(200);
    const given = signedIn.headers.get('set-cookie') ?? '';
    expect(given).toMatch(/^service-operator=[\w-]{43}; Max-Age=43200; Path=\/; .*HttpOnly; SameSite=Strict$/);
    const cookie = given.split(';')[0] ?? '';
    expect((await get('/api/operations/overview', { cookie })).status).toBe(200);
    const stored = await world.ctx.db.operatorSession.findFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain(cookie.split('=')[1]);
    const out = await fetch(`${base}/api/operations/session`, { method: 'DELETE', headers: { cookie, origin: base } });
    expect(out.status).toBe(200);
    expect((await get('/api/operations/overview', { cookie })).status).toBe(401);

    const again = await post('/api/operations/session', { secret: ADMIN });
    const later = (again.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    world.later(12 * 3_600_000 + 1);
    expect((await get('/api/operations/overview', { cookie: later })).status).toBe(401);
  });

  test('a new admin secret, or none, ends the sessions of the old one', async () => {
    const signedIn = await post('/api/operations/session', { secret: ADMIN });
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const statusUnder = async (secret: string | undefined) => {
      Object.assign(world.ctx.env, { ADMIN_SECRET: secret });
      const answer = await get('/api/operations/overview', { cookie });
      Object.assign(world.ctx.env, { ADMIN_SECRET: ADMIN });
      return answer.status;
    };
    expect(await statusUnder(ADMIN)).toBe(200);
    expect(await statusUnder([...ADMIN].reverse().join(''))).toBe(401);
    expect(await statusUnder(undefined)).toBe(401);
  });

  test('a write with the cookie comes from our own page only, and guesses are counted', async () => {
    const signedIn = await post('/api/operations/session', { secret: ADMIN });
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const body = { chain: 'base', address: ROLES.executors[0]?.address };
    const foreign = await post('/api/operations/keys/put-back', body, { cookie, origin: 'https://evil.example' });
    expect(await codeOf(foreign)).toBe('origin_not_allowed');
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => post('/api/operations/session', { secret: 'guess' })),
    );
    expect(answers.filter((answer) => answer.status === 429).length).toBeGreaterThanOrEqual(9);
    world.later(60_001);
  });
});

describe('health', () => {
  const ready = async () => {
    const response = await get('/readyz');
    const body = (await response.json()) as {
      status: string;
      parts: { name: string; ok: boolean; problem: string | null }[];
    };
    return { status: response.status, wrong: body.parts.filter((part) => !part.ok), text: JSON.stringify(body) };
  };
  const alive = (process: string) =>
    beat(world.ctx, { process, instance: 'm-1', startedAt: new Date(), rssBytes: 1e8, lagMs: 3 });

  test('lives, and is ready when everything is', async () => {
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
    await Promise.all(['workers', 'bots', 'signer'].map(alive));
    await lookAtChains(world.ctx);
    expect(await ready()).toMatchObject({ status: 200, wrong: [] });
  });

  test('names the process that sends no heartbeat, and the one that never ran', async () => {
    world.later(31_000);
    await lookAtChains(world.ctx);
    await Promise.all(['workers', 'signer'].map(alive));
    expect(await ready()).toMatchObject({
      status: 503,
      wrong: [{ name: 'bots', problem: expect.stringMatching(/^no heartbeat for 3\d s$/) }],
    });
    await world.ctx.db.beat.deleteMany({ where: { process: 'bots' } });
    expect((await ready()).wrong).toMatchObject([{ name: 'bots', problem: 'it never ran' }]);
    await alive('bots');
  });

  test('names the chain that does not answer, without its address', async () => {
    proxy.setDead(true);
    await lookAtChains(world.ctx);
    const { status, wrong, text } = await ready();
    expect(status).toBe(503);
    expect(wrong).toEqual([{ name: 'chain base', ok: false, problem: 'does not answer' }]);
    expect(text).not.toContain('127.0.0.1');
    proxy.setDead(false);
    await lookAtChains(world.ctx);
    expect((await ready()).status).toBe(200);
  });

  test('names the chain that is not served, and why', async () => {
    world.ctx.refused.set('celo', 'USDC at 0x12 on celo has 18 decimals, expected 6');
    expect((await ready()).wrong).toEqual([
      { name: 'chain celo', ok: false, problem: 'it is not served: USDC at 0x12 on celo has 18 decimals, expected 6' },
    ]);
    world.ctx.refused.clear();
  });

  test('names a migration that is missing', async () => {
    const where = { name: '' };
    const rows = await world.ctx.db.$queryRaw<
      { migration_name: string }[]
    >`select migration_name from _prisma_migrations limit 1`;
    where.name = rows[0]?.migration_name ?? '';
    await world.ctx.db
      .$executeRaw`update _prisma_migrations set rolled_back_at = now() where migration_name = ${where.name}`;
    expect((await ready()).wrong).toMatchObject([
      { name: 'migrations', problem: expect.stringContaining('1 are missing') },
    ]);
    await world.ctx.db
      .$executeRaw`update _prisma_migrations set rolled_back_at = null where migration_name = ${where.name}`;
    expect((await ready()).status).toBe(200);
  });
});

describe('metrics', () => {
  test('a tip, start to end, moves what it should', async () => {
    await lookAtChains(world.ctx);
    const before = await scrape();
    const at = (map: Map<string, number>, name: string) => map.get(name) ?? 0;
    await world.type('alice', '/tip @bob 5');
    await world.fetchUpdates();
    expect(at(await scrape(), 'ampersat_inbox_waiting{platform="telegram"}')).toBe(1);
    await world.ingest();
    const accepted = await scrape();
    expect(at(accepted, 'ampersat_commands{status="accepted",platform="telegram"}')).toBe(1);
    expect(at(accepted, 'ampersat_work_waiting{step="intents"}')).toBe(1);
    await world.prepare();
    expect(at(await scrape(), 'ampersat_tips{status="ready",platform="telegram",chain="base"}')).toBe(1);
    await raw().setAutomine(false);
    await world.settle();
    const sent = await scrape();
    expect(at(sent, 'ampersat_tips{status="submitted",platform="telegram",chain="base"}')).toBe(1);
    expect(at(sent, 'ampersat_transactions{chain="base",status="sent"}')).toBe(1);
    const slots = [...sent].filter(([name]) => name.startsWith('ampersat_executor_open_slots{chain="base"'));
    expect(slots.map(([, value]) => value).sort()).toEqual([0, 1]);
    await raw().setAutomine(true);
    await raw().mine({ blocks: 1 });
    await world.watch();
    world.later(2_000);
    const mined = await scrape();
    expect(at(mined, 'ampersat_replies_open{platform="telegram"}')).toBe(1);
    expect(at(mined, 'ampersat_replies_oldest_seconds{platform="telegram"}')).toBeGreaterThan(1);
    await world.reply();
    await world.mine(3);
    await world.watch();
    await world.reply();
    await lookAtChains(world.ctx);
    const after = await scrape();
    const grew = (name: string) => at(after, name) - at(before, name);
    expect(grew('ampersat_tips_total{outcome="settled",platform="telegram",chain="base"}')).toBe(1);
    expect(grew('ampersat_tips_usd_total{platform="telegram",chain="base"}')).toBeCloseTo(5, 6);
    expect(grew('ampersat_fees_usd_total{platform="telegram",chain="base"}')).toBeCloseTo(0.1, 6);
    expect(grew('ampersat_replies_sent_total{platform="telegram"}')).toBe(1);
    expect(at(after, 'ampersat_replies_open{platform="telegram"}')).toBe(0);
    expect(at(after, 'ampersat_receipt_seconds{quantile="0.5"}')).toBeGreaterThan(2);
    expect(at(after, 'ampersat_receipt_seconds{quantile="0.99"}')).toBeLessThan(60);
    const nonces = ROLES.executors.map(({ address }) =>
      ['ledger', 'chain'].map((source) =>
        at(after, `ampersat_executor_nonce{chain="base",executor="${address}",source="${source}"}`),
      ),
    );
    for (const [ledger, chain] of nonces) expect(ledger).toBe(chain);
    // A minute later the same rows are counted once and kept: the total does not change.
    world.later(120_000);
    for (let i = 0; i < 2; i++) {
      expect(at(await scrape(), 'ampersat_tips_total{outcome="settled",platform="telegram",chain="base"}')).toBe(
        at(after, 'ampersat_tips_total{outcome="settled",platform="telegram",chain="base"}'),
      );
    }
  });

  test('every one of the table is there when its cause is', async () => {
    const set = await reserve(world.ctx, 'owed', 15_000n);
    if (set) await settleX(world.ctx, set, 15_000n, 'well');
    // What fails: a leg that the router refuses, a reply that the platform refuses, a key without gas, a dead endpoint, a reorg.
    await world.user('faults', { method: 'sendMessage', status: 403, times: 1 });
    await world.type('alice', '/help');
    await world.fetchUpdates();
    await world.ingest();
    await world.reply();
    await world.type('bob', '/help');
    await world.fetchUpdates();
    await world.ingest();
    await world.type('carol', '/help');
    await world.fetchUpdates();
    const { id: intentId } = await world.ctx.db.intent.findFirstOrThrow();
    const tip = await world.ctx.db.tip.findFirstOrThrow();
    const failed = {
      ...tip,
      id: tip.id.replace(/.{6}$/, '000000'),
      intentId,
      leg: 9,
      messageKey: '0xf',
      status: 'failed',
      settledAt: null,
    };
    await world.ctx.db.tip.create({ data: { ...failed, failure: { code: 'x' } } as never });
    await world.ctx.db.intent.update({ where: { id: intentId }, data: { status: 'routed' } });
    await world.ctx.db.tip.create({
      data: {
        ...failed,
        id: `${failed.id}0`,
        leg: 10,
        messageKey: '0xe',
        status: 'ready',
        failure: undefined,
      } as never,
    });
    await indexChain(world.ctx, world.evmChain());
    await world.ctx.db.$transaction((tx) =>
      enqueue(tx, 'replies', 'a-job', { replyIds: ['none'] }, world.ctx.clock.now()),
    );
    await pauseKey(world.ctx, world.evmChain(), ROLES.executors[0]!.address, 'insufficient funds for gas');
    await world.ctx.db.$transaction((tx) =>
      raiseEvent(world.ctx, tx, 'tip_lost', { subject: tip.id, message: 'gone' }),
    );
    await beat(world.ctx, { process: 'workers', instance: 'm-1', startedAt: new Date(), rssBytes: 1e8, lagMs: 3 });
    await lookAtChains(world.ctx);
    const outgoing = await world.ctx.db.outgoingTx.findFirstOrThrow();
    const note = {
      resource: 'outgoing_tx',
      resourceId: outgoing.id,
      action: 'unmine',
      fromStatus: 'mined',
      toStatus: 'sent',
    };
    await world.ctx.db.transition.create({ data: { ...note, at: new Date(world.ctx.clock.now()) } });
    await world.ctx.db.outgoingTx.update({ where: { id: outgoing.id }, data: { status: 'lost' } });
    await eventRow(world.ctx, [await endpointRow(world.ctx, (await receiverForTest()).url)]);
    expect(await createDeliverer(world.ctx).round()).toBe(1);
    await evaluateAlerts(world.ctx);
    const given = await scrape();
    const names = new Set(
      [...given.keys()].map((name) => name.replace(/\{.*$/, '').replace(/_(bucket|sum|count)$/, '')),
    );
    for (const name of [...Object.keys(FIGURES), ...Object.keys(COUNTED)]) expect(names, name).toContain(name);
    const positive = (prefix: string) => [...given].some(([name, value]) => name.startsWith(prefix) && value > 0);
    for (const name of [
      'ampersat_tips_total{outcome="failed"',
      'ampersat_replies_failed_total',
      'ampersat_executor_paused',
      'ampersat_reorgs_total{chain="base"}',
      'ampersat_outbox_jobs',
      'ampersat_transactions{chain="base",status="lost"}',
      'ampersat_alerts_active{kind="tip_lost"}',
      'ampersat_alerts_active{kind="executor_paused"}',
      'ampersat_alerts_active{kind="reorg"}',
      'ampersat_process_memory_bytes{process="workers"}',
      'ampersat_rpc_up{chain="base",endpoint="0"}',
      'ampersat_price_usd{chain="base"}',
      'ampersat_connections{platform="telegram",may_spend="yes"}',
      'ampersat_webhook_endpoints{status="enabled",mode="test"}',
      'ampersat_webhook_attempts_total{result="2xx"}',
      'ampersat_http_requests_total{method="GET",route="/metrics",status="200"}',
      'ampersat_http_request_seconds_count',
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
    ])
      expect(positive(name), name).toBe(true);
  });

  test('labels come from fixed sets: no path, no id, no address of an endpoint', async () => {
    await get('/r/tip_01hzzzzzzzzzzzzzzzzzzzzzzz');
    await get('/api/receipts/tip_01hzzzzzzzzzzzzzzzzzzzzzzz');
    await get('/no/such/place?secret=1');
    const text = await (await get('/metrics', bearer(METRICS))).text();
    expect(text).toContain('route="/api/receipts/:');
    expect(text).toContain('route="/r/:tip"');
    expect(text).toContain('route="none"');
    for (const never of ['01hzzz', 'secret', 'such', '127.0.0.1', `:${new URL(proxy.url).port}`]) {
      expect(text.split('\n').filter((line) => line.includes('{') && line.includes(never))).toEqual([]);
    }
  });

  test('a scrape ends soon and gives the rest while the chain and the queues are dead', async () => {
    const gate = proxy.hold('eth_getBlockByNumber', 'before');
    const { counts } = world.ctx.queues;
    Object.assign(world.ctx.queues, { counts: () => new Promise(() => {}) });
    const started = performance.now();
    await lookAtChains(world.ctx);
    const given = await scrape();
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(given.get('ampersat_rpc_up{chain="base",endpoint="0"}')).toBe(0);
    expect(given.get('ampersat_up_figures{part="queues"}')).toBe(0);
    expect(given.get('ampersat_up_figures{part="tips"}')).toBe(1);
    expect([...given.keys()].some((name) => name.startsWith('ampersat_executor_balance'))).toBe(true);
    gate.open();
    Object.assign(world.ctx.queues, { counts });
    await lookAtChains(world.ctx);
  });
});

describe('what operators do', () => {
  const [one, two] = ROLES.executors;
  const address = one!.address;
  const key = () =>
    world.ctx.db.executorKey.findUniqueOrThrow({ where: { chain_address: { chain: 'base', address } } });
  const putBack = (body: object) =>
    post('/api/operations/keys/put-back', { chain: 'base', address, ...body }, bearer(ADMIN));

  test('put a key back, once its cause is gone, and it is on record', async () => {
    await world.ctx.db.executorKey.updateMany({
      where: { address },
      data: { pausedReason: 'the key is used elsewhere' },
    });
    expect((await putBack({})).status).toBe(200);
    expect((await key()).pausedReason).toBeNull();
    const noted = await world.ctx.db.transition.findFirstOrThrow({ where: { resource: 'executor_key' } });
    expect(noted).toMatchObject({
      resourceId: `base:${address}`,
      action: 'put_back',
      detail: { reason: 'the key is used elsewhere', force: false, by: 'admin secret' },
    });
    const again = await putBack({});
    expect(again.status).toBe(409);
    expect(JSON.stringify(await again.json())).toContain('already in use');
  });

  test('not while the chain counts more than we do, unless they insist: then the ledger follows', async () => {
    const before = await key();
    await raw().setNonce({ address, nonce: before.nextNonce + 3 });
    await world.ctx.db.executorKey.updateMany({ where: { address }, data: { pausedReason: 'used elsewhere' } });
    const refused = await putBack({});
    expect(refused.status).toBe(409);
    expect(JSON.stringify(await refused.json())).toContain('another process uses it');
    expect((await key()).pausedReason).toBe('used elsewhere');
    expect((await putBack({ force: true })).status).toBe(200);
    expect(await key()).toMatchObject({ pausedReason: null, nextNonce: before.nextNonce + 3 });
  });

  test('not while the router does not know the key, whatever they insist', async () => {
    const [owner] = [ROLES.owner.address];
    await world.ctx.db.executorKey.create({
      data: { chain: 'base', address: owner, nextNonce: 1_000, pausedReason: 'no role' },
    });
    const refused = await putBack({ address: owner, force: true });
    expect(refused.status).toBe(409);
    expect(JSON.stringify(await refused.json())).toContain('does not know this key');
    await world.ctx.db.executorKey.deleteMany({ where: { address: owner } });
  });

  test('not for a key that is none, nor while the chain is away', async () => {
    expect((await putBack({ address: '0x00000000000000000000000000000000000000aa' })).status).toBe(404);
    expect((await putBack({ chain: 'mars' })).status).toBe(400);
    await world.ctx.db.executorKey.updateMany({ where: { address: two!.address }, data: { pausedReason: 'x' } });
    proxy.setDead(true);
    expect((await putBack({ address: two!.address })).status).toBe(503);
    proxy.setDead(false);
    expect((await putBack({ address: two!.address.toLowerCase() })).status).toBe(200);
  });

  test('let X be read again, once there is room, and the page says when and who', async () => {
    const resume = (headers = bearer(ADMIN)) => post('/api/operations/x/resume', {}, headers);
    expect((await post('/api/operations/x/resume', {})).status).toBe(401);
    const day = new Date(world.ctx.clock.now()).toISOString().slice(0, 10);
    const row = { budgetMicros: 10_000_000n, spentMicros: 9_900_000n, halted: 'budget' };
    await world.ctx.db.xBudgetDay.upsert({ where: { day }, create: { day, ...row }, update: row });
    const refused = await resume();
    expect(refused.status).toBe(409);
    expect(JSON.stringify(await refused.json())).toContain('no room: 9.90 of 10.00 USD');
    await world.ctx.db.xBudgetDay.update({ where: { day }, data: { spentMicros: 0n, reservedMicros: 0n } });
    expect((await resume()).status).toBe(200);
    const overview = await (await get('/api/operations/overview', bearer(ADMIN))).json();
    expect(overview).toMatchObject({
      x: { halted: null, share_usd: 0.5, resumes: [{ by: 'admin secret', halted: 'budget' }] },
    });
    expect((await resume()).status).toBe(409);
  });

  test('close an alert about an event, and see it in the history', async () => {
    await world.ctx.db.$transaction((tx) =>
      raiseEvent(world.ctx, tx, 'tip_lost', { subject: 'tip_2', message: 'gone' }),
    );
    const list = (await (await get('/api/operations/alerts?limit=1', bearer(ADMIN))).json()) as {
      data: { id: string; title: string; resolved_at: string | null }[];
      has_more: boolean;
      next_cursor: string;
    };
    expect(list.has_more).toBe(true);
    expect(list.data[0]).toMatchObject({ title: 'A paid tip was lost with its block', resolved_at: null });
    const path = `/api/operations/alerts/${list.data[0]?.id}/close`;
    expect((await post(path, {}, bearer(ADMIN))).status).toBe(200);
    expect((await post(path, {}, bearer(ADMIN))).status).toBe(409);
    expect((await post(path, {})).status).toBe(401);
    const next = await get(`/api/operations/alerts?cursor=${list.next_cursor}`, bearer(ADMIN));
    expect(((await next.json()) as typeof list).data.some((row) => row.id === list.data[0]?.id)).toBe(false);
  });
});

describe('the page’s figures', () => {
  test('say how it is now', async () => {
    await lookAtChains(world.ctx);
    const overview = (await (await get('/api/operations/overview', bearer(ADMIN))).json()) as Record<string, never>;
    expect(overview).toMatchObject({
      hour: { settled: expect.any(Number), receipt_p50: expect.any(Number) },
      executors: [{ chain: 'base', symbol: 'ETH', paused_reason: null }, { chain: 'base' }],
      chains: [{ chain: 'base', price_usd: '3000.00', endpoints: [{ number: 0, problem: null }] }],
    });
    expect(JSON.stringify(overview)).not.toContain(new URL(proxy.url).port);
  });

  test('are written down twice a minute, drawn, and forgotten after a week', async () => {
    expect(await recordSamples(world.ctx)).toBeGreaterThan(5);
    expect(await recordSamples(world.ctx)).toBe(0);
    world.later(30_000);
    expect(await recordSamples(world.ctx)).toBeGreaterThan(5);
    world.later(60_000);
    await raw().setBalance({ address: ROLES.executors[0]!.address, value: parseEther('7') });
    await lookAtChains(world.ctx);
    await recordSamples(world.ctx);
    for (const minutes of [60, 360, 1_440, 10_080]) {
      const response = await get(`/api/operations/charts?minutes=${minutes}`, bearer(ADMIN));
      expect(response.status).toBe(200);
      const charts = (await response.json()) as {
        samples: { name: string; subject: string; points: number[][] }[];
        tips: object[];
      };
      const balance = charts.samples.find((one) => one.subject === `base ${ROLES.executors[0]!.address}`);
      expect(balance?.name).toBe('ampersat_executor_balance');
      expect(charts.tips.length).toBeGreaterThan(0);
      if (minutes === 60) expect(balance?.points.at(-1)?.[1]).toBe(7);
    }
    expect((await get('/api/operations/charts?minutes=5', bearer(ADMIN))).status).toBe(400);
    world.later(8 * 24 * 3_600_000);
    await recordSamples(world.ctx);
    const times = await world.ctx.db.sample.groupBy({ by: ['at'] });
    expect(times).toHaveLength(1);
  });
});
