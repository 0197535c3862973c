// The page of a handle whose only wallet is one of Solana: it begins there, takes presses there, and is not switched on where no press could be taken.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { FINALIZED_AFTER, type SolanaTabs, startSolanaTabs } from '../../test/setup/solanaTabs.ts';
import { serveWorld, type Visitor, visitor } from '../../test/setup/visitor.ts';
import { startWorld, type World } from '../../test/setup/world.ts';

let world: World;
let tabs: SolanaTabs;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  tabs = await startSolanaTabs(world);
  base = await serveWorld(world);
});
afterAll(async () => {
  await tabs.stop();
  await world.stop();
});

async function joined(key: string, handle: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signInWithSolana(localSolanaKey(key))).status).toBe(200);
  expect((await browser.post('/api/handle', { handle })).status).toBe(201);
  return browser;
}

test('begins on Solana, and each press there is an order that can be paid', async () => {
  // With an account for USDC.
  tabs.solana.person('alice');
  tabs.solana.step(FINALIZED_AFTER);
  const owner = await joined('alice', 'sunny');
  const { page } = (await owner.get('/api/settings/page')).body;
  expect([page.enabled, page.chain, page.currency]).toEqual([false, 'solana', 'USDC']);
  const on = await owner.send('PATCH', '/api/settings/page', { enabled: true });
  expect([on.status, on.body.error]).toEqual([200, undefined]);
  const payer = visitor(base);
  expect((await payer.get('/api/checkout/handles/sunny')).body.page).toMatchObject({ chain: 'solana', payable: true });
  const begun = await payer.post('/api/checkout/handles/sunny', { amount: '5' });
  expect(begun.status, JSON.stringify(begun.body)).toBe(201);
  const row = await world.ctx.db.order.findUniqueOrThrow({ where: { id: begun.body.order.id } });
  expect([row.payee, row.chain, row.feeUnits.toFixed(0)]).toEqual([localSolanaKey('alice').address, 'solana', '0']);
});

test('is not switched on where its wallet has none, or has no account for USDC', async () => {
  const owner = await joined('newcomer of the page', 'moony');
  const on = (wish: object) => owner.send('PATCH', '/api/settings/page', { enabled: true, ...wish });
  expect((await on({ chain: 'base' })).body.error.code).toBe('state_conflict');
  const { status, body } = await on({ chain: 'solana' });
  expect([status, body.error.code]).toEqual([409, 'state_conflict']);
  expect(body.error.message).toContain('can’t receive USDC on Solana yet');
  expect((await visitor(base).get('/api/checkout/handles/moony')).status).toBe(404);
});
