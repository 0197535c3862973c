// Money that a person sends from their own wallet: one row pays once, whatever is pressed, replayed or lost; each refusal has its name.
import type { Hex } from 'viem';
import { zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localKey } from '../../../local/stack/people.ts';
import { type Checkout, checkoutOf } from '../../../test/setup/checkout.ts';
import { sendAs } from '../../../test/setup/orders.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { walletOfPerson } from '../../../test/setup/signer.ts';
import { type Answer, serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, sendNow, startWorld, type World } from '../../../test/setup/world.ts';
import { encodeApprove } from '../../chain/signing/permits.ts';
import type { ChainName } from '../../domain/chains.ts';
import { settleSends } from '../../services/sends/settle.ts';

let world: World;
let alice: Visitor;
let checkout: Checkout;
let proxy: RpcProxy;
let base: string;
beforeAll(async () => {
  const through = async (direct: string) => {
    proxy = await startRpcProxy(direct);
    return proxy.url;
  };
  world = await startWorld({ chains: ['base', 'bsc'], rpcUrls: { base: through } });
  base = await serveWorld(world);
  alice = visitor(base);
  checkout = checkoutOf(world, alice);
  await alice.signIn(walletOfPerson('alice'));
});
afterAll(async () => {
  await world.stop();
  await proxy.close();
});
beforeEach(async () => {
  // A day later no budget and no limit of another test counts, and every send of it is over.
  await checkout.later(25 * 3_600);
  await finish('base');
  await finish('bsc');
  await alice.signIn(walletOfPerson('alice'));
});
afterEach(() => {
  proxy.setDead(false);
  world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 500;
});

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Body = any;
const codeOf = ({ status, body }: Answer) => [status, body.error?.code ?? null];
const create = (fields: object, who = alice) =>
  who.post('/api/sends', { to: '@bob', amount: '2', chain: 'base', ...fields });
async function draft(fields: object = {}, who = alice): Promise<Body> {
  const { body } = await create(fields, who);
  expect(body.error).toBeUndefined();
  return body.send;
}
async function sign({ id }: Body, name = 'alice'): Promise<Hex> {
  const { sign: data } = (await alice.get(`/api/sends/${id}/payment`)).body;
  const { EIP712Domain, ...types } = data.types;
  return walletOfPerson(name).signTypedData({ ...data, types });
}
const submit = ({ id }: Body, signature: Hex) => alice.post(`/api/sends/${id}`, { action: 'submit', signature });
const act = ({ id }: Body, action: string) => alice.post(`/api/sends/${id}`, { action });
const read = async ({ id }: Body) => (await alice.get(`/api/sends/${id}`)).body.send;
async function finish(name: ChainName = 'base') {
  await world.send(name);
  await world.watch(name);
  await world.mine(world.evmChain(name).confirmations, name);
  await world.watch(name);
  await settleSends(world.ctx, world.evmChain(name));
}
async function had(name: ChainName = 'base') {
  const all = () => Promise.all(['alice', 'bob', 'treasury'].map((who) => world.usdc(who, name)));
  const before = await all();
  return async () => (await all()).map((units, index) => units - (before[index] ?? 0n));
}
const calls = ({ id }: Body) => world.ctx.db.sponsoredCall.count({ where: { use: `send:${id}` } });

describe('paid once', () => {
  test('to a handle: the fee comes on top, we pay the gas, and the recipient gets a message in their chat', async () => {
    const chat = localPerson('bob').telegram.id;
    await world.say('bob', '/help', { chat });
    const change = await had();
    const send = await draft();
    expect(send).toMatchObject({
      step: 'signing',
      to: 'bob@ampersat',
      amount: '2.00',
      fee: '0.05',
      total: '2.05',
      gasless: true,
    });
    const answer = await submit(send, await sign(send));
    expect(answer.body.send).toMatchObject({ status: 'processing', step: 'sending' });
    await world.send();
    await world.watch();
    expect((await read(send)).step).toBe('confirming');
    await finish();
    const done = await read(send);
    expect(done).toMatchObject({ status: 'completed', step: 'completed', can_cancel: false, can_pay: false });
    expect(done.tx_hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await change()).toEqual([-2_050_000n, 2_000_000n, 50_000n]);
    await world.reply();
    const said = await world.botSaid(chat);
    expect(said.at(-1)?.text).toContain('You received 2.00 USDC from alice@ampersat');
    expect((await alice.get('/api/sends')).body.data[0]).toMatchObject({ id: send.id, status: 'completed' });
    const line = { id: send.id, amount: '2.00', asset: 'USDC', chain: 'base', platform: 'wallet', receipt_url: null };
    const mine = (await alice.get('/api/history')).body.data;
    expect(mine[0]).toMatchObject({
      ...line,
      direction: 'sent',
      counterparty: 'bob@ampersat',
      fee: '0.05',
      status: 'final',
    });
    const bob = visitor(base);
    await bob.signIn(walletOfPerson('bob'));
    const theirs = (await bob.get('/api/history?direction=received&status=paid&q=alice')).body.data;
    expect(theirs).toEqual([
      expect.objectContaining({ ...line, direction: 'received', counterparty: 'alice@ampersat', fee: null }),
    ]);
    expect((await bob.get('/api/history?status=failed')).body.data).toEqual([]);
    expect((await alice.get('/api/history/summary')).body).toMatchObject({ sent_usd: '2.00', fees_usd: '0.05' });
    expect((await alice.get('/api/history.csv')).body).toContain(send.id);
  });

  test('to an address that belongs to no handle', async () => {
    const to = localKey('stranger of sends').address;
    const send = await draft({ to, amount: '0.5' });
    expect(send).toMatchObject({ to, to_address: to, total: '0.55' });
    await submit(send, await sign(send));
    await finish();
    expect((await read(send)).status).toBe('completed');
  });

  test('a second press, the same signature again and from two tabs at once: one payment', async () => {
    const change = await had();
    const send = await draft();
    const signature = await sign(send);
    const answers = await Promise.all([submit(send, signature), submit(send, signature), submit(send, signature)]);
    expect(answers.map(codeOf)).toEqual([
      [200, null],
      [200, null],
      [200, null],
    ]);
    expect(await calls(send)).toBe(1);
    await finish();
    expect(codeOf(await submit(send, signature))).toEqual([200, null]);
    await finish();
    expect(await calls(send)).toBe(1);
    expect(await change()).toEqual([-2_050_000n, 2_000_000n, 50_000n]);
  });

  test('a page that lost everything finds the open send, and the same terms again are the same row', async () => {
    const send = await draft();
    expect((await draft()).id).toBe(send.id);
    expect((await alice.get('/api/sends')).body.data[0]).toMatchObject({ id: send.id, step: 'signing' });
    await submit(send, await sign(send));
    const again = await create({});
    expect(codeOf(again)).toEqual([409, 'payment_in_flight']);
    expect(again.body).toMatchObject({ send: send.id });
    expect((await alice.get('/api/sends')).body.data[0].id).toBe(send.id);
  });

  test('other terms replace a draft: what was signed for it before is refused', async () => {
    const change = await had();
    const first = await draft();
    const signature = await sign(first);
    const second = await draft({ amount: '3' });
    expect(second.id).not.toBe(first.id);
    expect(codeOf(await submit(first, signature))).toEqual([409, 'state_conflict']);
    expect(codeOf(await submit(second, signature))).toEqual([400, 'signature_invalid']);
    await submit(second, await sign(second));
    await finish();
    expect(await change()).toEqual([-3_050_000n, 3_000_000n, 50_000n]);
  });

  test('the same terms after the recipient’s wallet changed are another payment, to the new wallet', async () => {
    const before = await draft();
    const where = { family_address: { family: 'evm', address: localPerson('bob').address } };
    const { address } = localKey('the next wallet of bob');
    await world.ctx.db.wallet.update({ where, data: { address } });
    const after = await draft();
    await world.ctx.db.wallet.update({
      where: { family_address: { family: 'evm', address } },
      data: { address: localPerson('bob').address },
    });
    expect(after).toMatchObject({ to: before.to, to_address: address });
    expect((await read(before)).status).toBe('cancelled');
  });

  test('signed, and the recipient’s wallet changed meanwhile: the old one is not paid', async () => {
    const send = await draft();
    const signature = await sign(send);
    const bob = localPerson('bob').address;
    const { address } = localKey('the next wallet of bob');
    const move = (from: string, to: string) =>
      world.ctx.db.wallet.update({
        where: { family_address: { family: 'evm', address: from } },
        data: { address: to },
      });
    await move(bob, address);
    const change = await had();
    expect(codeOf(await submit(send, signature))).toEqual([409, 'state_conflict']);
    await move(address, bob);
    expect(await change()).toEqual([0n, 0n, 0n]);
    expect(await read(send)).toMatchObject({ status: 'draft', can_cancel: true });
    expect(codeOf(await act(send, 'cancel'))).toEqual([200, null]);
    expect(codeOf(await alice.get(`/api/sends/${send.id}/payment`))).toEqual([409, 'state_conflict']);
  });

  test('a stranger sends the same bytes first: paid once, and completed', async () => {
    const change = await had();
    const send = await draft();
    await submit(send, await sign(send));
    const { data, toAddress } = await world.ctx.db.sponsoredCall.findFirstOrThrow({
      where: { use: `send:${send.id}` },
    });
    await sendAs(world, localKey('front runner').key, { to: toAddress as Hex, data: data as Hex });
    await finish();
    expect((await read(send)).status).toBe('completed');
    expect(await change()).toEqual([-2_050_000n, 2_000_000n, 50_000n]);
  });

  test('refused in its block: it can be signed again, under the same key, and not be cancelled', async () => {
    const who = localPerson('alice').address;
    const send = await draft();
    const signature = await sign(send);
    await submit(send, signature);
    await checkout.refuse(who);
    await world.mine(world.evmChain().confirmations);
    await world.watch();
    const stopped = await read(send);
    expect(stopped).toMatchObject({ status: 'processing', step: 'stopped', can_cancel: false, can_pay: true });
    expect(codeOf(await act(send, 'cancel'))).toEqual([409, 'state_conflict']);
    expect(codeOf(await submit(send, signature))).toEqual([402, 'call_refused']);
    await checkout.fund('alice', '500');
    const change = await had();
    expect(codeOf(await submit(send, signature))).toEqual([200, null]);
    await finish();
    expect((await read(send)).status).toBe('completed');
    expect(await change()).toEqual([-2_050_000n, 2_000_000n, 50_000n]);
  });
});

describe('ended without a payment', () => {
  test('a draft is cancelled, and its signature is worth nothing afterwards', async () => {
    const send = await draft();
    const signature = await sign(send);
    expect((await act(send, 'cancel')).body.send).toMatchObject({ status: 'cancelled' });
    expect(codeOf(await act(send, 'cancel'))).toEqual([200, null]);
    expect(codeOf(await submit(send, signature))).toEqual([409, 'state_conflict']);
    expect((await alice.get('/api/sends')).body.data.map(({ id }: Body) => id)).not.toContain(send.id);
  });

  test('refused before it was sent: a provider has seen the signature, so only its deadline ends it', async () => {
    const send = await draft();
    await submit(send, await sign(send));
    await checkout.drain(localPerson('alice').address);
    await world.send();
    await staysUntilItsDeadline(send);
    await checkout.fund('alice', '500');
  });

  test('refused at the press: a provider has seen the signature, so only its deadline ends it', async () => {
    const send = await draft();
    const signature = await sign(send);
    await checkout.drain(localPerson('alice').address);
    expect(codeOf(await submit(send, signature))).toEqual([402, 'call_refused']);
    await staysUntilItsDeadline(send);
    await checkout.fund('alice', '500');
  });

  async function staysUntilItsDeadline(send: Body) {
    expect(await read(send)).toMatchObject({ status: 'processing', step: 'stopped', can_cancel: false, can_pay: true });
    expect(codeOf(await act(send, 'cancel'))).toEqual([409, 'state_conflict']);
    expect(codeOf(await create({ amount: '3' }))).toEqual([409, 'payment_in_flight']);
    await checkout.later(11 * 60);
    await finish();
    expect(await read(send)).toMatchObject({ status: 'failed', can_cancel: false, can_pay: false });
  }

  test('no executor sends it: it fails once final blocks are past its deadline, and not before', async () => {
    const send = await draft();
    await submit(send, await sign(send));
    await settleSends(world.ctx, world.evmChain());
    expect((await read(send)).status).toBe('processing');
    await checkout.later(11 * 60);
    await settleSends(world.ctx, world.evmChain());
    await finish();
    expect(await read(send)).toMatchObject({ status: 'failed', step: 'failed' });
    expect((await read(send)).failure).toContain('Nothing was sent');
  });

  test('an expired authorization is not taken', async () => {
    const send = await draft();
    const signature = await sign(send);
    await checkout.later(10 * 60);
    expect(codeOf(await submit(send, signature))).toEqual([409, 'state_conflict']);
    expect((await alice.get('/api/sends')).body.data.map(({ id }: Body) => id)).not.toContain(send.id);
  });
});

describe('refused by name', () => {
  const payRouter = () => world.evmChain().routers.payment;
  const across = () => {
    const { across: found } = world.evmChain();
    if (!found?.adapter) throw new Error('base has no adapter');
    return found;
  };
  test.each<[string, () => object, [number, string], RegExp]>([
    ['a handle that no one has', () => ({ to: '@unknown_slug' }), [404, 'handle_not_found'], /tab/],
    ['a name on a platform', () => ({ to: 'telegram:carol' }), [404, 'handle_not_found'], /Telegram/],
    ['oneself by handle', () => ({ to: '@alice' }), [400, 'parameter_invalid'], /your own/],
    ['oneself by address', () => ({ to: localPerson('alice').address }), [400, 'parameter_invalid'], /your own/],
    ['the zero address', () => ({ to: zeroAddress }), [400, 'parameter_invalid'], /lost/],
    ['the router', () => ({ to: payRouter() }), [400, 'parameter_invalid'], /lost/],
    ['Permit2', () => ({ to: world.evmChain().permit2 }), [400, 'parameter_invalid'], /lost/],
    ['the adapter by which tips leave', () => ({ to: across().adapter }), [400, 'parameter_invalid'], /lost/],
    ['the pool behind it', () => ({ to: across().pool }), [400, 'parameter_invalid'], /lost/],
    ['the token', () => ({ to: world.evmChain().usdc }), [400, 'parameter_invalid'], /lost/],
    [
      'a wrong checksum',
      () => ({ to: localPerson('bob').address.replace(/[a-f]/, (letter) => letter.toUpperCase()) }),
      [400, 'parameter_invalid'],
      /character/,
    ],
    [
      'an address of Solana',
      () => ({ to: 'So11111111111111111111111111111111111111112' }),
      [400, 'parameter_invalid'],
      /Solana/,
    ],
    ['words', () => ({ to: 'my friend' }), [400, 'parameter_invalid'], /@alice/],
    ['nothing', () => ({ amount: '0' }), [400, 'amount_out_of_range'], /0\.01/],
    ['more decimals than USDC has', () => ({ amount: '1.0000001' }), [400, 'parameter_invalid'], /decimal/],
    ['a chain that is not served', () => ({ chain: 'celo' }), [400, 'parameter_invalid'], /chain/],
  ])('%s', async (_, fields, code, words) => {
    const answer = await create(fields());
    expect(codeOf(answer)).toEqual(code);
    expect(answer.body.error.message).toMatch(words);
  });

  test('an address with a wrong checksum does not pass in any case that is not its own', async () => {
    const lower = localPerson('bob').address.toLowerCase();
    expect((await draft({ to: lower })).to_address).toBe(localPerson('bob').address);
  });

  test('a balance that covers the amount and not the fee', async () => {
    const poor = visitor(base);
    await poor.signIn(privateKeyToAccount(localKey('a poor sender').key));
    await poor.post('/api/handle', { handle: 'poor_sender' });
    await checkout.fund('a poor sender', '2');
    const refused = await create({}, poor);
    expect(codeOf(refused)).toEqual([402, 'call_refused']);
    expect(refused.body.error.message).toContain('You have 2.00 USDC on Base; this needs 2.05 with the fee');
    expect(codeOf(await create({ amount: '1.95' }, poor))).toEqual([201, null]);
  });

  test('above the day’s limit, which tips and sends share', async () => {
    await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { dayCapMicros: 5_000_000n } });
    try {
      const first = await draft();
      await submit(first, await sign(first));
      await finish();
      const refused = await create({ amount: '3' });
      expect(codeOf(refused)).toEqual([400, 'amount_out_of_range']);
      expect(refused.body.error.message).toContain('$2.95 of it is left');
      expect((await alice.get('/api/spending')).body.spent_24h_usd).toBe('2.05');
      expect(codeOf(await create({ amount: '2.90' }))).toEqual([201, null]);
    } finally {
      await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { dayCapMicros: 500_000_000n } });
    }
  });

  test('the budget of the chain is used up: 429, and nothing is under way', async () => {
    const send = await draft();
    world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 0;
    expect(codeOf(await submit(send, await sign(send)))).toEqual([429, 'rate_limited']);
    expect(await read(send)).toMatchObject({ status: 'draft', can_pay: true });
  });

  test('another one’s signature, and another one’s send', async () => {
    const send = await draft();
    expect(codeOf(await submit(send, await sign(send, 'bob')))).toEqual([400, 'signature_invalid']);
    const bob = visitor(base);
    await bob.signIn(walletOfPerson('bob'));
    for (const path of [`/api/sends/${send.id}`, `/api/sends/${send.id}/payment`])
      expect(codeOf(await bob.get(path))).toEqual([404, 'resource_missing']);
    for (const action of ['cancel', 'begin'])
      expect(codeOf(await bob.post(`/api/sends/${send.id}`, { action }))).toEqual([404, 'resource_missing']);
    expect((await bob.get('/api/sends')).body.data).toEqual([]);
    expect(codeOf(await visitor(base).get('/api/sends'))).toEqual([401, 'session_required']);
  });

  test('the chain is away: 503, then everything goes on', async () => {
    const send = await draft();
    const signature = await sign(send);
    proxy.setDead(true);
    expect(codeOf(await create({ amount: '4' }))).toEqual([503, 'provider_unavailable']);
    expect(codeOf(await submit(send, signature))).toEqual([503, 'provider_unavailable']);
    expect((await read(send)).status).toBe('draft');
    proxy.setDead(false);
    expect(codeOf(await submit(send, signature))).toEqual([200, null]);
    await finish();
    expect((await read(send)).status).toBe('completed');
  });

  test('a contract is named before anything is signed', async () => {
    const { body } = await create({ to: await someContract() });
    expect(body.warning).toBe('contract');
    expect((await create({})).body.warning).toBeNull();
  });
});

/** Code that is none of ours. */
async function someContract(): Promise<Hex> {
  const address = localKey('a contract').address;
  await world.admin().setCode({ address, bytecode: '0x00' });
  return address;
}

describe('where the wallet sends by itself', () => {
  const onBsc = { chain: 'bsc' };
  type Call = { kind: string; to: Hex; data: Hex };
  async function sendAll({ id }: Body) {
    const { calls: all } = (await alice.get(`/api/sends/${id}/payment`)).body;
    for (const { to, data } of all as Call[]) await sendAs(world, localPerson('alice').key, { to, data }, 'bsc');
    return (all as Call[]).map(({ kind }) => kind);
  }

  test('no fee of ours; the chain shows it by itself, although the page never named its transaction', async () => {
    const change = await had('bsc');
    const send = await draft(onBsc);
    expect(send).toMatchObject({ way: 'direct', gasless: false, fee: '0.00', total: '2.00' });
    expect((await act(send, 'begin')).body.send).toMatchObject({
      status: 'processing',
      step: 'sending',
      can_pay: true,
    });
    expect(await sendAll(send)).toEqual(['approve', 'pay']);
    expect((await read(send)).step).toBe('confirming');
    await finish('bsc');
    expect(await read(send)).toMatchObject({ status: 'completed', tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    expect(await change()).toEqual([-2n * 10n ** 18n, 2n * 10n ** 18n, 0n]);
  });

  test('sent twice by the wallet: the router takes one; and it is not offered again', async () => {
    const change = await had('bsc');
    const send = await draft(onBsc);
    await act(send, 'begin');
    const { calls: all } = (await alice.get(`/api/sends/${send.id}/payment`)).body;
    await sendAll(send);
    const pay = (all as Call[]).at(-1) as Call;
    await sendAs(world, localPerson('alice').key, { to: pay.to, data: pay.data }, 'bsc');
    expect(codeOf(await act(send, 'begin'))).toEqual([409, 'state_conflict']);
    await finish('bsc');
    expect(await change()).toEqual([-2n * 10n ** 18n, 2n * 10n ** 18n, 0n]);
  });

  test('once the wallet was asked, only the chain ends it', async () => {
    const send = await draft(onBsc);
    await act(send, 'begin');
    expect(codeOf(await act(send, 'cancel'))).toEqual([409, 'state_conflict']);
    expect(codeOf(await create({}))).toEqual([409, 'payment_in_flight']);
    await checkout.later(11 * 60);
    await finish('bsc');
    expect((await read(send)).status).toBe('failed');
  });

  test('with an allowance of the router it is signed, and we send it', async () => {
    const change = await had('bsc');
    const { payment: to } = world.evmChain('bsc').routers;
    await sendAs(
      world,
      localPerson('alice').key,
      { to: world.evmChain('bsc').usdc, data: encodeApprove(to, 10n ** 20n) },
      'bsc',
    );
    const send = await draft(onBsc);
    expect(send).toMatchObject({ way: 'allowance', gasless: true, fee: '0.05' });
    expect(codeOf(await act(send, 'begin'))).toEqual([409, 'state_conflict']);
    expect(codeOf(await submit(send, await sign(send)))).toEqual([200, null]);
    await sendNow(world.ctx, world.evmChain('bsc'));
    await finish('bsc');
    expect((await read(send)).status).toBe('completed');
    expect(await change()).toEqual([-205n * 10n ** 16n, 2n * 10n ** 18n, 5n * 10n ** 16n]);
  });
});
