// Looking at chains: what is measured, what a dead or foreign endpoint does, and that a look ends.

import { createServer } from 'node:net';
import { createPublicClient, http } from 'viem';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startAnvil } from '../../../local/chains/anvil.ts';
import { ROLES } from '../../../local/stack/roles.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import type { ChainProbe } from '../../chain/probe.ts';
import { equalRoles } from '../../chain/routers/verify.ts';
import { openKeys } from '../outgoing/keys.ts';
import { lookAtChains } from './probes.ts';

let world: World;
let failed: string[];
beforeAll(async () => {
  world = await startWorld();
  await openKeys(world.ctx, world.evmChain());
  failed = [];
  world.ctx.shutdown.onFail((reason) => failed.push(reason));
});
afterAll(() => world.stop());

const clientOf = (url: string) =>
  createPublicClient({ transport: http(url, { retryCount: 0, timeout: 20_000 }), cacheTime: 0 });
async function look(): Promise<ChainProbe> {
  await lookAtChains(world.ctx);
  const probe = world.ctx.probes.get('base');
  if (!probe) throw new Error('base was not looked at');
  return probe;
}

test('a look knows the endpoint, the keys, the price of gas and of the native asset', async () => {
  const probe = await look();
  expect(probe.endpoints).toEqual([
    expect.objectContaining({ problem: null, failures: 0, latencyMs: expect.any(Number), head: expect.any(BigInt) }),
  ]);
  expect([...probe.keys.keys()].sort()).toEqual(ROLES.executors.map((role) => role.address).sort());
  expect([...probe.keys.values()].every((key) => key.balance > 0n)).toBe(true);
  expect(probe.batchCost).toBeGreaterThan(0n);
  expect(probe.price).toMatchObject({ micros: 3_000_000_000n, stale: null });
});

test('a live chain that stands still is of no use; a local one may', async () => {
  world.later(120_000);
  expect((await look()).endpoints[0]?.problem).toBeNull();
  Object.assign(world.evmChain(), { local: false });
  expect((await look()).endpoints[0]?.problem).toMatch(/^its newest block is 1\d\d s old$/);
  Object.assign(world.evmChain(), { local: true });
});

test('an endpoint that takes a connection and says nothing ends the look within seconds', async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { endpoints } = world.evmChain();
  const before = [...endpoints];
  endpoints.unshift(clientOf(`http://127.0.0.1:${(server.address() as { port: number }).port}`));
  const started = performance.now();
  const probe = await look();
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(probe.endpoints.map((one) => one.problem)).toEqual(['does not answer', null]);
  expect(probe.keys.size).toBe(2);
  endpoints.splice(0, 2, ...before);
  await look();
});

test('an endpoint that comes back as another chain ends the process', async () => {
  const other = await startAnvil({ chainId: 1234, blockTimeSeconds: 0 });
  onTestFinished(() => other.stop());
  const { endpoints } = world.evmChain();
  const [right] = endpoints;
  endpoints[0] = clientOf('http://127.0.0.1:1');
  await look();
  expect(failed).toEqual([]);
  endpoints[0] = clientOf(other.rpcUrl);
  await look();
  expect(failed).toEqual(['Chain configuration is wrong: the RPC endpoint of base is chain 1234, not 8453.']);
  endpoints[0] = right!;
  failed.length = 0;
  await look();
  expect(failed).toEqual([]);
});

test('an endpoint that comes back without our contracts ends the process', async () => {
  const empty = await startAnvil({ chainId: 8453, blockTimeSeconds: 0 });
  onTestFinished(() => empty.stop());
  const { endpoints } = world.evmChain();
  const [right] = endpoints;
  endpoints[0] = clientOf('http://127.0.0.1:1');
  await look();
  endpoints[0] = clientOf(empty.rpcUrl);
  await look();
  expect(failed).toEqual([expect.stringMatching(/the escrow router has no code at 0x\w+ on base\.$/)]);
  endpoints[0] = right!;
  failed.length = 0;
});

test('equal roles are named, whichever two they are', () => {
  const [a, b] = [ROLES.owner.address, ROLES.guardian.address];
  expect(
    equalRoles('base', [
      ['the owner', a],
      ['the guardian', b],
    ]),
  ).toBeNull();
  expect(
    equalRoles('base', [
      ['the owner', a],
      ['the guardian', a.toLowerCase() as typeof a],
    ]),
  ).toMatch(/^the guardian of the routers on base is also the owner \(0x\w+\): each role needs its own key$/);
});
