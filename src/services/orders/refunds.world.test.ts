// Refunds and stray deposits: who gets money back, how much at most, and that nothing but the chain says that it was done.
import { erc20Abi, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { localKey } from '../../../local/stack/people.ts';
import {
  depositOrder,
  giveUsdc,
  orderRow,
  type PayWay,
  payOrder,
  sendAs,
  sendToken,
  termsOf,
} from '../../../test/setup/orders.ts';
import { type Shop, shopOf } from '../../../test/setup/shop.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { encodeRefund, encodeSweep } from '../../chain/routers/payment.ts';
import type { Row } from '../../db.ts';
import { indexChain } from '../operations/feed.ts';
import { cancelOrder, getOrder } from './orders.ts';
import { type DepositArgs, depositArgs } from './payments/strayDeposits.ts';
import { confirmOrderRefund, type RefundArgs, type RouterRefund, refundArgs, type WalletCall } from './refunds.ts';
import { readOrderPage } from './timeline.ts';

let world: World;
let shop: Shop;
let reader: { workspaceId: string };
beforeAll(async () => {
  world = await startWorld();
  shop = shopOf(world);
  reader = { workspaceId: await shop.idOf('shop') };
});
afterAll(() => world.stop());

const code = (code: string, param?: string) =>
  expect.objectContaining(param === undefined ? { code } : { code, param });
const chain = () => world.evmChain();
const merchant = () => localPerson('shop');
const payer = localKey('payer');
const USDC = 1_000_000n;

async function settle() {
  await world.mine(3);
  await indexChain(world.ctx, chain());
}

/** An order of 1 USDC, paid and completed. */
async function paid(way: PayWay = 'direct', more: Partial<Row<'Order'>> = {}): Promise<Row<'Order'>> {
  const order = await orderRow(world, { merchant: 'shop', ...more });
  await payOrder(world, order, 'payer', way);
  await settle();
  return shop.row(order.id);
}

/** The merchant's wallet sends what it was told to. */
async function send(given: RefundArgs | DepositArgs) {
  const args = given as WalletCall & Partial<Pick<RouterRefund, 'approval'>>;
  if (args.approval) {
    expect(args.approval.to).toBe(chain().usdc);
    await sendAs(world, merchant().key, { to: chain().usdc, data: args.approval.data });
  }
  return sendAs(world, merchant().key, { to: args.to as `0x${string}`, data: args.data, value: BigInt(args.value) });
}
const routerRefund = async (...given: Parameters<typeof refundArgs>) => (await refundArgs(...given)) as RouterRefund;
const confirm = (id: string, txHash: string, waitMs = 0) =>
  confirmOrderRefund(world.ctx, reader, id, { txHash }, { waitMs });
const refunds = async (id: string) => (await shop.typesOf(id)).filter((type) => type === 'order.refunded').length;

describe('a refund', () => {
  test('goes to the on-chain payer, all that is left if nothing is said, and is told once', async () => {
    const order = await paid();
    await giveUsdc(world, merchant().address, 10n * USDC);
    const before = await world.usdc('shop');
    const args = await routerRefund(world.ctx, reader, order.id, { amount: '0.4' });
    expect(args).toMatchObject({
      object: 'order.refund',
      router: chain().routers.business,
      to: chain().routers.business,
      from: merchant().address,
      chainId: 8453,
      function: 'refund',
      args: {
        terms: { orderId: order.onChainId, amount: '1000000', fee: '10000' },
        to: payer.address,
        amount: '400000',
      },
      refund_to: payer.address,
      amount: '0.40',
      currency: 'USDC',
      value: '0',
      approval: { spender: chain().routers.business, amount: '400000' },
    });
    const hash = await send(args);
    // In a block, and not final: nothing is counted yet.
    expect((await confirm(order.id, hash)).amount_refunded).toBe('0.00');
    await world.mine(3);
    const view = await confirm(order.id, hash.toUpperCase().replace('0X', '0x'));
    expect(view).toMatchObject({ status: 'completed', amount_refunded: '0.40', amount_received: '1.00' });
    expect(await world.usdc('shop')).toBe(before - 400_000n);
    const events = await shop.events(order.id);
    expect(events.at(-1)).toMatchObject({
      type: 'order.refunded',
      object: { order: view },
      previous: { amount_refunded: '0.00' },
    });

    // The indexer comes to the same block later, and the merchant says it again.
    await settle();
    expect(await confirm(order.id, hash)).toEqual(view);
    expect(await refunds(order.id)).toBe(1);

    const rest = await routerRefund(world.ctx, reader, order.id);
    expect(rest.amount).toBe('0.60');
    const second = await send(rest);
    await settle();
    expect(await getOrder(world.ctx, reader, order.id)).toMatchObject({ status: 'completed', amount_refunded: '1.00' });
    expect((await confirm(order.id, second)).amount_refunded).toBe('1.00');
    expect(await refunds(order.id)).toBe(2);
    await expect(refundArgs(world.ctx, reader, order.id)).rejects.toEqual(code('order_not_refundable'));
  });

  test('that could not be prepared is in no audit log', async () => {
    const order = await paid();
    const entries = () => world.ctx.db.auditEntry.count({ where: { objectId: order.id, action: 'refund.prepared' } });
    const { client } = chain();
    const { readContract } = client;
    const down = vi.spyOn(client, 'readContract').mockImplementation(((given: Parameters<typeof readContract>[0]) => {
      if (given.functionName === 'allowance') throw new Error('the endpoint is away');
      return readContract(given);
    }) as typeof readContract);
    await expect(refundArgs(world.ctx, reader, order.id)).rejects.toEqual(code('provider_unavailable'));
    down.mockRestore();
    expect(await entries()).toBe(0);
    await refundArgs(world.ctx, reader, order.id);
    expect(await entries()).toBe(1);
  });

  test('of the native asset is the transaction’s value', async () => {
    const order = await paid('native', { token: zeroAddress });
    const args = await routerRefund(world.ctx, reader, order.id);
    expect(args).toMatchObject({ value: order.units.toFixed(), currency: 'ETH', approval: null });
    const before = await world.reader().getBalance({ address: payer.address });
    await send(args);
    await settle();
    expect(await world.reader().getBalance({ address: payer.address })).toBe(before + BigInt(args.value));
    expect((await shop.row(order.id)).refundedUnits.toFixed()).toBe(order.units.toFixed());
  });

  test('is never above what was received, nor above what the chain has refunded and we have not seen yet', async () => {
    const order = await paid();
    for (const amount of ['1.000001', '2'])
      await expect(refundArgs(world.ctx, reader, order.id, { amount })).rejects.toEqual(
        code('order_not_refundable', 'amount'),
      );
    for (const amount of ['0', '-1', '0.0000001', 'x'])
      await expect(refundArgs(world.ctx, reader, order.id, { amount })).rejects.toEqual(
        code('parameter_invalid', 'amount'),
      );
    await giveUsdc(world, merchant().address, USDC);
    await send(await routerRefund(world.ctx, reader, order.id, { amount: '0.7' }));
    expect((await routerRefund(world.ctx, reader, order.id)).amount).toBe('0.30');
    await settle();
  });

  test('goes to nobody else', async () => {
    const order = await paid();
    const to = localPerson('bob').address;
    await expect(refundArgs(world.ctx, reader, order.id, { to })).rejects.toEqual(code('order_not_refundable', 'to'));
    const same = await routerRefund(world.ctx, reader, order.id, { to: payer.address.toLowerCase() });
    expect(same.refund_to).toBe(payer.address);
    await giveUsdc(world, merchant().address, USDC);
    await send(same);
    // The wallet does it all the same: that is not the refund that the buyer is told of.
    const again = await paid();
    await giveUsdc(world, merchant().address, USDC);
    const { approval } = await routerRefund(world.ctx, reader, again.id);
    await sendAs(world, merchant().key, { to: chain().usdc, data: approval?.data ?? '0x' });
    const other = await sendAs(world, merchant().key, {
      to: chain().routers.business,
      data: encodeRefund(termsOf(again), to, 1n),
    });
    await world.mine(3);
    await expect(confirm(again.id, other)).rejects.toEqual(code('tx_mismatch', 'txHash'));
    await expect(confirm(again.id, other)).rejects.toThrow('paid someone who didn’t pay this order');
  });

  test('is of an order that was paid', async () => {
    const { order } = await shop.ask('shop');
    await expect(refundArgs(world.ctx, reader, order.id)).rejects.toEqual(code('order_not_refundable'));
    const hash = `0x${'1'.repeat(64)}`;
    await expect(confirm(order.id, hash)).rejects.toEqual(code('order_not_refundable'));
    const bob = { workspaceId: await shop.idOf('bob') };
    await expect(refundArgs(world.ctx, bob, order.id)).rejects.toEqual(code('resource_missing'));
    await expect(confirmOrderRefund(world.ctx, bob, order.id, { txHash: hash })).rejects.toEqual(
      code('resource_missing'),
    );
  });

  test('is believed of no transaction that is not it', async () => {
    const [order, other] = [await paid(), await paid()];
    await expect(confirm(order.id, `0x${'2'.repeat(64)}`)).rejects.toEqual(code('tx_not_found', 'txHash'));
    await giveUsdc(world, merchant().address, USDC);
    const ofOther = await send(await routerRefund(world.ctx, reader, other.id, { amount: '0.1' }));
    await expect(confirm(order.id, ofOther)).rejects.toEqual(code('tx_mismatch', 'txHash'));
    const payment = await payOrder(world, await orderRow(world, { merchant: 'shop' }), 'payer');
    await expect(confirm(order.id, payment)).rejects.toEqual(code('tx_mismatch', 'txHash'));
    // Somebody who is not the payee calls: it fails.
    const stranger = localKey('stranger');
    const failed = await sendAs(world, stranger.key, {
      to: chain().routers.business,
      data: encodeRefund(termsOf(order), payer.address, 1n),
    });
    await expect(confirm(order.id, failed)).rejects.toEqual(code('tx_mismatch', 'txHash'));
    await settle();
    expect((await shop.row(order.id)).refundedUnits.toFixed()).toBe('0');
    expect(await refunds(order.id)).toBe(0);
  });

  test('of a payment that came for a cancelled order goes back as well; the order stays cancelled', async () => {
    const order = await orderRow(world, { merchant: 'shop' });
    await cancelOrder(world.ctx, reader, order.id);
    await payOrder(world, order, 'payer');
    await settle();
    expect((await shop.row(order.id)).status).toBe('cancelled');
    await giveUsdc(world, merchant().address, USDC);
    const args = await routerRefund(world.ctx, reader, order.id);
    expect(args).toMatchObject({ refund_to: payer.address, amount: '1.00', paid_by_transfer: false });
    const hash = await send(args);
    await world.mine(3);
    expect(await confirm(order.id, hash)).toMatchObject({ status: 'cancelled', amount_refunded: '1.00' });
    await settle();
    expect(await refunds(order.id)).toBe(1);
  });
});

describe('a deposit', () => {
  /** Sent to the order's own address by somebody who has it. */
  async function deposit(order: { at: `0x${string}` }, who: string, units: bigint) {
    await giveUsdc(world, localKey(who).address, units);
    await sendToken(world, localKey(who).key, chain().usdc, order.at, units);
  }
  const deposits = (id: string, wish: Parameters<typeof depositArgs>[3]) => depositArgs(world.ctx, reader, id, wish);

  const sweep = (order: Row<'Order'>) =>
    sendAs(world, localKey('relayer').key, { to: chain().routers.business, data: encodeSweep(termsOf(order)) });

  test('that paid an order is refunded to its sender, and so is what was too much', async () => {
    const order = await depositOrder(world, { merchant: 'shop' });
    const sender = localKey('sender').address;
    await deposit(order, 'sender', USDC + 250_000n);
    await sweep(order);
    await settle();
    expect(await shop.row(order.id)).toMatchObject({ status: 'completed', payer: sender });
    expect(await routerRefund(world.ctx, reader, order.id)).toMatchObject({
      refund_to: sender,
      amount: '1.00',
      paid_by_transfer: true,
    });
    expect((await readOrderPage(world.ctx, reader.workspaceId, order.id)).order.paid_by_transfer).toBe(true);
    for (const to of [order.at, merchant().address])
      await expect(refundArgs(world.ctx, reader, order.id, { to })).rejects.toEqual(code('order_not_refundable', 'to'));
    const excess = await deposits(order.id, { action: 'send_back' });
    expect(excess).toMatchObject({ amount: '0.25', args: { to: sender } });
    await send(excess);
    await settle();
    await expect(deposits(order.id, { action: 'send_back' })).rejects.toEqual(code('state_conflict'));
  });

  test('of one sender in two parts is refunded in one: all of it', async () => {
    const order = await depositOrder(world, { merchant: 'shop' });
    await deposit(order, 'twice', 600_000n);
    await deposit(order, 'twice', 400_000n);
    await sweep(order);
    await settle();
    expect(await routerRefund(world.ctx, reader, order.id)).toMatchObject({
      refund_to: localKey('twice').address,
      amount: '1.00',
    });
  });

  test('that came to a paid order makes its sender no payer of it', async () => {
    const order = await depositOrder(world, { merchant: 'shop' });
    await deposit(order, 'the payer of it', 1_000_000n);
    await sweep(order);
    await settle();
    await deposit(order, 'after it', 5_000_000n);
    await settle();
    expect(await shop.row(order.id)).toMatchObject({ status: 'completed' });
    expect(await routerRefund(world.ctx, reader, order.id)).toMatchObject({
      refund_to: localKey('the payer of it').address,
      amount: '1.00',
    });
  });

  test('that several paid goes back to each of them, as much as each sent', async () => {
    const order = await depositOrder(world, { merchant: 'shop' });
    await deposit(order, 'sender', 600_000n);
    await deposit(order, 'second', 400_000n);
    await sweep(order);
    await settle();
    await expect(refundArgs(world.ctx, reader, order.id)).rejects.toEqual(code('parameter_missing', 'to'));
    const to = localKey('second').address;
    await expect(refundArgs(world.ctx, reader, order.id, { to, amount: '0.5' })).rejects.toEqual(
      code('order_not_refundable', 'amount'),
    );
    await giveUsdc(world, merchant().address, USDC);
    await send(await routerRefund(world.ctx, reader, order.id, { to }));
    await settle();
    await expect(refundArgs(world.ctx, reader, order.id, { to })).rejects.toEqual(code('order_not_refundable'));
    expect((await routerRefund(world.ctx, reader, order.id, { to: localKey('sender').address })).amount).toBe('0.60');
  });

  test('of a part waits, and is accepted, or sent back to whoever sent it', async () => {
    const order = await depositOrder(world, { merchant: 'shop' });
    await expect(deposits(order.id, { action: 'accept' })).rejects.toEqual(code('state_conflict'));
    await deposit(order, 'sender', 300_000n);
    await deposit(order, 'third', 200_000n);
    await settle();
    await expect(deposits(order.id, { action: 'send_back' })).rejects.toEqual(code('parameter_missing', 'to'));
    await expect(deposits(order.id, { action: 'send_back', to: merchant().address })).rejects.toEqual(
      code('order_not_refundable', 'to'),
    );
    const second = localKey('third').address;
    await expect(deposits(order.id, { action: 'send_back', to: second, amount: '0.3' })).rejects.toEqual(
      code('order_not_refundable', 'amount'),
    );
    const back = await deposits(order.id, { action: 'send_back', to: second });
    expect(back).toMatchObject({
      function: 'refundDeposit',
      amount: '0.20',
      args: { to: second, amount: '200000' },
      value: '0',
    });
    await send(back);
    await settle();
    expect(
      await world
        .reader()
        .readContract({ address: chain().usdc, abi: erc20Abi, functionName: 'balanceOf', args: [second] }),
    ).toBe(200_000n);
    await expect(deposits(order.id, { action: 'send_back', to: second })).rejects.toEqual(
      code('order_not_refundable', 'amount'),
    );
    const before = await world.usdc('shop');
    const take = await deposits(order.id, { action: 'accept' });
    expect(take).toMatchObject({ function: 'acceptDeposit', amount: '0.30' });
    await send(take);
    await settle();
    expect(await world.usdc('shop')).toBe(before + 297_000n);
    expect((await shop.row(order.id)).status).toBe('awaiting_payment');
    // What was given is in the audit log, and no refusal is.
    const entries = await world.ctx.db.auditEntry.findMany({ where: { objectId: order.id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ action, after }) => [action, after])).toEqual([
      ['deposit.prepared', { amount: '0.20', currency: 'USDC', to: second, does: 'send_back' }],
      ['deposit.prepared', { amount: '0.30', currency: 'USDC', to: null, does: 'accept' }],
    ]);
  });

  test('that covers the order can only pay it', async () => {
    const order = await depositOrder(world, { merchant: 'shop' });
    await deposit(order, 'sender', USDC);
    await settle();
    for (const action of ['accept', 'send_back'] as const)
      await expect(deposits(order.id, { action })).rejects.toEqual(code('state_conflict'));
  });

  test('of the native asset has no known sender: it is accepted', async () => {
    const order = await depositOrder(world, { merchant: 'shop' });
    await sendAs(world, payer.key, { to: order.at, value: 5n });
    await expect(deposits(order.id, { action: 'send_back', currency: 'ETH' })).rejects.toEqual(
      code('order_not_refundable'),
    );
    const take = await deposits(order.id, { action: 'accept', currency: 'ETH' });
    expect(take.amount).toBe('0.000000000000000005');
    await send(take);
    await expect(deposits(order.id, { action: 'accept', currency: 'ETH' })).rejects.toEqual(code('state_conflict'));
    await expect(deposits(order.id, { action: 'accept', currency: 'BNB' })).rejects.toEqual(code('unsupported_asset'));
  });
});
