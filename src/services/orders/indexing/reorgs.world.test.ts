// Reorgs while orders settle: whatever the chain takes back and gives again, our rows end as a clean replay would have them, and nothing that was
// completed is undone.
import { zeroAddress } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { localKey } from '../../../../local/stack/people.ts';
import { depositOrder, giveUsdc, orderRow, payOrder, sendToken } from '../../../../test/setup/orders.ts';
import { chainThrough, type Payments, paymentsOf } from '../../../../test/setup/payments.ts';
import { type RpcProxy, startRpcProxy } from '../../../../test/setup/rpcProxy.ts';
import { startWorld, type World } from '../../../../test/setup/world.ts';
import type { Hash } from '../../../chain/rpc/client.ts';
import type { Row } from '../../../db.ts';

let world: World;
let payments: Payments;
let proxy: RpcProxy;
beforeAll(async () => {
  world = await startWorld();
  const direct = world.anvilOf().rpcUrl;
  proxy = await startRpcProxy(direct);
  const chain = chainThrough(world.evmChain(), [proxy.url, direct]);
  payments = paymentsOf(world, () => chain);
  await payments.settle();
});
afterAll(async () => {
  await world.stop();
  await proxy.close();
});
afterEach(() => proxy.setDead(false));

type Order = Row<'Order'>;
const native = () => orderRow(world, { token: zeroAddress });
const pay = (order: Order) => payOrder(world, order, 'payer', 'native');
const lost = async () =>
  (await world.ctx.db.alert.findMany({ where: { kind: 'payment_lost' } })).map((row) => row.subject);

/** As many blocks as the reorg takes, each with a payment; the index looks in between. */
async function payEach(depth: number): Promise<{ orders: Order[]; hashes: Hash[] }> {
  const [orders, hashes]: [Order[], Hash[]] = [[], []];
  // A node has the state of its newest blocks only.
  await world.mine(2);
  for (let block = 0; block < depth; block++) {
    const order = await native();
    orders.push(order);
    hashes.push(await pay(order));
    if (block % 3 === 2) await payments.index();
  }
  await payments.index();
  return { orders, hashes };
}

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('a reorg of %i blocks', (depth) => {
  test('after which the payments are made again in other blocks, with an endpoint that dies meanwhile', async () => {
    const { orders, hashes } = await payEach(depth);
    const completed = await Promise.all(orders.map((order) => payments.status(order)));
    // Each where it was, or all in the first of the new blocks, or all in the last.
    await payments.reorg(depth, hashes, (index) => [index, 0, depth - 1][depth % 3] ?? 0);
    proxy.setDead(depth % 2 === 0);
    await payments.index();
    proxy.setDead(false);
    await payments.settle();
    for (const [index, order] of orders.entries()) {
      expect(await payments.status(order)).toBe('completed');
      expect(await payments.moves(order.id)).toEqual(['submit', 'settle']);
      expect(await payments.events(order)).toEqual(['order.completed']);
      expect(completed[index]).toBe(index < depth - 2 ? 'completed' : 'awaiting_payment');
    }
    expect(await payments.state(orders)).toEqual(await payments.replayed(orders));
  });

  test('in which the payments vanish: none is completed by them, those that were stay so, and paid again they name what there is', async () => {
    const { orders } = await payEach(depth);
    const before = await Promise.all(orders.map((order) => payments.status(order)));
    await payments.reorg(depth);
    await payments.settle();
    const after = await Promise.all(orders.map((order) => payments.status(order)));
    // Final are all blocks but the newest two.
    expect(before).toEqual(orders.map((_, index) => (index < depth - 2 ? 'completed' : 'awaiting_payment')));
    expect(after).toEqual(before);
    for (const order of orders) {
      expect(await payments.outcomes(order)).toEqual([]);
      expect(await payments.received(order)).toBe('0');
    }
    await world.mine(3);
    await payments.index();
    expect((await lost()).filter((id) => orders.some((order) => order.id === id)).sort()).toEqual(
      orders.filter((_, index) => before[index] === 'completed').map(({ id }) => id),
    );
    for (const order of orders) await pay(order);
    await payments.settle();
    expect(await payments.state(orders)).toEqual(await payments.replayed(orders));
    for (const order of orders) {
      expect(await payments.moves(order.id)).toEqual(['submit', 'settle']);
      expect(await payments.events(order)).toEqual(['order.completed']);
    }
  });
});

describe('a reorg below the checkpoint', () => {
  test('takes back deposits and refunds, and what was received for them', async () => {
    const [order, part] = [await depositOrder(world), await depositOrder(world)];
    const { key, address } = localKey('payer');
    await giveUsdc(world, address, 1_000_000n);
    await world.mine(2);
    await sendToken(world, key, world.evmChain().usdc, part.at, 400_000n);
    await payOrder(world, order, 'payer', 'sweep');
    await world.mine(2);
    await payments.index();
    expect([await payments.received(order), await payments.received(part)]).toEqual(['1000000', '400000']);
    await payments.reorg(7);
    await payments.settle();
    expect([await payments.received(order), await payments.received(part)]).toEqual(['0', '0']);
    expect([await payments.status(order), await payments.status(part)]).toEqual(['completed', 'awaiting_payment']);
    await payOrder(world, order, 'payer', 'sweep');
    await payments.settle();
    expect(await payments.outcomes(order)).toEqual(['deposit credited', 'settled credited']);
    expect(await payments.state([order, part])).toEqual(await payments.replayed([order, part]));
  });

  test('while another process is at work: both end where one would', async () => {
    const { orders, hashes } = await payEach(6);
    await payments.reorg(6, hashes, () => 5);
    const rounds = await Promise.allSettled([1, 2, 3].map(() => payments.index()));
    for (const round of rounds)
      if (round.status === 'rejected') expect(round.reason).toMatchObject({ code: 'state_conflict' });
    await payments.settle();
    expect(await payments.state(orders)).toEqual(await payments.replayed(orders));
    for (const order of orders) expect(await payments.moves(order.id)).toEqual(['submit', 'settle']);
  });

  test('deeper than everything that is known is lived through', async () => {
    const order = await native();
    await pay(order);
    await payments.settle();
    const { hashes } = await payments.checkpoint();
    const lies = (hashes as [number, string][]).map(([number]) => [number, `0x${'ee'.repeat(32)}`]);
    await world.ctx.db.indexerCheckpoint.updateMany({ where: { chain: 'base' }, data: { hashes: lies } });
    const next = await native();
    await pay(next);
    await payments.settle();
    expect(await payments.state([order, next])).toEqual(await payments.replayed([order, next]));
    expect(await payments.status(next)).toBe('completed');
  });
});
