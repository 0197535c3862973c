// The indexer of tabs: whatever happened on the chain, by whomever, is in our rows exactly once, also after a crash, a reorg or a moody provider.
import { createPublicClient, createTestClient, fallback, http } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Escrows, escrowsOf, openEscrowByTip } from '../../../test/setup/escrows.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { handleKey } from '../../chain/routers/escrow.ts';
import type { EvmChain } from '../../chain/rpc/client.ts';
import { createHandle } from '../accounts/handles.ts';
import { indexChain } from '../operations/feed.ts';
import { askClaim } from './claims.ts';
import { matchEscrows } from './matching.ts';

let world: World;
let tabs: Escrows;
let proxy: RpcProxy;
beforeAll(async () => {
  world = await startWorld({
    rpcUrls: {
      base: async (direct) => {
        proxy = await startRpcProxy(direct);
        return proxy.url;
      },
    },
  });
  tabs = escrowsOf(world);
  await tabs.approve('alice');
  await tabs.settle();
});
afterAll(async () => {
  await world.stop();
  await proxy.close();
});
beforeEach(async () => {
  proxy.setDead(false);
  for (const method of ['eth_getLogs', 'eth_blockNumber', 'eth_getBlockByNumber']) proxy.alter(method, null);
  await tabs.settle();
});

const chain = () => world.evmChain();
const idOf = async (slug: string) => (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } })).id;
const checkpoint = () => world.ctx.db.indexerCheckpoint.findUniqueOrThrow({ where: { chain: 'base' } });
const raw = () => createTestClient({ mode: 'anvil', transport: http(world.anvilOf().rpcUrl) });
const reorg = (depth: number) => raw().request({ method: 'anvil_reorg' as never, params: [depth, []] as never });
const movesOf = async (id: string | undefined) =>
  (await world.ctx.db.transition.findMany({ where: { resourceId: id ?? '' }, orderBy: { id: 'asc' } })).map(
    (row) => row.action,
  );

describe('what happened outside the service', () => {
  test('a tab that a wallet opened by itself shows, once, with whom it is for', async () => {
    const tab = await tabs.terms('alice', 'bob');
    const hash = await tabs.open('alice', tab);
    await tabs.index();
    expect(await tabs.row(tab)).toBeNull();
    await tabs.settle();
    await tabs.index();
    const row = await tabs.row(tab);
    expect(row).toMatchObject({
      origin: 'chain',
      status: 'open',
      senderHandleId: await idOf('alice'),
      handleSlug: 'bob',
      recipientLabel: 'bob@ampersat',
      asset: 'USDC',
      decimals: 6,
      openTxHash: hash,
      note: null,
    });
    expect(await movesOf(row?.id)).toEqual(['confirm']);
  });

  test('one for somebody unknown keeps its hash, and finds its person when they come', async () => {
    const [tab, account] = [await tabs.terms('alice', 'late_comer'), await tabs.terms('alice', 'x:id:777')];
    await tabs.open('alice', tab);
    await tabs.open('alice', account);
    await tabs.settle();
    expect(await tabs.row(tab)).toMatchObject({
      handleSlug: null,
      recipientLabel: 'somebody',
      handleKey: handleKey('late_comer'),
    });
    const handleId = await createHandle(world.ctx, {
      slug: 'late_comer',
      kind: 'personal',
      evmAddress: '0x00000000000000000000000000000000000000Aa',
    });
    await world.ctx.db.connection.create({
      data: { id: 'con_1', platform: 'x', platformUserId: '777', username: 'late', handleId, createdAt: new Date() },
    });
    await matchEscrows(world.ctx);
    expect(await tabs.row(tab)).toMatchObject({ handleSlug: 'late_comer', recipientLabel: 'late_comer@ampersat' });
    expect(await tabs.row(account)).toMatchObject({ handleSlug: 'x:id:777' });
  });

  test('claimed and refunded by others, and the sender is told of each', async () => {
    await world.say('alice', 'hello', { chat: localPerson('alice').telegram.id });
    await world.say('alice', '/help', { chat: localPerson('alice').telegram.id });
    const [mine, back] = [await tabs.terms('alice', 'bob'), await tabs.terms('alice', 'bob', { revocable: true })];
    await tabs.open('alice', mine);
    await tabs.open('alice', back);
    await tabs.settle();
    await askClaim(world.ctx, chain(), mine, await idOf('bob'));
    await tabs.pay();
    const hash = await tabs.refund('alice', back);
    await tabs.settle();
    const [claimed, refunded] = [await tabs.row(mine), await tabs.row(back)];
    expect(claimed).toMatchObject({ status: 'claimed', paidTo: localPerson('bob').address });
    expect(refunded).toMatchObject({ status: 'refunded', closeTxHash: hash, paidTo: localPerson('alice').address });
    const told = await world.ctx.db.reply.findMany({ where: { kind: { startsWith: 'tab_' } }, orderBy: { id: 'asc' } });
    expect(told.map(({ kind, data, version }) => [kind, data, version])).toEqual([
      ['tab_claimed', { escrowId: claimed?.id }, 1],
      ['tab_refunded', { escrowId: refunded?.id }, 1],
    ]);
    await tabs.index();
    expect(await movesOf(refunded?.id)).toEqual(['confirm', 'refund']);
  });

  test('a tab of a tip fits the row that was frozen with it; other terms under its number do not stay a tip’s', async () => {
    const at = await tabs.now();
    const { escrow: tab } = await openEscrowByTip(world.ctx, chain(), {
      messageKey: `0x${'ab'.repeat(32)}`,
      sender: localPerson('alice').address,
      token: chain().usdc,
      handleKey: handleKey('telegram:id:4711'),
      amount: 700_000n,
      deadline: at + 7_200n,
      validUntil: at + 900n,
    });
    const frozen = {
      id: 'esc_tip',
      chain: 'base',
      tabId: tabs.idOf(tab),
      origin: 'tip',
      senderHandleId: await idOf('alice'),
      senderAddress: tab.sender,
      handleSlug: 'telegram:id:4711',
      handleKey: tab.handleKey,
      recipientLabel: '@dave on Telegram',
      asset: 'USDC',
      token: tab.token,
      decimals: 6,
      units: '700000',
      deadline: tab.deadline,
      senderNonce: String(tab.senderNonce),
      revocable: true,
      status: 'pending_create',
      createdAt: new Date(),
    };
    await world.ctx.db.escrow.create({ data: frozen });
    const other = await tabs.terms('alice', 'bob', { amount: 5n });
    const stolen = { ...frozen, id: 'esc_other', tabId: tabs.idOf(other), senderNonce: String(other.senderNonce) };
    await world.ctx.db.escrow.create({ data: stolen });
    await tabs.open('alice', other);
    await tabs.settle();
    expect(await tabs.row(tab)).toMatchObject({
      id: 'esc_tip',
      origin: 'tip',
      status: 'open',
      handleSlug: 'telegram:id:4711',
    });
    const row = await tabs.row(other);
    expect(row).toMatchObject({ id: 'esc_other', origin: 'chain', status: 'open', handleSlug: 'bob' });
    expect(row?.units.toFixed()).toBe('5');
  });
});

describe('a reorg', () => {
  test.each([1, 2])('of %i blocks, above what is final, is not noticed', async (depth) => {
    const tab = await tabs.terms('alice', 'bob');
    await world.mine(3);
    await tabs.open('alice', tab);
    await world.mine(depth - 1);
    await tabs.index();
    const { block } = await checkpoint();
    await reorg(depth);
    await tabs.index();
    expect((await checkpoint()).block).toBeGreaterThanOrEqual(block);
    await world.mine(5);
    await tabs.index();
    expect((await tabs.row(tab))?.status ?? 'gone').toBe('gone');
  });

  test.each([3, 4, 5])('of %i blocks takes an opening back, and brings it again', async (depth) => {
    const tab = await tabs.terms('alice', 'bob');
    await world.mine(3);
    await tabs.open('alice', tab);
    await world.mine(depth - 1);
    await tabs.index();
    const row = await tabs.row(tab);
    expect(row?.status).toBe('open');
    await reorg(depth);
    // The new blocks are as many as the old ones and differ.
    await world.mine(1);
    await tabs.index();
    expect(await tabs.row(tab)).toMatchObject({ status: 'pending_create', openedAt: null });
    await tabs.open('alice', tab);
    await tabs.settle();
    expect((await tabs.row(tab))?.status).toBe('open');
    expect(await movesOf(row?.id)).toEqual(['confirm', 'unconfirm', 'confirm']);
  });

  test('that takes a refund back shows the tab open, then as it ends', async () => {
    const tab = await tabs.terms('alice', 'bob', { revocable: true });
    await tabs.open('alice', tab);
    await tabs.settle();
    await tabs.refund('alice', tab);
    await world.mine(3);
    await tabs.index();
    expect((await tabs.row(tab))?.status).toBe('refunded');
    await reorg(4);
    await world.mine(1);
    await tabs.index();
    expect(await tabs.row(tab)).toMatchObject({ status: 'open', closeTxHash: null, paidTo: null });
    await tabs.refund('alice', tab);
    await tabs.settle();
    expect((await tabs.row(tab))?.status).toBe('refunded');
  });

  test('deeper than everything that is known is lived through', async () => {
    await tabs.settle();
    const { hashes } = await checkpoint();
    const lies = (hashes as [number, string][]).map(([number]) => [number, `0x${'ee'.repeat(32)}`]);
    await world.ctx.db.indexerCheckpoint.updateMany({ where: { chain: 'base' }, data: { hashes: lies } });
    const tab = await tabs.terms('alice', 'bob');
    await tabs.open('alice', tab);
    await tabs.settle();
    expect((await tabs.row(tab))?.status).toBe('open');
    expect((await checkpoint()).hashes).not.toEqual(lies);
  });
});

describe('providers', () => {
  test('that refuse many blocks at once are asked for fewer', async () => {
    const tab = await tabs.terms('alice', 'bob');
    await tabs.open('alice', tab);
    await world.mine(40);
    const asked: number[] = [];
    const picky = picked(chain(), (from, to) => {
      asked.push(to - from + 1);
      return to - from + 1 > 10;
    });
    await indexChain(world.ctx, picky);
    expect((await tabs.row(tab))?.status).toBe('open');
    expect(Math.max(...asked)).toBeGreaterThan(10);
    expect(asked.filter((width) => width > 10).length).toBeLessThan(asked.length);
    expect((await checkpoint()).block).toBe((await world.reader().getBlockNumber()) - 2n);
  });

  test('that refuse everything stop the round, and nothing is skipped', async () => {
    const { block } = await checkpoint();
    await world.mine(5);
    await expect(
      indexChain(
        world.ctx,
        picked(chain(), () => true),
      ),
    ).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect((await checkpoint()).block).toBe(block);
  });

  test('that die: another endpoint goes on, and without one the round fails and is done again', async () => {
    const tab = await tabs.terms('alice', 'bob');
    await tabs.open('alice', tab);
    await world.mine(3);
    proxy.setDead(true);
    await expect(tabs.index()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await tabs.row(tab)).toBeNull();
    const both = fallback([http(proxy.url, { retryCount: 0 }), http(world.anvilOf().rpcUrl)], { retryCount: 0 });
    const second = { ...chain(), client: createPublicClient({ transport: both, cacheTime: 0 }) };
    await indexChain(world.ctx, second);
    expect((await tabs.row(tab))?.status).toBe('open');
    proxy.setDead(false);
    await tabs.index();
    expect(await movesOf((await tabs.row(tab))?.id)).toEqual(['confirm']);
  });

  test('that show events of blocks that are not there are not believed', async () => {
    const tab = await tabs.terms('alice', 'bob');
    await tabs.open('alice', tab);
    await world.mine(3);
    proxy.alter('eth_getLogs', (logs) =>
      (logs as { blockHash: string }[]).map((log) => ({ ...log, blockHash: `0x${'dd'.repeat(32)}` })),
    );
    await expect(tabs.index()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await tabs.row(tab)).toBeNull();
    proxy.alter('eth_getLogs', null);
    await tabs.index();
    expect((await tabs.row(tab))?.status).toBe('open');
  });

  test('that lag behind take nothing back', async () => {
    const tab = await tabs.terms('alice', 'bob');
    await tabs.open('alice', tab);
    await tabs.settle();
    const { block } = await checkpoint();
    proxy.alter('eth_blockNumber', () => `0x${(block - 5n).toString(16)}`);
    proxy.alter('eth_getBlockByNumber', () => null);
    await tabs.index();
    proxy.alter('eth_blockNumber', null);
    proxy.alter('eth_getBlockByNumber', null);
    expect((await checkpoint()).block).toBe(block);
    expect((await tabs.row(tab))?.status).toBe('open');
  });
});

describe('a process', () => {
  test('that dies between reading and its checkpoint repeats the blocks and nothing else', async () => {
    const tab = await tabs.terms('alice', 'bob');
    await tabs.open('alice', tab);
    await world.mine(3);
    const { block } = await checkpoint();
    const { db } = world.ctx;
    const dying = new Proxy(db, {
      get: (target, name) =>
        name === '$transaction'
          ? (work: (tx: unknown) => Promise<unknown>) =>
              target.$transaction(async (tx) => {
                await work(tx);
                throw new Error('killed');
              })
          : Reflect.get(target, name),
    });
    await expect(indexChain({ ...world.ctx, db: dying }, chain())).rejects.toThrow('killed');
    expect((await checkpoint()).block).toBe(block);
    expect(await tabs.row(tab)).toBeNull();
    await tabs.index();
    expect(await movesOf((await tabs.row(tab))?.id)).toEqual(['confirm']);
  });

  test('beside another one: every event once', async () => {
    const tab = await tabs.terms('alice', 'bob', { revocable: true });
    await tabs.open('alice', tab);
    await tabs.refund('alice', tab);
    await world.mine(3);
    await Promise.all([1, 2, 3, 4].map(() => tabs.index()));
    expect(await movesOf((await tabs.row(tab))?.id)).toEqual(['confirm', 'refund']);
  });

  test('that starts on a real network begins now, or where the routers were deployed; never at the first block', async () => {
    const at = await world.reader().getBlockNumber();
    const first = async (more: Partial<EvmChain>) => {
      await world.ctx.db.indexerCheckpoint.deleteMany();
      await world.mine(1);
      proxy.alter('eth_getLogs', () => []);
      await indexChain(world.ctx, { ...chain(), ...more });
      proxy.alter('eth_getLogs', null);
      const { hashes } = await checkpoint();
      return (hashes as [number, string][])[0]?.[0] ?? 0;
    };
    expect(await first({ local: false })).toBeGreaterThanOrEqual(Number(at) - 2);
    expect(await first({ local: false, deployedAtBlock: Number(at) - 4 })).toBe(Number(at) - 4);
    expect(await first({ local: true })).toBeLessThan(Number(at) - 2);
  });
});

/** The same chain, whose provider refuses some stretches of blocks. */
function picked(of: EvmChain, refuses: (from: number, to: number) => boolean): EvmChain {
  const { client } = of;
  const transport = fallback(
    [
      http(world.anvilOf().rpcUrl, {
        retryCount: 0,
        fetchFn: async (input, init) => {
          const body = JSON.parse(String(init?.body ?? '{}'));
          if (body.method !== 'eth_getLogs') return fetch(input, init);
          const [{ fromBlock, toBlock }] = body.params;
          if (!refuses(Number(fromBlock), Number(toBlock))) return fetch(input, init);
          const error = { code: -32_005, message: 'query returned more than 10000 results' };
          return new Response(JSON.stringify({ jsonrpc: '2.0', id: body.id, error }), {
            headers: { 'content-type': 'application/json' },
          });
        },
      }),
    ],
    { retryCount: 0 },
  );
  return { ...of, client: { ...client, ...createPublicClient({ transport, cacheTime: 0 }) } };
}
