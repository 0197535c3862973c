// Addresses that were handed out: what covers an order in time is swept and completes it, and everything else stays the payee's to decide about.
import { encodeFunctionData, erc20Abi, zeroAddress } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { localKey } from '../../../../local/stack/people.ts';
import { type Checkout, checkoutOf } from '../../../../test/setup/checkout.ts';
import { giveUsdc, orderRow, payOrder, sendAs } from '../../../../test/setup/orders.ts';
import { serveWorld, visitor } from '../../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../../test/setup/world.ts';
import type { Address } from '../../../chain/rpc/client.ts';

let world: World;
let checkout: Checkout;
beforeAll(async () => {
  world = await startWorld();
  checkout = checkoutOf(world, visitor(await serveWorld(world)));
  await checkout.index();
});
afterAll(() => world.stop());
beforeEach(() => checkout.later(61));

const statusOf = async (id: string) => (await checkout.row(id)).status;
const waysOf = async (id: string) => (await checkout.submissions(id)).map(({ way, status }) => `${way} ${status}`);
const received = async (id: string) => Number((await checkout.row(id)).receivedUnits);

/** An order whose address somebody asked for. */
async function shown(wishes: Parameters<typeof orderRow>[1] = {}) {
  const order = await orderRow(world, wishes);
  const { body } = await checkout.prepare(order.id, { way: 'deposit' });
  return { ...order, at: body.deposit.address as Address };
}
/** One round of everything. */
async function round() {
  await checkout.deposits();
  await checkout.finish();
}

test('the exact amount is swept and completes the order; its sender is the payer', async () => {
  const order = await shown();
  const before = await world.usdc('bob');
  const from = localKey('sender');
  await checkout.fund('sender', '1');
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [order.at, 1_000_000n] });
  await sendAs(world, from.key, { to: world.evmChain().usdc, data });
  expect(await checkout.deposits()).toBe(1);
  expect(await checkout.deposits()).toBe(0);
  await checkout.finish();
  expect([await statusOf(order.id), await waysOf(order.id)]).toEqual(['completed', ['sweep settled']]);
  expect((await world.usdc('bob')) - before).toBe(1_000_000n);
  expect((await checkout.row(order.id)).payer).toBe(from.address);
});

test('two rounds at once ask for one sweep', async () => {
  const order = await shown();
  await giveUsdc(world, order.at, 1_000_000n);
  await Promise.all([checkout.deposits(), checkout.deposits(), checkout.deposits()]);
  expect(await checkout.submissions(order.id)).toHaveLength(1);
  await checkout.finish();
  expect(await statusOf(order.id)).toBe('completed');
});

test('too much completes it too; what is over stays at the address', async () => {
  const order = await shown();
  await giveUsdc(world, order.at, 1_700_000n);
  await round();
  expect([await statusOf(order.id), await received(order.id)]).toEqual(['completed', 1_700_000]);
});

test('in two parts: the second one completes it', async () => {
  const order = await shown({ merchant: 'shop' });
  await giveUsdc(world, order.at, 400_000n);
  await round();
  expect([await statusOf(order.id), await waysOf(order.id), await received(order.id)]).toEqual([
    'awaiting_payment',
    [],
    400_000,
  ]);
  const fees = await world.usdc('treasury');
  await giveUsdc(world, order.at, 600_000n);
  await round();
  expect(await statusOf(order.id)).toBe('completed');
  expect((await world.usdc('treasury')) - fees).toBe(10_000n);
});

test('a part of it, too late, or another token: nothing is swept, and the order expires', async () => {
  const deadline = BigInt(Math.floor(world.ctx.clock.now() / 1_000) + 120);
  const [part, late, other] = [await shown({ deadline }), await shown({ deadline }), await shown({ deadline })];
  await giveUsdc(world, part.at, 999_999n);
  await world.admin().setBalance({ address: other.at, value: 10n ** 18n });
  await round();
  await checkout.later(121);
  await giveUsdc(world, late.at, 1_000_000n);
  await round();
  for (const { id } of [part, late, other]) expect([await statusOf(id), await waysOf(id)]).toEqual(['expired', []]);
});

test('the native asset', async () => {
  const order = await shown({ token: zeroAddress, units: '5000000000000000' as never });
  const before = await checkout.balance(localPerson('bob').address);
  await sendAs(world, localKey('sender').key, { to: order.at, value: 4_999_999_999_999_999n });
  expect(await checkout.deposits()).toBe(0);
  await sendAs(world, localKey('sender').key, { to: order.at, value: 1n });
  await round();
  expect(await statusOf(order.id)).toBe('completed');
  expect((await checkout.balance(localPerson('bob').address)) - before).toBe(5_000_000_000_000_000n);
});

test('an order that is paid in another way, or whose address nobody was shown, is not swept', async () => {
  const paid = await shown();
  await giveUsdc(world, paid.at, 1_000_000n);
  await payOrder(world, paid, 'faster');
  expect(await checkout.deposits()).toBe(0);
  await checkout.finish();
  expect([await statusOf(paid.id), await waysOf(paid.id)]).toEqual(['completed', []]);
  const hidden = await orderRow(world);
  expect(await checkout.deposits()).toBe(0);
  expect(await waysOf(hidden.id)).toEqual([]);
});

test('while a signed payment of it is under way there is no sweep; both never count', async () => {
  const order = await shown();
  await checkout.fund('both', '1');
  await checkout.pay(order.id, { payer: 'both' });
  await giveUsdc(world, order.at, 1_000_000n);
  expect(await checkout.deposits()).toBe(0);
  await checkout.finish();
  await round();
  expect([await statusOf(order.id), await waysOf(order.id)]).toEqual(['completed', ['eip3009 settled']]);
});

test('more addresses than a round takes: each has its turn', async () => {
  const many = [];
  for (let count = 0; count < 3; count++) many.push(await shown());
  const { ctx } = world;
  const [first] = many;
  // Two hundred others stand before the last ones.
  const { chat: _, ...row } = await checkout.row(first?.id ?? '');
  const copies = Array.from({ length: 250 }, (_one, index) => {
    const number = String(index).padStart(4, '0');
    return {
      ...row,
      id: `ord_${'0'.repeat(22)}${number}`,
      onChainId: `0x${number.padStart(64, '0')}`,
      depositAddress: `0x${number.padStart(40, '1')}`,
      metadata: {},
      lineItems: [],
    };
  });
  await ctx.db.order.createMany({ data: copies });
  const last = many.at(-1);
  await giveUsdc(world, last?.at ?? '0x', 1_000_000n);
  const counts = [await checkout.deposits(), await checkout.deposits(), await checkout.deposits()];
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  await ctx.db.order.deleteMany({ where: { id: { in: copies.map(({ id }) => id) } } });
  await checkout.finish();
  expect(await statusOf(last?.id ?? '')).toBe('completed');
});
