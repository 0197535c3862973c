// The hosted checkout's API: what a buyer is given to sign or to send, what is taken of it, and that nobody is believed but the chain.
import { encodeFunctionData, erc20Abi, HttpRequestError, parseEther, zeroAddress } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localKey } from '../../../local/stack/people.ts';
import { type Checkout, checkoutOf } from '../../../test/setup/checkout.ts';
import { CONTRACT_WALLET, placeContractWallet } from '../../../test/setup/contractWallet.ts';
import { orderRow, payOrder, sendAs, termsOf } from '../../../test/setup/orders.ts';
import { paymentsOf } from '../../../test/setup/payments.ts';
import { type Answer, serveWorld, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { depositAddress } from '../../chain/routers/payment.ts';
import { encodePermit } from '../../chain/signing/permits.ts';
import { createPaymentLink, deactivateLink } from '../../services/orders/links/links.ts';
import { replaceAttempt } from '../../services/outgoing/evmLane.ts';

let world: World;
let checkout: Checkout;
let origin: string;
beforeAll(async () => {
  world = await startWorld({ chains: ['base', 'bsc'] });
  origin = await serveWorld(world);
  checkout = checkoutOf(world, visitor(origin));
});
afterAll(() => world.stop());
// No call counts against those of another test.
beforeEach(() => checkout.later(61));

/** A delegate that knows its account's own key: `isValidSignature` is `ecrecover == address(this)`. */
const OWN_KEY_WALLET = CONTRACT_WALLET.replace('600054146316', '30146316') as `0x${string}`;
const codeOf = ({ status, body }: Answer) => [status, body.error?.code];
const payerOf = (name: string) => localKey(name).address;

describe('preparing', () => {
  test('200: the cheapest way of the wallet and the chain, in words, with what the wallet must know', async () => {
    const order = await orderRow(world, { description: 'Coffee' });
    await checkout.fund('buyer', '5');
    const { status, body } = await checkout.prepare(order.id, {
      payer: payerOf('buyer'),
      asset: 'USDC',
      chain: 'base',
    });
    expect(status).toBe(200);
    expect(body.order).toMatchObject({ id: order.id, amount: '1.00', merchant: { handle: 'bob', kind: 'personal' } });
    expect(Object.keys(body.order)).not.toEqual(expect.arrayContaining(['metadata', 'payer', 'workspace']));
    expect(body).toMatchObject({ balance: '5.00', too_little: null, deposit: null, payer: payerOf('buyer') });
    expect(body.asset).toEqual({ symbol: 'USDC', address: world.evmChain().usdc, decimals: 6, units: '1000000' });
    expect(body.chain.add).toMatchObject({ chainId: '0x2105', chainName: 'Base (local)' });
    expect(body.chain.add.rpcUrls).toEqual([world.anvilOf().rpcUrl]);
    const { payment } = body;
    expect(payment).toMatchObject({
      way: 'eip3009',
      gasless: true,
      submit: { payer: payerOf('buyer'), way: 'eip3009' },
    });
    expect(payment.sign).toHaveLength(1);
    expect(payment.sign[0].allows).toBe(
      'It pays exactly 1.00 USDC on Base to @bob for this order, once. It is valid for 10 minutes.',
    );
    expect(payment.sign[0].typed_data.message).toMatchObject({ from: payerOf('buyer'), value: '1000000' });
    expect(body.alternatives.map(({ way }: { way: string }) => way)).toEqual(['direct', 'deposit']);
  });

  test('200 without a wallet: what there is to know, and nothing to sign', async () => {
    const order = await orderRow(world);
    const { body } = await checkout.prepare(order.id);
    expect(body).toMatchObject({ payer: null, balance: null, payment: null, deposit: null });
  });

  test('200 with what is missing when the wallet has too little', async () => {
    const order = await orderRow(world);
    await checkout.fund('poor', '0.25');
    const { body } = await checkout.prepare(order.id, { payer: payerOf('poor') });
    expect(body.too_little).toEqual({ balance: '0.25', needed: '1.00', currency: 'USDC' });
  });

  test('200: a wallet without an allowance for Permit2 approves and pays; one with it signs', async () => {
    const order = await orderRow(world, { chain: 'bsc' });
    const payer = await checkout.fund('bsc buyer', '5', 'bsc');
    const direct = (await checkout.prepare(order.id, { payer })).body;
    expect(direct.payment.way).toBe('direct');
    expect(direct.payment.calls.map(({ kind }: { kind: string }) => kind)).toEqual(['approve', 'pay']);
    const { permit2, usdc } = world.evmChain('bsc');
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [permit2, parseEther('5')] });
    await sendAs(world, localKey('bsc buyer').key, { to: usdc, data }, 'bsc');
    expect((await checkout.prepare(order.id, { payer })).body.payment.way).toBe('permit2');
  });

  test('200 for the native asset: one call with the amount as its value', async () => {
    const order = await orderRow(world, { token: zeroAddress, units: '5000000000000000' as never });
    const { body } = await checkout.prepare(order.id, { payer: payerOf('buyer'), chain: 'BASE', asset: 'eth' });
    expect(body.payment.calls).toHaveLength(1);
    expect(body.payment.calls[0]).toMatchObject({ kind: 'pay', value: '0x11c37937e08000', chainId: 8453 });
  });

  test('200: the order’s own address, the same each time, with a code that wallets read', async () => {
    const order = await orderRow(world);
    const first = (await checkout.prepare(order.id, { way: 'deposit' })).body.deposit;
    const address = depositAddress(world.evmChain(), 'payment', termsOf(order));
    expect(first).toMatchObject({ address, amount: '1.00', units: '1000000' });
    expect(first.uri).toBe(`ethereum:${world.evmChain().usdc}@8453/transfer?address=${address}&uint256=1000000`);
    const { depositAddress: noted, depositShownAt } = await checkout.row(order.id);
    expect(noted).toBe(address);
    await checkout.later(5);
    expect((await checkout.prepare(order.id, { way: 'deposit' })).body.deposit.address).toBe(address);
    expect((await checkout.row(order.id)).depositShownAt).toEqual(depositShownAt);
    const native = await orderRow(world, { token: zeroAddress, units: '7' as never });
    await world.ctx.db.order.update({ where: { id: order.id }, data: { receivedUnits: '400000' } });
    const rest = (await checkout.prepare(order.id, { way: 'deposit' })).body.deposit;
    expect(rest).toMatchObject({
      address,
      amount: '0.60',
      units: '600000',
      words: expect.stringContaining('0.60 USDC'),
    });
    expect(rest.uri).toMatch(/&uint256=600000$/);
    const { deposit } = (await checkout.prepare(native.id, { way: 'deposit' })).body;
    expect(deposit.uri).toBe(`ethereum:${deposit.address}@8453?value=7`);
  });

  test('422 for a chain or an asset that is not served, or not the order’s', async () => {
    const { id } = await orderRow(world);
    const refused = async (wish: object) => codeOf(await checkout.prepare(id, wish));
    expect(await refused({ chain: 'solana', asset: 'SOL' })).toEqual([422, 'unsupported_chain']);
    expect(await refused({ chain: 'ink' })).toEqual([422, 'unsupported_chain']);
    expect(await refused({ chain: 'nowhere' })).toEqual([422, 'unsupported_chain']);
    // Without a bridge only the order's own will do.
    Object.assign(world.evmChain('bsc'), { across: null, relay: [] });
    Object.assign(world.evmChain('base'), { relay: [] });
    expect(await refused({ chain: 'bsc' })).toEqual([422, 'unsupported_chain']);
    expect(await refused({ chain: 'base', asset: 'SOL' })).toEqual([422, 'unsupported_asset']);
    expect(await refused({ chain: 'bsc', asset: 'ETH' })).toEqual([422, 'unsupported_asset']);
    expect(await refused({ asset: 'ETH' })).toEqual([422, 'unsupported_asset']);
    expect(await refused({ asset: 'DOGE' })).toEqual([400, 'parameter_invalid']);
    expect(await refused({ payer: '0x12' })).toEqual([400, 'parameter_invalid']);
  });

  test('409 in words for each state in which it cannot be paid', async () => {
    const said = async (wishes: object) => {
      const order = await orderRow(world, wishes);
      const { status, body } = await checkout.prepare(order.id);
      return [status, body.error.code, body.error.message];
    };
    expect(await said({ status: 'completed' })).toEqual([409, 'order_not_payable', 'This order is paid already.']);
    expect(await said({ status: 'cancelled' })).toEqual([
      409,
      'order_not_payable',
      'The merchant cancelled this order. It can no longer be paid.',
    ]);
    const over = 'This order has expired. Ask the merchant for a new one.';
    expect(await said({ status: 'expired' })).toEqual([409, 'order_not_payable', over]);
    const past = BigInt(Math.floor(world.ctx.clock.now() / 1_000) - 1);
    expect(await said({ deadline: past })).toEqual([409, 'order_not_payable', over]);
    expect((await said({ deadline: past + 10n }))[1]).toBe('order_not_payable');
    expect((await said({ status: 'processing' }))[1]).toBe('payment_in_flight');
  });

  test('404 for an order that nobody made', async () => {
    expect(codeOf(await checkout.prepare('ord_00000000000000000000000000'))).toEqual([404, 'resource_missing']);
    expect(codeOf(await checkout.prepare('alice'))).toEqual([404, 'resource_missing']);
    expect(codeOf(await visitor(origin).get('/api/checkout/ord_1'))).toEqual([404, 'resource_missing']);
  });
});

describe('a signed payment', () => {
  test('200: queued, sent once, final, and never sent again', async () => {
    const order = await orderRow(world);
    const payer = await checkout.fund('gasless', '3');
    const before = await world.usdc('bob');
    const body = await checkout.signed(order.id, { payer: 'gasless' });
    const first = await checkout.submit(order.id, body);
    expect(first.body).toMatchObject({
      submission: { status: 'queued', failure: null },
      progress: { step: 'preparing' },
    });
    const again = await checkout.submit(order.id, body);
    expect(again.body.submission.id).toBe(first.body.submission.id);
    await checkout.work();
    const sent = (await checkout.submit(order.id, body)).body;
    expect(sent.order.status).toBe('processing');
    expect(sent.progress).toMatchObject({ step: 'confirming', steps: [{}, {}, { confirmations: 1 }, {}] });
    expect(sent.submission).toMatchObject({ status: 'submitted', tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    await checkout.finish();
    expect((await checkout.submissions(order.id)).map(({ status }) => status)).toEqual(['settled']);
    expect((await world.usdc('bob')) - before).toBe(1_000_000n);
    expect(await checkout.balance(payer)).toBe(0n);
    expect(await world.ctx.db.outgoingTx.count({ where: { kind: 'order', subjectId: first.body.submission.id } })).toBe(
      1,
    );
  });

  test('keeps the step and the count that it has reached while a reorg takes it out of its block and a replacement has another hash', async () => {
    const order = await orderRow(world);
    await checkout.fund('replaced', '2');
    await checkout.pay(order.id, { payer: 'replaced' });
    await checkout.work();
    await world.mine(1);
    const now = async () => {
      const { body } = await visitor(origin).get(`/api/checkout/${order.id}`);
      return [body.progress.step, body.order.seen?.confirmations ?? null];
    };
    expect(await now()).toEqual(['confirming', 2]);
    const [first] = await checkout.submissions(order.id);
    await world.admin().setAutomine(false);
    await paymentsOf(world).reorg(2);
    await world.watch();
    const sent = { where: { id: first?.outgoingTxId ?? '' }, include: { attempts: true } };
    expect(await world.ctx.db.outgoingTx.findUniqueOrThrow(sent)).toMatchObject({ status: 'sent', minedBlock: null });
    expect(await now()).toEqual(['confirming', 2]);
    await replaceAttempt(world.ctx, world.evmChain(), sent.where.id);
    const { attempts } = await world.ctx.db.outgoingTx.findUniqueOrThrow(sent);
    expect(new Set(attempts.map(({ hash }) => hash)).size).toBe(2);
    expect(await now()).toEqual(['confirming', 2]);
    await world.admin().setAutomine(true);
    await world.mine(1);
    await checkout.finish();
    expect((await checkout.row(order.id)).status).toBe('completed');
  });

  test('200 by Permit2 on a chain whose USDC has 18 decimals', async () => {
    const order = await orderRow(world, { chain: 'bsc' });
    await checkout.fund('bsc payer', '2', 'bsc');
    const { permit2, usdc } = world.evmChain('bsc');
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [permit2, parseEther('2')] });
    await sendAs(world, localKey('bsc payer').key, { to: usdc, data }, 'bsc');
    const before = await world.usdc('bob', 'bsc');
    expect((await checkout.pay(order.id, { payer: 'bsc payer' })).status).toBe(200);
    await checkout.finish('bsc');
    expect((await checkout.submissions(order.id)).map(({ status, way }) => [status, way])).toEqual([
      ['settled', 'permit2'],
    ]);
    expect((await world.usdc('bob', 'bsc')) - before).toBe(parseEther('1'));
  });

  test('200 to a business: its fee goes to the treasury', async () => {
    const order = await orderRow(world, { merchant: 'shop' });
    await checkout.fund('shopper', '2');
    const before = [await world.usdc('shop'), await world.usdc('treasury')];
    expect((await checkout.pay(order.id, { payer: 'shopper' })).status).toBe(200);
    await checkout.finish();
    const after = [await world.usdc('shop'), await world.usdc('treasury')];
    expect(after.map((units, index) => units - (before[index] ?? 0n))).toEqual([990_000n, 10_000n]);
  });

  test('200 by a permit that somebody used before us: the allowance is what counts', async () => {
    const order = await orderRow(world);
    await checkout.fund('permitter', '2');
    const prepared = await checkout.prepare(order.id, { payer: payerOf('permitter'), way: 'eip2612' });
    const signed = await checkout.sign(prepared, localKey('permitter').key);
    const { message } = prepared.body.payment.sign[0].typed_data;
    const permit = {
      chainId: 8453,
      token: world.evmChain().usdc,
      tokenDomain: { name: 'USD Coin', version: '2' },
      owner: message.owner,
      spender: message.spender,
      value: BigInt(message.value),
      nonce: BigInt(message.nonce),
      deadline: Number(message.deadline),
    };
    const data = encodePermit(permit, (signed['signatures'] as `0x${string}`[])[0] ?? '0x');
    await sendAs(world, localKey('thief').key, { to: world.evmChain().usdc, data });
    expect((await checkout.submit(order.id, signed)).status).toBe(200);
    await checkout.finish();
    expect((await checkout.submissions(order.id))[0]?.status).toBe('settled');
  });

  test('200 by a contract wallet, whose signature only the chain can judge', async () => {
    const order = await orderRow(world);
    const wallet = await checkout.fund('contract wallet', '2');
    await placeContractWallet(world, wallet, payerOf('its owner'));
    const prepared = await checkout.prepare(order.id, { payer: wallet });
    const body = await checkout.sign(prepared, localKey('its owner').key);
    const stranger = await checkout.sign(prepared, localKey('a stranger').key);
    expect(codeOf(await checkout.submit(order.id, stranger))).toEqual([400, 'signature_invalid']);
    expect((await checkout.submit(order.id, body)).status).toBe(200);
    await checkout.finish();
    expect((await checkout.submissions(order.id))[0]?.status).toBe('settled');
  });

  test('409 delegation_legacy for an account whose code does not know its own key; it pays by itself', async () => {
    const order = await orderRow(world);
    const payer = await checkout.fund('delegated', '2');
    const body = await checkout.signed(order.id, { payer: 'delegated' });
    const delegate = '0x00000000000000000000000000000000000de102';
    await world.admin().setCode({ address: delegate, bytecode: '0x5f5ffd' });
    await world.admin().setCode({ address: payer, bytecode: `0xef0100${delegate.slice(2)}` });
    expect(codeOf(await checkout.submit(order.id, body))).toEqual([409, 'delegation_legacy']);
    expect(codeOf(await checkout.prepare(order.id, { payer, way: 'eip3009' }))).toEqual([409, 'delegation_legacy']);
    expect((await checkout.prepare(order.id, { payer })).body.payment.way).toBe('direct');
  });

  test('200 by an account that runs code (EIP-7702) which knows its key', async () => {
    const order = await orderRow(world);
    const payer = await checkout.fund('smart', '2');
    const delegate = '0x00000000000000000000000000000000000de101';
    await world.admin().setCode({ address: delegate, bytecode: OWN_KEY_WALLET });
    await world.admin().setCode({ address: payer, bytecode: `0xef0100${delegate.slice(2)}` });
    const prepared = await checkout.prepare(order.id, { payer });
    expect(prepared.body.payment.way).toBe('eip3009');
    expect((await checkout.submit(order.id, await checkout.sign(prepared, localKey('smart').key))).status).toBe(200);
    await checkout.finish();
    expect((await checkout.submissions(order.id))[0]?.status).toBe('settled');
  });

  test('409 for an order whose time ended between the two', async () => {
    const deadline = BigInt(Math.floor(world.ctx.clock.now() / 1_000) + 60);
    const order = await orderRow(world, { deadline });
    await checkout.fund('slower', '2');
    const body = await checkout.signed(order.id, { payer: 'slower' });
    expect(body['valid_until']).toBe(Number(deadline));
    await checkout.later(50);
    expect(codeOf(await checkout.submit(order.id, body))).toEqual([409, 'order_not_payable']);
    await checkout.later(15);
    expect(codeOf(await checkout.submit(order.id, body))).toEqual([409, 'order_not_payable']);
  });

  test('409 for an order that was made for other contracts than are served', async () => {
    const order = await orderRow(world, { routerAddress: world.evmChain().routers.bot });
    const answer = await checkout.prepare(order.id, { payer: payerOf('buyer') });
    expect(codeOf(answer)).toEqual([409, 'order_not_payable']);
  });

  test('402 for a payer whose payments failed all day, whatever the order', async () => {
    const [old, order] = [await orderRow(world), await orderRow(world)];
    const payer = await checkout.fund('unlucky', '2');
    const now = new Date(world.ctx.clock.now());
    const failed = Array.from({ length: 10 }, (_one, index) => ({
      id: `sbm_${'0'.repeat(24)}0${index}`,
      orderId: old.id,
      chain: 'base',
      payer,
      way: 'eip3009',
      toAddress: old.routerAddress,
      data: `0x0${index}`,
      gas: 1n,
      status: 'failed',
      createdAt: now,
      expiresAt: now,
    }));
    await world.ctx.db.orderSubmission.createMany({ data: failed });
    expect(codeOf(await checkout.pay(order.id, { payer: 'unlucky' }))).toEqual([402, 'call_refused']);
  });

  test('400 for a signature of somebody else, for other terms, or in the wrong number', async () => {
    const [order, other] = [await orderRow(world), await orderRow(world, { units: '2000000' as never })];
    await checkout.fund('signer', '5');
    const body = await checkout.signed(order.id, { payer: 'signer' });
    expect(codeOf(await checkout.submit(other.id, body))).toEqual([400, 'signature_invalid']);
    expect(codeOf(await checkout.submit(order.id, { ...body, payer: payerOf('buyer') }))).toEqual([
      400,
      'signature_invalid',
    ]);
    const longer = { ...body, valid_until: Number(body['valid_until']) - 60 };
    expect(codeOf(await checkout.submit(order.id, longer))).toEqual([400, 'signature_invalid']);
    const twice = { ...body, signatures: [...(body['signatures'] as string[]), '0x12'] };
    expect(codeOf(await checkout.submit(order.id, twice))).toEqual([400, 'signature_invalid']);
    expect(codeOf(await checkout.submit(order.id, { ...body, signatures: ['0x'] }))).toEqual([
      400,
      'signature_invalid',
    ]);
    expect(codeOf(await checkout.submit(order.id, { ...body, amount: '0.01' }))).toEqual([400, 'parameter_unknown']);
    expect(await checkout.submissions(order.id)).toEqual([]);
  });

  test('400 for what is good for too long, or ran out since it was prepared', async () => {
    const order = await orderRow(world);
    await checkout.fund('slow', '2');
    const body = await checkout.signed(order.id, { payer: 'slow' });
    const far = { ...body, valid_until: Number(body['valid_until']) + 3_600 };
    expect(codeOf(await checkout.submit(order.id, far))).toEqual([400, 'parameter_invalid']);
    await checkout.later(601);
    expect(codeOf(await checkout.submit(order.id, body))).toEqual([400, 'parameter_invalid']);
  });

  test('402 in words when the money is gone, or the signature was used', async () => {
    const order = await orderRow(world);
    await checkout.fund('spender', '1.5');
    const body = await checkout.signed(order.id, { payer: 'spender' });
    const away = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [localPerson('carol').address, 1_000_000n],
    });
    await sendAs(world, localKey('spender').key, { to: world.evmChain().usdc, data: away });
    const poor = await checkout.submit(order.id, body);
    expect(codeOf(poor)).toEqual([402, 'call_refused']);
    expect(poor.body.error.message).toBe(
      'Your balance on Base is 0.50 USDC; this order needs 1.00. Top up, then pay again.',
    );
  });

  test('409 while another payment of the wallet or of the order is under way', async () => {
    const [one, two] = [await orderRow(world), await orderRow(world)];
    await checkout.fund('hasty', '5');
    await checkout.fund('second', '5');
    const [mine, next, theirs] = [
      await checkout.signed(one.id, { payer: 'hasty' }),
      await checkout.signed(two.id, { payer: 'hasty' }),
      await checkout.signed(one.id, { payer: 'second' }),
    ];
    expect((await checkout.submit(one.id, mine)).status).toBe(200);
    expect(codeOf(await checkout.submit(two.id, next))).toEqual([409, 'payment_in_flight']);
    expect(codeOf(await checkout.submit(one.id, theirs))).toEqual([409, 'payment_in_flight']);
    await checkout.finish();
    expect((await checkout.submit(two.id, next)).status).toBe(200);
    await checkout.finish();
  });

  test('one of ten at once is taken, by whatever key it was signed', async () => {
    const order = await orderRow(world);
    const names = Array.from({ length: 5 }, (_, index) => `racer ${index}`);
    for (const name of names) await checkout.fund(name, '2');
    const bodies = [];
    for (const name of names) bodies.push(await checkout.signed(order.id, { payer: name }));
    const answers = await Promise.all([...bodies, ...bodies].map((body) => checkout.submit(order.id, body)));
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.submission.id));
    expect(ids.size).toBe(1);
    expect(await checkout.submissions(order.id)).toHaveLength(1);
    await checkout.finish();
  });

  test('429 above the budget of a merchant or of a chain; the own transaction still pays', async () => {
    const order = await orderRow(world);
    await checkout.fund('budgeted', '2');
    const body = await checkout.signed(order.id, { payer: 'budgeted' });
    const { env } = world.ctx;
    const [perHandle, perChain] = [env.SPONSORED_PAYMENTS_PER_HANDLE, env.SPONSORED_PAYMENTS_PER_CHAIN];
    env.SPONSORED_PAYMENTS_PER_HANDLE = 0;
    expect(codeOf(await checkout.submit(order.id, body))).toEqual([429, 'rate_limited']);
    env.SPONSORED_PAYMENTS_PER_HANDLE = perHandle;
    env.SPONSORED_PAYMENTS_PER_CHAIN = 0;
    expect(codeOf(await checkout.submit(order.id, body))).toEqual([429, 'rate_limited']);
    env.SPONSORED_PAYMENTS_PER_CHAIN = perChain;
    expect((await checkout.prepare(order.id, { payer: payerOf('budgeted'), way: 'direct' })).body.payment.way).toBe(
      'direct',
    );
    expect((await checkout.submit(order.id, body)).status).toBe(200);
    await checkout.finish();
  });

  test('409 for an order that was cancelled between the two', async () => {
    const order = await orderRow(world);
    await checkout.fund('late', '2');
    const body = await checkout.signed(order.id, { payer: 'late' });
    await world.ctx.db.order.update({ where: { id: order.id }, data: { status: 'cancelled' } });
    expect(codeOf(await checkout.submit(order.id, body))).toEqual([409, 'order_not_payable']);
  });
});

describe('a payer’s own transaction', () => {
  test('200: it is remembered and shown, and decides nothing', async () => {
    const order = await orderRow(world);
    const payer = await checkout.fund('direct', '2');
    const prepared = await checkout.prepare(order.id, { payer, way: 'direct' });
    const hash = await checkout.send(prepared, 'direct');
    const { status, body } = await checkout.submit(order.id, { tx_hash: hash });
    expect([status, body.submission, body.order.status]).toEqual([200, null, 'awaiting_payment']);
    expect(body.progress).toMatchObject({ step: 'confirming', tx_hash: hash });
    expect(body.order.seen).toEqual({ confirmations: 1, needed: world.evmChain().confirmations });
    await world.mine(1);
    expect((await visitor(origin).get(`/api/checkout/${order.id}`)).body.order.seen.confirmations).toBe(2);
    expect(codeOf(await checkout.prepare(order.id, { payer }))).toEqual([409, 'payment_in_flight']);
  });

  test('422 for a transaction that is not there, does something else, or pays other terms', async () => {
    const [order, other] = [await orderRow(world), await orderRow(world)];
    const submit = async (tx_hash: string) => codeOf(await checkout.submit(order.id, { tx_hash }));
    expect(await submit(`0x${'12'.repeat(32)}`)).toEqual([422, 'tx_not_found']);
    const elsewhere = await sendAs(world, localKey('direct').key, { to: localPerson('bob').address, value: 1n });
    expect(await submit(elsewhere)).toEqual([422, 'tx_mismatch']);
    expect(await submit(await payOrder(world, other, 'direct payer'))).toEqual([422, 'tx_mismatch']);
    const cheaper = { ...termsOf(order), amount: 1n };
    expect(await submit(await payOrder(world, order, 'direct payer', 'direct', cheaper))).toEqual([422, 'tx_mismatch']);
    expect((await checkout.row(order.id)).txHash).toBeNull();
    expect(await submit('0x12')).toEqual([400, 'parameter_invalid']);
  });

  test('keeps the step that it has reached while the chain does not answer', async () => {
    const order = await orderRow(world);
    const payer = await checkout.fund('patient', '2');
    const hash = await checkout.send(await checkout.prepare(order.id, { payer, way: 'direct' }), 'patient');
    expect((await checkout.submit(order.id, { tx_hash: hash })).body.progress.step).toBe('confirming');
    const { client } = world.evmChain();
    const request = client.request;
    client.request = () => Promise.reject(new HttpRequestError({ url: 'http://127.0.0.1' }));
    const away = (await visitor(origin).get(`/api/checkout/${order.id}`)).body;
    client.request = request;
    expect([away.progress.step, away.order.seen.confirmations]).toEqual(['confirming', 1]);
  });

  test('keeps the step and the count that it has reached while a node lags or a reorg takes it out of its block', async () => {
    const order = await orderRow(world);
    const payer = await checkout.fund('steady', '2');
    const hash = await checkout.send(await checkout.prepare(order.id, { payer, way: 'direct' }), 'steady');
    await world.mine(1);
    await checkout.submit(order.id, { tx_hash: hash });
    const now = async () => {
      const { body } = await visitor(origin).get(`/api/checkout/${order.id}`);
      return [body.progress.step, body.order.seen?.confirmations ?? null, body.order.tx_hash];
    };
    expect(await now()).toEqual(['confirming', 2, hash]);
    const { client } = world.evmChain();
    const request = client.request;
    const answer = (answers: Record<string, unknown>) => {
      client.request = (async (call: { method: string }) =>
        call.method in answers ? answers[call.method] : request(call as never)) as typeof request;
    };
    answer({ eth_getTransactionByHash: null, eth_getTransactionReceipt: null });
    expect(await now()).toEqual(['confirming', 2, hash]);
    answer({ eth_getTransactionReceipt: null });
    expect(await now()).toEqual(['confirming', 2, hash]);
    client.request = request;
    await world.mine(1);
    expect(await now()).toEqual(['confirming', 3, hash]);
    expect((await checkout.row(order.id)).status).toBe('awaiting_payment');
  });

  test('one that never came leaves no trace on an order that expires', async () => {
    const deadline = BigInt(Math.floor(world.ctx.clock.now() / 1_000) + 120);
    const order = await orderRow(world, { deadline });
    const payer = await checkout.fund('dropped', '2');
    const prepared = await checkout.prepare(order.id, { payer, way: 'direct' });
    const [approve, pay] = prepared.body.payment.calls;
    await sendAs(world, localKey('dropped').key, { to: approve.to, data: approve.data });
    await world.admin().setAutomine(false);
    await world.admin().setIntervalMining({ interval: 0 });
    const hash = await sendAs(world, localKey('dropped').key, { to: pay.to, data: pay.data, unmined: true });
    const { body } = await checkout.submit(order.id, { tx_hash: hash });
    expect([body.order.seen.confirmations, body.progress.step, body.order.txHash]).toEqual([0, 'submitted', hash]);
    await world.admin().dropTransaction({ hash });
    await world.admin().setAutomine(true);
    const step = async () => (await visitor(origin).get(`/api/checkout/${order.id}`)).body.progress.step;
    // A node that lags forgets it too: only what nobody knows for a minute is gone.
    expect(await step()).toBe('submitted');
    await checkout.index();
    await checkout.later(61);
    expect(await step()).toBe('waiting');
    await checkout.later(90);
    await world.mine(world.evmChain().confirmations);
    await checkout.index();
    expect(await checkout.row(order.id)).toMatchObject({ status: 'expired', txHash: null });
  });

  test('the native asset: sent by the wallet, seen in its block', async () => {
    const order = await orderRow(world, { token: zeroAddress, units: '5000000000000000' as never });
    await world.admin().setBalance({ address: payerOf('native'), value: parseEther('1') });
    const prepared = await checkout.prepare(order.id, { payer: payerOf('native') });
    expect(prepared.body.too_little).toBeNull();
    const before = await checkout.balance(localPerson('bob').address);
    const hash = await checkout.send(prepared, 'native');
    expect((await checkout.submit(order.id, { tx_hash: hash })).body.order.seen.confirmations).toBe(1);
    expect((await checkout.balance(localPerson('bob').address)) - before).toBe(5_000_000_000_000_000n);
  });
});

describe('payment links', () => {
  const link = async (wish: object = {}) => {
    const { id } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'bob' } });
    const made = await createPaymentLink(
      world.ctx,
      { id },
      { label: 'Coffee', chain: 'base', amount: '1.00', ...wish },
    );
    return { ...made, workspaceId: id };
  };
  const press = (id: string, body: object = {}) => visitor(origin).post(`/api/checkout/links/${id}`, body);

  test('200: what anybody may see; opening it makes no order, pressing does', async () => {
    const { id } = await link({ metadata: { secret: 'of the shop' } });
    const { status, body } = await visitor(origin).get(`/api/checkout/links/${id}`);
    expect(status).toBe(200);
    expect(body.link).toMatchObject({ id, active: true, label: 'Coffee', amount: '1.00', merchant: { handle: 'bob' } });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(await world.ctx.db.order.count({ where: { linkId: id } })).toBe(0);
    const started = await press(id);
    expect([started.status, started.body.order.status, started.body.order.amount]).toEqual([
      201,
      'awaiting_payment',
      '1.00',
    ]);
    expect(JSON.stringify(started.body)).not.toContain('secret');
  });

  test('201 with the amount that the buyer typed, and 400 outside of the caps', async () => {
    const { id } = await link({ amount: undefined, open_amount: true, min_amount: '2.00', max_amount: '5.00' });
    expect((await press(id, { amount: '3.5' })).body.order.amount).toBe('3.50');
    expect(codeOf(await press(id, { amount: '1' }))).toEqual([400, 'amount_out_of_range']);
    expect(codeOf(await press(id, { amount: '1,5' }))).toEqual([400, 'parameter_invalid']);
    expect(codeOf(await press(id))).toEqual([400, 'parameter_missing']);
    expect(codeOf(await press('plk_00000000000000000000000000'))).toEqual([404, 'resource_missing']);
    expect(codeOf(await visitor(origin).get('/api/checkout/links/plk_1'))).toEqual([404, 'resource_missing']);
  });

  test('an order that began before its link was deactivated can still be paid; a new one cannot begin', async () => {
    const { id, workspaceId } = await link();
    const { order } = (await press(id)).body;
    await deactivateLink(world.ctx, { workspaceId }, id);
    expect(codeOf(await press(id))).toEqual([409, 'link_inactive']);
    expect((await visitor(origin).get(`/api/checkout/links/${id}`)).body.link.active).toBe(false);
    await checkout.fund('link buyer', '2');
    expect((await checkout.pay(order.id, { payer: 'link buyer' })).status).toBe(200);
    await checkout.finish();
    expect((await checkout.submissions(order.id))[0]?.status).toBe('settled');
  });

  test('429 for an address that begins too many orders', async () => {
    const { id } = await link();
    const answers: Answer[] = [];
    for (let count = 0; count < 31; count++) answers.push(await press(id));
    expect(codeOf(answers.at(-1) as Answer)).toEqual([429, 'rate_limited']);
  });
});

test('429 for an address that asks too often', async () => {
  const { id } = await orderRow(world);
  const answers: Answer[] = [];
  for (let count = 0; count < 31; count++) answers.push(await checkout.prepare(id));
  expect(codeOf(answers.at(-1) as Answer)).toEqual([429, 'rate_limited']);
});

test('403 for a page of somebody else; our checkout pages may stand at an address of their own', async () => {
  const { id } = await orderRow(world);
  const buyer = visitor(origin);
  const from = (page: string, path: string) => buyer.post(path, { order_id: id }, { origin: page });
  expect(codeOf(await from('https://evil.example', '/api/checkout'))).toEqual([403, 'origin_not_allowed']);
  world.ctx.env.CHECKOUT_BASE = 'https://pay.example';
  expect((await from('https://pay.example', '/api/checkout')).status).toBe(200);
  expect(codeOf(await from('https://pay.example', '/api/sessions'))).toEqual([403, 'origin_not_allowed']);
  delete world.ctx.env.CHECKOUT_BASE;
});
