// Wallets of two families at one handle: adding the second, changing either, and what a thief of a session cannot do.
import { randomBytes } from 'node:crypto';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Keypair, keypairOf } from '../../../local/solana/keys.ts';
import { serveWorld, solanaSignature, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { applyWalletChanges } from '../../services/accounts/walletChanges.ts';

const HOUR = 3_600_000;
let world: World;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  await world.say('bob', '/help', { chat: localPerson('bob').telegram.id });
});
afterAll(() => world.stop());
// The limit of changes a day is one test's business.
beforeEach(() => world.later(25 * HOUR));

type Key = PrivateKeyAccount | Keypair;
const evmKey = () => privateKeyToAccount(generatePrivateKey());
const solanaKey = () => keypairOf(randomBytes(32));
const isSolana = (key: Key): key is Keypair => 'secretBytes' in key;
const FAMILIES = [
  { family: 'solana', other: 'evm', newKey: solanaKey as () => Key, otherKey: evmKey as () => Key },
  { family: 'evm', other: 'solana', newKey: evmKey as () => Key, otherKey: solanaKey as () => Key },
] as const;

async function signedIn(key: Key): Promise<Visitor> {
  world.later(120_000);
  const browser = visitor(base);
  const answer = isSolana(key) ? await browser.signInWithSolana(key) : await browser.signIn(key);
  expect(answer.status).toBe(200);
  return browser;
}
let number = 0;
/** A handle with a first wallet. */
async function person(key: Key): Promise<{ browser: Visitor; slug: string }> {
  const browser = await signedIn(key);
  number += 1;
  const slug = `pair_${100 + number}`;
  expect((await browser.post('/api/handle', { handle: slug })).status).toBe(201);
  return { browser, slug };
}
/** A handle with a wallet of each family. */
async function pair(first: Key, second: Key): Promise<{ browser: Visitor; slug: string }> {
  const { browser, slug } = await person(first);
  expect((await change(browser, await signed(browser, second, first))).status).toBe(200);
  return { browser, slug };
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
const sign = async (key: Key, { typed_data, text }: any): Promise<string> =>
  isSolana(key) ? solanaSignature(key, text) : key.signTypedData(typed_data);
async function prepared(browser: Visitor, to: string) {
  const answer = await browser.post('/api/wallet/change/prepare', { new_address: to });
  expect(answer.status).toBe(200);
  return answer.body;
}
async function signed(browser: Visitor, next: Key, current?: Key) {
  const body = await prepared(browser, next.address);
  return {
    new_address: next.address,
    nonce: body.nonce,
    deadline: body.deadline,
    new_signature: await sign(next, body),
    ...(current ? { old_signature: await sign(current, body) } : {}),
  };
}
const change = (browser: Visitor, body: object) => browser.post('/api/wallet/change', body);
const walletsOf = async (browser: Visitor) => (await browser.get('/api/wallet')).body;
const refusal = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
];
const toBob = async () => (await world.botSaid(localPerson('bob').telegram.id)).at(-1)?.text;

describe('what is signed', () => {
  test('names the site, the handle, both wallets, the number and the end, for each family’s wallets', async () => {
    const [key, next] = [evmKey(), solanaKey()];
    const { browser, slug } = await person(key);
    const body = await prepared(browser, next.address);
    const end = new Date(body.deadline * 1_000).toISOString();
    expect(body).toMatchObject({
      new_wallet: { family: 'solana', address: next.address },
      current_wallet: { family: 'evm', address: key.address },
      nonce: 0,
      chain: 'base',
      delay_hours: 72,
    });
    expect(body.text).toBe(
      [
        `${new URL(base).host} wants you to add this Solana wallet to @${slug}.`,
        '',
        'Payments to this handle go to the new wallet, and it can sign in.',
        '',
        `Current wallet: ${key.address}`,
        `New wallet: ${next.address}`,
        `URI: ${base}`,
        'Nonce: 0',
        `Expiration Time: ${end}`,
      ].join('\n'),
    );
    expect(body.typed_data).toMatchObject({
      domain: { name: 'Ampersat', version: '1', chainId: 8453 },
      primaryType: 'PayoutWalletAddition',
      message: {
        handle: slug,
        currentWallet: key.address,
        newWallet: next.address,
        nonce: '0',
        deadline: String(body.deadline),
      },
    });
  });

  test('is a text alone where both wallets are of Solana', async () => {
    const key = solanaKey();
    const { browser, slug } = await person(key);
    const body = await prepared(browser, solanaKey().address);
    expect(body).toMatchObject({
      typed_data: null,
      chain: null,
      current_wallet: { family: 'solana', address: key.address },
    });
    expect(body.text).toContain(`wants you to change the Solana wallet of @${slug}.`);
  });

  test('400 for what is no address, 409 for one that has a handle', async () => {
    const taken = solanaKey();
    await person(taken);
    const { browser } = await person(evmKey());
    const address = solanaKey().address;
    for (const wrong of [
      `${address}${address}`,
      address.slice(3),
      address.replace(/./, '0'),
      'solana',
      `solana:${address}`,
    ])
      expect(refusal(await browser.post('/api/wallet/change/prepare', { new_address: wrong }))).toEqual([
        400,
        'parameter_invalid',
      ]);
    expect(refusal(await browser.post('/api/wallet/change/prepare', { new_address: taken.address }))).toEqual([
      409,
      'state_conflict',
    ]);
  });
});

describe.each(FAMILIES)('adding the wallet of $family', ({ family, other, newKey, otherKey }) => {
  test('with a signature of the wallet that there is: at once, announced, and it signs in', async () => {
    const [key, next] = [otherKey(), newKey()];
    const { browser, slug } = await person(key);
    const second = await signedIn(key);
    const { body, status } = await change(browser, await signed(browser, next, key));
    expect(status).toBe(200);
    expect(body.wallets[family]).toMatchObject({ address: next.address, kind: 'account', change: null });
    expect(body.wallets[other]).toMatchObject({ address: key.address });
    // Nothing took the place of anything: both browsers stay, as who they were.
    for (const one of [browser, second])
      expect((await one.get('/api/session')).body.account).toMatchObject({
        handle: slug,
        wallets: { [family]: next.address, [other]: key.address },
      });
    expect((await (await signedIn(next)).get('/api/session')).body.account.handle).toBe(slug);
    expect((await (await signedIn(key)).get('/api/session')).body.account.handle).toBe(slug);
    const row = await world.ctx.db.walletChange.findFirstOrThrow({ where: { handle: { slug } } });
    expect(row).toMatchObject({ family, oldAddress: null, newAddress: next.address, status: 'applied' });
  });

  test('a stolen session alone adds nothing for 72 hours, and any browser cancels it', async () => {
    const [key, next] = [otherKey(), newKey()];
    const { browser } = await person(key);
    const thief = await signedIn(key);
    const { body } = await change(thief, await signed(thief, next));
    expect(body.wallets[family]).toMatchObject({ address: null, kind: null, change: { new_address: next.address } });
    expect((await (await signedIn(next)).get('/api/session')).body.account.handle).toBeNull();
    world.later(71 * HOUR);
    await applyWalletChanges(world.ctx);
    expect((await walletsOf(browser))[family].address).toBeNull();
    expect(refusal(await browser.delete(`/api/wallet/change?family=${other}`))).toEqual([404, 'resource_missing']);
    const stopped = await browser.delete(`/api/wallet/change?family=${family}`);
    expect(stopped.body.wallets[family]).toMatchObject({ address: null, change: null });
    world.later(10 * HOUR);
    await applyWalletChanges(world.ctx);
    expect((await walletsOf(browser))[family].address).toBeNull();
  });

  test('after 72 hours it takes effect by the clock', async () => {
    const [key, next] = [otherKey(), newKey()];
    const { browser, slug } = await person(key);
    await change(browser, await signed(browser, next));
    world.later(73 * HOUR);
    await applyWalletChanges(world.ctx);
    expect((await walletsOf(browser))[family]).toMatchObject({ address: next.address, change: null });
    expect((await (await signedIn(next)).get('/api/session')).body.account.handle).toBe(slug);
  });

  test('with the owner’s signature the thief’s waiting one gives way', async () => {
    const [key, next, bad] = [otherKey(), newKey(), newKey()];
    const { browser } = await person(key);
    await change(browser, await signed(browser, bad));
    expect(refusal(await change(browser, await signed(browser, next)))).toEqual([409, 'state_conflict']);
    expect((await change(browser, await signed(browser, next, key))).status).toBe(200);
    world.later(80 * HOUR);
    await applyWalletChanges(world.ctx);
    expect((await walletsOf(browser))[family].address).toBe(next.address);
  });

  test('400 for a signature of another key, of the other family’s form, or over other terms', async () => {
    const [key, next] = [otherKey(), newKey()];
    const { browser } = await person(key);
    const good = await signed(browser, next, key);
    const bad = await signed(browser, newKey(), otherKey());
    for (const changed of [
      { new_signature: bad.new_signature },
      { old_signature: bad.old_signature },
      { new_signature: good.old_signature },
      { old_signature: good.new_signature },
      { new_address: newKey().address },
      { deadline: good.deadline - 1 },
    ])
      expect(refusal(await change(browser, { ...good, ...changed }))).toEqual([400, 'signature_invalid']);
    expect(refusal(await change(browser, { ...good, nonce: 1 }))).toEqual([409, 'state_conflict']);
    expect((await walletsOf(browser))[family]).toMatchObject({ address: null, change: null });
    expect((await change(browser, good)).status).toBe(200);
  });

  test('is signed for one handle, once, and for a quarter of an hour', async () => {
    const [key, next] = [otherKey(), newKey()];
    const { browser } = await person(key);
    const stranger = await person(otherKey());
    const request = await signed(browser, next);
    expect(refusal(await change(stranger.browser, request))).toEqual([400, 'signature_invalid']);
    world.later(15 * 60_000);
    expect(refusal(await change(browser, request))).toEqual([400, 'parameter_invalid']);
    const again = await signed(browser, next);
    expect((await change(browser, again)).status).toBe(200);
    await browser.delete(`/api/wallet/change?family=${family}`);
    expect(refusal(await change(browser, again))).toEqual([409, 'state_conflict']);
  });

  test('one of several at once is taken', async () => {
    const key = otherKey();
    const { browser } = await person(key);
    const requests = [
      await signed(browser, newKey(), key),
      await signed(browser, newKey(), key),
      await signed(browser, newKey()),
    ];
    const answers = await Promise.all(requests.map((request) => change(browser, request)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
  });

  test('a wallet that another handle took meanwhile stays with that', async () => {
    const [key, next] = [otherKey(), newKey()];
    const { browser } = await person(key);
    await change(browser, await signed(browser, next));
    const taker = await person(next);
    world.later(73 * HOUR);
    await applyWalletChanges(world.ctx);
    expect((await walletsOf(browser))[family]).toMatchObject({ address: null, change: null });
    expect((await walletsOf(taker.browser))[family].address).toBe(next.address);
  });

  test('401 and 403 without a session, or without a handle', async () => {
    const next = newKey().address;
    const nameless = await signedIn(otherKey());
    for (const path of ['/api/wallet/change/prepare', '/api/wallet/change']) {
      expect((await visitor(base).post(path, { new_address: next })).status).toBe(401);
      expect(refusal(await nameless.post(path, { new_address: next }))).toEqual([403, 'handle_required']);
    }
    expect((await visitor(base).delete(`/api/wallet/change?family=${family}`)).status).toBe(401);
    expect(refusal(await nameless.get('/api/wallet'))).toEqual([403, 'handle_required']);
  });
});

describe.each(FAMILIES)(
  'changing the wallet of $family beside one of $other',
  ({ family, other, newKey, otherKey }) => {
    test('with the old one’s signature: at once, and every other browser is out', async () => {
      const [key, beside, next] = [newKey(), otherKey(), newKey()];
      const { slug } = await pair(key, beside);
      const [browser, otherBrowser] = [await signedIn(key), await signedIn(beside)];
      const { body } = await change(browser, await signed(browser, next, key));
      expect(body.wallets).toMatchObject({ [family]: { address: next.address }, [other]: { address: beside.address } });
      expect((await otherBrowser.get('/api/session')).body.account).toBeNull();
      expect((await browser.get('/api/session')).body.account.handle).toBe(slug);
      expect((await (await signedIn(key)).get('/api/session')).body.account.handle).toBeNull();
    });

    test('from a browser of the other wallet, which stays signed in as that', async () => {
      const [key, beside, next] = [newKey(), otherKey(), newKey()];
      const { browser } = await pair(beside, key);
      expect((await change(browser, await signed(browser, next, key))).status).toBe(200);
      const [session] = await world.ctx.db.session.findMany({
        where: { handle: { wallets: { some: { address: next.address } } }, revokedAt: null },
      });
      expect(session?.address).toBe(beside.address);
    });

    test('the other wallet’s signature is not the old one’s', async () => {
      const [key, beside, next] = [newKey(), otherKey(), newKey()];
      const { browser } = await pair(beside, key);
      const request = await signed(browser, next);
      const stranger = await signed(browser, next, newKey());
      expect(refusal(await change(browser, stranger))).toEqual([400, 'signature_invalid']);
      const agreedToAddition = isSolana(beside) ? solanaSignature(beside, 'anything') : `0x${'11'.repeat(65)}`;
      expect(refusal(await change(browser, { ...request, old_signature: agreedToAddition }))).toEqual([
        400,
        'signature_invalid',
      ]);
      expect((await walletsOf(browser))[family].address).toBe(key.address);
    });

    test('without it: 72 hours, beside a change of the other family', async () => {
      const [key, beside, next, nextBeside] = [newKey(), otherKey(), newKey(), otherKey()];
      const { browser } = await pair(key, beside);
      await change(browser, await signed(browser, next));
      const { body } = await change(browser, await signed(browser, nextBeside));
      expect(body.wallets[family].change.new_address).toBe(next.address);
      expect(body.wallets[other].change.new_address).toBe(nextBeside.address);
      await browser.delete(`/api/wallet/change?family=${other}`);
      world.later(73 * HOUR);
      await applyWalletChanges(world.ctx);
      const after = await signedIn(next);
      expect(await walletsOf(after)).toMatchObject({
        [family]: { address: next.address, change: null },
        [other]: { address: beside.address, change: null },
      });
      expect((await browser.get('/api/session')).body.account).toBeNull();
    });
  },
);

describe('the chats of a handle', () => {
  test('are notified when a wallet of Solana is requested, cancelled, added and changed', async () => {
    const key = privateKeyToAccount(localPerson('bob').key);
    const [next, later] = [solanaKey(), solanaKey()];
    const browser = await signedIn(key);
    const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;

    await change(browser, await signed(browser, next));
    await world.run();
    expect(await toBob()).toMatch(
      new RegExp(
        `^⚠️ ${short(next.address)} becomes the Solana wallet of bob@ampersat on \\d+ \\w+ \\d{4}, \\d\\d:\\d\\d UTC`,
      ),
    );
    await browser.delete('/api/wallet/change?family=solana');
    await world.run();
    expect(await toBob()).toContain('No Solana wallet was added to bob@ampersat.');

    await change(browser, await signed(browser, next, key));
    await world.run();
    expect(await toBob()).toContain(`${short(next.address)} is now the Solana wallet of bob@ampersat.`);
    // An addition takes no right away.
    expect(await world.ctx.db.connection.count({ where: { handle: { slug: 'bob' }, canSpend: true } })).toBeGreaterThan(
      0,
    );

    await change(browser, await signed(browser, later, next));
    await world.run();
    expect(await toBob()).toContain(`The payout wallet of bob@ampersat on Solana is now ${short(later.address)}.`);
    expect(await world.ctx.db.connection.count({ where: { handle: { slug: 'bob' }, canSpend: true } })).toBe(0);
  });
});

test('429 for the sixth request of a day, over both families', async () => {
  const { browser } = await person(evmKey());
  for (let i = 0; i < 5; i++) {
    const key = i % 2 === 0 ? solanaKey() : evmKey();
    expect((await change(browser, await signed(browser, key))).status).toBe(200);
    await browser.delete(`/api/wallet/change?family=${isSolana(key) ? 'solana' : 'evm'}`);
  }
  expect(refusal(await change(browser, await signed(browser, solanaKey())))).toEqual([429, 'rate_limited']);
});
