// A chain that is not what it is configured to be is not served, and the others go on.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/chain/evm.ts';
import { verifyChains } from '../../src/context.ts';
import { StartError } from '../../src/domain/errors.ts';
import { startWorld, type World } from '../setup/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ chains: ['base', 'celo', 'bsc'] });
});
afterAll(() => world.stop());

/** Verifies with something else in a chain's place. @returns why each refused chain is refused */
async function verifiedWith(
  change: (chains: World['ctx']['chains']) => void,
  meanwhile: () => Promise<void> = async () => {},
): Promise<Record<string, string>> {
  const { chains, refused } = world.ctx;
  const before = { ...chains };
  change(chains);
  try {
    await verifyChains(world.ctx);
    await meanwhile();
    return Object.fromEntries(refused);
  } finally {
    Object.assign(chains, before);
    refused.clear();
  }
}

test('with every chain as it should be, none is refused', async () => {
  expect(await verifiedWith(() => {})).toEqual({});
});

test('a wrong USDC address refuses that chain alone, and names what was found and what was expected', async () => {
  const right = world.evmChain('celo').usdc;
  const wrong = world.evmChain('celo').wrappedNative;
  const { escrow } = world.evmChain('celo').routers;
  const refused = await verifiedWith(
    (chains) => {
      chains.celo = { ...world.evmChain('celo'), usdc: wrong };
    },
    async () => {
      expect(Object.keys(world.ctx.chains).sort()).toEqual(['base', 'bsc']);
      await world.type('alice', '/tip @bob 1');
      await world.fetchUpdates();
      await world.ingest();
      await world.prepare();
      await world.settle();
      await world.watch();
      expect(await world.ctx.db.tip.count({ where: { chain: 'base', txHash: { not: null } } })).toBe(1);
    },
  );
  expect(refused).toEqual({
    celo: `on celo the escrow router at ${escrow} has usdc ${right}, expected ${wrong}`,
  });
});

test('an address without a contract, other decimals and another domain are told as what they are', async () => {
  const nobody: Address = '0x00000000000000000000000000000000000000aa';
  const celo = world.evmChain('celo');
  const bsc = world.evmChain('bsc');
  expect(await verifiedWith((chains) => void Object.assign(chains, { celo: { ...celo, usdc: nobody } }))).toEqual({
    celo: `USDC has no code at ${nobody} on celo`,
  });
  expect(
    await verifiedWith((chains) => {
      chains.bsc = { ...bsc, facts: { ...bsc.facts, usdcDecimals: 6 } };
      chains.celo = { ...celo, facts: { ...celo.facts, usdcDomain: { name: 'USD Coin', version: '2' } } };
    }),
  ).toEqual({
    bsc: `USDC at ${bsc.usdc} on bsc has 18 decimals, expected 6`,
    celo: expect.stringMatching(
      /^USDC at 0x\w+ on celo has the EIP-712 domain 0x\w{64}, expected 0x\w{64} \(USD Coin, version 2\)$/,
    ),
  });
});

test('a router of another deployment, or none, refuses the chain', async () => {
  const celo = world.evmChain('celo');
  const { routers } = celo;
  const swapped = { ...routers, payment: routers.business, business: routers.payment };
  expect(await verifiedWith((chains) => void Object.assign(chains, { celo: { ...celo, routers: swapped } }))).toEqual({
    celo: `what stands at ${routers.business} on celo is not this version's payment router`,
  });
});

test('with no chain left there is nothing to start for', async () => {
  const wrong = { usdc: world.evmChain().wrappedNative };
  const attempt = verifiedWith((chains) => {
    for (const [name, one] of Object.entries(chains)) chains[name as 'base'] = { ...one, ...wrong };
  });
  await expect(attempt).rejects.toThrow(StartError);
});
