// Orders on every chain by the same tests, over real HTTP: a table of chains, of which each has its own way to sign, to send and to become final.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type OrderPlace, PLACES, startOrderPlaces } from '../../../test/setup/orderPlaces.ts';
import { walletOfPerson } from '../../../test/setup/signer.ts';
import type { Answer } from '../../../test/setup/visitor.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Body = any;

let at: Awaited<ReturnType<typeof startOrderPlaces>>;
beforeAll(async () => {
  at = await startOrderPlaces();
});
afterAll(() => at.stop());

const codeOf = ({ status, body }: Answer) => [status, body.error?.code ?? null];
const order = async (id: string) => (await at.shop.get(`/api/orders/${id}`)).body;
const eventsOf = async (id: string) =>
  (await at.world.ctx.db.event.findMany({ where: { resourceId: id }, orderBy: { id: 'asc' } })).map(({ type }) => type);
const submissions = (orderId: string) => at.world.ctx.db.orderSubmission.findMany({ where: { orderId } });

describe.each(PLACES)('an order on %s', (chain) => {
  let place: OrderPlace;
  let number = 0;
  let payer: string;
  beforeEach(async () => {
    place = at.places[chain];
    // No call counts against those of another test.
    await place.later(25 * 3_600);
    await at.shop.signIn(walletOfPerson('shop'));
    number += 1;
    payer = `${chain} payer ${number}`;
    await place.fund(payer, '20');
  });

  const make = async (wish: object = {}): Promise<Body> => {
    const { body } = await at.shop.post('/api/orders', { amount: '5', chain, ...wish });
    expect(body.error).toBeUndefined();
    return body.order;
  };
  const submit = ({ id }: Body, body: object) => at.buyer.post(`/api/checkout/${id}/submit`, body);
  const had = async (...names: string[]) => {
    const before = await Promise.all(names.map((name) => place.usdcOf(name)));
    return async () => {
      const now = await Promise.all(names.map((name) => place.usdcOf(name)));
      return now.map((units, index) => units - (before[index] ?? 0n));
    };
  };
  const units = (...amounts: string[]) =>
    amounts.map((amount) => (amount.startsWith('-') ? -place.units(amount.slice(1)) : place.units(amount)));
  const paid = async (): Promise<Body> => {
    const made = await make();
    expect(codeOf(await submit(made, await place.sign(made, payer)))).toEqual([200, null]);
    await place.work();
    expect((await order(made.id)).order.status).toBe('completed');
    return made;
  };
  const addressOf = async ({ id }: Body): Promise<string> => {
    const { body } = await at.buyer.post('/api/checkout', { order_id: id, way: 'deposit' });
    expect(body.deposit).toMatchObject({ amount: '5.00', currency: 'USDC', units: String(place.units('5')) });
    return body.deposit.address;
  };

  test('is paid by one signature: to the unit, its fee to the treasury, told once, and never again', async () => {
    const change = await had(payer, 'shop', 'treasury');
    const made = await make();
    const signed = await place.sign(made, payer);
    const first = await submit(made, signed);
    expect(first.body.error).toBeUndefined();
    expect(first.body.submission).toMatchObject({ status: 'queued' });
    await place.send();
    expect((await order(made.id)).order.status).toBe('processing');
    await place.work();
    const { order: view } = await order(made.id);
    expect(view).toMatchObject({ status: 'completed', amount_received: '5.00', payer: place.addressOf(payer) });
    expect(await change()).toEqual(units('-5', '4.95', '0.05'));
    expect(await eventsOf(made.id)).toEqual(['order.created', 'order.completed']);
    // A client that never got the answer.
    await submit(made, signed);
    await place.work();
    expect(await change()).toEqual(units('-5', '4.95', '0.05'));
    expect(await submissions(made.id)).toHaveLength(1);
  });

  test('is paid once by five signatures of two wallets that come at once', async () => {
    const other = `${payer}, another`;
    await place.fund(other, '20');
    const change = await had(payer, other, 'shop');
    const made = await make();
    const signed = [];
    for (const name of [payer, other, payer, other, payer]) signed.push(await place.sign(made, name));
    const answers = await Promise.all(signed.map((body) => submit(made, body)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    await Promise.all([place.send(), place.send()]);
    await place.work();
    const [first = 0n, second = 0n, shop] = await change();
    expect([first + second, shop]).toEqual(units('-5', '4.95'));
    expect((await eventsOf(made.id)).filter((type) => type === 'order.completed')).toHaveLength(1);
  });

  test('takes no signature of another wallet or for another order, and stores nothing of it', async () => {
    const [made, other] = [await make(), await make()];
    const stranger = `${payer}, a stranger`;
    await place.fund(stranger, '20');
    const [own, foreign] = [await place.sign(made, payer), await place.sign(made, stranger)];
    expect(codeOf(await submit(other, own))).toEqual([400, 'signature_invalid']);
    expect(codeOf(await submit(made, { ...foreign, payer: place.addressOf(payer) }))).toEqual([
      400,
      'signature_invalid',
    ]);
    expect([...(await submissions(made.id)), ...(await submissions(other.id))]).toEqual([]);
    expect((await order(made.id)).order.status).toBe('awaiting_payment');
  });

  test('that was cancelled or is over takes no payment, signed before or after', async () => {
    const [cancelled, late] = [await make(), await make({ expires_in: 600 })];
    const signed = [await place.sign(cancelled, payer), await place.sign(late, payer)];
    expect(codeOf(await at.shop.post(`/api/orders/${cancelled.id}/cancel`, {}))).toEqual([200, null]);
    await place.later(601);
    for (const [index, made] of [cancelled, late].entries()) {
      expect(codeOf(await submit(made, signed[index] ?? {}))).toEqual([409, 'order_not_payable']);
      const { status, body } = await at.buyer.post('/api/checkout', {
        order_id: made.id,
        payer: place.addressOf(payer),
      });
      expect([status, body.error?.code]).toEqual([409, 'order_not_payable']);
    }
    expect(await eventsOf(cancelled.id)).toEqual(['order.created', 'order.cancelled']);
  });

  test('whose payer has lost the money before it is sent can be paid again', async () => {
    const made = await make();
    await submit(made, await place.sign(made, payer));
    await place.drain(payer);
    await place.work();
    expect((await order(made.id)).order.status).toBe('awaiting_payment');
    expect((await submissions(made.id)).map(({ status }) => status)).toEqual(['failed']);
    await place.later(61);
    await place.fund(payer, '5');
    const change = await had(payer, 'shop');
    expect(codeOf(await submit(made, await place.sign(made, payer)))).toEqual([200, null]);
    await place.work();
    expect((await order(made.id)).order.status).toBe('completed');
    expect(await change()).toEqual(units('-5', '4.95'));
  });

  test('is paid at its own address in two parts, by whom they came from', async () => {
    const change = await had(payer, 'shop', 'treasury');
    const made = await make();
    const address = await addressOf(made);
    await place.transfer(address, payer, '2');
    await place.work();
    expect((await order(made.id)).order).toMatchObject({
      status: 'awaiting_payment',
      amount_received: '2.00',
      amount_due: '3.00',
    });
    await place.transfer(address, payer, '3');
    await place.work();
    const { order: view } = await order(made.id);
    expect(view).toMatchObject({ status: 'completed', amount_received: '5.00', payer: place.addressOf(payer) });
    expect(await change()).toEqual(units('-5', '4.95', '0.05'));
  });

  test('that gets too much at its address completes, and the rest goes back', async () => {
    const change = await had(payer, 'shop');
    const made = await make();
    await place.transfer(await addressOf(made), payer, '7');
    await place.work();
    const { order: view, unmatched } = await order(made.id);
    expect(view.status).toBe('completed');
    expect(unmatched).toMatchObject([
      { amount: '2.00', senders: [place.addressOf(payer)], actions: ['accept', 'send_back'] },
    ]);
    const path = `/api/orders/${made.id}/deposit`;
    const { body } = await at.shop.post(path, { action: 'send_back' });
    await place.carryOut(path, body.deposit, { action: 'send_back' });
    await place.work();
    expect(await change()).toEqual(units('-5', '4.95'));
    expect((await order(made.id)).unmatched).toEqual([]);
  });

  test('that gets its money too late expires, and the merchant accepts it less the fee', async () => {
    const change = await had(payer, 'shop', 'treasury');
    const made = await make({ expires_in: 600 });
    const address = await addressOf(made);
    await place.later(700);
    await place.transfer(address, payer, '5');
    await place.work();
    const { order: view, unmatched } = await order(made.id);
    expect(view.status).toBe('expired');
    expect(unmatched).toMatchObject([{ amount: '5.00', reason: expect.stringContaining('after the order') }]);
    expect(await eventsOf(made.id)).toEqual(['order.created', 'order.expired']);
    const path = `/api/orders/${made.id}/deposit`;
    const { body } = await at.shop.post(path, { action: 'accept' });
    await place.carryOut(path, body.deposit, { action: 'accept' });
    await place.work();
    expect(await change()).toEqual(units('-5', '4.95', '0.05'));
    expect((await order(made.id)).unmatched).toEqual([]);
  });

  test('that is signed for and gets a transfer as well is paid by one of them; the other one waits', async () => {
    const change = await had(payer, 'shop');
    const made = await make();
    const address = await addressOf(made);
    await submit(made, await place.sign(made, payer));
    await place.transfer(address, payer, '5');
    await place.look();
    expect(await submissions(made.id)).toHaveLength(1);
    await place.work();
    const { order: view, unmatched } = await order(made.id);
    expect(view.status).toBe('completed');
    expect(unmatched).toMatchObject([{ amount: '5.00' }]);
    expect(await change()).toEqual(units('-10', '4.95'));
  });

  test('is refunded to its payer, in parts, never above what was paid, and believed of no other transaction', async () => {
    const [made, other] = [await paid(), await paid()];
    await place.fund('shop', '10');
    const change = await had(payer, 'shop');
    const path = `/api/orders/${made.id}/refund`;
    const refuse = async (body: object) => codeOf(await at.shop.post(path, body))[1];
    expect(await refuse({ amount: '5.01' })).toBe('order_not_refundable');
    expect(await refuse({ to: place.addressOf('shop') })).toBe('order_not_refundable');
    const first = (await at.shop.post(path, { amount: '2' })).body.refund;
    expect(first).toMatchObject({ refund_to: place.addressOf(payer), amount: '2.00' });
    const txHash = await place.carryOut(path, first);
    await place.work();
    const wrong = await at.shop.post(`/api/orders/${other.id}/refund`, { action: 'confirm', txHash });
    expect(codeOf(wrong)).toEqual([422, 'tx_mismatch']);
    for (let times = 0; times < 2; times += 1)
      expect((await at.shop.post(path, { action: 'confirm', txHash })).body.order.amount_refunded).toBe('2.00');
    expect(await refuse({ amount: '3.01' })).toBe('order_not_refundable');
    await place.carryOut(path, (await at.shop.post(path, {})).body.refund);
    await place.work();
    expect((await order(made.id)).order).toMatchObject({ status: 'completed', amount_refunded: '5.00' });
    expect(await refuse({})).toBe('order_not_refundable');
    expect(await change()).toEqual(units('5', '-5'));
    expect((await eventsOf(made.id)).filter((type) => type === 'order.refunded')).toHaveLength(2);
  });

  test('that is not paid has nothing to refund and nothing to accept', async () => {
    const made = await make();
    expect(codeOf(await at.shop.post(`/api/orders/${made.id}/refund`, {}))[1]).toBe('order_not_refundable');
    expect(codeOf(await at.shop.post(`/api/orders/${made.id}/deposit`, { action: 'accept' }))[1]).toBe(
      'state_conflict',
    );
  });
});
