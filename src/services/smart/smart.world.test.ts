// Smart payments over Across's real contracts: one signature, a wallet's own transactions, packs, and every way in which one ends otherwise.
import { randomUUID } from 'node:crypto';
import { type Hex, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { faultInput } from '../../../local/bridge/faults.ts';
import { giveUsdc, sendAs } from '../../../test/setup/orders.ts';
import { aroundSmart, type SmartWorld, shape } from '../../../test/setup/smart.ts';
import { localPerson } from '../../../test/setup/world.ts';
import { encodeOwnDeposit } from '../../chain/bridge/across.ts';
import { BRIDGE_FAILURE } from '../../domain/smartLeg.ts';
import { depositOf, legTerms } from '../bridges/legTerms.ts';
import { evaluateAlerts } from '../operations/alertChecks.ts';
import { listBridges, lookAtBridges } from '../operations/bridges.ts';
import { readCase } from '../operations/cases.ts';
import { readTargets } from '../operations/searchTargets.ts';
import { depositSenders } from '../orders/payers.ts';
import { refundArgs } from '../orders/refunds.ts';
import { readOrderPage } from '../orders/timeline.ts';
import { hitMany } from '../rateLimit.ts';
import { listSlowRoutes, listStuckLegs } from './trouble.ts';

let smart: SmartWorld;
aroundSmart(['base', 'celo', 'ink', 'bsc'], (started) => {
  smart = started;
});

const orderOf = (id: string) => smart.checkout.row(id);
const eventsOf = async (id: string) =>
  (await smart.world.ctx.db.event.findMany({ where: { resourceId: id } })).map(({ type }) => type);

test('an order on Base is paid from Celo with one signature and no gas', async () => {
  const { id, depositAddress: _ } = await smart.order(25);
  const payer = await smart.payer('one', { celo: '40' });
  const parties = [payer.address, localPerson('bob').address];
  const before = [
    await smart.ledger(parties),
    await smart.world.usdc('bob'),
    await smart.world.usdc('treasury', 'celo'),
  ] as const;

  const { status, body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  expect([status, body.due, body.unavailable]).toEqual([200, { amount: '25.00', currency: 'USDC', chain: 'base' }, []]);
  const [cheapest, ...others] = body.data;
  expect(others).toEqual([]);
  expect(cheapest).toMatchObject({ kind: 'single', gasless: true, confirmations: 1, balance_ok: true });
  expect(cheapest.legs[0]).toMatchObject({
    chain: 'celo',
    asset: 'USDC',
    arrives: '25.00',
    via: 'across',
    gasless: true,
  });
  const cost = Number(cheapest.cost_usd);
  expect(cost).toBeCloseTo(Number(cheapest.legs[0].amount) - 25, 6);
  const fees = cheapest.legs[0].fees.map(({ kind }: { kind: string }) => kind);
  expect(fees).toEqual(['bridge', 'executor']);
  expect(cost).toBeCloseTo(
    cheapest.legs[0].fees.reduce((sum: number, { usd }: { usd: string }) => sum + Number(usd), 0),
    6,
  );

  const prepared = await smart.pay({ candidateId: cheapest.id, orderId: id, payer: payer.address });
  expect(prepared.status).toBe(201);
  expect(prepared.body).toMatchObject({ step: 'preparing', status: 'pending', allOk: false });
  expect(prepared.body.legs[0].steps.map(({ kind }: { kind: string }) => kind)).toEqual(['signature']);
  await smart.give(prepared.body, payer.key);
  expect((await smart.status(prepared.body.id)).body).toMatchObject({
    step: 'waiting_for_confirmation',
    status: 'pending',
  });
  await smart.work();
  expect((await smart.status(prepared.body.id)).body.legs[0]).toMatchObject({ status: 'bridging' });
  await smart.settle();
  const ended = (await smart.status(prepared.body.id)).body;
  expect(ended).toMatchObject({ step: 'bridge_complete', status: 'succeeded', allOk: true });
  expect(ended.legs[0].txHashes).toEqual({
    origin: expect.stringMatching(/^0x/),
    destination: expect.stringMatching(/^0x/),
    refund: null,
  });
  expect((await orderOf(id)).status).toBe('completed');
  expect(await eventsOf(id)).toEqual(['order.completed']);
  // The merchant has the whole amount, the payer gave exactly what was stated, and nothing was lost between.
  const gave = 40_000_000n - (await smart.usdcOf(payer.address, 'celo'));
  expect(gave).toBe(BigInt(Math.round(Number(cheapest.legs[0].amount) * 1e6)));
  expect((await smart.world.usdc('bob')) - before[1]).toBe(25_000_000n);
  expect(await smart.ledger(parties)).toBe(before[0] + 40_000_000n - 40_000_000n);
  const fee = cheapest.legs[0].fees.find(({ kind }: { kind: string }) => kind === 'executor');
  expect((await smart.world.usdc('treasury', 'celo')) - before[2]).toBe(BigInt(Math.round(Number(fee.amount) * 1e6)));
});

test('the payer of a bridged order is the wallet that gave, and a refund goes to it, not to the relayer', async () => {
  const { id } = await smart.order(6);
  const payer = await smart.payer('refundable', { celo: '9' });
  const payment = await smart.begin(id, payer);
  await smart.work();
  // Meanwhile the order is paid: the usual checkout does not offer to pay it once more.
  const usual = await smart.checkout.prepare(id, { payer: payer.address });
  expect([usual.status, usual.body.error.code]).toEqual([409, 'payment_in_flight']);
  const { handleId } = await orderOf(id);
  expect((await readOrderPage(smart.world.ctx, handleId, id)).order.bridging).toBe(true);
  await smart.settle();
  const row = await orderOf(id);
  expect([row.status, row.payer]).toEqual(['completed', payer.address]);
  const senders = await depositSenders(smart.world.ctx, row, { token: row.token, outcomes: ['credited'] });
  expect(senders).toEqual([{ address: payer.address, units: 6_000_000n }]);
  const page = await readOrderPage(smart.world.ctx, row.handleId, id);
  expect([page.order.payers, page.order.bridging]).toEqual([[payer.address], false]);
  expect(page.timeline.find(({ kind }) => kind === 'deposit')?.from).toBe(payer.address);
  expect(page.timeline.find(({ kind }) => kind === 'bridging')).toMatchObject({
    ...{ amount: '6.00 USDC', from: payer.address, detail: 'From Celo, over Across.' },
  });
  const { body } = await smart.status(payment.id);
  expect(body.status).toBe('succeeded');
  // A contract there is not sent anything here: its address on this chain may be another's.
  const refund = () => refundArgs(smart.world.ctx, { workspaceId: row.handleId }, id);
  expect((await refund()).refund_to).toBe(payer.address);
  await smart.world.admin('celo').setCode({ address: payer.address, bytecode: '0x60' });
  await expect(refund()).rejects.toMatchObject({
    code: 'order_not_refundable',
    message: expect.stringContaining('contract wallet on Celo'),
  });
  const { steps } = await readCase(smart.world.ctx, id);
  const begun = steps.find(({ step }) => step === 'leg_begun');
  expect(begun?.detail).toContain(`6.00 USDC from celo to base over Across: payment ${payment.id}, leg leg_`);
  expect(begun?.detail).toContain(`request ${body.legs[0].requestId}`);
  expect(steps.find(({ step }) => step === 'smart_leg.arrive')?.tx_hash).toBe(body.legs[0].txHashes.destination);
  // Whatever a complaint names leads operators to the order.
  const [leg] = await smart.world.ctx.db.smartLeg.findMany({ where: { paymentId: payment.id } });
  const { origin, destination } = body.legs[0].txHashes;
  for (const named of [payment.id, leg?.id ?? '', body.legs[0].requestId, origin, destination])
    expect((await readTargets(smart.world.ctx, named)).orders, named).toEqual([id]);
});

test('an older transfer proves no leg, and one transfer proves one', async () => {
  const payer = await smart.payer('reuser', { bsc: '20' }, { gas: true });
  const { address: to } = await smart.payer('paid once', {});
  const wish = { recipient: to, amount: '3', currency: 'USDC', chain: 'bsc', payer: [payer.address] };
  const begun = async () => {
    const { body } = await smart.candidates({ ...wish, sources: [{ chain: 'bsc', asset: 'USDC' }] });
    return (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
  };
  const one = await begun();
  const { to: token, data } = one.legs[0].steps[0];
  const hash = await sendAs(smart.world, payer.key, { to: token, data }, 'bsc');
  await smart.mine();
  const two = await begun();
  const old = await smart.leg(two.id, 1, { txHash: hash });
  expect([old.status, old.body.error.code]).toEqual([422, 'tx_mismatch']);
  const three = await begun();
  const fresh = await sendAs(smart.world, payer.key, { to: token, data }, 'bsc');
  expect((await smart.leg(two.id, 1, { txHash: fresh })).status).toBe(200);
  const again = await smart.leg(three.id, 1, { txHash: fresh });
  expect([again.status, again.body.error.code]).toEqual([422, 'tx_mismatch']);
});

test('a pack from three chains where no single one has enough; one press each, completed once', async () => {
  const { id } = await smart.order(30);
  const payer = await smart.payer('three', { base: '8', celo: '15', ink: '12' });
  const parties = [payer.address, localPerson('bob').address];
  const before = await smart.ledger(parties);
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  expect(body.data.map(shape)).toHaveLength(1);
  const [pack] = body.data;
  expect([pack.kind, pack.gasless, pack.confirmations]).toEqual(['multi', true, 3]);
  const arrives = pack.legs.map((leg: { arrives: string }) => Math.round(Number(leg.arrives) * 1e6));
  expect(arrives.reduce((sum: number, one: number) => sum + one, 0)).toBe(30_000_000);
  expect(pack.legs[0]).toMatchObject({ chain: 'base', via: 'direct', amount: '8.00', arrives: '8.00', fees: [] });
  const payment = await smart.begin(id, payer);
  expect(payment.legs).toHaveLength(3);
  await smart.settle();
  const ended = (await smart.status(payment.id)).body;
  expect([ended.status, ended.allOk]).toEqual(['succeeded', true]);
  expect([(await orderOf(id)).status, await eventsOf(id)]).toEqual(['completed', ['order.completed']]);
  expect(await smart.ledger(parties)).toBe(before);
});

test('no pack where one source suffices and the pack is not cheaper; the wallet’s own chain comes first', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('plenty', { base: '50', celo: '50', ink: '50' });
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['direct', 'single', 'single']);
  expect(body.data[0]).toMatchObject({ cost_usd: '0.00', gasless: true });
  const named = await smart.candidates({
    orderId: id,
    payer: [payer.address],
    sources: [{ chain: 'ink', asset: 'usdc' }],
  });
  expect(named.body.data.map(shape)).toEqual([['single', 'ink across 5.00']]);
  const first = await smart.candidates({ orderId: id, payer: [payer.address], limit: 1 });
  expect(first.body.data).toHaveLength(1);
});

test('a wallet without enough sees what it would take, and that it has too little', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('poor', { celo: '1' });
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  expect(body.data.length).toBeGreaterThan(0);
  expect(body.data.every(({ balance_ok }: { balance_ok: boolean }) => !balance_ok)).toBe(true);
});

test('one leg comes back, the other arrived: part paid, and the rest is paid later', async () => {
  const { id } = await smart.order(20, { deadline: BigInt(Math.floor(smart.world.ctx.clock.now() / 1_000) + 7_200) });
  const payer = await smart.payer('half', { celo: '12', ink: '12' });
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
  const parties = [payer.address, localPerson('bob').address, (await orderOf(id)).depositAddress as Hex];
  const before = await smart.ledger(parties);
  await smart.give(prepared, payer.key, 1);
  await smart.settle();
  smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'never_filled' }));
  await smart.give(prepared, payer.key, 2);
  await smart.settle();
  expect((await smart.status(prepared.id)).body).toMatchObject({ step: 'bridge_processing', status: 'pending' });
  await smart.later(1_801);
  await smart.bridges.filler.look();
  await smart.settle();
  const ended = (await smart.status(prepared.id)).body;
  expect([ended.status, ended.allOk]).toEqual(['partly', false]);
  expect(ended.legs.map(({ status }: { status: string }) => status)).toEqual(['arrived', 'refunded']);
  const merchants = await readOrderPage(smart.world.ctx, (await orderOf(id)).handleId, id);
  expect(merchants.timeline.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['bridging', 'bridge_returned', 'deposit']),
  );
  expect(ended.legs[1]).toMatchObject({
    reason: expect.stringMatching(/sent it back/),
    txHashes: { refund: expect.stringMatching(/^0x/) },
  });
  const row = await orderOf(id);
  expect([row.status, String(row.receivedUnits)]).toEqual([
    'awaiting_payment',
    String(Number(ended.legs[0].arrives) * 1e6),
  ]);
  expect(await smart.ledger(parties)).toBe(before);
  // The rest: what is due, from what came back.
  const rest = await smart.candidates({ orderId: id, payer: [payer.address] });
  expect(rest.body.due.amount).toBe(ended.legs[1].arrives);
  const second = await smart.begin(id, payer);
  await smart.settle();
  expect((await smart.status(second.id)).body.status).toBe('succeeded');
  expect([(await orderOf(id)).status, await eventsOf(id)]).toEqual(['completed', ['order.completed']]);
  expect(await smart.ledger(parties)).toBe(before);
});

test('too little time until the order’s end: no way from elsewhere, and later none at all', async () => {
  const endsIn = (seconds: number) => BigInt(Math.floor(smart.world.ctx.clock.now() / 1_000) + seconds);
  const payer = await smart.payer('hurried', { base: '9', celo: '9' });
  for (const [seconds, kinds] of [
    [300, ['direct', 'single']],
    [200, ['direct']],
    [50, []],
  ] as const) {
    const { id } = await smart.order(5, { deadline: endsIn(seconds) });
    const { status, body } = await smart.candidates({ orderId: id, payer: [payer.address] });
    expect([status, body.data.map(({ kind }: { kind: string }) => kind)]).toEqual([200, kinds]);
  }
});

test.each([
  ['a deposit', { celo: '9' }],
  ['a transfer', { base: '9' }],
])('%s that another sender was first with: it is followed, and not called failed', async (name, funds) => {
  const { id } = await smart.order(5);
  const payer = await smart.payer(`first ${name}`, funds);
  const thief = await smart.payer('front runner', {});
  for (const chain of ['base', 'celo'] as const)
    await smart.world.admin(chain).setBalance({ address: thief.address, value: 10n ** 18n });
  const payment = await smart.begin(id, payer);
  const [leg] = await smart.world.ctx.db.smartLeg.findMany({ where: { paymentId: payment.id } });
  const call = await smart.world.ctx.db.outgoingTx.findFirstOrThrow({ where: { subjectId: leg?.id ?? '' } });
  await sendAs(smart.world, thief.key, { to: call.toAddress as Hex, data: call.data as Hex }, call.chain as 'base');
  await smart.work();
  expect((await smart.status(payment.id)).body.legs[0].status).toBe('bridging');
  await smart.settle();
  const ended = (await smart.status(payment.id)).body;
  expect([ended.status, (await orderOf(id)).status]).toEqual(['succeeded', 'completed']);
  expect(ended.legs[0].txHashes.origin).toMatch(/^0x/);
});

test('an order that ended before a leg was sent: it is not sent', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('overtaken', { celo: '9' });
  const payment = await smart.begin(id, payer);
  await smart.world.ctx.db.order.update({ where: { id }, data: { status: 'cancelled' } });
  await smart.settle();
  const ended = (await smart.status(payment.id)).body;
  expect([ended.status, ended.legs[0].reason]).toEqual(['failed', expect.stringContaining('The order ended')]);
  expect(await smart.usdcOf(payer.address, 'celo')).toBe(9_000_000n);
});

test('never signed: it ends with its price, and nothing left the wallet', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('idle', { celo: '9' });
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
  const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
  await smart.later(601);
  const late = await smart.leg(prepared.id, 1, { signature: '0x00' });
  expect([late.status, late.body.error.code]).toEqual([409, 'quote_expired']);
  await smart.follow();
  const ended = (await smart.status(prepared.id)).body;
  expect([ended.status, ended.legs[0].status]).toEqual(['failed', 'failed']);
  expect(await smart.usdcOf(payer.address, 'celo')).toBe(9_000_000n);
});

describe('what is believed', () => {
  test('a price that is over: the current ones come with the refusal', async () => {
    const { id } = await smart.order(5);
    const payer = await smart.payer('late', { celo: '9' });
    const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
    await smart.later(121);
    const { status, body: refused } = await smart.pay({ candidateId: body.data[0].id, payer: payer.address });
    expect([status, refused.error.code]).toEqual([409, 'quote_expired']);
    expect(refused.candidates.data[0].id).toMatch(/^cand_/);
    const again = await smart.pay({ candidateId: refused.candidates.data[0].id, payer: payer.address });
    expect(again.status).toBe(201);
  });

  test('the same again is the same payment; another wallet, order or candidate under its key is refused', async () => {
    const [{ id }, other] = [await smart.order(5), await smart.order(6)];
    const payer = await smart.payer('twice', { celo: '9' });
    const list = (await smart.candidates({ orderId: id, payer: [payer.address] })).body.data;
    const wish = { candidateId: list[0].id, payer: payer.address, idempotencyKey: 'mine' };
    const [one, two] = await Promise.all([smart.pay(wish), smart.pay(wish)]);
    expect(one.body.id).toBe(two.body.id);
    expect((await smart.pay({ ...wish, idempotencyKey: undefined })).body.id).toBe(one.body.id);
    const stranger = await smart.payer('stranger', {});
    const next = (await smart.candidates({ orderId: id, payer: [payer.address] })).body.data[0].id;
    for (const [body, code] of [
      [{ ...wish, payer: stranger.address }, 'parameter_invalid'],
      [{ ...wish, candidateId: next, orderId: other.id, idempotencyKey: 'new' }, 'parameter_invalid'],
      [{ ...wish, candidateId: next }, 'idempotency_key_reused'],
      [{ ...wish, candidateId: 'cand_0000000000000000000000000x', idempotencyKey: 'new' }, 'resource_missing'],
    ] as const)
      expect((await smart.pay(body)).body.error.code).toBe(code);
  });

  test('a signature of another wallet, or of other terms, is none', async () => {
    const { id } = await smart.order(5);
    const payer = await smart.payer('forged', { celo: '9' });
    const thief = await smart.payer('thief', {});
    const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
    const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
    const typed = prepared.legs[0].steps[0].typed_data;
    const signed = async (key: Hex, data: object) => privateKeyToAccount(key).signTypedData(data as never);
    const more = { ...typed, message: { ...typed.message, value: '1' } };
    for (const signature of [await signed(thief.key, typed), await signed(payer.key, more)]) {
      const answer = await smart.leg(prepared.id, 1, { signature });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'signature_invalid']);
    }
    const none = await smart.leg(prepared.id, 2, { signature: '0x00' });
    expect(none.body.error.code).toBe('resource_missing');
    const hash = await smart.leg(prepared.id, 1, { txHash: `0x${'1'.repeat(64)}` });
    expect(hash.body.error.code).toBe('state_conflict');
  });

  test('a pack of which a part is in a block already: the other part is taken; what came from elsewhere meanwhile is not overpaid', async () => {
    for (const isDisturbed of [false, true]) {
      const { id } = await smart.order(20);
      const payer = await smart.payer(`steps ${isDisturbed}`, { base: '11', celo: '12' });
      const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
      const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
      await smart.give(prepared, payer.key, 1);
      await smart.work();
      if (isDisturbed) await giveUsdc(smart.world, (await orderOf(id)).depositAddress as Hex, 1_000_000n);
      const signature = await privateKeyToAccount(payer.key).signTypedData(prepared.legs[1].steps[0].typed_data);
      const answer = await smart.leg(prepared.id, 2, { signature });
      expect(answer.body.error?.code).toBe(isDisturbed ? 'state_conflict' : undefined);
      await smart.settle();
    }
  });

  test('two payments of one order: the second one’s signature is refused, so nothing is paid twice', async () => {
    const { id } = await smart.order(5);
    const [one, two] = [await smart.payer('first', { celo: '9' }), await smart.payer('second', { ink: '9' })];
    const candidate = async (who: { address: string }) =>
      (await smart.candidates({ orderId: id, payer: [who.address] })).body.data[0].id;
    const [a, b] = [
      (await smart.pay({ candidateId: await candidate(one), payer: one.address })).body,
      (await smart.pay({ candidateId: await candidate(two), payer: two.address })).body,
    ];
    await smart.give(a, one.key);
    const signature = await privateKeyToAccount(two.key).signTypedData(b.legs[0].steps[0].typed_data);
    const refused = await smart.leg(b.id, 1, { signature });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'state_conflict']);
    const later = await smart.candidates({ orderId: id, payer: [two.address] });
    expect(later.body.error.code).toBe('state_conflict');
    await smart.settle();
    expect((await orderOf(id)).status).toBe('completed');
    expect(await smart.usdcOf(two.address, 'ink')).toBe(9_000_000n);
    const over = await smart.candidates({ orderId: id, payer: [two.address] });
    expect(over.body.error.code).toBe('state_conflict');
  });
});

describe('a bridge that is away', () => {
  test.each([
    ['no answer', { kind: 'away' }],
    ['503', { kind: 'status', status: 503 }],
    ['429', { kind: 'status', status: 429 }],
  ])('%s: it is left out and said so, and what needs no bridge is there', async (name, fault) => {
    const { id } = await smart.order(5 + name.length);
    const payer = await smart.payer(`away ${name}`, { base: '99', celo: '99' });
    await smart.later(61);
    smart.bridges.faults.add(faultInput.parse({ bridge: 'across', times: 100, ...fault }));
    const { status, body } = await smart.candidates({ orderId: id, payer: [payer.address] });
    smart.bridges.faults.clear();
    expect([status, body.unavailable]).toEqual([200, ['across']]);
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['direct']);
    const after = await smart.candidates({ orderId: id, payer: [payer.address] });
    expect([after.body.unavailable, after.body.data.length]).toEqual([[], 2]);
  });

  test('its API away for an hour after the signature: the chains alone end the payment', async () => {
    const { id } = await smart.order(5);
    const payer = await smart.payer('silent', { celo: '9' });
    const payment = await smart.begin(id, payer);
    smart.bridges.faults.add(faultInput.parse({ bridge: 'across', times: 1_000, kind: 'away' }));
    await smart.settle();
    smart.bridges.faults.clear();
    expect([(await smart.status(payment.id)).body.status, (await orderOf(id)).status]).toEqual([
      'succeeded',
      'completed',
    ]);
  });
});

test('a deposit that a reorg takes back after its fill: the order stays paid, and the deposit goes out again', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('reorg', { celo: '9' });
  const payment = await smart.begin(id, payer);
  await smart.work();
  await smart.bridges.filler.look();
  await smart.world.admin('celo').request({ method: 'anvil_rollback' as never, params: [1] as never });
  await smart.follow();
  expect(['bridging', 'sent']).toContain((await smart.status(payment.id)).body.legs[0].status);
  await smart.settle();
  expect([(await smart.status(payment.id)).body.status, (await orderOf(id)).status]).toEqual([
    'succeeded',
    'completed',
  ]);
  // The relayer is paid as well: the same signature pays once.
  expect(await smart.usdcOf(payer.address, 'celo')).toBeLessThan(4_100_000n);
});

describe('without an order', () => {
  test('to an address, and to a handle', async () => {
    const payer = await smart.payer('giver', { celo: '30' });
    const to = (await smart.payer('receiver', {})).address;
    for (const [recipient, who] of [
      [to, to],
      ['@bob', localPerson('bob').address],
    ] as const) {
      const before = await smart.usdcOf(who, 'base');
      const wish = { recipient, amount: '4', currency: 'USDC', chain: 'base', payer: [payer.address] };
      const { body } = await smart.candidates(wish);
      const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
      await smart.give(prepared, payer.key);
      await smart.settle();
      expect((await smart.status(prepared.id)).body).toMatchObject({ status: 'succeeded', orderId: null });
      expect((await smart.usdcOf(who, 'base')) - before).toBe(4_000_000n);
    }
  });

  test.each([
    ['a business', { recipient: '@shop' }, 'parameter_invalid'],
    ['no such handle', { recipient: '@nobody_here' }, 'handle_not_found'],
    ['a chain that is not served', { chain: 'solana' }, 'unsupported_chain'],
    ['an asset of another chain', { currency: 'BNB' }, 'unsupported_asset'],
    ['nothing', { amount: '0' }, 'parameter_invalid'],
    ['no recipient', { recipient: undefined }, 'parameter_missing'],
    ['no wallet', { payer: ['0x12'] }, 'parameter_invalid'],
    ['an unknown field', { price: 1 }, 'parameter_unknown'],
  ])('%s', async (_, wrong, code) => {
    const payer = await smart.payer('wrong', {});
    const wish = { recipient: payer.address, amount: '4', currency: 'USDC', chain: 'base', payer: [payer.address] };
    expect((await smart.candidates({ ...wish, ...wrong })).body.error.code).toBe(code);
  });
});

describe('a wallet that sends by itself', () => {
  // Relay would be cheaper there.
  beforeAll(() => {
    Object.assign(smart.world.evmChain('bsc'), { relay: [] });
  });

  test('from a token without signatures and with other decimals: approve, deposit, arrived', async () => {
    const { id } = await smart.order(7);
    const payer = await smart.payer('own', { bsc: '9' }, { gas: true });
    const parties = [payer.address, localPerson('bob').address];
    const before = await smart.ledger(parties);
    const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
    expect(body.data.map(shape)).toEqual([['single', 'bsc across 7.00']]);
    expect(body.data[0]).toMatchObject({ gasless: false, confirmations: 2 });
    const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
    expect(prepared.legs[0].steps.map(({ purpose }: { purpose: string }) => purpose)).toEqual(['approve', 'pay']);
    await smart.give(prepared, payer.key);
    expect((await smart.status(prepared.id)).body.step).toBe('waiting_for_confirmation');
    await smart.settle();
    const ended = (await smart.status(prepared.id)).body;
    expect([ended.status, (await orderOf(id)).status]).toEqual(['succeeded', 'completed']);
    expect(ended.legs[0].txHashes.origin).toMatch(/^0x/);
    expect(await smart.ledger(parties)).toBe(before);
  });

  test('without gas for it, it is no source', async () => {
    const { id } = await smart.order(7);
    const payer = await smart.payer('stranded', { bsc: '9' });
    const { body } = await smart.candidates({
      orderId: id,
      payer: [payer.address],
      sources: [{ chain: 'bsc', asset: 'USDC' }],
    });
    expect(body.data).toEqual([]);
  });

  test('one that is never reported is found all the same; a foreign hash is refused', async () => {
    const { id } = await smart.order(7);
    const payer = await smart.payer('quiet', { bsc: '9' }, { gas: true });
    const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
    const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
    const [approve, pay] = prepared.legs[0].steps;
    const send = ({ to, data }: { to: Hex; data: Hex }) => sendAs(smart.world, payer.key, { to, data }, 'bsc');
    const foreign = await send(approve);
    const refused = await smart.leg(prepared.id, 1, { txHash: foreign });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'tx_mismatch']);
    // A deposit of the same wallet under another number.
    const [row] = await smart.world.ctx.db.smartLeg.findMany({ where: { paymentId: prepared.id } });
    const terms = legTerms.parse(row?.terms);
    if (terms.via !== 'across') throw new Error('a leg over Across');
    const other = { nonce: BigInt(terms.nonce) + 1n, quotedAt: terms.quotedAt };
    const deposit = { ...depositOf(terms), recipient: payer.address, input: 1n, output: 1n };
    const twin = await send({ to: pay.to, data: encodeOwnDeposit(deposit, other) });
    const mistaken = await smart.leg(prepared.id, 1, { txHash: twin });
    expect([mistaken.status, mistaken.body.error.code]).toEqual([422, 'tx_mismatch']);
    await send(approve);
    const unknown = await smart.leg(prepared.id, 1, { txHash: `0x${'2'.repeat(64)}` });
    expect([unknown.status, unknown.body.error.code]).toEqual([422, 'tx_not_found']);
    await send(pay);
    await smart.follow();
    expect((await smart.status(prepared.id)).body.legs[0]).toMatchObject({ status: 'bridging' });
    // A reorg takes it back, and it is found again.
    await smart.world.admin('bsc').request({ method: 'anvil_rollback' as never, params: [1] as never });
    await smart.follow();
    expect((await smart.status(prepared.id)).body.legs[0]).toMatchObject({ status: 'sent' });
    await send(pay);
    await smart.settle();
    expect([(await smart.status(prepared.id)).body.status, (await orderOf(id)).status]).toEqual([
      'succeeded',
      'completed',
    ]);
  });

  test('an order in the native asset, by a transfer to its address', async () => {
    const row = await smart.order(0, { token: zeroAddress, units: (10n ** 15n) as never });
    const payer = await smart.payer('native', { base: '0' }, { gas: true });
    const { body } = await smart.candidates({ orderId: row.id, payer: [payer.address] });
    expect([body.due, body.data.map(shape)]).toEqual([
      { amount: '0.001', currency: 'ETH', chain: 'base' },
      [['direct', 'base direct 0.001']],
    ]);
    const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
    await smart.give(prepared, payer.key);
    await smart.settle();
    expect([(await smart.status(prepared.id)).body.status, (await orderOf(row.id)).status]).toEqual([
      'succeeded',
      'completed',
    ]);
  });
});

test('what operators see: a route on which nothing arrives, a part without an end, one that its bridge gave up', async () => {
  const { ctx } = smart.world;
  const payer = await smart.payer('stuck', { celo: '30' });
  const { id } = await smart.order(11, { deadline: BigInt(Math.floor(ctx.clock.now() / 1_000) + 20_000) });
  smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'never_filled' }));
  const payment = await smart.begin(id, payer);
  await smart.settle();
  const mine = async () => (await listStuckLegs(ctx)).filter(({ paymentId }) => paymentId === payment.id);
  const slow = async () =>
    (await listSlowRoutes(ctx)).filter(({ via, origin }) => via === 'across' && origin === 'celo');
  expect([await slow(), await mine()]).toEqual([[], []]);
  await smart.later(601);
  expect(await slow()).toMatchObject([{ destination: 'base', count: 1 }]);
  await smart.later(1_800 + 7_200);
  await smart.follow();
  expect([await slow(), await mine()]).toMatchObject([[], [{ via: 'across', chain: 'celo', hasFailed: false }]]);
  const gaveUp = async () => (await listStuckLegs(ctx)).filter(({ hasFailed }) => hasFailed);
  const others = await gaveUp();
  await ctx.db.smartLeg.updateMany({
    where: { paymentId: payment.id },
    data: { status: 'failed', reason: BRIDGE_FAILURE, endedAt: new Date(ctx.clock.now()) },
  });
  expect((await gaveUp()).filter(({ id: leg }) => others.every((one) => one.id !== leg))).toMatchObject([
    { via: 'across' },
  ]);
  await ctx.db.smartLeg.updateMany({
    where: { paymentId: payment.id },
    data: { status: 'bridging', reason: null, endedAt: null },
  });
  // The money comes back in the end, and the alert with it.
  await smart.bridges.filler.look();
  await smart.settle();
  expect([await mine(), (await smart.status(payment.id)).body.status]).toEqual([[], 'refunded']);
});

test('what operators see of the bridges: whether they answer, the quotes that are left, what is on its way; an alert while one is away', async () => {
  const { ctx } = smart.world;
  const open = () => ctx.db.alert.findMany({ where: { kind: 'bridge_away', resolvedAt: null } });
  const of = async (name: string) => (await listBridges(ctx)).find(({ bridge }) => bridge === name);
  expect(await of('across')).toMatchObject({ problem: 'unknown', latency_ms: null });
  await lookAtBridges(ctx);
  expect(await of('across')).toMatchObject({ problem: null, latency_ms: expect.any(Number), quotes: null });
  const { id } = await smart.order(6);
  const payer = await smart.payer('watched', { celo: '9' });
  const payment = await smart.begin(id, payer);
  await smart.work();
  const before = await of('across');
  expect(before).toMatchObject({ under_way: expect.any(Number), oldest_seconds: expect.any(Number) });
  await smart.settle();
  expect((await smart.status(payment.id)).body.status).toBe('succeeded');
  const after = await of('across');
  expect(after?.under_way).toBeLessThan(before?.under_way ?? 0);
  expect(after?.day.arrived).toBe((before?.day.arrived ?? 0) + 1);
  expect((await of('relay'))?.quotes).toMatchObject({ prices_of: 35, payments: 15, payments_of: 15 });
  await ctx.db.$transaction((tx) =>
    hitMany(
      ctx,
      tx,
      [{ id: randomUUID(), limits: [{ key: 'relay quotes:payment', window: { points: 15, windowMs: 60_000 } }] }],
      ctx.clock.now(),
    ),
  );
  expect((await of('relay'))?.quotes).toMatchObject({ payments: 14 });

  smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind: 'status', times: 2 }));
  await lookAtBridges(ctx);
  await evaluateAlerts(ctx);
  expect(await open()).toEqual([]);
  await lookAtBridges(ctx);
  await evaluateAlerts(ctx);
  expect(await open()).toMatchObject([{ subject: 'relay' }]);
  expect((await of('relay'))?.problem).toBe('does not answer');
  await lookAtBridges(ctx);
  await evaluateAlerts(ctx);
  expect([await open(), (await of('relay'))?.problem]).toEqual([[], null]);
});
