// The workspace behind the session: what it is, how its wallet makes it a business and names recipients, and that nothing else does.
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localKey } from '../../../local/stack/people.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';

let world: World;
let base: string;
let alice: Visitor;
let bob: Visitor;
const wallets = Object.fromEntries(
  ['alice', 'bob', 'carol'].map((name) => [name, privateKeyToAccount(localPerson(name).key)]),
) as Record<'alice' | 'bob' | 'carol', PrivateKeyAccount>;
const till = privateKeyToAccount(localKey('a till').key);
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  [alice, bob] = (await Promise.all([signedIn(wallets.alice), signedIn(wallets.bob)])) as [Visitor, Visitor];
});
afterAll(() => world.stop());

async function signedIn(account: PrivateKeyAccount): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(account)).status).toBe(200);
  return browser;
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as the pages get it
const sign = (account: PrivateKeyAccount, prepared: any) => account.signTypedData(prepared.typed_data);
const read = async (browser: Visitor) => (await browser.get('/api/workspace')).body.workspace;

test('a person’s workspace: paid to the wallet, without a fee, on the chains that there are', async () => {
  expect(await read(alice)).toEqual({
    object: 'workspace',
    handle: 'alice',
    kind: 'personal',
    wallet: wallets.alice.address,
    payout_address: wallets.alice.address,
    business_address: null,
    payout_chains: null,
    fee_percent: '0',
    modes: ['test'],
    chains: [
      {
        chain: 'base',
        family: 'evm',
        label: 'Base',
        livemode: false,
        currencies: ['USDC', 'ETH'],
        payout: wallets.alice.address,
        problem: null,
        grant_places: null,
      },
    ],
    recipients: [],
  });
  expect((await visitor(base).get('/api/workspace')).status).toBe(401);
});

describe('becoming a business', () => {
  const prepare = async (payout_address: string) =>
    (await alice.post('/api/workspace/business/prepare', { payout_address })).body;

  test('takes the wallet’s signature, and that of the payout address', async () => {
    const prepared = await prepare(till.address);
    expect(prepared.signers).toEqual([wallets.alice.address, till.address]);
    const signature = await sign(wallets.alice, prepared);
    const alone = await alice.post('/api/workspace/business', { ...prepared.submit, signature });
    expect([alone.status, alone.body.error.param]).toEqual([400, 'payout_signature']);
    const wrong = await sign(wallets.carol, prepared);
    for (const signatures of [
      { signature: wrong, payout_signature: await sign(till, prepared) },
      { signature, payout_signature: wrong },
    ]) {
      const answer = await alice.post('/api/workspace/business', { ...prepared.submit, ...signatures });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'signature_invalid']);
    }
    expect((await read(alice)).kind).toBe('personal');
    const both = { ...prepared.submit, signature, payout_signature: await sign(till, prepared) };
    const done = await alice.post('/api/workspace/business', both);
    expect(done.body.workspace).toMatchObject({
      kind: 'business',
      payout_address: till.address,
      business_address: till.address,
      fee_percent: '1',
    });
    const again = await alice.post('/api/workspace/business', both);
    expect([again.status, again.body.error.code]).toEqual([409, 'state_conflict']);
    const { order } = (await alice.post('/api/orders', { amount: '10', chain: 'base' })).body;
    expect(order.recipient_address).toBe(till.address);
  });

  test('goes back to the wallet by its signature alone; orders that were made keep their address', async () => {
    const { order } = (await alice.post('/api/orders', { amount: '10', chain: 'base' })).body;
    const prepared = await prepare(wallets.alice.address);
    expect(prepared.signers).toEqual([wallets.alice.address]);
    const answer = await alice.post('/api/workspace/business', {
      ...prepared.submit,
      signature: await sign(wallets.alice, prepared),
    });
    expect(answer.body.workspace).toMatchObject({ kind: 'business', business_address: null });
    expect((await alice.get(`/api/orders/${order.id}`)).body.order.recipient_address).toBe(till.address);
  });

  test('what was signed for one handle is worth nothing for another, and nothing when it is late', async () => {
    const prepared = await prepare(till.address);
    const signed = {
      ...prepared.submit,
      signature: await sign(wallets.alice, prepared),
      payout_signature: await sign(till, prepared),
    };
    expect((await bob.post('/api/workspace/business', signed)).body.error.code).toBe('signature_invalid');
    world.later(3_600_000);
    expect((await alice.post('/api/workspace/business', signed)).body.error).toMatchObject({
      code: 'parameter_invalid',
    });
    expect((await read(bob)).kind).toBe('personal');
  });

  test.each([
    [{}, 'parameter_missing', 'payout_address'],
    [{ payout_address: '0x12' }, 'parameter_invalid', 'payout_address'],
    [{ payout_address: till.address, chain: 'dogechain' }, 'parameter_invalid', 'chain'],
    [{ payout_address: till.address, more: 1 }, 'parameter_unknown', 'more'],
  ])('%j is refused: %s', async (body, code, param) => {
    const { error } = (await bob.post('/api/workspace/business/prepare', body)).body;
    expect([error.code, error.param]).toEqual([code, param]);
  });
});

describe('who may be paid by API', () => {
  const prepare = async (recipient: string, allowed: boolean) =>
    (await bob.post('/api/workspace/recipients/prepare', { recipient, allowed })).body;

  test('is put on the list, and taken off it, by the wallet’s signature only', async () => {
    const prepared = await prepare('@carol', true);
    const stolen = await bob.post('/api/workspace/recipients', {
      ...prepared.submit,
      signature: await sign(wallets.carol, prepared),
    });
    expect(stolen.body.error.code).toBe('signature_invalid');
    const turned = { ...prepared.submit, recipient: '@alice', signature: await sign(wallets.bob, prepared) };
    expect((await bob.post('/api/workspace/recipients', turned)).body.error.code).toBe('signature_invalid');
    expect((await read(bob)).recipients).toEqual([]);
    const done = await bob.post('/api/workspace/recipients', {
      ...prepared.submit,
      signature: await sign(wallets.bob, prepared),
    });
    expect(done.body.workspace.recipients).toEqual([expect.objectContaining({ handle: '@carol', kind: 'personal' })]);
    const order = await bob.post('/api/orders', { amount: '1', chain: 'base', recipient: '@carol' });
    expect(order.body.order.recipient_address).toBe(wallets.carol.address);

    const off = await prepare('@carol', false);
    const after = await bob.post('/api/workspace/recipients', {
      ...off.submit,
      signature: await sign(wallets.bob, off),
    });
    expect(after.body.workspace.recipients).toEqual([]);
    const refused = await bob.post('/api/orders', { amount: '1', chain: 'base', recipient: '@carol' });
    expect(refused.body.error.code).toBe('recipient_not_allowed');
  });

  test.each([
    [{ recipient: '@nobody_here', allowed: true }, 'handle_not_found', 'recipient'],
    [{ recipient: '@bob', allowed: true }, 'parameter_invalid', 'recipient'],
    [{ recipient: 'Not a handle', allowed: true }, 'parameter_invalid', 'recipient'],
    [{ recipient: '@carol' }, 'parameter_missing', 'allowed'],
  ])('%j is refused: %s', async (body, code, param) => {
    const { error } = (await bob.post('/api/workspace/recipients/prepare', body)).body;
    expect([error.code, error.param]).toEqual([code, param]);
  });

  test('401 without a session, for each of the four', async () => {
    for (const path of ['business/prepare', 'business', 'recipients/prepare', 'recipients'])
      expect((await visitor(base).post(`/api/workspace/${path}`, {})).status, path).toBe(401);
  });
});
