// Wallets that are contracts (ERC-1271) or whose key has delegated to code (EIP-7702): how they sign in, and where they are paid.
import type { Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { placeContractWallet } from '../../../test/setup/contractWallet.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { type Answer, serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { createEvmChain } from '../../chain/rpc/client.ts';

let world: World;
let base: string;
let second: RpcProxy;
beforeAll(async () => {
  world = await startWorld({ chains: ['base', 'celo'] });
  base = await serveWorld(world);
  // A second provider of Base: the same chain, through a proxy that can be away or lie.
  second = await startRpcProxy(world.anvilOf().rpcUrl);
  const config = world.embedded[0]?.config;
  if (!config) throw new Error('there is no chain');
  const { endpoints } = createEvmChain('base', { ...config, rpcUrls: [world.anvilOf().rpcUrl, second.url] });
  Object.assign(world.evmChain(), { endpoints });
});
afterAll(async () => {
  await second.close();
  await world.stop();
});

const newKey = () => privateKeyToAccount(generatePrivateKey());
const refusal = (answer: Answer) => [answer.status, answer.body.error?.code];
const BASE = 8453;
const CELO = 42220;

/** Signs in as `address` with the signature of `signer`. */
async function signInAs(
  address: Hex,
  signer: PrivateKeyAccount,
  chainId = BASE,
): Promise<Answer & { browser: Visitor }> {
  world.later(120_000);
  const browser = visitor(base);
  const { message } = await browser.signedMessage(signer, { address, chainId });
  const signature = await signer.signMessage({ message });
  return { ...(await browser.post('/api/auth/siwe', { message, signature })), browser };
}
/** A contract wallet with a handle of its own, proven on Base. */
async function contractPerson(slug: string) {
  const owner = newKey();
  const { address } = newKey();
  await placeContractWallet(world, address, owner.address);
  const { browser, status } = await signInAs(address, owner);
  expect(status).toBe(200);
  expect((await browser.post('/api/handle', { handle: slug })).status).toBe(201);
  return { owner, address, browser };
}

describe('a contract wallet', () => {
  test('signs in by what its code says, and is known on that chain', async () => {
    const { address, browser } = await contractPerson('safe_one');
    expect((await browser.get('/api/session')).body.account).toMatchObject({
      address,
      kind: 'contract',
      handle: 'safe_one',
    });
    expect((await browser.get('/api/wallet')).body.evm).toEqual({
      address,
      kind: 'contract',
      proven_chains: ['base'],
      explorer_url: null,
      change: null,
    });
  });

  test('400 for a signature that its code refuses, and for an address without code', async () => {
    const owner = newKey();
    const { address } = newKey();
    expect(refusal(await signInAs(address, owner))).toEqual([400, 'signature_invalid']);
    await placeContractWallet(world, address, owner.address);
    expect(refusal(await signInAs(address, newKey()))).toEqual([400, 'signature_invalid']);
    expect((await signInAs(address, owner)).status).toBe(200);
  });

  test.each([
    ['reverts', '0x60006000fd'],
    ['answers nothing', '0x00'],
    ['answers something else', '0x600160005260206000f3'],
    ['answers the right word in too few bytes', '0x631626ba7e60e01b60005260046000f3'],
    ['never ends', '0x5b600056'],
    ['stumbles', '0xfe'],
  ] as const)('400 when its code %s', async (_what, bytecode) => {
    const { address } = newKey();
    await world.admin().setCode({ address, bytecode });
    expect(refusal(await signInAs(address, newKey()))).toEqual([400, 'signature_invalid']);
  });

  test('a former owner is out as soon as the chain says so', async () => {
    const { address, owner } = await contractPerson('safe_two');
    await placeContractWallet(world, address, newKey().address);
    expect(refusal(await signInAs(address, owner))).toEqual([400, 'signature_invalid']);
  });

  test('the same address on another chain, under another owner, is not the same person', async () => {
    const { address } = await contractPerson('safe_three');
    const thief = newKey();
    await placeContractWallet(world, address, thief.address, 'celo');
    const answer = await signInAs(address, thief, CELO);
    expect(refusal(answer)).toEqual([400, 'signature_invalid']);
    expect(answer.body.error.message).toContain('isn’t verified on Celo');
  });

  test('without a handle yet, the owners of one address on two chains do not see each other', async () => {
    const [here, there] = [newKey(), newKey()];
    const { address } = newKey();
    await placeContractWallet(world, address, here.address);
    await placeContractWallet(world, address, there.address, 'celo');
    const [first, other] = [await signInAs(address, here), await signInAs(address, there, CELO)];
    expect((await other.browser.get('/api/sessions')).body.data).toHaveLength(1);
    expect((await first.browser.post('/api/handle', { handle: 'first_here' })).status).toBe(201);
    expect((await other.browser.get('/api/session')).body.account.handle).toBeNull();
    expect(refusal(await other.browser.post('/api/handle', { handle: 'there_too' }))).toEqual([409, 'state_conflict']);
  });

  test('is paid where it has proven itself and nowhere else, and the sender is told', async () => {
    const { address } = await contractPerson('safe_four');
    await world.freshPrices();
    await world.say('alice', '/send safe_four@ampersat 1 on celo');
    const said = (await world.botSaid()).at(-1)?.text;
    expect(said).toMatch(/safe_four@ampersat can be paid on Base, but not on Celo/);
    expect(await world.ctx.db.tip.count()).toBe(0);
    await world.say('alice', '/send safe_four@ampersat 1');
    const tip = await world.ctx.db.tip.findFirstOrThrow();
    expect([tip.chain, tip.status, tip.recipientAddress]).toEqual(['base', 'settled', address]);
  });

  test('one that proved itself on Celo prefers to be paid there', async () => {
    const owner = newKey();
    const { address } = newKey();
    await placeContractWallet(world, address, owner.address, 'celo');
    const { browser } = await signInAs(address, owner, CELO);
    const { body } = await browser.post('/api/handle', { handle: 'safe_five' });
    expect(body.account.preferred_chain).toBe('celo');
  });

  test('becomes a payout wallet by its own signature, and agrees to another by it', async () => {
    const key = newKey();
    const { browser } = await signInAs(key.address, key);
    await browser.post('/api/handle', { handle: 'moving' });
    const owner = newKey();
    const { address } = newKey();
    await placeContractWallet(world, address, owner.address, 'celo');
    const prepare = async (to: Hex, chain?: string) =>
      (await browser.post('/api/wallet/change/prepare', { new_address: to, ...(chain ? { chain } : {}) })).body;
    const { typed_data, nonce, deadline } = await prepare(address, 'celo');
    expect(typed_data.domain.chainId).toBe(CELO);
    const signatures = {
      new_signature: await owner.signTypedData(typed_data),
      old_signature: await key.signTypedData(typed_data),
    };
    const wrongChain = { new_address: address, chain: 'base', nonce, deadline, ...signatures };
    expect(refusal(await browser.post('/api/wallet/change', wrongChain))).toEqual([400, 'signature_invalid']);
    const changed = await browser.post('/api/wallet/change', { ...wrongChain, chain: 'celo' });
    expect(changed.body.wallets.evm).toMatchObject({ address, kind: 'contract', proven_chains: ['celo'] });
    expect((await browser.get('/api/session')).body.account).toMatchObject({
      preferred_chain: 'celo',
      kind: 'contract',
    });

    const next = newKey();
    const back = await prepare(next.address);
    const sign = (account: PrivateKeyAccount) => account.signTypedData(back.typed_data);
    const request = {
      new_address: next.address,
      nonce: back.nonce,
      deadline: back.deadline,
      new_signature: await sign(next),
    };
    // On Base somebody else stands at that address: their word counts for nothing.
    const thief = newKey();
    await placeContractWallet(world, address, thief.address);
    const robbed = await browser.post('/api/wallet/change', { ...request, old_signature: await sign(thief) });
    expect(refusal(robbed)).toEqual([400, 'signature_invalid']);
    const agreed = await browser.post('/api/wallet/change', { ...request, old_signature: await sign(owner) });
    expect(agreed.body.wallets.evm).toMatchObject({ address: next.address, kind: 'account', proven_chains: [] });
  });
});

describe('two providers', () => {
  test('503 while one is away, and a key needs none of them', async () => {
    const { address, owner } = await contractPerson('safe_six');
    second.setDead(true);
    try {
      const answer = await signInAs(address, owner);
      expect(refusal(answer)).toEqual([503, 'provider_unavailable']);
      expect(answer.headers.get('retry-after')).toBe('5');
      const alice = privateKeyToAccount(localPerson('alice').key);
      expect((await signInAs(alice.address, alice)).status).toBe(200);
    } finally {
      second.setDead(false);
    }
    expect((await signInAs(address, owner)).status).toBe(200);
  });

  test.each([
    ['says yes for a signature that is none', 'eth_call', () => '0x1626ba7e'.padEnd(66, '0'), 'thief'],
    ['says no for one that is good', 'eth_call', () => '0x'.padEnd(66, '0'), 'owner'],
    ['is far behind, where there were other owners', 'eth_blockNumber', () => '0x1', 'owner'],
    [
      'is on another chain',
      'eth_getBlockByNumber',
      (block: object) => ({ ...block, hash: `0x${'ab'.repeat(32)}` }),
      'owner',
    ],
  ] as const)('503 when one %s', async (_what, method, lie, who) => {
    const { address, owner } = await contractPerson(`liar_${method.slice(4, 12).toLowerCase()}_${who}`);
    await world.mine(20);
    second.alter(method, lie as (result: unknown) => unknown);
    try {
      expect(refusal(await signInAs(address, who === 'owner' ? owner : newKey()))).toEqual([
        503,
        'provider_unavailable',
      ]);
    } finally {
      second.alter(method, null);
    }
  });
});

describe('a key that delegated to code', () => {
  const delegatedTo = (code: Hex): Hex => `0xef0100${code.slice(2)}`;

  test('signs in with its key, on every chain', async () => {
    const key = newKey();
    const code = newKey().address;
    await world.admin().setCode({ address: code, bytecode: '0x60006000fd' });
    await world.admin().setCode({ address: key.address, bytecode: delegatedTo(code) });
    const { body, browser } = await signInAs(key.address, key);
    expect(body.account.kind).toBe('account');
    expect((await browser.post('/api/handle', { handle: 'delegating' })).status).toBe(201);
    expect((await signInAs(key.address, key, CELO)).status).toBe(200);
  });

  test('code that came to a known key later does not speak for it', async () => {
    const key = newKey();
    const { browser } = await signInAs(key.address, key);
    expect((await browser.post('/api/handle', { handle: 'keyed' })).status).toBe(201);
    const thief = newKey();
    await placeContractWallet(world, key.address, thief.address);
    expect(refusal(await signInAs(key.address, thief))).toEqual([400, 'signature_invalid']);
    expect((await signInAs(key.address, key)).status).toBe(200);
  });
});
