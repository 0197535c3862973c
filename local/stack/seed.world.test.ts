// Seeding that was cut off in its middle, and seeding again: everybody has what they should, once, and keeps what they changed since.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, createTestClient, createWalletClient, erc20Abi, type Hex, http, parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { botRouterAbi } from '../../src/chain/routers/abis/BotRouter.ts';
import type { Address } from '../../src/chain/rpc/client.ts';
import { waitForReceipt } from '../../src/chain/rpc/receipts.ts';
import { connectDb, type Db } from '../../src/db.ts';
import { SCOPES } from '../../src/domain/apiKey.ts';
import { CHAINS } from '../../src/domain/chains.ts';
import { freshDatabase, type OwnDatabase } from '../../test/setup/database.ts';
import { startRpcProxy } from '../../test/setup/rpcProxy.ts';
import { baseEnv, setUpChain } from '../../test/setup/seeded.ts';
import { localPerson } from '../../test/setup/world.ts';
import { type RunningAnvil, startAnvil } from '../chains/anvil.ts';
import type { EmbeddedChain } from '../chains/embeddedChains.ts';
import { seed } from './seed.ts';

const THOUSAND = parseUnits('1000', 6);
const alice = localPerson('alice');
const carol = localPerson('carol');
let anvil: RunningAnvil;
let chain: EmbeddedChain;
let unseeded: Hex;
let folder: string;
let database: OwnDatabase;
let env: Record<string, string>;
let db: Db;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: CHAINS.base.chainId, blockTimeSeconds: 0, mixedMining: true });
  chain = await setUpChain('base', anvil.rpcUrl);
  folder = mkdtempSync(join(tmpdir(), 'ampersat-seed-'));
  const chainsFile = join(folder, 'chains.json');
  writeFileSync(chainsFile, JSON.stringify({ base: chain.config }));
  database = await freshDatabase();
  env = baseEnv(database.url, chainsFile);
  db = connectDb(database.url);
  // The rows are there before anything is cut, because that cuts nothing but the chain.
  await seed(env, []);
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
  await anvil.stop();
  rmSync(folder, { recursive: true, force: true });
});

const admin = () => createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl) });
beforeEach(async () => {
  unseeded = await admin().snapshot();
});
afterEach(() => admin().revert({ id: unseeded }));

const reader = () => createPublicClient({ transport: http(anvil.rpcUrl), cacheTime: 0 });
const seeded = () => seed(env, [chain]);
/** The connection to the chain is cut as soon as that many transactions are in it, before their senders hear of it. */
async function cutAfter(transactions: number): Promise<void> {
  const proxy = await startRpcProxy(anvil.rpcUrl);
  let count = 0;
  proxy.alter('eth_sendRawTransaction', (hash) => {
    count += 1;
    if (count === transactions) proxy.setDead(true);
    return hash;
  });
  await expect(seed(env, [{ ...chain, config: { ...chain.config, rpcUrls: [proxy.url] } }])).rejects.toThrow();
  expect(count).toBe(transactions);
  await proxy.close();
}

/** What seeding gives somebody: what they hold and have set. Gas costs are left out. */
async function belongings({ address }: { address: Address }) {
  const { usdc, wrappedNative, routers } = chain.config;
  const read = (token: string | undefined) =>
    reader().readContract({ address: token as Address, abi: erc20Abi, functionName: 'balanceOf', args: [address] });
  const allowed = (token: string | undefined) =>
    reader().readContract({
      address: token as Address,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [address, routers.bot as Address],
    });
  const limits = (token: string | undefined) =>
    reader().readContract({
      address: routers.bot as Address,
      abi: botRouterAbi,
      functionName: 'limitsOf',
      args: [address, token as Address],
    });
  return {
    usdc: await read(usdc),
    wrapped: await read(wrappedNative),
    native: Math.round(Number(await reader().getBalance({ address })) / 1e18),
    allowed: [await allowed(usdc), await allowed(wrappedNative)],
    limits: [(await limits(usdc)).slice(0, 3), (await limits(wrappedNative)).slice(0, 3)],
    transactions: await reader().getTransactionCount({ address }),
  };
}

describe('seeding', () => {
  // The first is alice’s money; after it her own five.
  test.each([1, 2, 4])(
    'that ended after %i transactions goes on where it was, and gives nothing twice',
    async (count) => {
      await cutAfter(count);
      const cut = await belongings(alice);
      expect(cut.usdc).toBe(THOUSAND);
      expect(cut.transactions).toBe(count - 1);
      await seeded();
      const after = await belongings(alice);
      // Bob was seeded in one go.
      expect(after).toEqual(await belongings(localPerson('bob')));
      expect(after).toMatchObject({ usdc: THOUSAND, native: 100, transactions: 5 });
    },
  );

  test('again changes nothing, also where somebody spent, took back what they allowed, or lives on what others gave', async () => {
    await seeded();
    const wallet = createWalletClient({ account: privateKeyToAccount(alice.key), transport: http(anvil.rpcUrl) });
    const { usdc, routers } = chain.config;
    await wallet.writeContract({
      address: usdc as Address,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [carol.address, THOUSAND],
      chain: null,
    });
    await wallet.writeContract({
      address: routers.bot as Address,
      abi: botRouterAbi,
      functionName: 'setLimits',
      args: [usdc as Address, 0n, 0n, 0n],
      chain: null,
    });
    await waitForReceipt(
      reader(),
      await wallet.sendTransaction({ to: carol.address, value: parseUnits('7', 18), chain: null }),
    );
    const before = [await belongings(alice), await belongings(carol)];
    expect(before[0]).toMatchObject({ usdc: 0n, transactions: 8 });
    await seeded();
    expect([await belongings(alice), await belongings(carol)]).toEqual(before);
  });

  test('adds the connections that an earlier start had not made yet, and leaves those that were ended', async () => {
    await seeded();
    const all = await db.connection.findMany({ orderBy: { id: 'asc' } });
    expect(all.map(({ platform }) => platform)).toEqual([...'abc'].flatMap(() => ['telegram', 'discord', 'x']));
    const of = (platform: string) => ({ platform, platformUserId: String(alice.telegram.id) });
    const discord = { platform: 'discord', platformUserId: alice.discord.id };
    await db.connection.update({
      where: { platform_platformUserId: of('telegram') },
      data: { disconnectedAt: new Date() },
    });
    await db.connection.delete({ where: { platform_platformUserId: discord } });
    await seeded();
    const telegram = await db.connection.findUniqueOrThrow({ where: { platform_platformUserId: of('telegram') } });
    expect(telegram.disconnectedAt).not.toBeNull();
    const again = await db.connection.findUniqueOrThrow({ where: { platform_platformUserId: discord } });
    expect(again).toMatchObject({ username: 'alice', canSpend: true, disconnectedAt: null });
    expect(await db.connection.count()).toBe(all.length);
    expect(await db.handle.count()).toBe(4);
  });

  test('draws new keys of the API in place of those of the start before, and leaves others alone', async () => {
    const first = await seeded();
    expect(Object.keys(first.apiKeys)).toEqual(['alice', 'bob', 'carol', 'shop']);
    expect(first.apiKeys['shop']).toMatch(/^sk_test_[0-9A-Za-z]{43}$/);
    const shop = await db.handle.findUniqueOrThrow({ where: { slug: 'shop' } });
    expect(shop.kind).toBe('business');
    const [own] = await db.apiKey.findMany({ where: { handleId: shop.id } });
    if (!own) throw new Error('shop has a key');
    expect(own.scopes.toSorted()).toEqual([...SCOPES].sort());
    await db.apiKey.create({ data: { ...own, id: 'key_own', hash: 'own', label: 'Till' } });
    const second = await seeded();
    expect(second.apiKeys['shop']).not.toBe(first.apiKeys['shop']);
    const keys = await db.apiKey.findMany({ where: { handleId: shop.id }, orderBy: { label: 'asc' } });
    expect(keys.map(({ label, last4 }) => [label, last4])).toEqual([
      ['Local stack', second.apiKeys['shop']?.slice(-4)],
      ['Till', own.last4],
    ]);
  });

  test('keeps keys of the start before that are known and still good, and draws new ones for the others', async () => {
    const first = await seeded();
    const bob = await db.handle.findUniqueOrThrow({ where: { slug: 'bob' } });
    await db.apiKey.updateMany({ where: { handleId: bob.id }, data: { revokedAt: new Date() } });
    const carol = await db.handle.findUniqueOrThrow({ where: { slug: 'carol' } });
    await db.apiKey.updateMany({ where: { handleId: carol.id }, data: { scopes: ['read'] } });
    const { alice = '', shop = '' } = first.apiKeys;
    const second = await seed(env, [chain], { ...first.apiKeys, shop: alice });
    const isSame = (name: string) => second.apiKeys[name] === first.apiKeys[name];
    expect(['alice', 'bob', 'carol', 'shop'].filter(isSame)).toEqual(['alice']);
    expect(second.apiKeys['shop']).not.toBe(alice);
    expect(second.apiKeys['shop']).not.toBe(shop);
    const keys = await db.apiKey.findMany({ where: { label: 'Local stack' } });
    expect(keys.map(({ last4 }) => last4).sort()).toEqual(
      Object.values(second.apiKeys)
        .map((key) => key.slice(-4))
        .sort(),
    );
  });
});
