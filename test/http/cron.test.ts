// What a scheduler calls, over real HTTP: who may, for which chain, one run at a time, and what it says.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serve } from '../../src/http/serve.ts';
import { evaluateAlerts } from '../../src/services/alertChecks.ts';
import { orderRow, payOrder } from '../setup/orders.ts';
import { type Payments, paymentsOf } from '../setup/payments.ts';
import { type RpcProxy, startRpcProxy } from '../setup/rpcProxy.ts';
import { startWorld, type World } from '../setup/world.ts';

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

const post = (body: object, headers: Record<string, string> = { authorization: `Bearer ${ADMIN}` }) =>
  fetch(`${base}/api/cron/indexer`, {
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
    await world.ctx.db.indexerCheckpoint.updateMany({ where: { feed: 'orders' }, data: { runUntil: until } });
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
  const bearer = { authorization: `Bearer ${ADMIN}` };
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
