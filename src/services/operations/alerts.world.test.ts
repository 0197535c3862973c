// Every alert is raised once by its real cause, refreshed while that stands, and over when it is gone; the webhook hears of both.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestClient, createWalletClient, encodeFunctionData, erc20Abi, http, parseEther } from 'viem';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ROLES } from '../../../local/stack/roles.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import type { AlertKind } from '../../domain/alerts.ts';
import { closeAlert, listAlerts, raiseEvent } from '../alerts.ts';
import { openKeys, pauseKey } from '../outgoing/keys.ts';
import { reconcileChain } from '../outgoing/reconcile.ts';
import { evaluateAlerts, evaluateProcesses } from './alertChecks.ts';
import { tellAlerts } from './alertNotices.ts';
import { beat, endBeat } from './heartbeats.ts';
import { lookAtChains } from './probes.ts';

let world: World;
let proxy: RpcProxy;
beforeEach(async () => {
  world = await startWorld({
    rpcUrls: {
      base: async (direct) => {
        proxy = await startRpcProxy(direct);
        return proxy.url;
      },
    },
  });
  await openKeys(world.ctx, world.evmChain());
});
afterEach(async () => {
  await world.stop();
  await proxy.close();
});

const raw = () => createTestClient({ mode: 'anvil', transport: http(world.anvilOf().rpcUrl) });
const look = async () => {
  await lookAtChains(world.ctx);
  await evaluateAlerts(world.ctx);
};
const rows = (kind: AlertKind) => world.ctx.db.alert.findMany({ where: { kind }, orderBy: { id: 'asc' } });
const open = async () =>
  (await listAlerts(world.ctx, { open: true, limit: 50 })).map(({ kind, subject }) => `${kind} ${subject}`);

/** Raised once, refreshed by the next look, over after the cause: in one row. */
async function liveAndDie(kind: AlertKind, end: () => Promise<unknown>): Promise<void> {
  await look();
  const [raised] = await rows(kind);
  expect(raised, kind).toBeDefined();
  world.later(6_000);
  await look();
  const [refreshed, ...others] = await rows(kind);
  expect(others).toEqual([]);
  expect(refreshed).toMatchObject({ id: raised?.id, resolvedAt: null });
  expect(refreshed?.lastSeenAt.getTime()).toBeGreaterThan(raised?.lastSeenAt.getTime() ?? 0);
  await end();
  await look();
  expect((await rows(kind)).map((row) => row.resolvedAt !== null)).toEqual([true]);
}

describe('an alert for', () => {
  test('a quiet system there is none', async () => {
    await look();
    expect(await open()).toEqual([]);
  });

  test('an executor that can pay for too few batches', async () => {
    const [executor] = ROLES.executors;
    await raw().setBalance({ address: executor!.address, value: 1_000n });
    await look();
    expect(await open()).toEqual([`executor_low base ${executor!.address}`]);
    await liveAndDie('executor_low', () => raw().setBalance({ address: executor!.address, value: parseEther('10') }));
  });

  test('an executor below the amount that is configured for its chain', async () => {
    Object.assign(world.evmChain(), { executorMinimum: '2000' });
    await look();
    expect(await open()).toHaveLength(2);
    const [alert] = await listAlerts(world.ctx, { open: true, limit: 1 });
    expect(alert?.message).toMatch(/has 1000\.00 ETH on Base; the alarm is set at 2000\.00\./);
  });

  test('a key that is out of use', async () => {
    const [executor] = ROLES.executors;
    await pauseKey(world.ctx, world.evmChain(), executor!.address, 'insufficient funds for gas');
    await liveAndDie('executor_paused', () => world.ctx.db.executorKey.updateMany({ data: { pausedReason: null } }));
  });

  test('work that waits for too long, step by step', async () => {
    await world.type('alice', '/tip @bob 1');
    await world.fetchUpdates();
    world.later(61_000);
    await look();
    expect(await open()).toEqual(['queue_jam inbox telegram']);
    const [alert] = await listAlerts(world.ctx, { open: true, limit: 1 });
    expect(alert?.message).toMatch(/^1 messages that are not processed \(telegram\); the oldest waits for 6\d s\.$/);
    await world.ingest();
    await look();
    expect(await open()).toEqual([]);
    world.later(61_000);
    await look();
    expect(await open()).toEqual(['queue_jam intents telegram']);
    await world.prepare();
    await look();
    world.later(61_000);
    await look();
    expect(await open()).toContain('queue_jam legs base');
  });

  test('a reply that the platform does not take', async () => {
    await world.type('alice', '/help');
    await world.fetchUpdates();
    await world.ingest();
    world.later(61_000);
    await liveAndDie('queue_jam', () => world.reply());
  });

  test('a reorg, which lasts ten quiet minutes and keeps the count', async () => {
    await world.type('alice', '/tip @bob 5');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    await world.settle();
    await world.watch();
    await raw().request({ method: 'anvil_reorg' as never, params: [1, []] as never });
    await world.watch();
    await look();
    await look();
    expect(await open()).toEqual(['reorg base']);
    expect((await rows('reorg'))[0]?.detail).toMatchObject({ count: 1 });
    world.later(9 * 60_000);
    await look();
    expect(await open()).toContain('reorg base');
    world.later(2 * 60_000);
    await look();
    expect(await open()).not.toContain('reorg base');
  });

  test('two reorgs seen by two processes at once counts each once', async () => {
    await world.type('alice', '/tip @bob 5');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    await world.settle();
    for (const depth of [1, 2]) {
      await world.watch();
      await raw().request({ method: 'anvil_reorg' as never, params: [depth, []] as never });
      await world.watch();
      await raw().mine({ blocks: 1 });
    }
    await Promise.all([evaluateAlerts(world.ctx), evaluateAlerts(world.ctx)]);
    expect((await rows('reorg')).map((row) => row.detail)).toEqual([expect.objectContaining({ count: 2 })]);
  });

  test('what else was found, when one of the checks fails in the database', async () => {
    await world.ctx.db.executorKey.updateMany({ data: { pausedReason: 'for a test' } });
    const longAgo = new Date(0);
    await world.ctx.db.beat.create({
      data: { process: 'bots', instance: 'one', startedAt: longAgo, lastSeenAt: longAgo, rssBytes: 1n, lagMs: 0 },
    });
    // Between the two that find something: the check for reorgs reads this table.
    await world.ctx.db.$executeRaw`alter table transition rename to transition_away`;
    await look();
    expect(await open()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^executor_paused base /), 'process_silent bots']),
    );
  });

  test('a price that is stale', async () => {
    await raw().increaseTime({ seconds: 4_000 });
    await raw().mine({ blocks: 1 });
    await liveAndDie('price_stale', () => world.freshPrices());
  });

  test('an endpoint that does not answer, after two looks', async () => {
    await look();
    proxy.setDead(true);
    await look();
    expect(await open()).toEqual([]);
    await look();
    expect(await open()).toEqual(['rpc_down base 0']);
    await liveAndDie('rpc_down', async () => proxy.setDead(false));
  });

  test('a chain that was found to be another one than it should be', async () => {
    world.ctx.refused.set('celo', 'USDC at 0x12 on celo has 18 decimals, expected 6');
    await look();
    expect((await rows('chain_refused')).map((row) => row.detail)).toEqual([
      expect.objectContaining({ message: 'USDC at 0x12 on celo has 18 decimals, expected 6.' }),
    ]);
    await liveAndDie('chain_refused', async () => world.ctx.refused.clear());
  });

  test('a process that stops sending heartbeats, raised by the ones that are left', async () => {
    const bots = { process: 'bots', instance: 'a-1', startedAt: new Date(), rssBytes: 1, lagMs: 0 };
    await beat(world.ctx, bots);
    await evaluateProcesses(world.ctx);
    expect(await open()).toEqual([]);
    await endBeat(world.ctx, 'bots', 'a-1');
    world.later(31_000);
    await evaluateProcesses(world.ctx);
    expect(await open()).toEqual(['process_silent bots']);
    await liveAndDie('process_silent', () => beat(world.ctx, { ...bots, instance: 'a-2' }));
  });

  test('a process of which another instance runs there is none', async () => {
    const bots = { process: 'bots', startedAt: new Date(), rssBytes: 1, lagMs: 0 };
    await beat(world.ctx, { ...bots, instance: 'a-1' });
    world.later(31_000);
    await beat(world.ctx, { ...bots, instance: 'a-2' });
    await evaluateProcesses(world.ctx);
    expect(await open()).toEqual([]);
  });

  test('a paid tip that the chain lost and refuses now', async () => {
    await world.say('alice', '/tip @bob 5');
    expect(await world.ctx.db.tip.count({ where: { status: 'settled' } })).toBe(1);
    await raw().request({ method: 'anvil_rollback' as never, params: [8] as never });
    const alice = localPerson('alice').address;
    await raw().impersonateAccount({ address: alice });
    const wallet = createWalletClient({ account: alice, transport: http(world.anvilOf().rpcUrl) });
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [world.evmChain().routers.bot, 0n],
    });
    await wallet.sendTransaction({ to: world.evmChain().usdc, data, chain: null });
    await raw().mine({ blocks: 1 });
    await reconcileChain(world.ctx, world.evmChain());
    await raw().mine({ blocks: 1 });
    await world.watch();
    const [tip] = await world.ctx.db.tip.findMany();
    expect(await open()).toEqual([`tip_lost ${tip?.id}`]);
    await world.watch();
    await look();
    expect(await rows('tip_lost')).toHaveLength(1);
  });

  test('an event stays until an operator closes it', async () => {
    const finding = { subject: 'tip_1', message: 'It is gone.' };
    for (let i = 0; i < 2; i++) await world.ctx.db.$transaction((tx) => raiseEvent(world.ctx, tx, 'tip_lost', finding));
    await look();
    expect(await open()).toEqual(['tip_lost tip_1']);
    const [{ id } = { id: '' }] = await rows('tip_lost');
    await closeAlert(world.ctx, id);
    await expect(closeAlert(world.ctx, id)).rejects.toMatchObject({ code: 'state_conflict' });
    await expect(closeAlert(world.ctx, 'alr_none')).rejects.toMatchObject({ code: 'resource_missing' });
    expect(await open()).toEqual([]);
  });
});

describe('a question that cannot be answered', () => {
  test('changes nothing: a chain that is away keeps its alerts open', async () => {
    const [executor] = ROLES.executors;
    await raw().setBalance({ address: executor!.address, value: 1_000n });
    await look();
    proxy.setDead(true);
    world.later(120_000);
    await evaluateAlerts(world.ctx);
    expect(await open()).toEqual([`executor_low base ${executor!.address}`]);
  });
});

type Notice = { event: string; id: string; kind: string; subject: string; text: string };
async function startReceiver() {
  const got: Notice[] = [];
  const control = { status: 200, hang: false };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (control.hang) return;
      if (control.status === 200) got.push(JSON.parse(body) as Notice);
      response.writeHead(control.status, control.status === 302 ? { location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/SECRETPATH`;
  return { got, control, url };
}

describe('the webhook', () => {
  test('is told once of a begin and once of an end, in this order', async () => {
    const receiver = await startReceiver();
    Object.assign(world.ctx.env, { ALERT_WEBHOOK_URL: receiver.url });
    await world.type('alice', '/help');
    await world.fetchUpdates();
    world.later(61_000);
    await look();
    await Promise.all([tellAlerts(world.ctx), tellAlerts(world.ctx)]);
    await tellAlerts(world.ctx);
    expect(receiver.got.map(({ event }) => event)).toEqual(['alert.raised']);
    expect(receiver.got[0]).toMatchObject({ kind: 'queue_jam', subject: 'inbox telegram' });
    expect(receiver.got[0]?.text).toContain('Work waits for too long');
    await world.ingest();
    await look();
    for (let i = 0; i < 3; i++) await tellAlerts(world.ctx);
    expect(receiver.got.map(({ event }) => event)).toEqual(['alert.raised', 'alert.resolved']);
  });

  test.each([
    ['answers 500', { status: 500 }],
    ['sends elsewhere', { status: 302 }],
    ['hangs', { hang: true }],
  ])('that %s is tried again later, and holds nothing up', { timeout: 30_000 }, async (_what, fault) => {
    const receiver = await startReceiver();
    Object.assign(world.ctx.env, { ALERT_WEBHOOK_URL: receiver.url });
    await world.ctx.db.$transaction((tx) => raiseEvent(world.ctx, tx, 'tip_lost', { subject: 'a', message: 'b' }));
    Object.assign(receiver.control, fault);
    expect(await tellAlerts(world.ctx)).toBe(0);
    expect(await tellAlerts(world.ctx)).toBe(0);
    expect((await rows('tip_lost'))[0]).toMatchObject({ tellAttempts: 1, raisedToldAt: null });
    Object.assign(receiver.control, { status: 200, hang: false });
    world.later(6_000);
    expect(await tellAlerts(world.ctx)).toBe(1);
    expect(receiver.got).toHaveLength(1);
  });

  test('that nobody set up is not missed, and is not told of old stories later', async () => {
    await world.ctx.db.$transaction((tx) => raiseEvent(world.ctx, tx, 'tip_lost', { subject: 'a', message: 'b' }));
    expect(await tellAlerts(world.ctx)).toBe(0);
    const receiver = await startReceiver();
    Object.assign(world.ctx.env, { ALERT_WEBHOOK_URL: receiver.url });
    world.later(25 * 3_600_000);
    expect(await tellAlerts(world.ctx)).toBe(0);
    expect(receiver.got).toEqual([]);
  });
});
