// Around a payment from elsewhere: an order that ends meanwhile, wallets that replace and cancel what they sent, money that comes back late.
import { createWalletClient, type Hex, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { faultInput } from '../../../local/bridge/faults.ts';
import { depositOrder, giveUsdc, payOrder, sendAs } from '../../../test/setup/orders.ts';
import { type Races, racesOf } from '../../../test/setup/races.ts';
import { encodeRedirectedFill, encodeSlowFill, redirection } from '../../../test/setup/redirectedFill.ts';
import { walletOfPerson } from '../../../test/setup/signer.ts';
import { aroundSmart, type SmartWorld } from '../../../test/setup/smart.ts';
import { visitor } from '../../../test/setup/visitor.ts';
import { acrossOf, encodeOwnDeposit } from '../../chain/bridge/across.ts';
import type { Address } from '../../chain/rpc/client.ts';
import { rpcTransport } from '../../chain/rpc/transport.ts';
import { encodeApprove } from '../../chain/signing/permits.ts';
import { acrossIds, depositOf, legTerms } from '../bridges/legTerms.ts';
import { depositArgs } from '../orders/payments/strayDeposits.ts';
import { listCandidates } from './candidates.ts';

let smart: SmartWorld;
let race: Races;
aroundSmart(['base', 'celo'], (started) => {
  smart = started;
  race = racesOf(smart);
});
const inSeconds = (seconds: number) => BigInt(Math.floor(smart.world.ctx.clock.now() / 1_000) + seconds);

const orderOf = (id: string) => smart.checkout.row(id);
/** What a payment's wallet deposited at Across on Celo. */
async function depositFor(payment: { id: string }) {
  const leg = await smart.world.ctx.db.smartLeg.findFirstOrThrow({ where: { paymentId: payment.id } });
  const terms = legTerms.parse(leg.terms);
  if (terms.via !== 'across') throw new Error('a leg over Across');
  return { deposit: depositOf(terms), depositId: acrossIds(smart.world.evmChain('celo'), terms).depositId };
}

describe('an order', () => {
  test('whose payer gave money to a bridge cannot be cancelled; before and afterwards it is as ever', async () => {
    const bob = visitor(smart.url);
    await bob.signIn(walletOfPerson('bob'));
    const { id } = await smart.order(5);
    const payment = await smart.begin(id, await smart.payer('cancelled', { celo: '9' }));
    await smart.work();
    const refused = await bob.post(`/api/orders/${id}/cancel`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'order_not_cancellable']);
    await smart.settle();
    expect([(await smart.statusOf(payment.id)).status, (await orderOf(id)).status]).toEqual(['succeeded', 'completed']);
    const other = await smart.order(5);
    expect((await bob.post(`/api/orders/${other.id}/cancel`)).status).toBe(200);
  });

  test('that is over hands out nothing more to sign, whatever is asked for again', async () => {
    const { id } = await smart.order(5);
    const payer = await smart.payer('over', { celo: '9' });
    const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
    const wish = { candidateId: body.data[0].id, payer: payer.address };
    const prepared = (await smart.pay(wish)).body;
    expect((await smart.pay(wish)).body.legs[0].steps).toHaveLength(1);
    await smart.world.ctx.db.order.update({ where: { id }, data: { status: 'cancelled' } });
    expect((await smart.pay(wish)).body).toMatchObject({ id: prepared.id, legs: [{ status: 'prepared', steps: [] }] });
  });

  test('that gets dust between two parts takes the second all the same', async () => {
    const { id } = await smart.order(20);
    const payer = await smart.payer('dusty', { base: '12', celo: '12' });
    const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
    expect(body.data[0].kind).toBe('multi');
    const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
    await smart.give(prepared, payer.key, 1);
    await smart.work();
    const at = (await orderOf(id)).depositAddress as Address;
    await giveUsdc(smart.world, at, 1_000n);
    await smart.give(prepared, payer.key, 2);
    await smart.settle();
    expect([(await smart.statusOf(prepared.id)).status, (await orderOf(id)).status]).toEqual([
      'succeeded',
      'completed',
    ]);
    // A real part of it is no dust.
    const second = await smart.order(20);
    const other = await smart.payer('doubled', { base: '12', celo: '12' });
    const list = (await smart.candidates({ orderId: second.id, payer: [other.address] })).body;
    const twice = (await smart.pay({ candidateId: list.data[0].id, payer: other.address })).body;
    await giveUsdc(smart.world, (await orderOf(second.id)).depositAddress as Address, 1_000_000n);
    const account = privateKeyToAccount(other.key);
    const signature = await account.signTypedData(twice.legs[0].steps[0].typed_data);
    const refused = await smart.leg(twice.id, 1, { signature });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'state_conflict']);
  });

  test('that was paid in part returns it to the wallet that gave it, but to no contract wallet of another network', async () => {
    const row = await smart.order(20);
    const payer = await smart.payer('returned', { base: '12', celo: '12' });
    const { body } = await smart.candidates({ orderId: row.id, payer: [payer.address] });
    const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
    const bridged = prepared.legs.find(({ chain }: { chain: string }) => chain === 'celo');
    await smart.give(prepared, payer.key, bridged.n);
    await smart.settle();
    const back = () => depositArgs(smart.world.ctx, { workspaceId: row.handleId }, row.id, { action: 'send_back' });
    expect(await back()).toMatchObject({ amount: bridged.arrives, args: { to: payer.address } });
    await smart.world.admin('celo').setCode({ address: payer.address, bytecode: '0x60' });
    await expect(back()).rejects.toMatchObject({
      code: 'order_not_refundable',
      message: expect.stringContaining('contract wallet on Celo'),
    });
  });
});

describe('a wallet’s own transfer', () => {
  /** Without an order nothing is sponsored: the wallet sends by itself, and nothing mines it yet. */
  async function pending(name: string) {
    const payer = await smart.payer(name, { base: '9' }, { gas: true });
    const recipient = (await smart.payer(`${name} recipient`, {})).address;
    const wish = { recipient, amount: '4', currency: 'USDC', chain: 'base', payer: [payer.address] };
    const { body } = await smart.candidates({ ...wish, sources: [{ chain: 'base', asset: 'USDC' }] });
    const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
    expect(prepared.legs[0].via).toBe('direct');
    const [step] = prepared.legs[0].steps;
    const call = { to: step.to as Address, data: step.data as Hex };
    const account = privateKeyToAccount(payer.key);
    const wallet = createWalletClient({ account, transport: rpcTransport(smart.world.anvilOf('base').rpcUrl) });
    const admin = smart.world.admin('base');
    await admin.setAutomine(false);
    const nonce = await smart.world.reader('base').getTransactionCount({ address: payer.address });
    const send = (what: { to: Address; data?: Hex }, gwei: bigint) =>
      wallet.sendTransaction({
        ...{ ...what, chain: null, gas: 200_000n, nonce },
        ...{ maxFeePerGas: gwei * 10n ** 9n, maxPriorityFeePerGas: gwei * 10n ** 9n },
      });
    const first = await send(call, 20n);
    expect((await smart.leg(prepared.id, 1, { txHash: first })).status).toBe(200);
    expect((await smart.statusOf(prepared.id)).legs[0]).toMatchObject({ status: 'sent', txHashes: { origin: first } });
    const mined = async () => {
      await admin.mine({ blocks: 1 });
      await admin.setAutomine(true);
      await smart.mine();
      await smart.follow();
    };
    return { payer, recipient, prepared, call, send, first, mined };
  }

  test('that the wallet sped up is found by what it did', async () => {
    const { recipient, prepared, call, send, first, mined } = await pending('faster');
    const second = await send(call, 60n);
    await mined();
    const ended = await smart.statusOf(prepared.id);
    expect(ended).toMatchObject({ status: 'succeeded', legs: [{ txHashes: { origin: second } }] });
    expect(second).not.toBe(first);
    expect(await smart.usdcOf(recipient, 'base')).toBe(4_000_000n);
  });

  test('that was sped up is followed at once where the page names the new one', async () => {
    const { prepared, call, send, mined } = await pending('named');
    const second = await send(call, 60n);
    // What is in no block proves nothing.
    await smart.leg(prepared.id, 1, { txHash: second });
    expect((await smart.statusOf(prepared.id)).legs[0].txHashes.origin).not.toBe(second);
    await smart.world.admin('base').mine({ blocks: 1 });
    await smart.leg(prepared.id, 1, { txHash: second });
    expect((await smart.statusOf(prepared.id)).legs[0].txHashes.origin).toBe(second);
    await mined();
    expect((await smart.statusOf(prepared.id)).status).toBe('succeeded');
  });

  test('that the wallet cancelled ends at once, and can still be sent', async () => {
    const { payer, recipient, prepared, call, send, mined } = await pending('cancelled');
    await send({ to: payer.address }, 60n);
    await mined();
    expect((await smart.statusOf(prepared.id)).legs[0]).toMatchObject({
      status: 'failed',
      reason: 'Your wallet cancelled this transaction, or replaced it by another one.',
    });
    expect(await smart.usdcOf(recipient, 'base')).toBe(0n);
    const later = await sendAs(smart.world, payer.key, call);
    expect((await smart.leg(prepared.id, 1, { txHash: later })).status).toBe(200);
    await smart.mine();
    await smart.follow();
    const ended = await smart.statusOf(prepared.id);
    expect([ended.status, ended.legs[0].reason]).toEqual(['succeeded', undefined]);
  });
});

describe('what comes back', () => {
  test('after Relay gave it up: the payer reads that it is back', async () => {
    const { id } = await smart.order(8);
    smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind: 'failed', ms: 60_000 }));
    const payer = await smart.payer('given up', {}, { gas: true });
    await smart.world.admin('celo').setBalance({ address: payer.address, value: 5n * 10n ** 18n });
    const sources = [{ chain: 'celo', asset: 'CELO' }];
    const { body } = await smart.candidates({ orderId: id, payer: [payer.address], sources });
    const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
    await smart.give(prepared, payer.key);
    // Noted, and given up.
    await smart.bridge();
    await smart.mine();
    await smart.follow();
    expect((await smart.statusOf(prepared.id)).legs[0].status).toBe('failed');
    await smart.later(61);
    await smart.bridges.relay.look();
    await smart.mine();
    await smart.follow();
    expect(await smart.statusOf(prepared.id)).toMatchObject({ status: 'refunded', legs: [{ status: 'refunded' }] });
  });

  test('although a delivery by Across itself was requested: that is no delivery', async () => {
    const { id } = await smart.order(5);
    const payer = await smart.payer('slow', { celo: '9' });
    smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'never_filled' }));
    const payment = await smart.begin(id, payer);
    await smart.work();
    await smart.bridge();
    const { deposit, depositId } = await depositFor(payment);
    const requester = await smart.payer('requester', {}, { gas: true });
    await smart.world.admin('base').setBalance({ address: requester.address, value: 10n ** 18n });
    const { pool } = acrossOf(smart.world.evmChain('base'));
    await sendAs(smart.world, requester.key, { to: pool, data: encodeSlowFill(deposit, depositId) });
    await smart.mine();
    await smart.follow();
    expect((await smart.statusOf(payment.id)).legs[0].status).toBe('bridging');
    await smart.later(1_900);
    await smart.bridge();
    await smart.settle();
    expect((await smart.statusOf(payment.id)).status).toBe('refunded');
  });

  test('to its payer, who had the bridge deliver it elsewhere: it did not arrive, and the order can be paid', async () => {
    const { id } = await smart.order(5);
    const payer = await smart.payer('redirecting', { celo: '9' });
    smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'never_filled' }));
    const payment = await smart.begin(id, payer);
    await smart.work();
    await smart.bridge();
    const { deposit, depositId } = await depositFor(payment);
    const relayer = await smart.payer('relayer', { base: '9' }, { gas: true });
    const { pool } = acrossOf(smart.world.evmChain('base'));
    const { usdc } = smart.world.evmChain('base');
    await sendAs(smart.world, relayer.key, { to: usdc, data: encodeApprove(pool, 9_000_000n) });
    const signature = await privateKeyToAccount(payer.key).signTypedData(
      redirection(deposit, depositId, payer.address),
    );
    await sendAs(smart.world, relayer.key, {
      to: pool,
      data: encodeRedirectedFill(deposit, depositId, { relayer: relayer.address, to: payer.address, signature }),
    });
    await smart.settle();
    const ended = await smart.statusOf(payment.id);
    expect([ended.status, ended.legs[0].reason]).toEqual([
      'refunded',
      'Its payer had the bridge deliver it elsewhere.',
    ]);
    expect((await orderOf(id)).status).toBe('awaiting_payment');
  });

  test('a refund of another deposit of the same wallet is not taken for this one', async () => {
    const { id } = await smart.order(5);
    const payer = await smart.payer('foreign', { celo: '30' });
    const celo = smart.world.evmChain('celo');
    const base = smart.world.evmChain('base');
    const now = Number((await smart.world.reader('celo').getBlock()).timestamp);
    // Its own deposit of more, which no relayer wants, and whose deadline is near.
    const deposit = {
      ...{ originChainId: 42_220, destinationChainId: 8_453, depositor: payer.address, recipient: payer.address },
      ...{ inputToken: celo.usdc, outputToken: base.usdc, input: 20_000_000n, output: 19_000_000n },
      fillDeadline: now + 120,
    };
    const { pool } = acrossOf(celo);
    smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'never_filled', times: 2 }));
    const payment = await smart.begin(id, payer);
    await sendAs(smart.world, payer.key, { to: celo.usdc, data: encodeApprove(pool, 20_000_000n) }, 'celo');
    const data = encodeOwnDeposit(deposit, { nonce: 7n, quotedAt: now });
    await sendAs(smart.world, payer.key, { to: pool, data }, 'celo');
    await smart.work();
    await smart.mine();
    await smart.bridge();
    await smart.later(180);
    await smart.bridge();
    await smart.mine();
    expect(await smart.usdcOf(payer.address, 'celo')).toBeGreaterThan(20_000_000n);
    // Past the deadline of the leg, and before its own refund.
    await smart.later(1_800);
    await smart.mine();
    await smart.follow();
    expect((await smart.statusOf(payment.id)).legs[0].status).toBe('bridging');
    await smart.bridge();
    await smart.settle();
    expect((await smart.statusOf(payment.id)).status).toBe('refunded');
  });
});

test('one network address cannot use up Relay’s prices of a minute for the others', async () => {
  const payer = await smart.payer('greedy', { celo: '500' }, { gas: true });
  const ask = async (usdc: number, client: string) => {
    const { id } = await smart.order(usdc);
    const sources = [{ chain: 'celo', asset: 'CELO' }];
    return (await listCandidates(smart.world.ctx, { orderId: id, payer: [payer.address], sources, client }))
      .unavailable;
  };
  const answers: string[][] = [];
  // Each is another step of the price.
  for (let power = 0; power < 14; power += 1) answers.push(await ask(0.02 * 2 ** power, '192.0.2.1'));
  expect(answers.filter((one) => one.length === 0)).toHaveLength(12);
  expect(answers.at(-1)).toEqual(['relay']);
  expect(await ask(0.02 * 2 ** 15, '192.0.2.2')).toEqual([]);
});

describe('the checkout', () => {
  const ask = (wish: object) => smart.buyer.post('/api/checkout', wish);

  test('takes every pair of chain and asset: the order’s own as ever, all others by their candidates', async () => {
    const usdc = await smart.order(4);
    const native = await smart.order(0, { token: zeroAddress, units: (10n ** 15n) as never });
    const payer = await smart.payer('anywhere', { base: '20', celo: '20' }, { gas: true });
    for (const [chain, asset] of [
      ['base', 'USDC'],
      ['base', 'ETH'],
      ['celo', 'USDC'],
      ['celo', 'CELO'],
    ] as const)
      for (const { id, currency } of [usdc, native]) {
        const { status, body } = await ask({ order_id: id, payer: payer.address, chain, asset });
        expect([status, chain, asset, body.error]).toEqual([200, chain, asset, undefined]);
        const isOwn = chain === 'base' && asset === currency;
        expect(body.source).toEqual(isOwn ? null : { chain, asset });
        expect(body.payment === null).toBe(!isOwn);
        if (isOwn) expect(body.candidates).toBeNull();
        else expect(body.candidates.data[0].legs).toMatchObject([{ chain, asset }]);
      }
    // Without a payer it says where it would lead, and prices nothing.
    const { body } = await ask({ order_id: usdc.id, chain: 'celo', asset: 'CELO' });
    expect([body.source, body.candidates]).toEqual([{ chain: 'celo', asset: 'CELO' }, null]);
  });

  test('says what a chain takes', async () => {
    const { id } = await smart.order(4);
    for (const [chain, asset, words] of [
      ['celo', 'ETH', 'Celo supports USDC and CELO.'],
      ['base', 'CELO', 'Base supports USDC and ETH.'],
    ]) {
      const { status, body } = await ask({ order_id: id, chain, asset });
      expect([status, body.error.code, body.error.message]).toEqual([422, 'unsupported_asset', words]);
    }
    expect((await ask({ order_id: id, chain: 'solana', asset: 'SOL' })).body.error.code).toBe('unsupported_chain');
  });
});

test('an order that was paid after its signature was taken: nothing leaves the wallet', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('k1', { celo: '9' });
  const payment = await smart.begin(id, payer);
  // In a block that is not final, and reported to no one.
  await payOrder(smart.world, await smart.checkout.row(id), 'k1 first');
  await smart.checkout.work('celo');
  expect((await smart.statusOf(payment.id)).legs[0]).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('was paid'),
  });
  await smart.settle();
  expect(await smart.usdcOf(payer.address, 'celo')).toBe(9_000_000n);
});

test('what arrived since the price, also before the indexer has noted it, is not asked for again', async () => {
  const { id, at } = await depositOrder(smart.world, { merchant: 'bob', units: 5_000_000n as never });
  const payer = await smart.payer('pa2', { celo: '9' });
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  await giveUsdc(smart.world, at, 2_000_000n);
  const refused = await smart.pay({ candidateId: body.data[0].id, payer: payer.address });
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'quote_expired']);
  expect(refused.body.candidates.due.amount).toBe('3.00');
  expect(refused.body.candidates.data[0].legs[0].arrives).toBe('3.00');
});

test('nothing may be sent, or delivered, after the order’s end', async () => {
  // What arrives later than a minute before its end is not swept in time.
  const end = inSeconds(420);
  const { id } = await smart.order(5, { deadline: end });
  for (const funds of [{ celo: '9' }, { base: '9' }]) {
    const payer = await smart.payer(`pa5 ${Object.keys(funds)}`, funds);
    const payment = await race.prepare(id, payer);
    const leg = await race.legRow(payment.id);
    const terms = leg.terms as { signedUntil: number; fillDeadline?: number };
    const last = Number(end) - 60;
    expect(terms.signedUntil).toBeLessThanOrEqual(last);
    expect(terms.fillDeadline ?? 0).toBeLessThanOrEqual(last);
    expect(leg.deadline.getTime()).toBeLessThanOrEqual(last * 1_000);
    expect(Date.parse(payment.expires_at)).toBeLessThanOrEqual(Number(end) * 1_000);
  }
});

test('an order whose money lies at its address already takes nothing more', async () => {
  const { id, at } = await depositOrder(smart.world, { merchant: 'bob', units: 5_000_000n as never });
  const payer = await smart.payer('d5', { celo: '9' });
  await giveUsdc(smart.world, at, 5_000_000n);
  const { status, body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  expect([status, body.error?.code]).toEqual([409, 'state_conflict']);
});
