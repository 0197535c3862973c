// kill -9 of the workers while an order on Solana is paid: by a signed transaction, by a transfer to its address, by one to the treasury. Afterwards it is
// settled by exactly one transaction, and nothing left the treasury twice.
import { expect, test } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { isKeyInUse } from '../../src/services/outgoing/keys.ts';
import { killedSolanaWorlds } from '../setup/killing.ts';
import { until } from '../setup/processes.ts';
import { signTransaction, walletOfPerson } from '../setup/signer.ts';
import { transferUsdc } from '../setup/solanaTransfers.ts';
import { serveWorld, type Visitor, visitor } from '../setup/visitor.ts';

// What a wallet signed is not signed again by us: how long a restart takes must not end its block hash.
const held = killedSolanaWorlds('bots', 0);
const PRICE = 5_000_000n;

type Order = { id: string; had: { shop: bigint; alice: bigint; treasury: bigint }; buyer: Visitor };
const balances = () => {
  const { solana } = held.world;
  const [shop = 0n, alice = 0n] = ['shop', 'alice'].map((name) => solana.usdcOf(solana.addressOf(name)));
  return { shop, alice, treasury: solana.usdcOf(solana.roles.treasury.address) };
};

async function make(): Promise<Order> {
  const base = await serveWorld(held.world);
  const [shop, buyer] = [visitor(base), visitor(base)];
  await shop.signIn(walletOfPerson('shop'));
  held.world.solana.allow(held.world.solana.roles.treasury, 1_000_000_000n);
  const { body } = await shop.post('/api/orders', { amount: '5', chain: 'solana', expires_in: 86_400 });
  expect(body.error).toBeUndefined();
  return { id: body.order.id, had: balances(), buyer };
}

const row = ({ id }: Order) => held.world.ctx.db.order.findUniqueOrThrow({ where: { id } });

/** Slots pass meanwhile. */
async function stepUntil(holds: () => Promise<boolean>, what: string): Promise<void> {
  await until(
    async () => {
      held.world.solana.step();
      return holds();
    },
    what,
    60_000,
  );
}

/** Slots pass until the gate is reached. */
async function reach(reached: Promise<unknown>, what: string): Promise<void> {
  let isReached = false;
  void reached.then(() => {
    isReached = true;
  });
  await stepUntil(async () => isReached, what);
}

async function paidOnce(order: Order): Promise<void> {
  const { db } = held.world.ctx;
  await stepUntil(async () => (await row(order)).status === 'completed', 'the order is completed');
  await stepUntil(
    async () => (await db.outgoingTx.count({ where: { status: { notIn: ['final'] } } })) === 0,
    'all is final',
  );
  const now = balances();
  expect([now.shop - order.had.shop, order.had.alice - now.alice, now.treasury - order.had.treasury]).toEqual([
    4_950_000n,
    PRICE,
    50_000n,
  ]);
  const events = await held.world.solana.eventsOf(held.world.solana.addressOf('shop'));
  const settled = events.filter((event) => event.name === 'paymentSettled');
  expect(settled.length).toBeLessThanOrEqual(1);
  expect(await db.event.count({ where: { resourceId: order.id, type: 'order.completed' } })).toBe(1);
}

/** Signed by Alice's wallet, and taken by the service. */
async function sign({ id, buyer }: Order): Promise<void> {
  const { ctx, solana } = held.world;
  const keys = ctx.solanaExecutors.map(({ address }) => address);
  await until(
    () => Promise.all(keys.map((key) => isKeyInUse(ctx, solana.chain, key))).then((all) => all.every(Boolean)),
    'keys that pay',
  );
  const { body } = await buyer.post('/api/checkout', { order_id: id, payer: solana.addressOf('alice') });
  const { transaction, submit } = body.payment;
  const solana_transaction = signTransaction(localSolanaKey('alice'), transaction.solana_transaction);
  const answer = await buyer.post(`/api/checkout/${id}/submit`, { ...submit, solana_transaction });
  expect(answer.body.error).toBeUndefined();
}

const GAPS = [
  ['signed and broadcast', 'sendTransaction', 'before', false],
  ['broadcast and the record of it', 'sendTransaction', 'after', true],
  ['confirmed and recorded', 'getSignatureStatuses', 'before', true],
] as const;

test.each(GAPS)('a signed payment, between %s', async (_between, method, when, isLanded) => {
  const gate = held.proxy.hold(method, when);
  await held.workers.start();
  const order = await make();
  await sign(order);
  await gate.reached;
  if (isLanded) await until(async () => balances().shop > order.had.shop, 'the block');
  await held.workers.kill();
  expect((await row(order)).status).toBe('processing');
  gate.open();
  await held.workers.start();
  await paidOnce(order);
});

test.each(GAPS.slice(0, 2))('a sweep of its address, between %s', async (_between, method, when) => {
  const order = await make();
  const { body } = await order.buyer.post('/api/checkout', { order_id: order.id, way: 'deposit' });
  transferUsdc(held.world.solana, 'alice', body.deposit.address, PRICE);
  held.world.solana.step(40);
  const gate = held.proxy.hold(method, when);
  await held.workers.start();
  await reach(gate.reached, 'the sweep');
  await held.workers.kill();
  gate.open();
  await held.workers.start();
  await paidOnce(order);
});

test.each(GAPS.slice(0, 2))(
  'a transfer to the treasury that is passed on, between %s',
  async (_between, method, when) => {
    const order = await make();
    await order.buyer.post('/api/checkout', { order_id: order.id, way: 'deposit' });
    const treasury = held.world.solana.roles.treasury.address;
    transferUsdc(held.world.solana, 'alice', treasury, PRICE, { memo: order.id });
    held.world.solana.step(40);
    const gate = held.proxy.hold(method, when);
    await held.workers.start();
    await reach(gate.reached, 'the move');
    await held.workers.kill();
    gate.open();
    await held.workers.start();
    await paidOnce(order);
    const { db } = held.world.ctx;
    expect(await db.treasuryTransfer.findMany({ select: { status: true } })).toEqual([{ status: 'forwarded' }]);
  },
);
