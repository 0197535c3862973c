// One payment, whatever happens at once: hashes, keys, candidates and signatures that are given twice, and payments that overtake each other.
import { createWalletClient, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { faultInput } from '../../../local/bridge/faults.ts';
import { sendAs, sendToken } from '../../../test/setup/orders.ts';
import { type Races, racesOf } from '../../../test/setup/races.ts';
import { aroundSmart, type SmartWorld } from '../../../test/setup/smart.ts';
import type { Address } from '../../chain/rpc/client.ts';
import { rpcTransport } from '../../chain/rpc/transport.ts';
import { lockKey } from '../locks.ts';
import { holdOrder } from '../orders/underWay.ts';
import { moveLeg } from './ending.ts';

let smart: SmartWorld;
let race: Races;
aroundSmart(['base', 'celo', 'ink'], (started) => {
  smart = started;
  race = racesOf(smart);
});

test('one hash that is named for two equal legs at once proves one', async () => {
  const { payer, payments, call } = await race.equal('hash for two', 2);
  const ids = payments.map(({ id }) => id);
  const hash = await sendAs(smart.world, payer.key, call);
  const answers = await race.together(
    race.lockLegs(...ids),
    ids.map((id) => () => smart.leg(id, 1, { txHash: hash })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
});
test('a transfer that two legs name at once ends one of them', async () => {
  const { payer, payments, call, recipient } = await race.equal('hash for two more', 2);
  const ids = payments.map(({ id }) => id);
  const hash = await sendAs(smart.world, payer.key, call);
  await race.together(
    race.lockLegs(...ids),
    ids.map((id) => () => smart.leg(id, 1, { txHash: hash })),
  );
  await smart.mine();
  await smart.follow();
  expect(await smart.usdcOf(recipient, 'base')).toBe(4_000_000n);
  expect((await Promise.all(ids.map(smart.statusOf))).filter(({ status }) => status === 'succeeded')).toHaveLength(1);
});

test('one wallet signs for orders of two chains at once: it is sent for one after the other', async () => {
  const payer = await smart.payer('two due chains', { celo: '30' });
  const [one, two] = [await smart.order(5), await smart.order(5, { chain: 'ink' })];
  const [a, b] = [await race.prepare(one.id, payer), await race.prepare(two.id, payer)];
  const answers = await race.together(race.lockLegs(a.id, b.id), [
    await race.signer(a, payer),
    await race.signer(b, payer),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('one key for two candidates at once begins one payment', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('one key', { celo: '9' });
  const candidates: string[] = [];
  for (let n = 0; n < 2; n += 1)
    candidates.push((await smart.candidates({ orderId: id, payer: [payer.address] })).body.data[0].id);
  const answers = await race.together(
    (tx) => holdOrder(tx, id),
    candidates.map((candidateId) => () => smart.pay({ candidateId, payer: payer.address, idempotencyKey: 'same' })),
  );
  expect(answers.map(({ status, body }) => [status, body.error?.code]).sort()).toEqual([
    [201, undefined],
    [400, 'idempotency_key_reused'],
  ]);
});

test('two wallets that take one candidate at once: one of them pays with it', async () => {
  const { id } = await smart.order(5);
  const [one, two] = [await smart.payer('payer one', { celo: '9' }), await smart.payer('payer two', { celo: '9' })];
  const { body } = await smart.candidates({ orderId: id, payer: [one.address, two.address] });
  const answers = await race.together(
    (tx) => holdOrder(tx, id),
    [one, two].map(
      ({ address }) =>
        () =>
          smart.pay({ candidateId: body.data[0].id, payer: address }),
    ),
  );
  expect(answers.map(({ status, body }) => [status, body.error?.code]).sort()).toEqual([
    [201, undefined],
    [400, 'parameter_invalid'],
  ]);
});

test('the same signature twice at once is sent once, and both are answered', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('signed twice', { celo: '9' });
  const payment = await race.prepare(id, payer);
  const send = await race.signer(payment, payer);
  const answers = await race.together(race.lockLegs(payment.id), [send, send]);
  expect(await race.callsOf(payment.id)).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('a payment that arrives while another one’s signature waits is not doubled', async () => {
  const { id } = await smart.order(5);
  const [one, two] = [await smart.payer('arrives b', { celo: '9' }), await smart.payer('waits b', { ink: '9' })];
  const [a, b] = [await race.prepare(id, one), await race.prepare(id, two)];
  await smart.give(a, one.key);
  await smart.work();
  await smart.mine();
  await smart.work();
  const { ctx } = smart.world;
  const at = (await smart.checkout.row(id)).depositAddress as Address;
  const leg = await race.legRow(a.id);
  const send = await race.signer(b, two);
  let running: ReturnType<typeof send> | undefined;
  await ctx.db.$transaction(async (tx) => {
    await lockKey(tx, 'payments:base');
    running = send();
    await expect.poll(race.waiting).toBe(1);
    await smart.bridge();
    await smart.mine();
    await ctx.db.$transaction((inner) => moveLeg(ctx, inner, leg, 'arrive'));
  });
  const answer = await running;
  expect(await smart.usdcOf(at, 'base')).toBe(5_000_000n);
  expect([answer?.status, answer?.body.error?.code]).toEqual([409, 'state_conflict']);
});

test('an order that a wallet paid by its own transaction, in a block that is not final, is not paid again', async () => {
  const { id } = await smart.order(5);
  const own = await smart.payer('own payer', { base: '9' }, { gas: true });
  const two = await smart.payer('pays again', { celo: '9' });
  const early = await race.prepare(id, two);
  const prepared = await smart.checkout.prepare(id, { payer: own.address, way: 'direct' });
  let hash: Hex = '0x';
  for (const { to, data } of prepared.body.payment.calls) hash = await sendAs(smart.world, own.key, { to, data });
  expect((await smart.checkout.submit(id, { tx_hash: hash })).status).toBe(200);
  const usual = await smart.checkout.prepare(id, { payer: two.address });
  expect([usual.status, usual.body.error?.code]).toEqual([409, 'payment_in_flight']);
  const list = await smart.candidates({ orderId: id, payer: [two.address] });
  const signed = await (await race.signer(early, two))();
  await smart.settle();
  expect([
    list.status,
    signed.status,
    (await smart.checkout.row(id)).status,
    await smart.usdcOf(two.address, 'celo'),
  ]).toEqual([409, 409, 'completed', 9_000_000n]);
});

test('a call that waited too long, of a signature that another sender used, is followed to its end', async () => {
  const { id } = await smart.order(5, { deadline: BigInt(Math.floor(smart.world.ctx.clock.now() / 1_000) + 7_200) });
  const payer = await smart.payer('used elsewhere', { celo: '9' });
  smart.bridges.faults.add(
    faultInput.parse({
      bridge: 'across',
      kind: 'delayed',
      ms: 900_000,
    }),
  );
  const payment = await smart.begin(id, payer);
  const leg = await race.legRow(payment.id);
  const { ctx } = smart.world;
  const queued = await ctx.db.outgoingTx.findFirstOrThrow({ where: { subjectId: leg.id } });
  const stranger = await smart.payer('first', {});
  await smart.world.admin('celo').setBalance({ address: stranger.address, value: 10n ** 18n });
  await sendAs(smart.world, stranger.key, { to: queued.toAddress as Address, data: queued.data as Hex }, 'celo');
  await smart.bridge();
  await smart.later(601);
  await smart.checkout.work('celo');
  const after = await race.legRow(payment.id);
  const list = await smart.candidates({
    orderId: id,
    payer: [(await smart.payer('payer again', { ink: '9' })).address],
  });
  await smart.later(900);
  await smart.settle();
  const end = await smart.statusOf(payment.id);
  expect([after.status, list.status, end.status, (await smart.checkout.row(id)).status]).toEqual([
    'sent',
    409,
    'succeeded',
    'completed',
  ]);
});

test('a leg whose transaction is in no block does not make its wallet the payer of what another one sent', async () => {
  const { id } = await smart.order(8);
  const thief = await smart.payer('never sends', {}, { gas: true });
  const victim = await smart.payer('really pays', { base: '9' });
  const sources = [{ chain: 'celo', asset: 'CELO' }];
  await smart.world.admin('celo').setBalance({ address: thief.address, value: 50n * 10n ** 18n });
  const { body } = await smart.candidates({ orderId: id, payer: [thief.address], sources });
  const payment = (await smart.pay({ candidateId: body.data[0].id, payer: thief.address })).body;
  const [step] = payment.legs[0].steps;
  const wallet = createWalletClient({
    account: privateKeyToAccount(thief.key),
    transport: rpcTransport(smart.world.anvilOf('celo').rpcUrl),
  });
  // Its nonce has a gap before it: it is known, and never mined.
  const hash = await wallet.sendTransaction({
    ...{ to: step.to, data: step.data, value: BigInt(step.value), chain: null, gas: 200_000n, nonce: 5 },
  });
  expect((await smart.leg(payment.id, 1, { txHash: hash })).status).toBe(200);
  const { depositAddress } = await smart.checkout.row(id);
  await sendToken(smart.world, victim.key, smart.world.evmChain('base').usdc, depositAddress as Address, 8_000_000n);
  await smart.mine();
  await smart.settle();
  await smart.settle();
  const row = await smart.checkout.row(id);
  expect([row.status, row.payer]).toEqual(['completed', victim.address]);
});

test('a transaction that is mined after it was given up is followed again', async () => {
  const { payer, payments, call } = await race.equal('slow to mine', 1);
  const id = payments[0]?.id ?? '';
  const admin = smart.world.admin('base');
  await admin.setAutomine(false);
  const hash = await sendAs(smart.world, payer.key, { ...call, unmined: true });
  expect((await smart.leg(id, 1, { txHash: hash })).status).toBe(200);
  // Only our clock: no block has it.
  smart.world.later((1_800 + 3_600 + 60) * 1_000);
  await smart.follow();
  expect((await smart.statusOf(id)).legs[0]).toMatchObject({ status: 'failed' });
  await admin.mine({ blocks: 1 });
  await admin.setAutomine(true);
  await smart.mine();
  const again = await smart.leg(id, 1, { txHash: hash });
  expect([again.status, again.body.error?.code]).toEqual([200, undefined]);
  await smart.follow();
  expect((await smart.statusOf(id)).status).toBe('succeeded');
});
