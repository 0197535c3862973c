// kill -9 of the API and the workers, with all queues emptied, in every gap of a pack of three legs: between the quote, what was stored, what was sent, the bridges,
// the order's own address, its sweep and the telling of it. The order is completed once, the event is written once, and nothing is lost or paid twice.
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../local/stack/ports.ts';
import type { Address, Hex } from '../../src/chain/rpc/client.ts';
import type { Row } from '../../src/db.ts';
import type { PreparedPaymentAnswer } from '../../src/http/api/smartAnswers.ts';
import { followLegs } from '../../src/services/smart/follow.ts';
import { orderRow } from '../setup/orders.ts';
import { lockTable, processOf, queueEmptier, type Runner, startApi, until } from '../setup/processes.ts';
import { type SmartWorld, startSmartWorld } from '../setup/smart.ts';
import { visitor } from '../setup/visitor.ts';
import { localPerson } from '../setup/world.ts';

const DUE = 30_000_000n;
const WITHIN_MS = 90_000;

let smart: SmartWorld;
let queues: Awaited<ReturnType<typeof queueEmptier>>;
beforeAll(async () => {
  smart = await startSmartWorld(['base', 'celo', 'ink'], { isLive: true, solana: true });
  queues = await queueEmptier(smart.world.databaseUrl);
});
afterAll(async () => {
  await queues.close();
  await smart.stop();
});

let workers: Runner;
let order: Row<'Order'>;
let payer: { key: Hex; address: Address };
let had: { bob: bigint; ledger: bigint };
let number = 0;
beforeEach(async () => {
  number += 1;
  workers = processOf(smart.world, 'workers', smart.env);
  order = await orderRow(smart.world, { units: DUE as never });
  payer = await smart.payer(`killed ${number}`, { base: '8', celo: '15', ink: '12' });
  had = { bob: await smart.world.usdc('bob'), ledger: await smart.ledger(parties()) };
});
afterEach(() => workers.stop());

const db = () => smart.world.ctx.db;
const parties = () => [payer.address, localPerson('bob').address];
const legs = (status: string[]) =>
  db().smartLeg.count({ where: { payment: { orderId: order.id }, status: { in: status } } });
const sent = () =>
  db().outgoingTx.count({
    where: { kind: 'bridge_deposit', status: { not: 'queued' }, createdAt: { gte: order.createdAt } },
  });
const orderNow = () => db().order.findUniqueOrThrow({ where: { id: order.id } });

async function kill(): Promise<void> {
  await workers.kill();
  for (let times = 0; times < 3; times += 1) await queues.empty();
}

async function exactlyOnce({ id }: PreparedPaymentAnswer): Promise<void> {
  await until(async () => (await orderNow()).status === 'completed', 'the order is completed', WITHIN_MS);
  await until(async () => (await smart.status(id)).body.status === 'succeeded', 'every leg arrived', WITHIN_MS);
  expect((await smart.status(id)).body).toMatchObject({ allOk: true, step: 'bridge_complete' });
  expect((await smart.world.usdc('bob')) - had.bob).toBe(DUE);
  expect(await smart.ledger(parties())).toBe(had.ledger);
  expect(await db().event.count({ where: { resourceId: order.id, type: 'order.completed' } })).toBe(1);
  expect(await db().transition.count({ where: { resourceId: id } })).toBe(1);
  const ended = await db().transition.groupBy({
    by: ['resourceId'],
    _count: true,
    where: { resource: 'smart_leg', action: 'arrive', resourceId: { in: await legIds(id) } },
  });
  expect(ended.map(({ _count }) => _count)).toEqual([1, 1, 1]);
  // Each leg's signature was sent in one transaction of ours.
  const txs = await db().outgoingTx.groupBy({
    by: ['subjectId'],
    _count: true,
    where: { kind: 'bridge_deposit', subjectId: { in: await legIds(id) }, nonce: { not: null } },
  });
  expect(txs.map(({ _count }) => _count)).toEqual([1, 1, 1]);
}

const legIds = async (paymentId: string) =>
  (await db().smartLeg.findMany({ where: { paymentId }, select: { id: true } })).map(({ id }) => id);

test('quoted, then stored: nothing of it is in a process', async () => {
  await workers.start();
  const { body } = await smart.candidates({ orderId: order.id, payer: [payer.address] });
  await kill();
  const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
  await workers.start();
  await kill();
  await smart.give(prepared, payer.key);
  await workers.start();
  await exactlyOnce(prepared);
});

test('stored and sent: each leg is sent once', async () => {
  const prepared = await smart.begin(order.id, payer);
  const lock = await lockTable(smart.world.databaseUrl, 'tx_attempt');
  await workers.start();
  await lock.reached();
  await kill();
  await lock.release();
  await workers.start();
  await exactlyOnce(prepared);
});

test('sent and bridged; bridged and arrived; arrived and swept: a kill in each', async () => {
  const prepared = await smart.begin(order.id, payer);
  await workers.start();
  await until(async () => (await sent()) > 0, 'a leg is sent', WITHIN_MS);
  await kill();
  await workers.start();
  await until(async () => (await legs(['bridging', 'arrived'])) > 0, 'a leg is on its way', WITHIN_MS);
  await kill();
  await workers.start();
  await until(async () => (await legs(['arrived'])) > 0, 'a leg arrived', WITHIN_MS);
  await kill();
  await workers.start();
  await until(
    async () => (await orderNow()).status === 'processing' || (await orderNow()).status === 'completed',
    'it is swept',
    WITHIN_MS,
  );
  await kill();
  await workers.start();
  await exactlyOnce(prepared);
});

test('arrived, and not yet written: the leg is found again', async () => {
  const prepared = await smart.begin(order.id, payer);
  const lock = await lockTable(smart.world.databaseUrl, 'smart_payment');
  await workers.start();
  await lock.reached();
  await kill();
  await lock.release();
  await workers.start();
  await exactlyOnce(prepared);
});

test('the same legs followed by several processes at once, beside the indexer: each ends once', async () => {
  const prepared = await smart.begin(order.id, payer);
  const second = processOf(smart.world, 'workers', smart.env);
  await Promise.all([workers.start(), second.start()]);
  const third = (async () => {
    while ((await legs(['sent', 'bridging'])) > 0) {
      await db().smartLeg.updateMany({ data: { nextLookAt: new Date(0) }, where: { endedAt: null } });
      await followLegs(smart.world.ctx);
    }
  })();
  await exactlyOnce(prepared);
  await third;
  await second.stop();
});

test('the API, too: after the quote, while it stores the payment, and while it takes a signature', async () => {
  const port = await freePort();
  let api = await startApi(smart.world, smart.env, port);
  const restart = async () => {
    api = await startApi(smart.world, smart.env, port);
  };
  const post = async (path: string, body: object) => (await visitor(api.base).post(path, body)).body;
  const again = async (path: string, body: object, table: string) => {
    const lock = await lockTable(smart.world.databaseUrl, table);
    const cut = visitor(api.base)
      .post(path, body)
      .then(() => null)
      .catch((error: unknown) => error);
    await lock.reached();
    await Promise.all([api.kill(), kill()]);
    expect(await cut).not.toBeNull();
    await lock.release();
    await Promise.all([restart(), workers.start()]);
    return post(path, body);
  };
  try {
    await workers.start();
    const wish = async () => {
      const list = await post('/api/pay/smart/candidates', { orderId: order.id, payer: [payer.address] });
      return { candidateId: list.data[0].id, payer: payer.address };
    };
    const first = await wish();
    await api.kill();
    await restart();
    let answer = await again('/api/pay/smart', first, 'smart_payment');
    // A quote lives for half a minute, and the starts of a busy machine take longer: its client asks for another one.
    if (answer.error?.code === 'quote_expired') answer = await post('/api/pay/smart', await wish());
    const prepared: PreparedPaymentAnswer = answer;
    expect(prepared.legs).toHaveLength(3);
    const account = privateKeyToAccount(payer.key);
    for (const { n, steps } of prepared.legs) {
      const [step] = steps;
      if (step?.kind !== 'signature') throw new Error('each leg is signed');
      const proof = { signature: await account.signTypedData(step.typed_data as never) };
      const path = `/api/pay/smart/${prepared.id}/legs/${n}`;
      const taken = n === 2 ? await again(path, proof, 'outgoing_tx') : await post(path, proof);
      expect([taken.error, taken.id]).toEqual([undefined, prepared.id]);
      expect((await post(path, proof)).id).toBe(prepared.id);
    }
    await exactlyOnce(prepared);
    expect(await db().smartPayment.count({ where: { orderId: order.id } })).toBe(1);
  } finally {
    await api.kill();
  }
});

test('a part from Solana, killed when it is stored, sent, on its way and arrived: it leaves the wallet once', async () => {
  const { solana } = smart.world;
  const own = smart.solanaPayer(`killed ${number}`, { usdc: '12', sol: '0.01' });
  const base = await smart.payer(`killed beside ${number}`, { base: '8', celo: '11' });
  const { body } = await smart.candidates({ orderId: order.id, payer: [base.address, own.address] });
  const pack = body.data.find(({ kind }: { kind: string }) => kind === 'multi');
  const prepared = (await smart.pay({ candidateId: pack.id, payer: base.address })).body;
  await smart.give(prepared, base.key);
  const lock = await lockTable(smart.world.databaseUrl, 'tx_attempt');
  await workers.start();
  await lock.reached();
  await kill();
  await lock.release();
  await workers.start();
  await until(async () => (await sent()) > 0, 'a leg is sent', WITHIN_MS);
  await kill();
  await workers.start();
  await until(async () => (await legs(['bridging', 'arrived'])) > 0, 'a leg is on its way', WITHIN_MS);
  await kill();
  await workers.start();
  await until(async () => (await legs(['arrived'])) > 0, 'a leg arrived', WITHIN_MS);
  await kill();
  await workers.start();
  await until(async () => (await orderNow()).status === 'completed', 'the order is completed', WITHIN_MS);
  await until(
    async () => (await smart.status(prepared.id)).body.status === 'succeeded',
    'every leg arrived',
    WITHIN_MS,
  );
  expect((await smart.world.usdc('bob')) - had.bob).toBe(DUE);
  const leg = await db().smartLeg.findFirstOrThrow({ where: { paymentId: prepared.id, chain: 'solana' } });
  expect(12_000_000n - solana.usdcOf(own.address)).toBe(BigInt(leg.giveUnits.toFixed(0)));
  const finals = () => db().outgoingTx.count({ where: { subjectId: leg.id, status: 'final' } });
  await until(async () => (await finals()) > 0, 'its transaction is final', WITHIN_MS);
  const calls = await db().outgoingTx.findMany({ where: { subjectId: leg.id }, include: { attempts: true } });
  expect(calls.map(({ status, attempts }) => [status, attempts.length])).toEqual([['final', 1]]);
});
