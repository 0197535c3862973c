// USDC that a person sends from their own Solana wallet: one row pays once, whatever is pressed, replayed, lost or signed again; each refusal has its name.
import { randomBytes, randomUUID } from 'node:crypto';
import { PublicKey, Keypair as RandomKey, TransactionInstruction } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freezeAccount } from '../../../local/solana/genesis.ts';
import { keypairOf, localSolanaKey } from '../../../local/solana/keys.ts';
import { orderOf, SYSTEM_PROGRAM, TOKEN_PROGRAM, tokenAccount } from '../../../src/chain/solana/addresses.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { signTransaction, walletOfPerson } from '../../../test/setup/signer.ts';
import { FINALIZED_AFTER } from '../../../test/setup/solanaInWorld.ts';
import { transferUsdc } from '../../../test/setup/solanaTransfers.ts';
import { type Answer, serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';

import { createTokenAccount } from '../../chain/solana/tips.ts';
import { indexChain } from '../../services/operations/feed.ts';
import { returnRent } from '../../services/operations/rent.ts';
import { reconcileChain } from '../../services/outgoing/reconcile.ts';
import { settleSends } from '../../services/sends/settle.ts';

let world: World;
let alice: Visitor;
let proxy: RpcProxy;
let base: string;
beforeAll(async () => {
  const through = async (direct: string) => {
    proxy = await startRpcProxy(direct);
    return proxy.url;
  };
  world = await startWorld({ solana: { through, finalizedAfter: FINALIZED_AFTER } });
  await reconcileChain(world.ctx, world.solana.chain);
  base = await serveWorld(world);
  alice = visitor(base);
});
afterAll(async () => {
  await world.stop();
  await proxy.close();
});
beforeEach(async () => {
  // A month later no budget, no limit and no account of another test counts, and every send of it is over.
  world.later(31 * 86_400_000);
  await finish();
  await alice.signIn(walletOfPerson('alice'));
});
afterEach(() => {
  proxy.setDead(false);
  world.solana.node.faults.clear();
  world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 500;
});

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Body = any;
const key = localSolanaKey('alice');
const codeOf = ({ status, body }: Answer) => [status, body.error?.code ?? null];
const create = (wish: object = {}, who = alice) =>
  who.post('/api/sends', { to: '@bob', amount: '2', chain: 'solana', ...wish });
async function draft(wish: object = {}, who = alice): Promise<Body> {
  const { body } = await create(wish, who);
  expect(body.error).toBeUndefined();
  return body.send;
}
async function sign({ id }: Body, by = key): Promise<string> {
  // What was prepared in one slot is the same each time.
  world.solana.step();
  const { body } = await alice.get(`/api/sends/${id}/payment`);
  expect(body).toMatchObject({ sign: null, calls: null, lacks_gas: false });
  return signTransaction(by, body.transaction);
}
const submit = ({ id }: Body, solana_transaction: string, who = alice) =>
  who.post(`/api/sends/${id}`, { action: 'submit', solana_transaction });
const act = ({ id }: Body, action: string) => alice.post(`/api/sends/${id}`, { action });
const read = async ({ id }: Body) => (await alice.get(`/api/sends/${id}`)).body.send;
const settle = () => settleSends(world.ctx, world.solana.chain);
async function finish() {
  await world.solana.run();
  await settle();
}
/** No block hash that a wallet has signed can be used anymore, and every endpoint knows. */
async function expire() {
  world.later(2_000);
  world.solana.step(320);
  await world.solana.follow();
}
function had() {
  const { treasury } = world.solana.roles;
  const all = () =>
    [key.address, localSolanaKey('bob').address, treasury.address].map((owner) => world.solana.usdcOf(owner));
  const before = all();
  return () => all().map((units, index) => units - (before[index] ?? 0n));
}
const calls = ({ id }: Body) => world.ctx.db.sponsoredCall.count({ where: { use: `send:${id}` } });
const PAID = [-2_050_000n, 2_000_000n, 50_000n];

describe('paid once', () => {
  test('to a handle: one signature, the fee on top, no SOL of the sender, and completed when it is final', async () => {
    const chat = localPerson('bob').telegram.id;
    await world.say('bob', '/help', { chat });
    const change = had();
    const sol = world.solana.lamportsOf(key.address);
    const send = await draft();
    expect(send).toMatchObject({ step: 'signing', to: 'bob@ampersat', amount: '2.00', fee: '0.05', total: '2.05' });
    expect(send).toMatchObject({ way: 'transaction', gasless: true, to_address: localSolanaKey('bob').address });
    const answer = await submit(send, await sign(send));
    expect(answer.body.send).toMatchObject({ status: 'processing', step: 'sending', can_cancel: false });
    await world.solana.sendNow();
    await world.solana.confirmSent();
    await settle();
    expect(await read(send)).toMatchObject({ status: 'processing', step: 'confirming' });
    await world.solana.settleSent();
    await settle();
    const done = await read(send);
    expect(done).toMatchObject({ status: 'completed', step: 'completed', can_cancel: false, can_pay: false });
    const events = await world.solana.eventsOf(key.address);
    expect(done.tx_hash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
    expect(events.filter(({ name }) => name === 'paymentSettled')).toHaveLength(1);
    expect(change()).toEqual(PAID);
    expect(world.solana.lamportsOf(key.address)).toBe(sol);
    await world.reply();
    expect((await world.botSaid(chat)).at(-1)?.text).toContain('You received 2.00 USDC from alice@ampersat');
    const line = { id: send.id, amount: '2.00', asset: 'USDC', chain: 'solana', direction: 'sent', fee: '0.05' };
    expect((await alice.get('/api/history')).body.data[0]).toMatchObject({ ...line, status: 'final' });
    expect((await alice.get('/api/spending')).body.spent_24h_usd).toBe('2.05');
  });

  test('the fee is known to the treasury, and the rent of the order comes back after 90 days', async () => {
    const send = await draft();
    await submit(send, await sign(send));
    await finish();
    await indexChain(world.ctx, world.solana.chain);
    expect(await world.ctx.db.treasuryTransfer.count()).toBe(0);
    const rounds = new Map<string, string>();
    await returnRent(world.ctx, world.solana.chain, rounds);
    const closing = () => world.ctx.db.outgoingTx.count({ where: { kind: 'rent', status: 'queued' } });
    const before = await closing();
    world.later(91 * 86_400_000);
    world.solana.step(3);
    await returnRent(world.ctx, world.solana.chain, rounds);
    expect(await closing()).toBeGreaterThan(before);
    await world.solana.run();
    expect(await returnRent(world.ctx, world.solana.chain, rounds)).toBe(0);
  });

  test('to the address of a wallet without a USDC account: we open it, within what a sender has of the month', async () => {
    const [one, two] = [RandomKey.generate(), RandomKey.generate()].map(({ publicKey }) => publicKey.toBase58());
    const sol = world.solana.lamportsOf(key.address);
    const send = await draft({ to: one, amount: '0.5' });
    expect(send).toMatchObject({ to: one, to_address: one, total: '0.55', way: 'opening' });
    await submit(send, await sign(send));
    await finish();
    expect((await read(send)).status).toBe('completed');
    expect(world.solana.usdcOf(one ?? '')).toBe(500_000n);
    expect(world.solana.lamportsOf(key.address)).toBe(sol);
    expect((await draft({ to: two })).way).toBe('opening');
    await openings(send);
    const refused = await create({ to: two });
    expect(codeOf(refused)).toEqual([402, 'call_refused']);
    expect(refused.body.error.message).toContain('can’t open another one for you this month');
    expect((await draft({ to: one })).way).toBe('transaction');
  });

  test('an account that the month no longer covers is refused when it is signed, too', async () => {
    const send = await draft({ to: RandomKey.generate().publicKey.toBase58() });
    const signed = await sign(send);
    await openings(send);
    expect(codeOf(await submit(send, signed))).toEqual([402, 'call_refused']);
    expect((await read(send)).status).toBe('draft');
  });

  test('pressed twice, from two tabs at once, and with another signature of the same row: one payment', async () => {
    const change = had();
    const send = await draft();
    const [signed, again] = [await sign(send), await sign(send)];
    expect(again).not.toBe(signed);
    const answers = await Promise.all([submit(send, signed), submit(send, again), submit(send, signed)]);
    expect(answers.map(codeOf)).toEqual([
      [200, null],
      [200, null],
      [200, null],
    ]);
    expect(await calls(send)).toBe(1);
    await world.solana.sendNow();
    expect(codeOf(await submit(send, again))).toEqual([200, null]);
    await finish();
    expect(codeOf(await submit(send, signed))).toEqual([200, null]);
    await finish();
    expect(await calls(send)).toBe(1);
    expect(change()).toEqual(PAID);
  });

  test('a page that lost everything finds the open send, and the same terms again are the same row', async () => {
    const send = await draft();
    expect((await draft()).id).toBe(send.id);
    await submit(send, await sign(send));
    const again = await create();
    expect(codeOf(again)).toEqual([409, 'payment_in_flight']);
    expect(again.body).toMatchObject({ send: send.id });
    expect((await alice.get('/api/sends')).body.data[0].id).toBe(send.id);
  });

  test('dropped, and its block hash over: the same row is signed again and pays once', async () => {
    const change = had();
    const send = await draft();
    const first = await sign(send);
    await submit(send, first);
    world.solana.node.faults.add({ kind: 'drop', times: 1_000 });
    await world.solana.sendNow();
    expect((await read(send)).step).toBe('sending');
    await expire();
    world.solana.node.faults.clear();
    expect(await read(send)).toMatchObject({ status: 'processing', step: 'stopped', can_pay: true, can_cancel: false });
    expect((await read(send)).failure).toContain('didn’t reach the network');
    // What was signed before is worth nothing.
    const replayed = await submit(send, first);
    expect(codeOf(replayed)).toEqual([402, 'call_refused']);
    expect(replayed.body.error.message).toContain('signature has expired');
    expect(codeOf(await submit(send, await sign(send)))).toEqual([200, null]);
    await finish();
    expect((await read(send)).status).toBe('completed');
    expect(await calls(send)).toBe(2);
    expect(change()).toEqual(PAID);
  });

  test('two transactions of a row that both reach the chain: the program takes one, and one fee', async () => {
    const change = had();
    const send = await draft();
    const [first, second, third] = [await sign(send), await sign(send), await sign(send)];
    await submit(send, first);
    await world.solana.sendNow();
    // As if we had lost all memory of it, before a slot shows it.
    const forget = () =>
      world.ctx.db.sponsoredCall.updateMany({
        where: { use: `send:${send.id}` },
        data: { use: `forgotten:${randomUUID()}` },
      });
    await forget();
    expect(codeOf(await submit(send, second))).toEqual([200, null]);
    await world.solana.sendNow();
    await world.solana.confirmSent();
    await forget();
    const refused = await submit(send, third);
    expect(codeOf(refused)).toEqual([409, 'state_conflict']);
    expect(refused.body.error.message).toContain('It isn’t sent twice');
    await finish();
    expect((await read(send)).status).toBe('completed');
    const sent = await world.ctx.db.outgoingTx.findMany({ orderBy: { createdAt: 'desc' }, take: 2 });
    expect(sent.map(({ succeeded }) => succeeded)).toEqual([false, true]);
    expect(change()).toEqual(PAID);
  });

  test('refused in its slot: it can be signed again, under the same key, and not be cancelled', async () => {
    const send = await draft();
    await submit(send, await sign(send));
    const spent = transferUsdc(world.solana, 'alice', localSolanaKey('carol').address, drain());
    expect(spent.error).toBeNull();
    await world.solana.sendNow();
    await world.solana.settleSent();
    expect(await read(send)).toMatchObject({ step: 'stopped', can_pay: true, can_cancel: false });
    expect(codeOf(await act(send, 'cancel'))).toEqual([409, 'state_conflict']);
    expect(codeOf(await submit(send, await sign(send)))).toEqual([402, 'call_refused']);
    world.solana.person('alice', { lamports: 0n, usdc: 1_000_000_000n });
    world.solana.step(3);
    const change = had();
    expect(codeOf(await submit(send, await sign(send)))).toEqual([200, null]);
    await finish();
    expect((await read(send)).status).toBe('completed');
    expect(change()).toEqual(PAID);
  });
});

/** More sends that opened an account than a month allows. */
async function openings({ id }: Body) {
  const row = await world.ctx.db.send.findUniqueOrThrow({ where: { id } });
  const data = Array.from({ length: 10 }, (_, at) => ({ ...row, id: `${id}${at}`, status: 'completed' }));
  await world.ctx.db.send.createMany({ data });
}

/** All USDC of Alice's but a little. */
const drain = () => world.solana.usdcOf(key.address) - 10_000n;

describe('ended without a payment', () => {
  test('a draft is cancelled, and its signature is worth nothing afterwards', async () => {
    const send = await draft();
    const signed = await sign(send);
    expect((await act(send, 'cancel')).body.send).toMatchObject({ status: 'cancelled' });
    expect(codeOf(await submit(send, signed))).toEqual([409, 'state_conflict']);
    expect(codeOf(await act(send, 'cancel'))).toEqual([200, null]);
  });

  test('no executor sends it: it fails once final slots are past its deadline, and not before', async () => {
    const send = await draft();
    await submit(send, await sign(send));
    await settle();
    expect((await read(send)).status).toBe('processing');
    world.later(11 * 60_000);
    world.solana.step(FINALIZED_AFTER + 3);
    await finish();
    expect(await read(send)).toMatchObject({ status: 'failed', step: 'failed' });
    expect((await read(send)).failure).toContain('Nothing was sent');
  });

  test('after its deadline a signature is not taken', async () => {
    const send = await draft();
    const signed = await sign(send);
    world.later(10 * 60_000);
    world.solana.step(3);
    expect(codeOf(await submit(send, signed))).toEqual([409, 'state_conflict']);
  });
});

describe('refused by name', () => {
  const program = () => world.solana.program;
  test.each<[string, () => string, RegExp]>([
    ['oneself by handle', () => '@alice', /your own/],
    ['oneself by address', () => key.address, /your own/],
    ['one’s own token account', () => tokenAccount(key.address, world.solana.usdc).address, /token account/],
    [
      'another’s token account',
      () => tokenAccount(localSolanaKey('bob').address, world.solana.usdc).address,
      /token account/,
    ],
    ['the token', () => world.solana.usdc, /Ampersat/],
    ['the program', () => program(), /Ampersat/],
    ['the vault of tabs', () => world.solana.fixed.vault, /Ampersat/],
    ['the treasury', () => world.solana.roles.treasury.address, /Ampersat/],
    ['limits of someone', () => world.solana.limitsOf(localSolanaKey('bob').address), /belongs to a program/],
    ['an address without a key', () => orderOf(program(), `0x${'11'.repeat(32)}`).address, /No key controls/],
    ['the system program', () => SYSTEM_PROGRAM, /No one has/],
    ['the incinerator', () => '1nc1nerator11111111111111111111111111111111', /No one has/],
    ['a program', () => 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', /program/],
    ['an address with a letter too few', () => localSolanaKey('bob').address.slice(1, -1), /character/],
    ['an address of EVM', () => localPerson('bob').address, /EVM/],
    ['words', () => 'my friend', /address of Solana/],
  ])('%s', async (_, to, words) => {
    const answer = await create({ to: to() });
    expect(codeOf(answer)).toEqual([400, 'parameter_invalid']);
    expect(answer.body.error.message).toMatch(words);
  });

  test('a handle that no one has, a name elsewhere, and a handle without a Solana wallet', async () => {
    expect(codeOf(await create({ to: '@nobody_here' }))).toEqual([404, 'handle_not_found']);
    expect(codeOf(await create({ to: 'telegram:carol' }))).toEqual([404, 'handle_not_found']);
    const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'carol' } });
    const where = { handleId_family: { handleId, family: 'solana' } };
    const wallet = await world.ctx.db.wallet.delete({ where });
    try {
      const refused = await create({ to: '@carol' });
      expect(codeOf(refused)).toEqual([409, 'state_conflict']);
      expect(refused.body.error.message).toContain('@carol has no Solana wallet yet');
      const carol = visitor(base);
      await carol.signIn(walletOfPerson('carol'));
      const own = await create({}, carol);
      expect(codeOf(own)).toEqual([409, 'state_conflict']);
      expect(own.body.error.message).toContain('no Solana wallet yet');
    } finally {
      await world.ctx.db.wallet.create({ data: wallet });
    }
  });

  test('the address of an order', async () => {
    const shop = visitor(base);
    await shop.signIn(walletOfPerson('shop'));
    const { body } = await shop.post('/api/orders', { amount: '5', chain: 'solana' });
    const { deposit } = (await alice.post('/api/checkout', { order_id: body.order.id, way: 'deposit' })).body;
    transferUsdc(world.solana, 'bob', deposit.address, 1_000_000n);
    world.solana.step(3);
    const refused = await create({ to: deposit.address });
    expect(codeOf(refused)).toEqual([400, 'parameter_invalid']);
    expect(refused.body.error.message).toContain('address of an order');
  });

  test('an address that a program controls and that has USDC already is named before it is signed', async () => {
    const vault = orderOf(SYSTEM_PROGRAM, `0x${'22'.repeat(32)}`).address;
    transferUsdc(world.solana, 'bob', vault, 1_000_000n);
    world.solana.step(3);
    expect((await create({ to: vault })).body).toMatchObject({ warning: 'contract', send: { way: 'transaction' } });
    expect((await create()).body.warning).toBeNull();
  });

  test('a frozen account of the recipient', async () => {
    const { ledger, issuer, usdc } = world.solana;
    const account = tokenAccount(localSolanaKey('bob').address, usdc).address;
    freezeAccount(ledger, { mint: usdc, account, authority: issuer });
    world.solana.step(3);
    try {
      const refused = await create();
      expect(codeOf(refused)).toEqual([409, 'state_conflict']);
      expect(refused.body.error.message).toContain('frozen');
    } finally {
      freezeAccount(ledger, { mint: usdc, account, authority: issuer, isFrozen: false });
      world.solana.step(3);
    }
  });

  test('a balance that covers the amount and not the fee', async () => {
    const all = world.solana.usdcOf(key.address);
    transferUsdc(world.solana, 'alice', localSolanaKey('bob').address, all - 2_000_000n);
    world.solana.step(3);
    try {
      const refused = await create();
      expect(codeOf(refused)).toEqual([402, 'call_refused']);
      expect(refused.body.error.message).toContain('You have 2.00 USDC on Solana; this needs 2.05 with the fee');
      expect(codeOf(await create({ amount: '1.95' }))).toEqual([201, null]);
    } finally {
      world.solana.person('alice', { lamports: 0n, usdc: all });
    }
  });

  test('above the day’s limit, which counts what is under way', async () => {
    await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { dayCapMicros: 5_000_000n } });
    try {
      const first = await draft();
      await submit(first, await sign(first));
      await finish();
      const refused = await create({ amount: '3' });
      expect(codeOf(refused)).toEqual([400, 'amount_out_of_range']);
      expect(refused.body.error.message).toContain('$2.95 of it is left');
      const second = await draft({ amount: '2.90' });
      const signed = await sign(second);
      await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { dayCapMicros: 4_000_000n } });
      expect(codeOf(await submit(second, signed))).toEqual([400, 'amount_out_of_range']);
      expect((await read(second)).status).toBe('draft');
    } finally {
      await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { dayCapMicros: 500_000_000n } });
    }
  });

  test('signed, and the recipient’s wallet changed meanwhile: the old one is not paid', async () => {
    const send = await draft();
    const signed = await sign(send);
    const move = (from: string, to: string) =>
      world.ctx.db.wallet.update({
        where: { family_address: { family: 'solana', address: localSolanaKey(from).address } },
        data: { address: localSolanaKey(to).address },
      });
    await move('bob', 'the next wallet of bob');
    const change = had();
    const refused = await submit(send, signed);
    await move('the next wallet of bob', 'bob');
    expect(codeOf(refused)).toEqual([409, 'state_conflict']);
    expect(await calls(send)).toBe(0);
    await finish();
    expect(change()).toEqual([0n, 0n, 0n]);
    expect(await read(send)).toMatchObject({ status: 'draft', can_cancel: true });
  });

  test('the budget of the chain is used up: 429, and nothing is under way', async () => {
    const send = await draft();
    world.ctx.env.SPONSORED_CALLS_PER_CHAIN = 0;
    expect(codeOf(await submit(send, await sign(send)))).toEqual([429, 'rate_limited']);
    expect(await read(send)).toMatchObject({ status: 'draft', can_pay: true });
  });

  test('another signer, another transaction, the transaction of another send, and a signature of a text', async () => {
    const first = await draft({ amount: '1' });
    const other = await sign(first);
    const send = await draft();
    const { transaction } = (await alice.get(`/api/sends/${send.id}/payment`)).body;
    const withoutFee = signTransaction(key, transaction, (message) => message.compiledInstructions.pop());
    const toMe = signTransaction(key, transaction, (message) => {
      message.staticAccountKeys[0] = RandomKey.generate().publicKey;
    });
    for (const wrong of [await sign(send, localSolanaKey('bob')), other, transaction, withoutFee, toMe, 'AAAA'])
      expect(codeOf(await submit(send, wrong))).toEqual([400, 'signature_invalid']);
    const text = await alice.post(`/api/sends/${send.id}`, { action: 'submit', signature: `0x${'11'.repeat(65)}` });
    expect(codeOf(text)).toEqual([409, 'state_conflict']);
    expect(codeOf(await act(send, 'begin'))).toEqual([409, 'state_conflict']);
    const ofEvm = await draft({ chain: 'base' });
    expect(codeOf(await submit(ofEvm, other))).toEqual([400, 'signature_invalid']);
    const both = { action: 'submit', solana_transaction: other, signature: '0x11' };
    expect(codeOf(await alice.post(`/api/sends/${ofEvm.id}`, both))).toEqual([400, 'parameter_unknown']);
    expect(codeOf(await alice.post(`/api/sends/${ofEvm.id}`, { action: 'submit' }))).toEqual([
      400,
      'parameter_missing',
    ]);
  });

  test('another one’s send', async () => {
    const send = await draft();
    const signed = await sign(send);
    const bob = visitor(base);
    await bob.signIn(walletOfPerson('bob'));
    expect(codeOf(await bob.get(`/api/sends/${send.id}/payment`))).toEqual([404, 'resource_missing']);
    expect(codeOf(await submit(send, signed, bob))).toEqual([404, 'resource_missing']);
  });

  test('the recipient closes its USDC account after the terms were made', async () => {
    const owner = keypairOf(randomBytes(32));
    const { usdc } = world.solana;
    world.solana.send([key], createTokenAccount(key.address, owner.address, usdc));
    world.solana.step(3);
    const send = await draft({ to: owner.address });
    expect(send.way).toBe('transaction');
    const [account, from] = [tokenAccount(owner.address, usdc).address, owner.address].map((at) => new PublicKey(at));
    const keys = [account, from, from].map((pubkey, at) => ({
      pubkey: pubkey as PublicKey,
      isSigner: at === 2,
      isWritable: at < 2,
    }));
    const close = { programId: new PublicKey(TOKEN_PROGRAM), keys, data: Buffer.from([9]) };
    world.solana.send([key, owner], new TransactionInstruction(close));
    world.solana.step(3);
    const refused = await submit(send, await sign(send));
    expect(codeOf(refused)).toEqual([402, 'call_refused']);
    expect(refused.body.error.message).toContain('no USDC account anymore');
    // Made again, we open it.
    expect((await draft({ to: owner.address })).way).toBe('opening');
  });

  test('the chain is away: 503, then everything goes on', async () => {
    const change = had();
    const send = await draft();
    const signed = await sign(send);
    proxy.setDead(true);
    expect(codeOf(await create({ amount: '4' }))).toEqual([503, 'provider_unavailable']);
    expect(codeOf(await alice.get(`/api/sends/${send.id}/payment`))).toEqual([503, 'provider_unavailable']);
    expect(codeOf(await submit(send, signed))).toEqual([503, 'provider_unavailable']);
    await expect(settle()).resolves.toBe(0);
    expect((await read(send)).status).toBe('draft');
    proxy.setDead(false);
    expect(codeOf(await submit(send, signed))).toEqual([200, null]);
    proxy.setDead(true);
    await expect(settle()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect((await read(send)).status).toBe('processing');
    proxy.setDead(false);
    await finish();
    expect((await read(send)).status).toBe('completed');
    expect(change()).toEqual(PAID);
  });

  test('an address of Solana on an EVM network', async () => {
    const answer = await create({ to: localSolanaKey('bob').address, chain: 'base' });
    expect(codeOf(answer)).toEqual([400, 'parameter_invalid']);
    expect(answer.body.error.message).toMatch(/Choose Solana/);
  });
});
