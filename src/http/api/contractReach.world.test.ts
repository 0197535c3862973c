// A contract wallet is its owner's only where it has proven itself: elsewhere it neither spends, nor signs, nor stops whoever has that address there.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeContractWallet } from '../../../test/setup/contractWallet.ts';
import { serveWorld, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';

let world: World;
let base: string;
beforeAll(async () => {
  world = await startWorld({ chains: ['base', 'base-sepolia'] });
  base = await serveWorld(world);
});
afterAll(() => world.stop());

test('its pages, its calls and its pauses are of the chain where it has signed in', async () => {
  const [wallet, owner] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())];
  await placeContractWallet(world, wallet.address, owner.address, 'base');
  const browser = visitor(base);
  expect((await browser.signIn(owner, { address: wallet.address, chainId: 8453 })).status).toBe(200);
  expect((await browser.post('/api/handle', { handle: 'contract_one' })).status).toBe(201);

  const { chains } = (await browser.get('/api/spending')).body;
  expect(chains.map((one: { chain: string }) => one.chain)).toEqual(['base']);
  const elsewhere = { chain: 'base-sepolia', amount: '5' };
  for (const [path, body] of [
    ['prepare', { kind: 'permit', ...elsewhere }],
    ['prepare', { kind: 'limits', chain: 'base-sepolia', per_tip: '5', per_day: '9' }],
    ['approve/prepare', elsewhere],
  ] as const) {
    const refused = await browser.post(`/api/spending/${path}`, body);
    expect([refused.status, refused.body.error.param]).toEqual([400, 'chain']);
    expect(refused.body.error.message).toContain('isn’t verified on Base Sepolia');
  }
  expect((await browser.post('/api/spending/approve/prepare', { ...elsewhere, chain: 'base' })).status).toBe(200);
  await browser.post('/api/spending/pause', {});
  expect(await world.ctx.db.pause.findMany({ select: { chain: true } })).toEqual([{ chain: 'base' }]);
});
