// What a scheduler calls, over real HTTP: who may, for which chain, one run at a time, and what it says.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { orderRow, payOrder } from '../../../test/setup/orders.ts';
import { type Payments, paymentsOf } from '../../../test/setup/payments.ts';
import { until } from '../../../test/setup/processes.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { endpointRow, eventRows, receiverForTest } from '../../../test/setup/webhooks.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { evaluateAlerts } from '../../services/operations/alertChecks.ts';
import { createDeliverer } from '../../services/webhooks/dispatcher.ts';
import { runDeliverers } from '../../services/webhooks/runs.ts';
import { serve } from '../serve.ts';

const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';
let world: World;
let payments: Payments;
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
  payments = paymentsOf(world);
  Object.assign(world.ctx.env, { PORT: 0, ADMIN_SECRET: ADMIN });
  base = `http://127.0.0.1:${await serve(world.ctx)}`;
  Object.assign(world.ctx.env, { BASE_URL: base });
});
afterAll(async () => {
  await world.stop();
  await proxy.close();
});
beforeEach(() => proxy.setDead(false));

const bearer = { authorization: `Bearer ${ADMIN}` };
const call = (path: string, init: RequestInit = {}) => fetch(`${base}${path}`, init);
const post = (body: object, headers: Record<string, string> = bearer) =>
  call('/api/cron/indexer', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
type Run = { ran: boolean; blocks: string; logs: number; behind: string; done: number; checkpoint: { block: string } };
const run = async () => {
  const response = await post({ chain: 'base' });
  expect(response.status).toBe(200);
  return (await response.json()) as Run;
};
const refusal = async (response: Response) => {
  const { error } = (await response.json()) as { error: { code: string; param?: string } };
  return [response.status, error.code, error.param ?? null];
};

describe('every path under /api/cron', () => {
  const paths = [
    '',
    '/',
    '/indexer',
    '/indexer-solana',
    '/process-webhooks',
    '/charge-subscriptions',
    '/nothing/like/it',
    '/%69ndexer',
    '/../cron/x',
  ];
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  const wrong: Record<string, string>[] = [
    {},
    { authorization: 'Bearer x' },
    { authorization: ADMIN },
    { authorization: `Basic ${btoa(`admin:${ADMIN}`)}` },
    { authorization: `Bearer ${ADMIN.slice(0, -1)}` },
    { cookie: `service-operator=${ADMIN}` },
  ];

  test('401 without the secret, whatever is asked for: also of parts that there are not', async () => {
    for (const path of [...paths.map((one) => `/api/cron${one}`), '/API/Cron/indexer', '/api/cron?x=1']) {
      for (const method of methods)
        expect([path, method, (await call(path, { method })).status]).toEqual([path, method, 401]);
      for (const headers of wrong)
        expect(await refusal(await call(path, { method: 'POST', headers }))).toEqual([
          401,
          'admin_secret_invalid',
          null,
        ]);
    }
  });

  test('401 before a body is read: neither its size, its form nor its kind is looked at', async () => {
    const body = (type: string, text: string) =>
      call('/api/cron/indexer', { method: 'POST', headers: { 'content-type': type }, body: text });
    for (const sent of [
      body('application/json', '{'),
      body('application/json', `"${'x'.repeat(200_000)}"`),
      body('text/plain', 'x'),
    ])
      expect((await sent).status).toBe(401);
  });

  test('404 with the secret for what there is not, whatever comes with it', async () => {
    for (const path of ['', '/charge-subscriptions', '/nothing/like/it']) {
      expect(await refusal(await call(`/api/cron${path}`, { method: 'POST', headers: bearer, body: '{' }))).toEqual([
        404,
        'resource_missing',
        null,
      ]);
      expect((await call(`/api/cron${path}`, { headers: bearer })).status).toBe(404);
    }
  });

  test('405 for what there is, by another method than POST', async () => {
    for (const path of ['/indexer', '/indexer-solana', '/process-webhooks'])
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const response = await call(`/api/cron${path}`, { method, headers: bearer });
        expect([response.headers.get('allow'), response.headers.get('cache-control')]).toEqual(['POST', 'no-store']);
        expect(await refusal(response)).toEqual([405, 'method_not_allowed', null]);
      }
  });
});

describe('POST /api/cron/process-webhooks', () => {
  const drain = (init: RequestInit = {}) =>
    call('/api/cron/process-webhooks', { method: 'POST', headers: bearer, ...init });
  const answer = async (response: Promise<Response>) => {
    const got = await response;
    expect(got.status).toBe(200);
    return (await got.json()) as Record<string, unknown>;
  };
  const nothing = { object: 'webhook_run', ran: true, attempts: 0, delivered: 0, failed: 0, left: 0 };

  test('200: sends what is due and no more, without workers, and says what came of it; no body is needed', async () => {
    expect(await answer(drain())).toEqual(nothing);
    const [well, ill] = [await receiverForTest(), await receiverForTest({ status: 500 })];
    const [one, other] = [await endpointRow(world.ctx, well.url), await endpointRow(world.ctx, ill.url)];
    const events = await eventRows(world.ctx, 3, [one, other]);
    const json = { headers: { ...bearer, 'content-type': 'application/json' }, body: '{}' };
    expect(await answer(drain(json))).toEqual({ ...nothing, attempts: 6, delivered: 3, failed: 3 });
    expect(new Set(well.requests.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set(events.map(({ id }) => id)),
    );
    expect(await answer(drain())).toEqual(nothing);
    world.later(67_000);
    ill.behave({ status: 200 });
    expect(await answer(drain())).toEqual({ ...nothing, attempts: 3, delivered: 3 });
    expect(await refusal(await drain({ ...json, body: '{"all":true}' }))).toEqual([400, 'parameter_unknown', 'all']);
  });

  test('200: a second call while one is under way does nothing, whichever process it asks; one that was killed is over in time', async () => {
    const receiver = await receiverForTest('hang');
    const endpoint = await endpointRow(world.ctx, receiver.url);
    await eventRows(world.ctx, 1, [endpoint]);
    const slow = drain();
    await until(() => receiver.requests.length === 1, 'the receiver has it');
    expect(await answer(drain())).toEqual({ ...nothing, ran: false, left: 1 });
    await receiver.close();
    expect(await answer(slow)).toMatchObject({ ran: true, attempts: 1, failed: 1, left: 0 });
    await world.ctx.db.cronRun.updateMany({ data: { until: new Date(world.ctx.clock.now() + 60_000) } });
    expect(await answer(drain())).toMatchObject({ ran: false });
    // What failed is due again after a minute and a tenth of it at most.
    world.later(67_000);
    expect(await answer(drain())).toMatchObject({ ran: true, attempts: 1, failed: 1, left: 0 });
  });

  test('takes nothing more once its time is over, and says what is left', async () => {
    const receiver = await receiverForTest();
    await eventRows(world.ctx, 2, [await endpointRow(world.ctx, receiver.url)]);
    const deliverer = createDeliverer(world.ctx);
    expect(await runDeliverers(world.ctx, deliverer, { withinMs: 0 })).toEqual({ ...nothing, left: 2 });
    expect(receiver.requests).toEqual([]);
    expect(await runDeliverers(world.ctx, deliverer)).toEqual({ ...nothing, attempts: 2, delivered: 2 });
  });

  test('503 where the process has no key to open secrets with', async () => {
    const { WEBHOOK_KEY } = world.ctx.env;
    Object.assign(world.ctx.env, { WEBHOOK_KEY: undefined });
    expect(await refusal(await drain())).toEqual([503, 'provider_unavailable', null]);
    Object.assign(world.ctx.env, { WEBHOOK_KEY });
  });
});

describe('POST /api/cron/indexer-solana', () => {
  const onSolana = (init: RequestInit) =>
    call('/api/cron/indexer-solana', { method: 'POST', headers: bearer, ...init });

  test('400 where Solana is not served, and for a body with anything in it', async () => {
    expect(await refusal(await onSolana({}))).toEqual([422, 'unsupported_chain', 'chain']);
    expect(await refusal(await onSolana({ body: '{"chain":"base"}' }))).toEqual([400, 'parameter_unknown', 'chain']);
  });
});

describe('POST /api/cron/indexer', () => {
  test('401 without the admin secret, before anything is looked at', async () => {
    const wrong = [{}, { authorization: 'Bearer x' }, { authorization: ADMIN }, { authorization: `Bearer ${ADMIN}x` }];
    const cookie = { cookie: `service-operator=${ADMIN}`, origin: base };
    for (const headers of [...wrong, cookie])
      expect(await refusal(await post({ chain: 'nowhere' }, headers as Record<string, string>))).toEqual([
        401,
        'admin_secret_invalid',
        null,
      ]);
    const none = { ...world.ctx.env };
    Object.assign(world.ctx.env, { ADMIN_SECRET: undefined });
    expect((await post({ chain: 'base' })).status).toBe(401);
    Object.assign(world.ctx.env, { ADMIN_SECRET: none.ADMIN_SECRET });
  });

  test.each([
    [{ chain: 'nowhere' }, [422, 'unsupported_chain', 'chain']],
    [{ chain: '__proto__' }, [422, 'unsupported_chain', 'chain']],
    // Known, and not served here.
    [{ chain: 'bsc' }, [422, 'unsupported_chain', 'chain']],
    [{ chain: 'solana' }, [422, 'unsupported_chain', 'chain']],
    [{ chain: '8453' }, [422, 'unsupported_chain', 'chain']],
    [{}, [400, 'parameter_missing', 'chain']],
    [{ chain: 8453 }, [400, 'parameter_invalid', 'chain']],
    [{ chain: 'base', from: 0 }, [400, 'parameter_unknown', 'from']],
  ])('%j is refused', async (body, expected) => {
    expect(await refusal(await post(body))).toEqual(expected);
  });

  test('the body is JSON, whatever a scheduler calls it; anything else is told so', async () => {
    const send = (type: string, body: string) =>
      call('/api/cron/indexer', { method: 'POST', headers: { ...bearer, 'content-type': type }, body });
    for (const type of ['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded'])
      expect((await send(type, '{"chain":"base"}')).status).toBe(200);
    const said = async (body: string) => {
      const response = await send('application/json', body);
      return [response.status, ((await response.json()) as { error: { message: string } }).error.message];
    };
    expect(await said('chain=base')).toEqual([400, 'The request body is not valid JSON.']);
    expect(await said(`"${'x'.repeat(65_600)}"`)).toEqual([413, 'The request body is larger than 64 KB.']);
    expect(await said('{}')).toEqual([400, 'Missing required parameter: chain.']);
  });

  test('200: takes final blocks in, and says how far it is', async () => {
    const order = await orderRow(world);
    await payOrder(world, order, 'payer');
    await world.mine(3);
    const head = await world.reader().getBlockNumber();
    const first = await run();
    expect(first).toMatchObject({ object: 'indexer_run', chain: 'base', ran: true, behind: '0', done: 1 });
    expect(first.checkpoint).toMatchObject({ block: String(head - 2n) });
    expect(Number(first.blocks)).toBeGreaterThan(3);
    expect(first.logs).toBe(1);
    expect(await payments.status(order)).toBe('completed');
    expect(await run()).toMatchObject({ ran: true, blocks: '0', logs: 0, behind: '0' });
  });

  test('200: a second run of the chain says so without waiting, whichever process it asks', async () => {
    await world.mine(3);
    const gate = proxy.hold('eth_getLogs', 'before');
    const slow = run();
    await gate.reached;
    expect(await run()).toMatchObject({ ran: false, blocks: '0' });
    const { runUntil } = await payments.checkpoint();
    expect(runUntil).not.toBeNull();
    gate.open();
    expect(await slow).toMatchObject({ ran: true, behind: '0' });
    expect((await payments.checkpoint()).runUntil).toBeNull();
    // Of another process, until it must have been killed.
    const until = new Date(world.ctx.clock.now() + 60_000);
    await world.ctx.db.indexerCheckpoint.updateMany({ where: { chain: 'base' }, data: { runUntil: until } });
    expect(await run()).toMatchObject({ ran: false });
    world.later(61_000);
    expect(await run()).toMatchObject({ ran: true });
  });

  test('503 while the chain is away, and the next call goes on', async () => {
    await world.mine(3);
    proxy.setDead(true);
    expect(await refusal(await post({ chain: 'base' }))).toEqual([503, 'provider_unavailable', null]);
    proxy.setDead(false);
    expect(await run()).toMatchObject({ ran: true, behind: '0' });
  });
});

describe('how far it is', () => {
  test('shows in the overview and in the metrics, and an alert is raised when it lags for long', async () => {
    await run();
    await evaluateAlerts(world.ctx);
    const open = () => world.ctx.db.alert.findMany({ where: { kind: 'indexer_behind', resolvedAt: null } });
    expect(await open()).toEqual([]);
    await world.mine(20);
    proxy.alter('eth_getLogs', () => 'no');
    world.later(301_000);
    await post({ chain: 'base' });
    proxy.alter('eth_getLogs', null);
    const overview = (await (await fetch(`${base}/api/operations/overview`, { headers: bearer })).json()) as {
      chains: { chain: string; indexers: object[] }[];
    };
    const [indexer] = overview.chains.find(({ chain }) => chain === 'base')?.indexers ?? [];
    expect(indexer).toMatchObject({ feed: 'orders', behind: '20' });
    const metrics = await (await fetch(`${base}/metrics`, { headers: bearer })).text();
    expect(metrics).toContain('ampersat_indexer_behind_blocks{chain="base",feed="orders"} 20');
    await evaluateAlerts(world.ctx);
    const [alert] = await open();
    expect(alert).toMatchObject({ subject: 'base orders' });
    expect(JSON.stringify(alert?.detail)).toContain('20 final blocks are left');
    await run();
    await evaluateAlerts(world.ctx);
    expect(await open()).toEqual([]);
  });
});
