// A thief who has somebody's session: what they ask for is told to every chat that could stop it, and uses up nothing of the owner's.

import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitForLock } from '../../../test/setup/locks.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, type Shown, startWorld, type World } from '../../../test/setup/world.ts';
import { lockSender } from '../../services/locks.ts';

const HOUR = 3_600_000;
const BOB = localPerson('bob').telegram.id;
const CAROL = localPerson('carol').telegram.id;
const DAVE = localPerson('dave').telegram.id;
let world: World;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  for (const name of ['alice', 'bob']) await world.say(name, '/help', { chat: localPerson(name).telegram.id });
});
afterAll(() => world.stop());
// What one test used up of a day's limits is free again in the next.
beforeEach(() => world.later(25 * HOUR));

const newKey = () => privateKeyToAccount(generatePrivateKey());
const keyOf = (name: string) => privateKeyToAccount(localPerson(name).key);
async function signedIn(account: PrivateKeyAccount): Promise<Visitor> {
  world.later(120_000);
  const browser = visitor(base);
  expect((await browser.signIn(account)).status).toBe(200);
  return browser;
}
async function signed(browser: Visitor, next: PrivateKeyAccount, old?: PrivateKeyAccount) {
  const { body } = await browser.post('/api/wallet/change/prepare', { new_address: next.address });
  return {
    new_address: next.address,
    nonce: body.nonce,
    deadline: body.deadline,
    new_signature: await next.signTypedData(body.typed_data),
    ...(old ? { old_signature: await old.signTypedData(body.typed_data) } : {}),
  };
}
const change = (browser: Visitor, body: object) => browser.post('/api/wallet/change', body);
async function disconnectAll(browser: Visitor): Promise<void> {
  for (const { id } of (await browser.get('/api/connections')).body.data)
    expect((await browser.delete(`/api/connections/${id}`)).status).toBe(200);
}
const buttonsOf = (message: Shown | undefined) => message?.reply_markup?.inline_keyboard.flat() ?? [];
const saidTo = async (chat: number) => (await world.botSaid(chat)).map((message) => message.text);
/** The whole way of a link, up to the press, which lies at Telegram then. */
async function pressConnect(name: string, browser: Visitor): Promise<void> {
  const chat = localPerson(name).telegram.id;
  await world.say(name, '/connect', { chat });
  const url = buttonsOf((await world.botSaid(chat)).at(-1))[0]?.url ?? '';
  expect((await browser.post('/api/links/redeem', { secret: url.split('#')[1] })).status).toBe(200);
  await world.run();
  const question = (await world.botSaid(chat)).at(-1) as Shown;
  const token = buttonsOf(question).find((button) => button.text === 'Connect')?.callback_data ?? '';
  await world.press(name, question, token, chat);
}

describe('a change of the payout wallet', () => {
  test('is told to chats that were disconnected just before, and at once to who connects while it waits', async () => {
    const thief = await signedIn(keyOf('bob'));
    await disconnectAll(thief);
    await world.run();
    expect((await saidTo(BOB)).at(-1)).toContain('disconnected from bob@ampersat in its settings.');
    world.later(29 * 24 * HOUR);
    const robber = await signedIn(keyOf('bob'));
    expect((await change(robber, await signed(robber, newKey()))).status).toBe(200);
    await world.run();
    const notice =
      /^⚠️ The payout wallet of bob@ampersat changes to.*\nIf that wasn’t you, cancel it in your settings now and sign out everywhere\.$/;
    expect((await saidTo(BOB)).at(-1)).toMatch(notice);
    expect(buttonsOf((await world.botSaid(BOB)).at(-1))).toEqual([{ text: 'Settings', url: `${base}/settings` }]);

    const said = await saidTo(BOB);
    await pressConnect('bob', await signedIn(keyOf('bob')));
    await world.run();
    expect((await saidTo(BOB)).slice(said.length).filter((text) => notice.test(text))).toHaveLength(1);
    expect((await robber.delete('/api/wallet/change')).status).toBe(200);
    await world.run();
    expect((await saidTo(BOB)).at(-1)).toMatch(/stays the same/);
  });

  test('of the very moment in which somebody connects is told to them', async () => {
    const bob = await signedIn(keyOf('bob'));
    await disconnectAll(bob);
    await pressConnect('bob', bob);
    const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'bob' } });
    await world.fetchUpdates();
    const said = await saidTo(BOB);
    let pressed: Promise<void> = Promise.resolve();
    await world.ctx.db.$transaction(async (tx) => {
      await lockSender(tx, handleId);
      pressed = world.ingest();
      await waitForLock(world.ctx.db);
      const at = new Date(world.ctx.clock.now());
      const effectiveAt = new Date(at.getTime() + 72 * HOUR);
      const wallets = { family: 'evm', oldAddress: keyOf('bob').address, newAddress: newKey().address };
      const row = { id: 'wch_moment', handleId, ...wallets, status: 'pending', requestedAt: at, effectiveAt };
      await tx.walletChange.create({ data: row });
    });
    await pressed;
    await world.run();
    const told = (await saidTo(BOB)).slice(said.length);
    expect(told.some((text) => text.includes(' changes to '))).toBe(true);
    expect((await bob.delete('/api/wallet/change')).status).toBe(200);
  });

  test('that took effect is told to a disconnected chat in words that are true there', async () => {
    const thief = await signedIn(keyOf('alice'));
    await disconnectAll(thief);
    expect((await change(thief, await signed(thief, newKey()))).status).toBe(200);
    world.later(72 * HOUR);
    await world.run();
    const chat = localPerson('alice').telegram.id;
    expect((await saidTo(chat)).at(-1)).toMatch(/Your account here isn’t connected to it\.$/);
    expect(buttonsOf((await world.botSaid(chat)).at(-1))[0]?.text).toBe('Settings');
  });

  test('of somebody who left more than 30 days ago is not told any more', async () => {
    const bob = await signedIn(keyOf('bob'));
    await disconnectAll(bob);
    await world.run();
    world.later(31 * 24 * HOUR);
    const said = await saidTo(BOB);
    const browser = await signedIn(keyOf('bob'));
    expect((await change(browser, await signed(browser, newKey()))).status).toBe(200);
    await world.run();
    expect(await saidTo(BOB)).toEqual(said);
    expect((await browser.delete('/api/wallet/change')).status).toBe(200);
  });

  test('is counted, also when its signature fits nothing: each asks every endpoint of the chain', async () => {
    const browser = await signedIn(keyOf('shop'));
    const contract = world.evmChain().usdc;
    const { nonce, deadline } = (await browser.post('/api/wallet/change/prepare', { new_address: contract })).body;
    const body = { new_address: contract, nonce, deadline, new_signature: `0x${'11'.repeat(66)}` };
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) statuses.push((await change(browser, body)).status);
    expect([...new Set(statuses)]).toEqual([400, 429]);
    expect((await browser.post('/api/wallet/change/prepare', { new_address: contract })).status).toBe(429);
    world.later(60_000);
    expect((await change(browser, body)).status).toBe(400);
  });

  test('asked for and cancelled all day does not use up those that both wallets agree to', async () => {
    const thief = await signedIn(keyOf('shop'));
    for (let i = 0; i < 5; i++) {
      expect((await change(thief, await signed(thief, newKey()))).status).toBe(200);
      expect((await thief.delete('/api/wallet/change')).status).toBe(200);
    }
    expect((await change(thief, await signed(thief, newKey()))).status).toBe(429);
    const owner = await signedIn(keyOf('shop'));
    const next = newKey();
    expect((await change(owner, await signed(owner, next, keyOf('shop')))).body.wallets?.evm.address).toBe(
      next.address,
    );
    // What is signed by both is counted by itself.
    let old = next;
    for (let i = 0; i < 4; i++) {
      const another = newKey();
      expect((await change(owner, await signed(owner, another, old))).status).toBe(200);
      old = another;
    }
    expect((await change(owner, await signed(owner, newKey(), old))).status).toBe(429);
  });
});

describe('a new connection', () => {
  test('is told to the other chats of the handle, also to one that was disconnected before; nobody else learns of it', async () => {
    await world.say('carol', '/start', { chat: CAROL });
    const thief = await signedIn(keyOf('carol'));
    await pressConnect('carol', thief);
    await world.run();
    expect((await saidTo(CAROL)).at(-1)).toContain('✅ Connected to carol@ampersat.');
    await disconnectAll(thief);
    const said = await saidTo(BOB);
    await pressConnect('dave', thief);
    await world.run();
    const told = (await world.botSaid(CAROL)).at(-1);
    expect(told?.text).toBe(
      `The Telegram account @dave (ID ${DAVE}) is now connected to carol@ampersat. It can receive, pause, and see your balance, history and limits. It can’t spend. If that wasn’t you, disconnect it in your settings and sign out everywhere.`,
    );
    expect(buttonsOf(told)).toEqual([{ text: 'Settings', url: `${base}/settings` }]);
    expect((await saidTo(DAVE)).filter((text) => text.includes('is connected to'))).toEqual([]);
    expect(await saidTo(BOB)).toEqual(said);
  });
});
