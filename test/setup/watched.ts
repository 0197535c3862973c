// A watchdog of a world's EVM chain, driven step by step, with two endpoints that may lie.
import { createWalletClient, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ROLES } from '../../local/stack/roles.ts';
import { botRouterAbi } from '../../src/chain/routers/abis/BotRouter.ts';
import { createEvmChain } from '../../src/chain/rpc/client.ts';
import { rpcTransport } from '../../src/chain/rpc/transport.ts';
import { loadOwed, owePause } from '../../src/services/operations/pauseDebt.ts';
import { openPauses, type Pauses, pauseBy } from '../../src/services/operations/pausing.ts';
import { lookAt, openWatch, type Watch } from '../../src/services/operations/watching.ts';
import { type RpcProxy, startRpcProxy } from './rpcProxy.ts';
import type { World } from './world.ts';

export const [HONEST, OTHER] = [0, 1] as const;

export type Watched = Awaited<ReturnType<typeof startWatched>>;

export async function startWatched(world: World) {
  const { rpcUrl } = world.anvilOf();
  const proxies: [RpcProxy, RpcProxy] = [await startRpcProxy(rpcUrl), await startRpcProxy(rpcUrl)];
  const guardian = privateKeyToAccount(ROLES.guardian.key);
  for (const { address } of [guardian, ROLES.owner]) await world.admin().setBalance({ address, value: 10n ** 18n });
  const router = world.evmChain().routers.bot;
  let pauses: Pauses;
  let watch: Watch;

  const self = {
    proxies,
    guardian,
    router,
    get watch(): Watch {
      return watch;
    },
    get pauses(): Pauses {
      return pauses;
    },
    /** A process that starts: it knows what the rows say, and nothing else. */
    async start(): Promise<void> {
      const [first] = world.embedded;
      if (!first) throw new Error('this world has a chain');
      const chain = createEvmChain('base', { ...first.config, rpcUrls: proxies.map(({ url }) => url) });
      pauses = openPauses(guardian);
      watch = openWatch(chain, (hash) => owePause(pauses, hash));
      await loadOwed(world.ctx, watch, pauses);
    },
    /** A new look, also where the chain has not moved. */
    async look(number: number): Promise<void> {
      watch.judged.clear();
      for (const list of watch.listed.values()) list.at = Number.NEGATIVE_INFINITY;
      while ((await lookAt(world.ctx, watch, number)) > 0);
    },
    async lookByAll(): Promise<void> {
      for (const number of [HONEST, OTHER]) await self.look(number);
    },
    /** Rounds of both pause loops, one of which may fail. */
    async pauseRounds(rounds = 6): Promise<void> {
      for (let round = 0; round < rounds; round++) {
        await Promise.allSettled([HONEST, OTHER].map((number) => pauseBy(world.ctx, watch, pauses, number)));
        await world.mine(1);
      }
    },
    isPaused: () => world.reader().readContract({ address: router, abi: botRouterAbi, functionName: 'paused' }),
    pausesFrom: (fromBlock: bigint) =>
      world.reader().getContractEvents({ address: router, abi: botRouterAbi, eventName: 'PausedSet', fromBlock }),
    foreign: () => world.ctx.db.foreignTransaction.findMany({ orderBy: { seenAt: 'asc' } }),
    walletOf: (key: Hex) => createWalletClient({ account: privateKeyToAccount(key), transport: rpcTransport(rpcUrl) }),
    asOwner: async (functionName: 'unpause' | 'addExecutor' | 'removeExecutor', ...args: Hex[]) => {
      const call = { address: router, abi: botRouterAbi, functionName, args, chain: null };
      await self.walletOf(ROLES.owner.key).writeContract(call as never);
      await world.taken();
    },
    /** Ends every lie, the pause, and what was found. */
    async forget(): Promise<void> {
      for (const proxy of proxies) {
        proxy.setDead(false);
        for (const method of LIED) {
          proxy.alter(method, null);
          proxy.answer(method, null);
          proxy.refuse(method, null);
        }
      }
      await world.admin().setAutomine(true);
      await world.mine(1);
      if (await self.isPaused()) await self.asOwner('unpause');
      const { db } = world.ctx;
      await db.foreignTransaction.updateMany({ where: { pausedAt: null }, data: { pausedAt: new Date() } });
      // As an operator puts back a key that something else used.
      for (const { address } of ROLES.executors) {
        const nextNonce = await world.reader().getTransactionCount({ address });
        await db.executorKey.updateMany({ where: { address, nextNonce: { lt: nextNonce } }, data: { nextNonce } });
        await db.executorKey.updateMany({ where: { address }, data: { pausedReason: null } });
      }
      await db.watchCheckpoint.deleteMany();
      await db.watchSighting.deleteMany();
      await db.watchGuardian.deleteMany();
      await db.alert.deleteMany();
    },
    close: () => Promise.all(proxies.map((proxy) => proxy.close())),
  };
  await self.start();
  return self;
}

/** Methods whose answers tests change. */
const LIED = [
  'eth_getLogs',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_getBlockByNumber',
  'eth_call',
  'eth_getTransactionCount',
  'eth_sendRawTransaction',
];
