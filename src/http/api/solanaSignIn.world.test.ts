// Signing in with a wallet of Solana, over real HTTP: what works, and every way in which another person might get in.
import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keypairOf } from '../../../local/solana/keys.ts';
import { serveWorld, solanaSignature, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { solanaSignatureOf } from '../../domain/solanaAddress.ts';

const MINUTE = 60_000;
/** The neutral element, and s = 0. */
const NEUTRAL = solanaSignatureOf(new Uint8Array(64).fill(1, 0, 1));
let world: World;
let base: string;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
});
afterAll(() => world.stop());

const newKey = () => keypairOf(randomBytes(32));
/** Limits by address are not what these tests are about. */
const newBrowser = (): Visitor => {
  world.later(2 * MINUTE);
  return visitor(base);
};
const refusal = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
];

describe('signing in', () => {
  test('an unknown wallet gets in without a handle, chooses one, and is known by it', async () => {
    const [key, browser] = [newKey(), newBrowser()];
    const start = (await browser.post('/api/auth/nonce')).body;
    expect(start.solana).toEqual({ chain_id: 'localnet' });
    const answer = await browser.signInWithSolana(key);
    expect(answer.status).toBe(200);
    const wallets = { evm: null, solana: key.address };
    expect(answer.body.account).toEqual({
      address: key.address,
      kind: 'account',
      wallets,
      handle: null,
      handle_kind: null,
      preferred_chain: null,
      created_at: null,
    });
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('service-session='));
    expect(cookie).toMatch(/^service-session=[\w-]{43}; Max-Age=2592000; .+ HttpOnly; SameSite=Lax$/);
    expect(browser.cookies.has('service-prelogin')).toBe(false);

    const chosen = await browser.post('/api/handle', { handle: 'sunny' });
    expect(chosen.status).toBe(201);
    expect(chosen.body.account).toMatchObject({ handle: 'sunny', address: key.address, wallets });
    const none = { proven_chains: [], explorer_url: null, change: null };
    expect((await browser.get('/api/wallet')).body).toEqual({
      evm: { ...none, address: null, kind: null },
      solana: { ...none, address: key.address, kind: 'account' },
    });
    const rows = await world.ctx.db.wallet.findMany({ where: { handle: { slug: 'sunny' } } });
    expect(rows).toMatchObject([{ family: 'solana', address: key.address, kind: 'account' }]);
    const again = newBrowser();
    expect((await again.signInWithSolana(key)).body.account).toMatchObject({ handle: 'sunny' });
    expect((await again.get('/api/sessions')).body.data).toHaveLength(2);
  });

  test('a deployment names mainnet, by any of its names', async () => {
    const chains = Object.values(world.ctx.chains);
    for (const chain of chains) Object.assign(chain, { local: false });
    try {
      expect((await newBrowser().post('/api/auth/nonce')).body.solana).toEqual({ chain_id: 'mainnet' });
      for (const chainId of ['mainnet', 'solana:mainnet', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'])
        expect((await newBrowser().signInWithSolana(newKey(), { chainId })).status).toBe(200);
      for (const chainId of ['localnet', 'devnet', 'solana:devnet', '1'])
        expect(refusal(await newBrowser().signInWithSolana(newKey(), { chainId }))).toEqual([400, 'parameter_invalid']);
    } finally {
      for (const chain of chains) Object.assign(chain, { local: true });
    }
  });

  test('a wallet may write the message itself, without a statement and with times of its own', async () => {
    const browser = newBrowser();
    const issuedAt = new Date(world.ctx.clock.now()).toISOString().replace(/\.\d+Z$/, '+00:00');
    const own = { statement: null, issuedAt, expirationTime: null, chainId: 'solana:localnet' };
    expect((await browser.signInWithSolana(newKey(), own)).status).toBe(200);
  });

  test('400 for the same message twice', async () => {
    const browser = newBrowser();
    const signed = await browser.signedSolanaMessage(newKey());
    const prelogin = browser.cookies.get('service-prelogin') ?? '';
    expect((await browser.post('/api/auth/siws', signed)).status).toBe(200);
    browser.cookies.set('service-prelogin', prelogin);
    expect(refusal(await browser.post('/api/auth/siws', signed))).toEqual([400, 'sign_in_expired']);
  });

  test('one of three at once gets in', async () => {
    const browser = newBrowser();
    const signed = await browser.signedSolanaMessage(newKey());
    const answers = await Promise.all([1, 2, 3].map(() => browser.post('/api/auth/siws', signed)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400]);
  });

  test('a nonce is of one sign-in, whichever family’s wallet uses it', async () => {
    const browser = newBrowser();
    const key = newKey();
    const signed = await browser.signedSolanaMessage(key);
    const nonce = /Nonce: (\w+)/.exec(signed.message)?.[1] ?? '';
    const prelogin = browser.cookies.get('service-prelogin') ?? '';
    expect((await browser.post('/api/auth/siws', signed)).status).toBe(200);
    const alice = privateKeyToAccount(localPerson('alice').key);
    const other = await browser.signedMessage(alice, { nonce });
    browser.cookies.set('service-prelogin', prelogin);
    expect(refusal(await browser.post('/api/auth/siwe', other))).toEqual([400, 'sign_in_expired']);
  });

  test('400 in another browser than the one that requested the nonce', async () => {
    const [mine, theirs] = [newBrowser(), newBrowser()];
    const signed = await mine.signedSolanaMessage(newKey());
    expect(refusal(await theirs.post('/api/auth/siws', signed))).toEqual([400, 'sign_in_expired']);
    await theirs.post('/api/auth/nonce');
    expect(refusal(await theirs.post('/api/auth/siws', signed))).toEqual([400, 'sign_in_expired']);
    expect(theirs.cookies.has('service-session')).toBe(false);
  });

  test('400 after five minutes, and for a nonce that was made up', async () => {
    const browser = newBrowser();
    const late = await browser.signedSolanaMessage(newKey());
    world.later(5 * MINUTE + 1);
    expect(refusal(await browser.post('/api/auth/siws', late))).toEqual([400, 'parameter_invalid']);
    const invented = await newBrowser().signInWithSolana(newKey(), { nonce: 'a'.repeat(32) });
    expect(refusal(invented)).toEqual([400, 'sign_in_expired']);
  });

  test.each([
    ['domain', { domain: 'evil.example' }],
    ['URI', { uri: 'https://evil.example' }],
    ['version', { version: '2' }],
    ['chain', { chainId: 'mainnet' }],
  ])('400 for a message with a wrong %s', async (_what, changed) => {
    const browser = newBrowser();
    expect(refusal(await browser.signInWithSolana(newKey(), changed))).toEqual([400, 'parameter_invalid']);
    expect(browser.cookies.has('service-session')).toBe(false);
  });

  test.each([
    ['issued in the future', (now: number) => ({ issuedAt: new Date(now + 6 * MINUTE).toISOString() })],
    ['issued long ago', (now: number) => ({ issuedAt: new Date(now - 6 * MINUTE).toISOString() })],
    ['not valid yet', (now: number) => ({ notBefore: new Date(now + MINUTE).toISOString() })],
    ['expired', (now: number) => ({ expirationTime: new Date(now - 1).toISOString() })],
  ])('400 for a message that is %s', async (_what, changed) => {
    const browser = newBrowser();
    const answer = await browser.signInWithSolana(newKey(), changed(world.ctx.clock.now()));
    expect(refusal(answer)).toEqual([400, 'parameter_invalid']);
  });

  test('400 for the signature of another key, over another text, and of an EVM wallet', async () => {
    const key = newKey();
    for (const sign of [
      (message: string) => solanaSignature(newKey(), message),
      (message: string) => solanaSignature(key, `${message} `),
      (message: string) => solanaSignature(key, message.replace('Nonce: ', 'Nonce: 0')),
    ]) {
      const browser = newBrowser();
      const { message } = await browser.signedSolanaMessage(key);
      const answer = await browser.post('/api/auth/siws', { message, signature: sign(message) });
      expect(refusal(answer)).toEqual([400, 'signature_invalid']);
      expect(browser.cookies.has('service-session')).toBe(false);
    }
    const browser = newBrowser();
    const { message } = await browser.signedSolanaMessage(key);
    for (const signature of ['', '0x00', `0x${'11'.repeat(65)}`, 'not base58 0OIl', key.address])
      expect(refusal(await browser.post('/api/auth/siws', { message, signature }))).toEqual([400, 'parameter_invalid']);
  });

  test('400 for a message of the other family, at either door', async () => {
    const alice = privateKeyToAccount(localPerson('alice').key);
    const [one, two] = [newBrowser(), newBrowser()];
    const { message } = await one.signedMessage(alice);
    const signature = solanaSignature(newKey(), message);
    expect(refusal(await one.post('/api/auth/siws', { message, signature }))).toEqual([400, 'parameter_invalid']);
    const { message: solana } = await two.signedSolanaMessage(newKey());
    const signed = { message: solana, signature: await alice.signMessage({ message: solana }) };
    expect(refusal(await two.post('/api/auth/siwe', signed))).toEqual([400, 'parameter_invalid']);
  });

  test('400 for an address that any signature would prove', async () => {
    // The neutral element as key and commitment: the equation of Ed25519 holds for every text.
    const address = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM';
    const browser = newBrowser();
    const { message } = await browser.signedSolanaMessage({ ...newKey(), address });
    const signature = NEUTRAL;
    expect(refusal(await browser.post('/api/auth/siws', { message, signature }))).toEqual([400, 'signature_invalid']);
  });

  test('a handle that is taken, and a wallet that has one, are refused as for EVM', async () => {
    const key = newKey();
    const [one, two] = [newBrowser(), newBrowser()];
    await one.signInWithSolana(key);
    await two.signInWithSolana(key);
    expect(refusal(await one.post('/api/handle', { handle: 'alice' }))).toEqual([409, 'state_conflict']);
    expect((await one.post('/api/handle', { handle: 'sunrise' })).status).toBe(201);
    expect(refusal(await two.post('/api/handle', { handle: 'sunset' }))).toEqual([409, 'state_conflict']);
  });

  test('429 after thirty calls a minute from one address', async () => {
    const browser = newBrowser();
    const signed = { message: 'x', signature: solanaSignature(newKey(), 'x') };
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) statuses.push((await browser.post('/api/auth/siws', signed)).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('a handle without an EVM wallet', () => {
  test('409 with what to do where one is needed, and it cannot be tipped on EVM chains', async () => {
    const browser = newBrowser();
    await browser.signInWithSolana(newKey());
    await browser.post('/api/handle', { handle: 'moonlight' });
    const spending = await browser.get('/api/spending');
    expect([spending.status, spending.body.chains]).toEqual([200, []]);
    expect(spending.body.without_wallet.map(({ chain }: { chain: string }) => chain)).toContain('base');
    const permit = await browser.post('/api/spending/prepare', { kind: 'permit', chain: 'base', amount: '5' });
    expect(refusal(permit)).toEqual([409, 'state_conflict']);
    expect((await browser.get('/api/subscriptions/trials')).body.trials).toEqual([]);
    expect((await browser.get('/api/workspace')).status).toBe(200);
  });
});
