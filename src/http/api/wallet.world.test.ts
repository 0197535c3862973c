// Changing the payout wallet: who must agree, what waits, what is told, and what a thief of a session cannot do.
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { applyWalletChanges } from '../../services/accounts/walletChanges.ts';

const HOUR = 3_600_000;
let world: World;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  // The bot writes to people who have written to it.
  for (const name of ['alice', 'bob']) await world.say(name, '/help', { chat: localPerson(name).telegram.id });
});
afterAll(() => world.stop());
// The limit of changes a day is one test's business.
beforeEach(() => world.later(25 * HOUR));

const newKey = () => privateKeyToAccount(generatePrivateKey());
const keyOf = (name: string) => privateKeyToAccount(localPerson(name).key);
async function signedIn(account: PrivateKeyAccount): Promise<Visitor> {
  world.later(120_000);
  const browser = visitor(base);
  expect((await browser.signIn(account)).status).toBe(200);
  return browser;
}
/** Somebody new with a handle. */
let number = 0;
async function person(): Promise<{ browser: Visitor; key: PrivateKeyAccount; slug: string }> {
  const key = newKey();
  const browser = await signedIn(key);
  number += 1;
  const slug = `person_${'abcdefghjkmnpqtuvwxyz'[number]}`;
  expect((await browser.post('/api/handle', { handle: slug })).status).toBe(201);
  return { browser, key, slug };
}
type Signed = { new_address: string; nonce: number; deadline: number; new_signature: string; old_signature?: string };
async function prepared(browser: Visitor, to: string) {
  const answer = await browser.post('/api/wallet/change/prepare', { new_address: to });
  expect(answer.status).toBe(200);
  return answer.body;
}
async function signed(browser: Visitor, next: PrivateKeyAccount, old?: PrivateKeyAccount): Promise<Signed> {
  const { typed_data, nonce, deadline } = await prepared(browser, next.address);
  return {
    new_address: next.address,
    nonce,
    deadline,
    new_signature: await next.signTypedData(typed_data),
    ...(old ? { old_signature: await old.signTypedData(typed_data) } : {}),
  };
}
const change = (browser: Visitor, body: object) => browser.post('/api/wallet/change', body);
const refusal = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
];
const addressNow = async (browser: Visitor) => (await browser.get('/api/wallet')).body.evm.address;
const dm = async (name: string) => (await world.botSaid(localPerson(name).telegram.id)).at(-1);

describe('what is signed', () => {
  test('names the handle, both wallets, a number and an end, for the version of wallets’ typed data', async () => {
    const { browser, key, slug } = await person();
    const next = newKey();
    const body = await prepared(browser, next.address.toLowerCase());
    expect(body.delay_hours).toBe(72);
    expect(body.deadline).toBe(Math.floor((world.ctx.clock.now() + 15 * 60_000) / 1_000));
    expect(body.typed_data).toEqual({
      domain: { name: 'Ampersat', version: '1', chainId: 8453 },
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
        ],
        PayoutWalletChange: [
          { name: 'handle', type: 'string' },
          { name: 'oldWallet', type: 'address' },
          { name: 'newWallet', type: 'address' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'PayoutWalletChange',
      message: {
        handle: slug,
        oldWallet: key.address,
        newWallet: next.address,
        nonce: '0',
        deadline: String(body.deadline),
      },
    });
  });

  test('401, 403 and 400 where there is nothing to prepare', async () => {
    const next = newKey().address;
    expect((await visitor(base).post('/api/wallet/change/prepare', { new_address: next })).status).toBe(401);
    const nameless = await signedIn(newKey());
    expect(refusal(await nameless.post('/api/wallet/change/prepare', { new_address: next }))).toEqual([
      403,
      'handle_required',
    ]);
    const { browser } = await person();
    for (const wrong of ['', '0x12', 'bob', `${next}0`, '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'])
      expect(refusal(await browser.post('/api/wallet/change/prepare', { new_address: wrong }))).toEqual([
        400,
        'parameter_invalid',
      ]);
    for (const taken of [await addressNow(browser), keyOf('bob').address])
      expect(refusal(await browser.post('/api/wallet/change/prepare', { new_address: taken }))).toEqual([
        409,
        'state_conflict',
      ]);
    const foreign = await browser.post('/api/wallet/change/prepare', { new_address: next, chain: 'celo' });
    expect(refusal(foreign)).toEqual([400, 'parameter_invalid']);
  });
});

test('the audit log names both wallets: of the account at once, of Ampersat after the wait', async () => {
  const { browser, key, slug } = await person();
  const [second, third] = [newKey(), newKey()];
  expect((await change(browser, await signed(browser, second, key))).status).toBe(200);
  expect((await change(browser, await signed(browser, third))).status).toBe(200);
  world.later(73 * HOUR);
  await applyWalletChanges(world.ctx);
  const later = await signedIn(third);
  const entry = (name: string, from: string, to: string) =>
    expect.objectContaining({
      ...{ action: 'payout.changed', actor: expect.objectContaining({ name }) },
      ...{ before: { wallet: from }, after: { family: 'evm', wallet: to } },
    });
  expect((await later.get('/api/audit_log')).body.data).toEqual([
    entry('Ampersat', second.address, third.address),
    entry(`@${slug}`, key.address, second.address),
  ]);
});

describe('with both signatures', () => {
  test('the wallet is another one at once, other browsers are out, and no chat may spend', async () => {
    const browser = await signedIn(keyOf('alice'));
    const other = await signedIn(keyOf('alice'));
    const next = newKey();
    const answer = await change(browser, await signed(browser, next, keyOf('alice')));
    const none = { explorer_url: null, proven_chains: [], change: null };
    expect(answer.body).toEqual({
      wallets: {
        evm: { ...none, address: next.address, kind: 'account' },
        solana: { ...none, address: null, kind: null },
      },
    });
    expect((await other.get('/api/session')).body.account).toBeNull();
    expect((await browser.get('/api/session')).body.account).toMatchObject({ handle: 'alice', address: next.address });
    const row = await world.ctx.db.connection.findFirstOrThrow({
      where: { platform: 'telegram', handle: { slug: 'alice' } },
    });
    expect([row.canSpend, row.spendNonce]).toEqual([false, 1]);

    await world.run();
    expect((await dm('alice'))?.text).toContain(
      `The payout wallet of alice@ampersat is now ${next.address.slice(0, 6)}…`,
    );
    await world.say('alice', '/tip @bob 1');
    expect((await dm('alice'))?.text).toMatch(/receive, but not send/);
    await world.say('bob', '/tip @alice 2');
    const paid = await world.ctx.db.tip.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
    expect([paid.status, paid.recipientAddress]).toEqual(['settled', next.address]);
    // The former wallet is a stranger, the new one is alice.
    expect((await (await signedIn(keyOf('alice'))).get('/api/session')).body.account.handle).toBeNull();
    expect((await (await signedIn(next)).get('/api/session')).body.account.handle).toBe('alice');
  });

  test('legs that were frozen before keep their address', async () => {
    const { browser, key, slug } = await person();
    await world.freshPrices();
    await world.type('bob', `/send ${slug}@ampersat 1`);
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    expect((await change(browser, await signed(browser, newKey(), key))).status).toBe(200);
    await world.run();
    const tip = await world.ctx.db.tip.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
    expect([tip.status, tip.recipientAddress]).toEqual(['settled', key.address]);
  });

  test('who had paused stays paused, with the new wallet too', async () => {
    const { browser, key, slug } = await person();
    const { id } = await world.ctx.db.handle.update({ where: { slug }, data: { pausedAt: new Date() } });
    const next = newKey();
    expect((await change(browser, await signed(browser, next, key))).status).toBe(200);
    await world.run();
    const pauses = await world.ctx.db.pause.findMany({ where: { handleId: id } });
    const sent = await world.ctx.db.outgoingTx.findFirstOrThrow({ where: { kind: 'pause' } });
    expect(pauses).toHaveLength(1);
    expect(sent.data).toContain(next.address.slice(2).toLowerCase());
  });
});

describe('without the old wallet', () => {
  test('it waits 72 hours, is told, and then takes effect by the clock', async () => {
    const browser = await signedIn(keyOf('bob'));
    const next = newKey();
    const { body } = await change(browser, await signed(browser, next));
    const at = world.ctx.clock.now();
    expect(body.wallets.evm.address).toBe(keyOf('bob').address);
    expect(body.wallets.evm.change).toMatchObject({ id: expect.stringMatching(/^wch_/), new_address: next.address });
    expect(Date.parse(body.wallets.evm.change.effective_at) - Date.parse(body.wallets.evm.change.requested_at)).toBe(
      72 * HOUR,
    );
    expect(Math.abs(Date.parse(body.wallets.evm.change.requested_at) - at)).toBeLessThan(10_000);
    await world.run();
    const told = await dm('bob');
    expect(told?.text).toMatch(
      /^⚠️ The payout wallet of bob@ampersat changes to 0x\w{4}…\w{4} on \d+ \w+ \d{4}, \d\d:\d\d UTC\./,
    );
    expect(told?.reply_markup?.inline_keyboard[0]?.[0]).toMatchObject({ text: 'Settings', url: `${base}/settings` });

    // The new wallet is nobody yet; the old one still is bob.
    expect((await (await signedIn(next)).get('/api/session')).body.account.handle).toBeNull();
    world.later(71 * HOUR);
    await applyWalletChanges(world.ctx);
    expect(await addressNow(browser)).toBe(keyOf('bob').address);
    world.later(HOUR);
    await world.run();
    expect((await world.ctx.db.wallet.findFirstOrThrow({ where: { handle: { slug: 'bob' } } })).address).toBe(
      next.address,
    );
    expect((await dm('bob'))?.text).toMatch(/^The payout wallet of bob@ampersat is now 0x/);
    expect((await browser.get('/api/session')).body.account).toBeNull();
    expect(await world.ctx.db.connection.count({ where: { handle: { slug: 'bob' }, canSpend: true } })).toBe(0);
    expect((await (await signedIn(next)).get('/api/session')).body.account.handle).toBe('bob');
  });

  test('any browser of the account stops it', async () => {
    const { browser, key } = await person();
    const thief = await signedIn(key);
    expect((await change(thief, await signed(thief, newKey()))).status).toBe(200);
    const stopped = await browser.delete('/api/wallet/change');
    expect(stopped.body.wallets.evm).toMatchObject({ address: key.address, change: null });
    expect(refusal(await browser.delete('/api/wallet/change'))).toEqual([404, 'resource_missing']);
    world.later(80 * HOUR);
    await applyWalletChanges(world.ctx);
    expect(await addressNow(browser)).toBe(key.address);
  });

  test('a stranger stops nothing', async () => {
    const { browser } = await person();
    await change(browser, await signed(browser, newKey()));
    const stranger = await person();
    expect(refusal(await stranger.browser.delete('/api/wallet/change'))).toEqual([404, 'resource_missing']);
    expect((await visitor(base).delete('/api/wallet/change')).status).toBe(401);
    expect((await browser.get('/api/wallet')).body.evm.change).not.toBeNull();
  });

  test('409 while one is waiting; with the old wallet’s signature the waiting one gives way', async () => {
    const { browser, key } = await person();
    await change(browser, await signed(browser, newKey()));
    expect(refusal(await change(browser, await signed(browser, newKey())))).toEqual([409, 'state_conflict']);
    const next = newKey();
    const answer = await change(browser, await signed(browser, next, key));
    expect(answer.body.wallets.evm).toMatchObject({ address: next.address, change: null });
    world.later(80 * HOUR);
    await applyWalletChanges(world.ctx);
    expect(await addressNow(browser)).toBe(next.address);
  });

  test('a wallet that chose a handle of its own meanwhile stays with that', async () => {
    const { browser, key } = await person();
    const next = newKey();
    await change(browser, await signed(browser, next));
    const other = await signedIn(next);
    expect((await other.post('/api/handle', { handle: 'meanwhile' })).status).toBe(201);
    world.later(73 * HOUR);
    await applyWalletChanges(world.ctx);
    expect((await browser.get('/api/wallet')).body.evm).toMatchObject({ address: key.address, change: null });
    expect(await addressNow(other)).toBe(next.address);
  });
});

describe('a signature', () => {
  test('400 when it is not of the new wallet, or not of the old one', async () => {
    const { browser, key } = await person();
    const [next, thief] = [newKey(), newKey()];
    const good = await signed(browser, next, key);
    const bad = await signed(browser, next, thief);
    const fromThief = { ...good, new_signature: bad.old_signature };
    expect(refusal(await change(browser, fromThief))).toEqual([400, 'signature_invalid']);
    expect(refusal(await change(browser, { ...good, old_signature: bad.old_signature }))).toEqual([
      400,
      'signature_invalid',
    ]);
    expect(refusal(await change(browser, { ...good, old_signature: good.new_signature }))).toEqual([
      400,
      'signature_invalid',
    ]);
    expect(refusal(await change(browser, { ...good, old_signature: '0x' }))).toEqual([400, 'signature_invalid']);
    expect(refusal(await change(browser, { ...good, new_address: thief.address }))).toEqual([400, 'signature_invalid']);
    expect(refusal(await change(browser, { ...good, nonce: 1 }))).toEqual([409, 'state_conflict']);
    expect(refusal(await change(browser, { ...good, deadline: good.deadline - 1 }))).toEqual([
      400,
      'signature_invalid',
    ]);
    expect(await addressNow(browser)).toBe(key.address);
    expect((await browser.get('/api/wallet')).body.evm.change).toBeNull();
  });

  test('for one handle is worth nothing for another', async () => {
    const [one, two] = [await person(), await person()];
    const next = newKey();
    expect(refusal(await change(two.browser, await signed(one.browser, next, one.key)))).toEqual([
      400,
      'signature_invalid',
    ]);
  });

  test('that was used is worth nothing again', async () => {
    const { browser, key } = await person();
    const next = newKey();
    const request = await signed(browser, next);
    expect((await change(browser, request)).status).toBe(200);
    await browser.delete('/api/wallet/change');
    expect(refusal(await change(browser, request))).toEqual([409, 'state_conflict']);
    // There and back: the wallet is the old one again, and what was signed before stays void.
    const there = await signed(browser, next, key);
    expect((await change(browser, there)).status).toBe(200);
    expect((await change(browser, await signed(browser, key, next))).status).toBe(200);
    expect(refusal(await change(browser, there))).toEqual([409, 'state_conflict']);
    expect(await addressNow(browser)).toBe(key.address);
  });

  test('one of several at once is taken', async () => {
    const { browser, key } = await person();
    const requests = [
      await signed(browser, newKey(), key),
      await signed(browser, newKey(), key),
      await signed(browser, newKey()),
    ];
    const answers = await Promise.all(requests.map((request) => change(browser, request)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
  });

  test('400 after a quarter of an hour, and for a later end than that', async () => {
    const { browser, key } = await person();
    const next = newKey();
    const late = await signed(browser, next, key);
    world.later(15 * 60_000);
    expect(refusal(await change(browser, late))).toEqual([400, 'parameter_invalid']);
    const { typed_data, nonce } = await prepared(browser, next.address);
    const deadline = Math.floor(world.ctx.clock.now() / 1_000) + 3_600;
    typed_data.message.deadline = String(deadline);
    const new_signature = await next.signTypedData(typed_data);
    expect(refusal(await change(browser, { new_address: next.address, nonce, deadline, new_signature }))).toEqual([
      400,
      'parameter_invalid',
    ]);
  });

  test('429 for the sixth change of a day', async () => {
    const { browser } = await person();
    for (let i = 0; i < 5; i++) {
      expect((await change(browser, await signed(browser, newKey()))).status).toBe(200);
      await browser.delete('/api/wallet/change');
    }
    const sixth = await change(browser, await signed(browser, newKey()));
    expect(refusal(sixth)).toEqual([429, 'rate_limited']);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(3_600);
  });
});
