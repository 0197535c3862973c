// Smart payments over Relay: native assets, swaps, everything that it can do to a payment, its quotes and its webhooks.
import { createHmac, randomUUID } from 'node:crypto';
import { createWalletClient, type Hex, parseEther, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test, vi } from 'vitest';
import { solverAddress } from '../../../local/bridge/evmPlace.ts';
import { faultInput } from '../../../local/bridge/faults.ts';
import { RELAY_KEY } from '../../../local/bridge/relay.ts';
import { sendAs } from '../../../test/setup/orders.ts';
import { type Races, racesOf } from '../../../test/setup/races.ts';
import { aroundSmart, type SmartWorld, shape } from '../../../test/setup/smart.ts';
import type { Address } from '../../chain/rpc/client.ts';
import { rpcTransport } from '../../chain/rpc/transport.ts';
import type { PreparedPaymentAnswer } from '../../http/api/smartAnswers.ts';
import { depositSenders } from '../orders/payers.ts';
import { refundArgs } from '../orders/refunds.ts';
import { readOrderPage } from '../orders/timeline.ts';
import { hitMany } from '../rateLimit.ts';
import { followLegs } from './follow.ts';

let smart: SmartWorld;
let race: Races;
aroundSmart(['base', 'celo'], (started) => {
  smart = started;
  race = racesOf(smart);
});
const inSeconds = (seconds: number) => BigInt(Math.floor(smart.world.ctx.clock.now() / 1_000) + seconds);
const orderOf = (id: string) => smart.checkout.row(id);
const eventsOf = async (id: string) =>
  (await smart.world.ctx.db.event.findMany({ where: { resourceId: id } })).map(({ type }) => type);

/** Only what Relay takes, from one asset. */
const from = async (name: string, chain: 'celo' | 'base', asset: string, orderId: string, funds: string) => {
  const payer = await smart.payer(name, { [chain]: funds }, { gas: true });
  await smart.world.admin(chain).setBalance({ address: payer.address, value: 5n * 10n ** 18n });
  const { body } = await smart.candidates({ orderId, payer: [payer.address], sources: [{ chain, asset }] });
  return { payer, candidate: body.data[0], unavailable: body.unavailable };
};
const begin = async (name: string, id: string) => {
  const { payer, candidate } = await from(name, 'celo', 'CELO', id, '0');
  const prepared = (await smart.pay({ candidateId: candidate.id, payer: payer.address })).body;
  await smart.give(prepared, payer.key);
  return { payer, prepared, candidate };
};
const celoOf = (who: Hex) => smart.checkout.balance(who, 'celo');

test('native to USDC: what leaves the wallet is what was stated, and exactly what is due arrives', async () => {
  const { id } = await smart.order(30);
  const { payer, candidate } = await from('celo', 'celo', 'CELO', id, '0');
  expect(candidate).toMatchObject({ kind: 'single', gasless: false, confirmations: 1, balance_ok: true });
  expect(shape(candidate)).toEqual(['single', 'celo relay 30.00']);
  const before = await celoOf(payer.address);
  const prepared = (await smart.pay({ candidateId: candidate.id, payer: payer.address })).body;
  const [step] = prepared.legs[0].steps;
  expect(step).toMatchObject({ kind: 'transaction', purpose: 'pay', to: solverAddress() });
  await smart.give(prepared, payer.key);
  await smart.settle();
  const ended = (await smart.status(prepared.id)).body;
  expect([ended.status, (await orderOf(id)).status, await eventsOf(id)]).toEqual([
    'succeeded',
    'completed',
    ['order.completed'],
  ]);
  expect(ended.legs[0].txHashes.destination).toMatch(/^0x/);
  const stated = parseEther(candidate.legs[0].amount);
  const gave = before - (await celoOf(payer.address));
  // The network's fee beside it.
  expect(gave - BigInt(step.value)).toBeLessThan(10n ** 15n);
  expect(BigInt(step.value)).toBeLessThanOrEqual((stated * 102n) / 100n);
  const found = await smart.buyer.get(`/api/pay/smart/status?requestId=${ended.legs[0].requestId}`);
  expect(found.body.id).toBe(prepared.id);
});

test('USDC to the native asset of an order, and a swap on the order’s own chain', async () => {
  const native = await smart.order(0, { token: zeroAddress, units: (10n ** 15n) as never });
  const usdc = await smart.order(4);
  for (const [row, chain, asset, funds] of [
    [native, 'celo', 'USDC', '20'],
    [usdc, 'base', 'ETH', '0'],
  ] as const) {
    const { payer, candidate } = await from(`swap ${asset}`, chain, asset, row.id, funds);
    expect(candidate.legs[0]).toMatchObject({ chain, asset, via: 'relay' });
    const prepared = (await smart.pay({ candidateId: candidate.id, payer: payer.address })).body;
    await smart.give(prepared, payer.key);
    await smart.settle();
    expect([(await smart.status(prepared.id)).body.status, (await orderOf(row.id)).status]).toEqual([
      'succeeded',
      'completed',
    ]);
    // A native deposit leaves no log: the leg says whose it was.
    const paid = await orderOf(row.id);
    const refund = await refundArgs(smart.world.ctx, { workspaceId: paid.handleId }, row.id);
    expect([paid.payer, refund.refund_to]).toEqual([payer.address, payer.address]);
    const page = await readOrderPage(smart.world.ctx, paid.handleId, row.id);
    expect(page.order.payers).toEqual([payer.address]);
  }
});

test.each([
  ['refunded', 'refunded', 'refunded'],
  ['drifted', 'refunded', 'refunded'],
  ['failed', 'failed', 'failed'],
])('%s: the payment is %s, and the order can be paid', async (kind, status, leg) => {
  const { id } = await smart.order(8);
  smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind }));
  const { payer, prepared } = await begin(`relay ${kind}`, id);
  await smart.settle();
  const ended = (await smart.status(prepared.id)).body;
  expect([ended.status, ended.legs[0].status]).toEqual([status, leg]);
  // All of it came back, but for the network's fee; a failure keeps it at Relay, and says by which name to ask.
  const has = await celoOf(payer.address);
  if (status === 'refunded') expect(has).toBeGreaterThan(5n * 10n ** 18n - 10n ** 15n);
  else {
    expect(ended.legs[0].reason).toMatch(/bridge reports a failure/);
    const { timeline } = await readOrderPage(smart.world.ctx, (await orderOf(id)).handleId, id);
    expect(timeline.find(({ kind: one }) => one === 'bridge_failed')?.detail).toMatch(
      /^Relay still has the buyer’s money/,
    );
  }
  expect((await orderOf(id)).status).toBe('awaiting_payment');
  expect((await smart.candidates({ orderId: id, payer: [payer.address] })).body.data.length).toBeGreaterThan(0);
});

test('delayed, and its API away for an hour: it arrives all the same', async () => {
  const { id } = await smart.order(8);
  smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind: 'delayed', ms: 60_000 }));
  const { prepared } = await begin('relay delayed', id);
  smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind: 'away', times: 1_000 }));
  await smart.settle();
  expect((await orderOf(id)).status).toBe('awaiting_payment');
  await smart.later(61);
  await smart.settle();
  expect((await smart.status(prepared.id)).body.status).toBe('pending');
  // The money is at the order's address: that it arrived needs no bridge to say so.
  expect((await orderOf(id)).status).toBe('completed');
  smart.bridges.faults.clear();
  await smart.settle();
  expect((await smart.status(prepared.id)).body.status).toBe('succeeded');
});

test('never filled: it stays under way, and nothing is credited', async () => {
  const { id } = await smart.order(8);
  smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind: 'never_filled' }));
  const { prepared } = await begin('relay never', id);
  await smart.settle();
  expect((await smart.status(prepared.id)).body).toMatchObject({ status: 'pending', step: 'bridge_processing' });
  expect((await orderOf(id)).status).toBe('awaiting_payment');
});

test('a price that moved past the slippage: the current ones come with the refusal', async () => {
  const { id } = await smart.order(8);
  const { payer, candidate } = await from('moved', 'celo', 'CELO', id, '0');
  const { chains } = smart.bridges;
  for (const chain of chains) if (chain.name === 'celo') chain.nativeUsdPrice = 2_900;
  const refused = await smart.pay({ candidateId: candidate.id, payer: payer.address });
  for (const chain of chains) chain.nativeUsdPrice = 3_000;
  expect([refused.status, refused.body.error.code]).toEqual([409, 'quote_expired']);
  expect(refused.body.candidates.object).toBe('list');
});

test('quotes of a minute are limited, and a part of them is kept for payments', async () => {
  const { id } = await smart.order(8);
  const { payer, candidate } = await from('limited', 'celo', 'CELO', id, '0');
  const rows = Array.from({ length: 40 }, () => ({
    id: randomUUID(),
    limits: [{ key: 'relay quotes:price', window: { points: 35, windowMs: 60_000 } }],
  }));
  await smart.world.ctx.db.$transaction((tx) => hitMany(smart.world.ctx, tx, rows, smart.world.ctx.clock.now()));
  const other = await smart.order(100);
  const { unavailable } = await from('limited too', 'celo', 'CELO', other.id, '0');
  expect(unavailable).toEqual(['relay']);
  expect((await smart.pay({ candidateId: candidate.id, payer: payer.address })).status).toBe(201);
});

test('webhooks: a signed one makes it look, whatever it says; a forged or old one is refused', async () => {
  const { id } = await smart.order(8);
  const { prepared } = await begin('hooked', id);
  const { requestId } = prepared.legs[0];
  await smart.world.ctx.db.smartLeg.updateMany({ data: { nextLookAt: new Date(8.64e12) } });
  const body = JSON.stringify({ event: 'request.status.updated', data: { requestId, status: 'success' } });
  const post = async (at: number, key: string, text = body) => {
    const timestamp = String(at);
    const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
    const headers = { 'x-signature-timestamp': timestamp, 'x-signature-sha256': signature };
    return (await fetch(`${smart.url}/api/pay/smart/relay`, { method: 'POST', headers, body: text })).status;
  };
  const now = smart.world.ctx.clock.now();
  expect(await post(now, 'another key')).toBe(401);
  expect(await post(now - 600_000, RELAY_KEY)).toBe(401);
  expect(await post(now, RELAY_KEY, body.replace('success', 'refund'))).toBe(401);
  const waits = { requestId, nextLookAt: { gt: new Date(now + 60_000) } };
  expect(await smart.world.ctx.db.smartLeg.count({ where: waits })).toBe(1);
  expect([await post(now, RELAY_KEY), await post(now, RELAY_KEY)]).toEqual([204, 204]);
  expect(await smart.world.ctx.db.smartLeg.count({ where: waits })).toBe(0);
  await followLegs(smart.world.ctx);
  // It said success, and nothing arrived.
  expect((await smart.status(prepared.id)).body.status).toBe('pending');
  await smart.settle();
  expect((await smart.status(prepared.id)).body.status).toBe('succeeded');
});

/** A payment over Relay from the native asset of Celo; nothing sent yet. */
async function relayPrepared(name: string, orderId: string) {
  const payer = await smart.payer(name, {}, { gas: true });
  await smart.world.admin('celo').setBalance({ address: payer.address, value: 50n * 10n ** 18n });
  const sources = [{ chain: 'celo', asset: 'CELO' }];
  const { body } = await smart.candidates({ orderId, payer: [payer.address], sources });
  const payment: PreparedPaymentAnswer = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
  return { payer, payment };
}
/** What Relay says of every request, from now on. */
const says = (answer: object) =>
  vi.spyOn(smart.bridges.relay, 'status').mockReturnValue([200, { inTxHashes: [], txHashes: [], ...answer }]);

test('another transaction of the wallet pays a leg only where Relay took it', async () => {
  const { id } = await smart.order(8);
  const { payer, payment } = await relayPrepared('s2', id);
  const hash = await sendAs(smart.world, payer.key, { to: payer.address, value: 1n }, 'celo');
  const refused = await smart.leg(payment.id, 1, { txHash: hash });
  expect([refused.status, refused.body.error?.code]).toEqual([422, 'tx_mismatch']);
  expect((await race.legRow(payment.id)).status).toBe('prepared');
  const said = says({ status: 'pending', inTxHashes: [hash] });
  const taken = await smart.leg(payment.id, 1, { txHash: hash });
  said.mockRestore();
  expect([taken.status, taken.body.legs?.[0].status]).toEqual([200, 'sent']);
});

test('what Relay has in work is not called unpaid, however late', async () => {
  const { id } = await smart.order(8, { deadline: inSeconds(20_000) });
  const { payer, payment } = await relayPrepared('lr1', id);
  // A contract wallet's owner sent it: our call is not the transaction's own.
  const hash = await sendAs(smart.world, payer.key, { to: payer.address, value: 1n }, 'celo');
  await smart.later(1_800 + 3_600 + 60);
  await smart.mine();
  const said = says({ status: 'pending', inTxHashes: [hash] });
  await smart.follow();
  expect((await race.legRow(payment.id)).status).toBe('prepared');
  said.mockReturnValue([200, { status: 'waiting', inTxHashes: [], txHashes: [] }]);
  await smart.follow();
  said.mockRestore();
  expect((await smart.statusOf(payment.id)).legs[0]).toMatchObject({
    status: 'failed',
    reason: 'It was not paid in time. Nothing left your wallet.',
  });
});

test('a contract wallet’s transaction that Relay took late is followed, although its leg was given up', async () => {
  const { id } = await smart.order(8, { deadline: inSeconds(20_000) });
  const { payer, payment } = await relayPrepared('lr3', id);
  await smart.later(1_800 + 3_600 + 60);
  await smart.mine();
  const said = says({ status: 'waiting' });
  await smart.follow();
  expect((await smart.statusOf(payment.id)).legs[0].status).toBe('failed');
  const hash = await sendAs(smart.world, payer.key, { to: payer.address, value: 1n }, 'celo');
  const refused = await smart.leg(payment.id, 1, { txHash: hash });
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'state_conflict']);
  said.mockReturnValue([200, { status: 'pending', inTxHashes: [hash], txHashes: [] }]);
  const taken = await smart.leg(payment.id, 1, { txHash: hash });
  expect([taken.status, taken.body.legs?.[0].status]).toEqual([200, 'sent']);
  await smart.follow();
  said.mockRestore();
  expect((await smart.statusOf(payment.id)).legs[0]).toMatchObject({ status: 'sent', txHashes: { origin: hash } });
});

test('a transaction that the wallet replaced is given up only while Relay has nothing', async () => {
  const { id } = await smart.order(8);
  const { payer, payment } = await relayPrepared('lr2', id);
  const [step] = payment.legs[0]?.steps ?? [];
  if (step?.kind !== 'transaction') throw new Error('this leg is sent by its wallet');
  const admin = smart.world.admin('celo');
  const wallet = createWalletClient({
    account: privateKeyToAccount(payer.key),
    transport: rpcTransport(smart.world.anvilOf('celo').rpcUrl),
  });
  const nonce = await smart.world.reader('celo').getTransactionCount({ address: payer.address });
  const send = (what: { to: Address; data?: Hex; value?: bigint }, gwei: bigint) =>
    wallet.sendTransaction({
      ...{ ...what, chain: null, gas: 200_000n, nonce },
      ...{ maxFeePerGas: gwei * 10n ** 9n, maxPriorityFeePerGas: gwei * 10n ** 9n },
    });
  await admin.setAutomine(false);
  const call = { to: step.to as Address, data: step.data as Hex, value: BigInt(step.value) };
  expect((await smart.leg(payment.id, 1, { txHash: await send(call, 100n) })).status).toBe(200);
  const faster = await send(call, 300n);
  await admin.mine({ blocks: 1 });
  await admin.setAutomine(true);
  await smart.mine();
  const said = says({ status: 'pending', inTxHashes: [faster] });
  await smart.follow();
  expect((await race.legRow(payment.id)).status).toBe('sent');
  said.mockReturnValue([200, { status: 'waiting', inTxHashes: [], txHashes: [] }]);
  await smart.follow();
  said.mockRestore();
  expect((await smart.statusOf(payment.id)).legs[0]).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(/cancelled/),
  });
  // It was sent all the same: Relay delivers it.
  await smart.bridge();
});

test('what Relay gave up is not begun again by the same hash', async () => {
  const { id } = await smart.order(8);
  smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind: 'failed' }));
  const { payer, payment } = await relayPrepared('s3', id);
  await smart.give(payment, payer.key);
  const { originHash } = await race.legRow(payment.id);
  await smart.settle();
  const again = await smart.leg(payment.id, 1, { txHash: originHash });
  expect([again.status, again.body.error?.code]).toEqual([409, 'state_conflict']);
  expect((await smart.statusOf(payment.id)).legs[0].status).toBe('failed');
});

test('a refund of a native order goes to who paid it, not to one whose part came back', async () => {
  const { id } = await smart.order(0, { token: zeroAddress, units: (10n ** 15n) as never });
  const pay = async (name: string) => {
    const payer = await smart.payer(name, { celo: '20' }, { gas: true });
    const sources = [{ chain: 'celo', asset: 'USDC' }];
    const { body } = await smart.candidates({ orderId: id, payer: [payer.address], sources });
    const payment = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
    await smart.give(payment, payer.key);
    await smart.settle();
    return { payer, status: (await smart.statusOf(payment.id)).status };
  };
  smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind: 'refunded' }));
  const one = await pay('y1 came back');
  const two = await pay('y1 paid');
  expect([one.status, two.status]).toEqual(['refunded', 'succeeded']);
  const row = await smart.checkout.row(id);
  expect(row.status).toBe('completed');
  expect(await depositSenders(smart.world.ctx, row, { token: row.token })).toEqual([
    { address: two.payer.address, units: 10n ** 15n },
  ]);
  const refund = await refundArgs(smart.world.ctx, { workspaceId: row.handleId }, id);
  expect(refund.refund_to).toBe(two.payer.address);
});
