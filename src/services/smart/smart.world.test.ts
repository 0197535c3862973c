// Smart payments over Across's real contracts: one signature, a wallet's own transactions, packs, and every way in which one ends otherwise.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { orderRow } from '../../../test/setup/orders.ts';
import { type SmartWorld, startSmartWorld } from '../../../test/setup/smart.ts';
import { localPerson } from '../../../test/setup/world.ts';

let smart: SmartWorld;
beforeAll(async () => {
  smart = await startSmartWorld(['base', 'celo', 'ink']);
});
afterAll(() => smart.stop());
beforeEach(() => smart.later(61));

const order = (usdc: number, wishes: object = {}) =>
  orderRow(smart.world, { merchant: 'bob', units: BigInt(usdc * 1e6) as never, ...wishes });
const orderOf = (id: string) => smart.checkout.row(id);
const eventsOf = async (id: string) =>
  (await smart.world.ctx.db.event.findMany({ where: { resourceId: id } })).map(({ type }) => type);

test('an order on Base is paid from Celo with one signature and no gas', async () => {
  const { id, depositAddress: _ } = await order(25);
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
