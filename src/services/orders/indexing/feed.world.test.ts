// The indexer of payments: an order is completed by a final log of exactly its router with exactly its terms, once, and by nothing else.

import {
  concatHex,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  pad,
  parseAbiParameters,
  zeroAddress,
} from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localKey } from '../../../../local/stack/people.ts';
import {
  depositOrder,
  giveUsdc,
  orderRow,
  type PayWay,
  payOrder,
  sendAs,
  sendToken,
  signedMeans,
  termsOf,
} from '../../../../test/setup/orders.ts';
import {
  chainThrough,
  chainWith,
  LOUDSPEAKER,
  type Payments,
  paymentsOf,
  someHash,
} from '../../../../test/setup/payments.ts';
import { type RpcProxy, startRpcProxy } from '../../../../test/setup/rpcProxy.ts';
import { localPerson, startWorld, type World } from '../../../../test/setup/world.ts';
import { paymentRouterAbi } from '../../../chain/routers/abis/PaymentRouter.ts';
import {
  encodeAcceptDeposit,
  encodePayment,
  encodeRefund,
  encodeRefundDeposit,
  encodeSweep,
  orderKey,
} from '../../../chain/routers/payment.ts';
import type { Address, EvmChain, Hex } from '../../../chain/rpc/client.ts';
import { newId } from '../../../context.ts';
import type { Row } from '../../../db.ts';
import type { OrderRouter } from '../../../domain/typedData/orders.ts';
import { indexChain } from '../../operations/feed.ts';
import { openKeys } from '../../outgoing/keys.ts';
import { queueCall } from '../../outgoing/queue.ts';
import { submit } from '../../outgoing/submit.ts';
import { moveOrders } from '../transitions.ts';

let world: World;
let payments: Payments;
let proxy: RpcProxy;
beforeAll(async () => {
  world = await startWorld({
    rpcUrls: {
      base: async (direct) => {
        proxy = await startRpcProxy(direct);
        return proxy.url;
      },
    },
  });
  payments = paymentsOf(world);
  await payments.settle();
});
afterAll(async () => {
  await world.stop();
  await proxy.close();
});
beforeEach(async () => {
  proxy.setDead(false);
  for (const method of ['eth_getLogs', 'eth_blockNumber', 'eth_getBlockByNumber']) proxy.alter(method, null);
  await payments.settle();
});

type Order = Row<'Order'>;
const chain = () => world.evmChain();
const direct = () => world.anvilOf().rpcUrl;
const PAYER = localKey('payer');
const BOB = localPerson('bob');
const UNIT = 1_000_000n;
const routerOf = (order: Order) => chain().routers[order.router as OrderRouter];

/** What became of an order: its status and its logs. */
async function became(order: Order) {
  return [await payments.status(order), ...(await payments.outcomes(order))];
}

describe('a payment', () => {
  test.each(['direct', 'native', 'allowance', 'eip2612', 'eip3009', 'permit2', 'sweep'] as PayWay[])(
    'by way of %s completes exactly its order, once it is final',
    async (way) => {
      for (const merchant of ['bob', 'shop']) {
        const wishes = { merchant, ...(way === 'native' ? { token: zeroAddress } : {}) };
        const [order, other] = [await orderRow(world, wishes), await orderRow(world, wishes)];
        const hash = await payOrder(world, order, 'payer', way);
        await payments.index();
        expect(await became(order)).toEqual(['awaiting_payment']);
        await payments.settle();
        expect(await became(order)).toEqual(['completed', 'settled credited']);
        const row = await payments.read(order);
        expect(row).toMatchObject({ txHash: hash });
        expect(row.receivedUnits.toFixed()).toBe(order.units.toFixed());
        if (way !== 'sweep') expect(row.payer).toBe(PAYER.address);
        expect(await payments.moves(order.id)).toEqual(['submit', 'settle']);
        expect(await payments.events(order)).toEqual(['order.completed']);
        expect(await became(other)).toEqual(['awaiting_payment']);
      }
    },
  );

  test('the event says what was received, and the end is the block’s time', async () => {
    const order = await orderRow(world, { merchant: 'shop' });
    const hash = await payOrder(world, order, 'payer');
    await payments.settle();
    const [event] = await world.ctx.db.event.findMany({ where: { resourceId: order.id } });
    expect(event?.object).toMatchObject({
      order: { status: 'completed', amount_received: '1.00', amount_due: '0.00', txHash: hash, payer: PAYER.address },
    });
    const { blockNumber } = await world.reader().getTransactionReceipt({ hash });
    const { timestamp } = await world.reader().getBlock({ blockNumber });
    expect((await payments.read(order)).endedAt).toEqual(new Date(Number(timestamp) * 1_000));
    const [log] = await world.ctx.db.orderLog.findMany({ where: { orderId: order.id } });
    expect(log).toMatchObject({ fromAddress: PAYER.address, toAddress: order.payee, router: order.routerAddress });
    expect(log?.feeUnits.toFixed()).toBe('10000');
  });

  test('many of one block, of both routers and in both assets, complete each its own', async () => {
    const orders: Order[] = [];
    for (const merchant of ['bob', 'shop'])
      for (const token of [chain().usdc, zeroAddress]) orders.push(await orderRow(world, { merchant, token }));
    const means = await Promise.all(orders.map((order) => signedMeans(world, order, 'payer', 'eip3009')));
    await giveUsdc(world, PAYER.address, 2n * UNIT);
    await payments.rpc('evm_setAutomine', false);
    const sent = orders.map((order, index) => {
      const terms = termsOf(order);
      const native = terms.token === zeroAddress;
      const data = encodePayment(terms, PAYER.address, native ? { way: 'direct' } : means[index]!);
      return { to: routerOf(order), data, value: native ? terms.amount : 0n };
    });
    for (const [index, call] of sent.entries())
      await sendAs(world, localKey(`sender ${index}`).key, { ...call, unmined: true });
    await payments.rpc('evm_setAutomine', true);
    await payments.settle();
    for (const order of orders) expect(await became(order)).toEqual(['completed', 'settled credited']);
    const blocks = await world.ctx.db.orderLog.findMany({ where: { orderId: { in: orders.map(({ id }) => id) } } });
    expect(new Set(blocks.map(({ block }) => block)).size).toBe(1);
  });

  test('that we sent settles its submission; another one of the order has nothing left to pay', async () => {
    await openKeys(world.ctx, chain());
    const order = await orderRow(world);
    await giveUsdc(world, PAYER.address, UNIT);
    const data = encodePayment(termsOf(order), PAYER.address, await signedMeans(world, order, 'payer', 'eip3009'));
    const of = (way: string, status: string) => ({
      id: newId(world.ctx, 'sbm'),
      ...{ orderId: order.id, chain: 'base', payer: PAYER.address, way, toAddress: routerOf(order), data, gas: 1n },
      ...{ status, createdAt: new Date(), expiresAt: new Date(Date.now() + 600_000) },
    });
    const [ours, another] = [of('eip3009', 'submitted'), of('permit2', 'queued')];
    const call = { data, gas: 400_000n, to: routerOf(order) };
    const outgoingTxId = await submit(world.ctx, chain(), { kind: 'order', subjectId: ours.id, ...call });
    await world.ctx.db.orderSubmission.createMany({ data: [{ ...ours, outgoingTxId }, another] });
    const queued = { kind: 'order' as const, subjectId: another.id, ...call };
    await world.ctx.db.$transaction(async (one) => {
      await moveOrders(world.ctx, one, [{ id: order.id, action: 'submit' }]);
      await queueCall(world.ctx, one, 'base', queued);
    });
    await world.watch();
    await payments.settle();
    expect(await became(order)).toEqual(['completed', 'settled credited']);
    await world.watch();
    await world.send();
    const rows = await world.ctx.db.orderSubmission.findMany({ where: { orderId: order.id }, orderBy: { way: 'asc' } });
    expect(rows.map(({ way, status, failure }) => [way, status, failure])).toEqual([
      ['eip3009', 'settled', null],
      ['permit2', 'failed', 'The order was paid by another payment. This one wasn’t charged.'],
    ]);
  });
});

describe('does not count:', () => {
  test('other terms under the order’s id', async () => {
    const order = await orderRow(world);
    const terms = termsOf(order);
    const bob = [
      { ...terms, amount: UNIT - 1n },
      { ...terms, fee: 1n },
      { ...terms, deadline: terms.deadline + 1n },
    ];
    for (const other of bob) await payOrder(world, order, 'payer', 'direct', other);
    await payOrder(world, order, 'payer', 'native', { ...terms, token: zeroAddress });
    await payOrder(world, order, 'payer', 'direct', { ...terms, payee: PAYER.address });
    await payments.settle();
    expect(await became(order)).toEqual([
      'awaiting_payment',
      ...Array<string>(4).fill('settled other_terms'),
      'settled other_payee',
    ]);
    expect(await payments.received(order)).toBe('0');
    expect(await payments.events(order)).toEqual([]);
    await payOrder(world, order, 'payer');
    await payments.settle();
    expect((await became(order)).filter((one) => !one.includes('other'))).toEqual(['completed', 'settled credited']);
  });

  test('the same terms at the other router, or for an order of another chain', async () => {
    const [order, elsewhere] = [await orderRow(world), await orderRow(world)];
    await payOrder(world, { ...order, router: 'business' }, 'payer', 'direct', { ...termsOf(order), fee: 10_000n });
    await world.ctx.db.order.update({ where: { id: elsewhere.id }, data: { chain: 'bsc' } });
    await payOrder(world, elsewhere, 'payer');
    await payments.settle();
    expect(await became(order)).toEqual(['awaiting_payment', 'settled other_terms']);
    expect(await became(elsewhere)).toEqual(['awaiting_payment', 'settled other_terms']);
  });

  test('the same code at another address, and whatever else writes the same events', async () => {
    const order = await orderRow(world);
    const [twin, loud] = [
      '0x00000000000000000000000000000000000077a1',
      '0x00000000000000000000000000000000000077a2',
    ] as const;
    const code = (await world.reader().getCode({ address: chain().routers.payment })) ?? '0x';
    await world.admin().setCode({ address: twin, bytecode: code });
    await world.admin().setCode({ address: loud, bytecode: LOUDSPEAKER[4] });
    const at = { ...world.evmChain(), routers: { ...chain().routers, payment: twin as Address } };
    await giveUsdc(world, PAYER.address, UNIT);
    const approve = concatHex(['0x095ea7b3', pad(twin), pad('0xffffffff')]);
    await sendAs(world, PAYER.key, { to: chain().usdc, data: approve });
    await sendAs(world, PAYER.key, { to: twin, data: encodePayment(termsOf(order), PAYER.address, { way: 'direct' }) });
    await sendAs(world, PAYER.key, { to: loud, data: settledLog(order, orderKey(chain(), 'payment', termsOf(order))) });
    await payments.settle();
    expect(await became(order)).toEqual(['awaiting_payment']);
    // A provider that says that the router wrote them is not believed either: the key names the contract.
    type Raw = { topics: Hex[] };
    const logs = await payments.rpc<Raw[]>('eth_getLogs', { address: twin, fromBlock: '0x0' });
    expect(logs.map((log) => log.topics[1])).toEqual([orderKey(at, 'payment', termsOf(order))]);
    await goBack();
    proxy.alter('eth_getLogs', () => logs.map((log) => ({ ...log, address: chain().routers.payment })));
    await payments.index();
    expect(await became(order)).toEqual(['awaiting_payment', 'settled other_terms']);
  });

  test('a deposit that is too small, until the rest is there; what comes after is too much', async () => {
    const order = await depositOrder(world);
    await giveUsdc(world, PAYER.address, 3n * UNIT);
    await sendToken(world, PAYER.key, chain().usdc, order.at, UNIT / 4n);
    await payments.settle();
    expect(await became(order)).toEqual(['awaiting_payment', 'deposit credited']);
    expect(await payments.received(order)).toBe('250000');
    await sendToken(world, PAYER.key, chain().usdc, order.at, (UNIT * 3n) / 4n);
    await payments.settle();
    expect(await became(order)).toEqual(['awaiting_payment', 'deposit credited', 'deposit credited']);
    await sendAs(world, localKey('relayer').key, { to: routerOf(order), data: encodeSweep(termsOf(order)) });
    await sendToken(world, PAYER.key, chain().usdc, order.at, 5n);
    await payments.settle();
    expect((await became(order)).slice(3)).toEqual(['settled credited', 'deposit already_paid']);
    expect(await payments.read(order)).toMatchObject({ status: 'completed', payer: PAYER.address });
    expect(await payments.received(order)).toBe('1000005');
    const moved = encodeRefundDeposit(termsOf(order), chain().usdc, PAYER.address, 2n);
    await sendAs(world, BOB.key, { to: routerOf(order), data: moved });
    await sendAs(world, BOB.key, { to: routerOf(order), data: encodeAcceptDeposit(termsOf(order), chain().usdc) });
    await payments.settle();
    expect((await became(order)).slice(5)).toEqual(['deposit_moved sent_back', 'deposit_moved accepted']);
    expect(await payments.received(order)).toBe('1000005');
    expect(await payments.events(order)).toEqual(['order.completed']);
  });

  test('another token at the order’s address, and USDC for an order in the native asset', async () => {
    const [order, native] = [await depositOrder(world), await depositOrder(world, { token: zeroAddress })];
    const token = '0x00000000000000000000000000000000000077a3';
    await world.admin().setCode({ address: token, bytecode: LOUDSPEAKER[3] });
    const [topic] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' });
    const fake = concatHex([
      topic as Hex,
      pad(PAYER.address),
      pad(order.at),
      encodeAbiParameters([{ type: 'uint256' }], [UNIT]),
    ]);
    await sendAs(world, PAYER.key, { to: token, data: fake });
    await giveUsdc(world, PAYER.address, UNIT);
    await sendToken(world, PAYER.key, chain().usdc, native.at, UNIT);
    await payments.settle();
    expect(await became(order)).toEqual(['awaiting_payment']);
    expect(await became(native)).toEqual(['awaiting_payment', 'deposit other_token']);
    expect(await payments.received(native)).toBe('0');
  });

  test('a deposit to an address that nobody was given', async () => {
    const order = await depositOrder(world);
    await world.ctx.db.order.update({ where: { id: order.id }, data: { depositShownAt: null } });
    await giveUsdc(world, PAYER.address, UNIT);
    await sendToken(world, PAYER.key, chain().usdc, order.at, UNIT);
    await payments.settle();
    expect(await became(order)).toEqual(['awaiting_payment']);
  });

  test('what comes for an order that is over: it is kept and shown, and the order stays as it is', async () => {
    const [cancelled, expired] = [await orderRow(world), await depositOrder(world)];
    await world.ctx.db.$transaction((tx) =>
      moveOrders(world.ctx, tx, [
        { id: cancelled.id, action: 'cancel' },
        { id: expired.id, action: 'expire' },
      ]),
    );
    await payOrder(world, cancelled, 'payer');
    await payOrder(world, expired, 'payer', 'sweep');
    await payments.settle();
    expect(await became(cancelled)).toEqual(['cancelled', 'settled not_payable']);
    expect(await became(expired)).toEqual(['expired', 'deposit credited', 'settled not_payable']);
    expect(await payments.received(cancelled)).toBe('1000000');
    expect(await payments.received(expired)).toBe('1000000');
    expect(await payments.events(cancelled)).toEqual(['order.cancelled']);
  });

  test('what nobody of ours asked for', async () => {
    const order = await orderRow(world);
    await world.ctx.db.order.delete({ where: { id: order.id } });
    await payOrder(world, order, 'payer');
    await payments.settle();
    expect(await world.ctx.db.orderLog.count({ where: { orderId: order.id } })).toBe(0);
  });
});

describe('an order expires', () => {
  test('only when the chain’s final blocks are past its deadline: what was paid in time counts', async () => {
    const { timestamp } = await world.reader().getBlock();
    const deadline = timestamp + 60n;
    const [paid, unpaid] = [
      await orderRow(world, { deadline, token: zeroAddress }),
      await orderRow(world, { deadline, token: zeroAddress }),
    ];
    await world.admin().setNextBlockTimestamp({ timestamp: deadline });
    await payOrder(world, paid, 'payer', 'native');
    await world.admin().increaseTime({ seconds: 2 });
    world.later(3_600_000);
    await payments.index();
    expect([await payments.status(paid), await payments.status(unpaid)]).toEqual([
      'awaiting_payment',
      'awaiting_payment',
    ]);
    await world.mine(2);
    await payments.index();
    // The newest final block is that of the last second: nothing says yet that no other one is.
    expect([await payments.status(paid), await payments.status(unpaid)]).toEqual(['completed', 'awaiting_payment']);
    await world.mine(1);
    await payments.index();
    expect(await payments.status(unpaid)).toBe('expired');
    expect(await payments.events(unpaid)).toEqual(['order.expired']);
    // By the chain alone, with a clock of ours that is behind, nothing expires.
    world.later(-3_600_000);
    const early = await orderRow(world, { deadline: BigInt(Math.floor(world.ctx.clock.now() / 1_000)) + 3n });
    await world.admin().increaseTime({ seconds: 60 });
    await payments.settle();
    expect(await payments.status(early)).toBe('awaiting_payment');
    world.later(60_000);
    await payments.index();
    expect(await payments.status(early)).toBe('expired');
  });
});

describe('a refund', () => {
  test('through the router is counted and told, each once', async () => {
    const order = await orderRow(world);
    await payOrder(world, order, 'payer');
    await payments.settle();
    await giveUsdc(world, BOB.address, UNIT);
    const approve = concatHex(['0x095ea7b3', pad(routerOf(order)), pad('0xffffffff')]);
    await sendAs(world, BOB.key, { to: chain().usdc, data: approve });
    const refund = (amount: bigint) => encodeRefund(termsOf(order), PAYER.address, amount);
    await sendAs(world, BOB.key, { to: routerOf(order), data: refund(300_000n) });
    await sendAs(world, BOB.key, { to: routerOf(order), data: refund(200_000n) });
    await payments.settle();
    await goBack();
    await payments.caughtUp();
    expect(await became(order)).toEqual(['completed', 'settled credited', 'refunded credited', 'refunded credited']);
    expect((await payments.read(order)).refundedUnits.toFixed()).toBe('500000');
    const told = await world.ctx.db.event.findMany({
      where: { resourceId: order.id, type: 'order.refunded' },
      orderBy: { previous: 'asc' },
    });
    expect(told.map(({ object, previous }) => [(object as Shown).order.amount_refunded, previous])).toEqual([
      ['0.30', { amount_refunded: '0.00' }],
      ['0.50', { amount_refunded: '0.30' }],
    ]);
  });
});
type Shown = { order: { amount_refunded: string } };

describe('a process', () => {
  test('that dies between reading and its checkpoint repeats the blocks and nothing else', async () => {
    const order = await orderRow(world);
    await payOrder(world, order, 'payer');
    await world.mine(3);
    const { block } = await payments.checkpoint();
    const { db } = world.ctx;
    const dying = new Proxy(db, {
      get: (target, name) =>
        name === '$transaction'
          ? (work: (tx: unknown) => Promise<unknown>) =>
              target.$transaction(async (tx) => {
                await work(tx);
                throw new Error('killed');
              })
          : Reflect.get(target, name),
    });
    await expect(indexChain({ ...world.ctx, db: dying }, chain())).rejects.toThrow('killed');
    expect((await payments.checkpoint()).block).toBe(block);
    expect(await became(order)).toEqual(['awaiting_payment']);
    await payments.index();
    expect(await became(order)).toEqual(['completed', 'settled credited']);
    expect(await payments.moves(order.id)).toEqual(['submit', 'settle']);
  });

  test('beside three others: every log once', async () => {
    const orders = [await orderRow(world), await orderRow(world), await orderRow(world)];
    for (const order of orders) await payOrder(world, order, 'payer');
    await world.mine(3);
    await Promise.all([1, 2, 3, 4].map(() => payments.index()));
    for (const order of orders) {
      expect(await payments.moves(order.id)).toEqual(['submit', 'settle']);
      expect(await payments.events(order)).toEqual(['order.completed']);
    }
  });

  test('that reads everything again changes nothing', async () => {
    const made = [await orderRow(world), await depositOrder(world)];
    await payOrder(world, made[0]!, 'payer');
    await payOrder(world, made[1]!, 'payer', 'sweep');
    await payments.settle();
    const before = await payments.state(made);
    await goBack();
    await payments.caughtUp();
    expect(await payments.state(made)).toEqual(before);
    expect(await payments.replayed(made)).toEqual(before);
    for (const order of made) expect(await payments.events(order)).toEqual(['order.completed']);
  });
});

describe('providers', () => {
  const payOne = async () => {
    const order = await orderRow(world);
    await payOrder(world, order, 'payer');
    return order;
  };

  test.each([
    ['refuse wide ranges', { error: { code: -32_005, message: 'query returned more than 10000 results' } }],
    ['answer with more than 10 MB', { result: ['x'.repeat(11_000_000)] }],
  ])('that %s are asked for fewer blocks, and for more again', async (_, refusal) => {
    const order = await payOne();
    await world.mine(60);
    const asked: number[] = [];
    const picky = chainWith(chain(), direct(), (from, to) => {
      asked.push(to - from + 1);
      return to - from + 1 > 8 ? refusal : null;
    });
    await payments.index(picky);
    expect(await became(order)).toEqual(['completed', 'settled credited']);
    expect((await payments.checkpoint()).block).toBe((await world.reader().getBlockNumber()) - 2n);
    const refused = asked.filter((width) => width > 8).length;
    expect(refused).toBeGreaterThan(0);
    // It tries more again, but not at every stretch.
    expect(refused).toBeLessThan(asked.length / 2);
  });

  test('that refuse everything stop the round, and nothing is skipped; how far it is to go shows', async () => {
    const order = await payOne();
    await world.mine(20);
    world.later(11_000);
    const { block } = await payments.checkpoint();
    const away = chainWith(chain(), direct(), () => ({ error: { code: -32_005, message: 'no' } }));
    await expect(payments.index(away)).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await payments.checkpoint()).toMatchObject({ block, target: (await world.reader().getBlockNumber()) - 2n });
    await payments.caughtUp();
    expect(await became(order)).toEqual(['completed', 'settled credited']);
  });

  test('that die: another endpoint goes on', async () => {
    const order = await payOne();
    await world.mine(3);
    proxy.setDead(true);
    await expect(payments.index()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await became(order)).toEqual(['awaiting_payment']);
    await payments.index(chainThrough(chain(), [proxy.url, direct()]));
    expect(await became(order)).toEqual(['completed', 'settled credited']);
  });

  test('that lag behind take nothing back; a node that lost its newest blocks and makes others is followed at once', async () => {
    const order = await payOne();
    await payments.settle();
    const [{ block }, head] = [await payments.checkpoint(), await world.reader().getBlockNumber()];
    proxy.alter('eth_blockNumber', () => `0x${(block - 5n).toString(16)}`);
    const old = await payments.rpc<object>('eth_getBlockByNumber', `0x${(block - 5n).toString(16)}`, false);
    proxy.alter('eth_getBlockByNumber', (given) => {
      const { number } = (given ?? { number: '0x0' }) as { number: string };
      if (BigInt(number) === head) return old;
      return BigInt(number) > block - 5n ? null : given;
    });
    await payments.index();
    expect((await payments.checkpoint()).block).toBe(block);
    for (const method of ['eth_blockNumber', 'eth_getBlockByNumber']) proxy.alter(method, null);
    expect(await became(order)).toEqual(['completed', 'settled credited']);

    await world.mine(8);
    await payments.index();
    const before = await payments.checkpoint();
    await payments.rpc('anvil_rollback', 8);
    await world.admin().increaseTime({ seconds: 60 });
    const fresh = await payOne();
    await world.mine(2);
    expect(await world.reader().getBlockNumber()).toBeLessThan(before.block);
    await payments.index();
    expect(await became(fresh)).toEqual(['completed', 'settled credited']);
    expect(await became(order)).toEqual(['completed', 'settled credited']);
    await world.mine(12);
  });

  describe('of a real network', () => {
    const live = (urls: string[], more: Partial<EvmChain> = {}) =>
      chainThrough(chain(), urls, { local: false, ...more });

    test('must agree: one that leaves a log out, invents one, or has other blocks holds the round up, and it shows', async () => {
      const order = await payOne();
      await world.mine(3);
      const { block } = await payments.checkpoint();
      const lies: ((result: unknown) => unknown)[] = [
        () => [],
        (logs) => (logs as { data: Hex }[]).map((log) => ({ ...log, data: `${log.data.slice(0, -1)}1` })),
        (logs) => [...(logs as object[]), { ...(logs as object[])[0], logIndex: '0x63' }],
      ];
      for (const lie of lies) {
        proxy.alter('eth_getLogs', lie);
        for (const urls of [
          [proxy.url, direct()],
          [direct(), proxy.url],
        ])
          await expect(payments.index(live(urls))).rejects.toMatchObject({ code: 'provider_unavailable' });
      }
      proxy.alter('eth_getLogs', null);
      proxy.alter('eth_getBlockByNumber', (given) => given && { ...(given as object), hash: someHash('another') });
      await expect(payments.index(live([direct(), proxy.url]))).rejects.toMatchObject({ code: 'provider_unavailable' });
      proxy.alter('eth_getBlockByNumber', null);
      expect((await payments.checkpoint()).block).toBe(block);
      expect(await became(order)).toEqual(['awaiting_payment']);
      await payments.index(live([direct(), proxy.url]));
      expect(await became(order)).toEqual(['completed', 'settled credited']);
    });

    test('of two that are named both must answer; of three, two', async () => {
      const order = await payOne();
      await world.mine(3);
      proxy.setDead(true);
      await expect(payments.index(live([direct(), proxy.url]))).rejects.toMatchObject({ code: 'provider_unavailable' });
      expect(await became(order)).toEqual(['awaiting_payment']);
      await payments.index(live([proxy.url, direct(), direct()]));
      expect(await became(order)).toEqual(['completed', 'settled credited']);
    });

    test('name the newest block together: what is final does not depend on one of them', async () => {
      const order = await payOne();
      proxy.alter('eth_blockNumber', (head) => `0x${(BigInt(head as string) + 2n).toString(16)}`);
      await payments.index(live([proxy.url, direct()]));
      expect(await became(order)).toEqual(['awaiting_payment']);
      await world.mine(3);
      await payments.index(live([proxy.url, direct()]));
      expect(await became(order)).toEqual(['completed', 'settled credited']);
    });

    test('take back together: nothing is reverted because one of them shows other blocks, or none', async () => {
      await payOne();
      await payments.settle();
      const { block, hashes } = await payments.checkpoint();
      for (const lie of [
        (given: unknown) => given && { ...(given as object), hash: someHash('another') },
        () => null,
      ]) {
        proxy.alter('eth_getBlockByNumber', lie);
        await expect(payments.index(live([proxy.url, direct()]))).rejects.toMatchObject({
          code: 'provider_unavailable',
        });
        expect(await payments.checkpoint()).toMatchObject({ block, hashes });
      }
    });

    test('one alone is believed, as its configuration was warned of', async () => {
      const order = await payOne();
      await world.mine(3);
      await payments.index(live([direct()]));
      expect(await became(order)).toEqual(['completed', 'settled credited']);
    });
  });
});

/** The checkpoint as if nothing of the last blocks had been taken in. */
async function goBack(): Promise<void> {
  const { block } = await payments.checkpoint();
  const data = { block: block > 40n ? block - 40n : -1n, hashes: [] };
  await world.ctx.db.indexerCheckpoint.updateMany({ where: { chain: 'base' }, data });
}

function settledLog(order: Order, key: Hex): Hex {
  const { orderId, payee, token, amount, fee } = termsOf(order);
  const args = { key, orderId, payer: PAYER.address };
  const topics = encodeEventTopics({ abi: paymentRouterAbi, eventName: 'PaymentSettled', args });
  const data = encodeAbiParameters(parseAbiParameters('address, address, uint256, uint256'), [
    payee,
    token,
    amount,
    fee,
  ]);
  return concatHex([...(topics as Hex[]), data]);
}
