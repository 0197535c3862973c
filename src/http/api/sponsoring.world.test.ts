// What we send at our cost, and for whom: handles are free, so strangers with nothing must not use up what is paid for everybody.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Prepared, signPrepared, walletOfPerson } from '../../../test/setup/signer.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';

let world: World;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
});
afterAll(() => world.stop());
beforeEach(() => {
  // A day later no budget of another test counts.
  world.later(25 * 3_600_000);
  world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 500;
});

const idOf = async (slug: string) => (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } })).id;
async function stranger(slug: string) {
  const account = privateKeyToAccount(generatePrivateKey());
  const browser = visitor(base);
  await browser.signIn(account);
  expect((await browser.post('/api/handle', { handle: slug })).status).toBe(201);
  return { account, browser };
}
async function ask(browser: Visitor, account: ReturnType<typeof walletOfPerson>, choice: object) {
  const prepared = (await browser.post('/api/spending/prepare', choice)).body as Prepared;
  return browser.post('/api/spending/submit', {
    ...prepared.submit,
    signature: await signPrepared(prepared, account),
  });
}
const pauses = () => world.ctx.db.outgoingTx.count({ where: { kind: 'pause', nonce: { not: null } } });
const rowOf = async (handleId: string) =>
  world.ctx.db.pause.findUniqueOrThrow({ where: { handleId_chain: { handleId, chain: 'base' } } });

test('402 for somebody without a chat and without money; with money we pay', async () => {
  const { browser, account } = await stranger('nothing_yet');
  const permit = { kind: 'permit', chain: 'base', amount: '5' };
  const refused = await ask(browser, account, permit);
  expect([refused.status, refused.body.error.code]).toEqual([402, 'call_refused']);
  expect(refused.body.error.message).toContain('Connect a chat first');
  await world.say('alice', `/send ${account.address} 5`);
  expect((await ask(browser, account, permit)).status).toBe(200);
});

test('the last part of a chain’s budget is for resuming alone', async () => {
  const [alice, key] = [visitor(base), walletOfPerson('alice')];
  await alice.signIn(key);
  await alice.post('/api/spending/pause', {});
  for (let i = 0; i < 3; i++) await world.run();
  world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 5;
  const [bob, other] = [visitor(base), walletOfPerson('bob')];
  await bob.signIn(other);
  for (let i = 0; i < 4; i++) {
    expect((await ask(bob, other, { kind: 'permit', chain: 'base', amount: String(i + 1) })).status).toBe(200);
    await world.run();
    await world.run();
  }
  expect((await ask(bob, other, { kind: 'permit', chain: 'base', amount: '9' })).status).toBe(429);
  world.later(1_000);
  expect((await ask(alice, key, { kind: 'resume', chain: 'base' })).status).toBe(200);
  for (let i = 0; i < 3; i++) await world.run();
  expect((await alice.get('/api/spending')).body.paused_at).toBeNull();
});

test('a pause that is said forty times before a block is one transaction', async () => {
  const alice = visitor(base);
  await alice.signIn(walletOfPerson('alice'));
  const before = await pauses();
  await world.admin().setAutomine(false);
  for (let i = 0; i < 40; i++) {
    expect((await alice.post('/api/spending/pause', {})).status).toBe(200);
    await world.send();
  }
  expect((await pauses()) - before).toBe(1);
  await world.admin().setAutomine(true);
  for (let i = 0; i < 3; i++) await world.run();
  expect((await rowOf(await idOf('alice'))).status).toBe('done');
  expect((await pauses()) - before).toBe(1);
  world.later(1_000);
  expect((await ask(alice, walletOfPerson('alice'), { kind: 'resume', chain: 'base' })).status).toBe(200);
  for (let i = 0; i < 3; i++) await world.run();
});

test('beyond the budget a wallet that allows nothing is held by our rows, and the chain hears of it when it matters', async () => {
  world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 0;
  const { browser } = await stranger('idle_one');
  const before = await pauses();
  await browser.post('/api/spending/pause', {});
  const id = await idOf('idle_one');
  await world.send();
  expect((await rowOf(id)).status).toBe('held');
  expect(await pauses()).toBe(before);
  expect((await browser.get('/api/spending')).body.paused_at).not.toBeNull();

  // Whoever has allowed something is told to the chain whatever the budget says.
  const alice = visitor(base);
  await alice.signIn(walletOfPerson('alice'));
  await alice.post('/api/spending/pause', {});
  await world.send();
  expect((await rowOf(await idOf('alice'))).status).toBe('sent');

  // Asking for the way out has the chain told, where it is taken back.
  world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 500;
  expect((await browser.post('/api/spending/prepare', { kind: 'resume', chain: 'base' })).status).toBe(409);
  expect((await rowOf(id)).status).toBe('wanted');
  await world.send();
  expect((await rowOf(id)).status).toBe('sent');
});
