// kill -9 of the workers in the gaps between a stored payment, the chain and the order: afterwards the order is completed by exactly one transaction.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../src/db.ts';
import { submitPayment } from '../../src/services/orders/payments/submissions.ts';
import { type Checkout, checkoutOf } from '../setup/checkout.ts';
import { giveUsdc, orderRow } from '../setup/orders.ts';
import { lockTable, processOf, type Runner, until } from '../setup/processes.ts';
import { type RpcProxy, startRpcProxy } from '../setup/rpcProxy.ts';
import { serveWorld, visitor } from '../setup/visitor.ts';
import { startWorld, type World } from '../setup/world.ts';

let world: World;
let checkout: Checkout;
let proxy: RpcProxy;
let workers: Runner;
let order: Row<'Order'>;
let had: bigint;
beforeEach(async () => {
  const base = async (direct: string) => {
    proxy = await startRpcProxy(direct);
    return proxy.url;
  };
  world = await startWorld({ anvil: { blockTimeSeconds: 1 }, rpcUrls: { base } });
  checkout = checkoutOf(world, visitor(await serveWorld(world)));
  await checkout.index();
  workers = processOf(world, 'workers');
  order = await orderRow(world);
  had = await world.usdc('bob');
});
afterEach(async () => {
  await workers.stop();
  await world.stop();
  await proxy.close();
});

async function submit(): Promise<void> {
  await checkout.fund('buyer', '5');
  const body = await checkout.signed(order.id, { payer: 'buyer' });
  await submitPayment(world.ctx, order.id, body as never);
}
const statusOf = async () => (await checkout.row(order.id)).status;
const stored = () => world.ctx.db.outgoingTx.count({ where: { kind: 'order', nonce: { not: null } } });

async function exactlyOnce(): Promise<void> {
  await until(async () => (await statusOf()) === 'completed', 'the order is completed', 45_000);
  await until(
    async () => (await checkout.submissions(order.id)).every(({ status }) => status === 'settled'),
    'settled',
  );
  expect([(await world.usdc('bob')) - had, await stored()]).toEqual([1_000_000n, 1]);
  expect(await world.ctx.db.event.count({ where: { resourceId: order.id, type: 'order.completed' } })).toBe(1);
}

describe('kill -9 between', () => {
  test('signed and broadcast', async () => {
    const gate = proxy.hold('eth_sendRawTransaction', 'before');
    await submit();
    await workers.start();
    await gate.reached;
    expect([await stored(), await statusOf()]).toEqual([1, 'processing']);
    await workers.kill();
    gate.open();
    expect(await world.usdc('bob')).toBe(had);
    await workers.start();
    await exactlyOnce();
  });

  test('broadcast and the record of it', async () => {
    const gate = proxy.hold('eth_sendRawTransaction', 'after');
    await submit();
    await workers.start();
    await gate.reached;
    await workers.kill();
    gate.open();
    await workers.start();
    await exactlyOnce();
  });

  test('the look at it and the transaction that stores it', async () => {
    await submit();
    const lock = await lockTable(world.databaseUrl, 'outgoing_tx');
    await workers.start();
    await lock.reached();
    await workers.kill();
    await lock.release();
    expect([await stored(), await statusOf()]).toEqual([0, 'awaiting_payment']);
    await workers.start();
    await exactlyOnce();
  });

  test('a deposit that was seen and its sweep', async () => {
    await checkout.prepare(order.id, { way: 'deposit' });
    const { depositAddress } = await checkout.row(order.id);
    await giveUsdc(world, depositAddress as `0x${string}`, 1_000_000n);
    const gate = proxy.hold('eth_sendRawTransaction', 'before');
    await workers.start();
    await gate.reached;
    await workers.kill();
    gate.open();
    await workers.start();
    await exactlyOnce();
  });
});
