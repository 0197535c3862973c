// Two processes that do the same at the same moment: each is led up to one lock, and then all go on. One of them wins.
import {
  concatHex,
  createWalletClient,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  pad,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test, vi } from 'vitest';
import { sendAs } from '../../../test/setup/orders.ts';
import { type Races, racesOf } from '../../../test/setup/races.ts';
import { walletOfPerson } from '../../../test/setup/signer.ts';
import { aroundSmart, type SmartWorld } from '../../../test/setup/smart.ts';
import { visitor } from '../../../test/setup/visitor.ts';
import type { Address } from '../../chain/rpc/client.ts';
import { rpcTransport } from '../../chain/rpc/transport.ts';
import type { Tx } from '../../db.ts';
import type { PreparedPaymentAnswer } from '../../http/api/smartAnswers.ts';
import { holdOrder } from '../orders/underWay.ts';
import { moveLeg } from './ending.ts';

let smart: SmartWorld;
let race: Races;
aroundSmart(['base', 'celo', 'ink'], (started) => {
  smart = started;
  race = racesOf(smart);
});

describe('one order', () => {
  test('that two wallets sign for at once is paid by one', async () => {
    const { id } = await smart.order(5);
    const [one, two] = [await smart.payer('at once', { celo: '9' }), await smart.payer('at once too', { ink: '9' })];
    const [a, b] = [await race.prepare(id, one), await race.prepare(id, two)];
    const answers = await race.together(race.lockLegs(a.id, b.id), [
      await race.signer(a, one),
      await race.signer(b, two),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await smart.settle();
    expect((await smart.checkout.row(id)).status).toBe('completed');
    const has = [await smart.usdcOf(one.address, 'celo'), await smart.usdcOf(two.address, 'ink')];
    expect(has.filter((units) => units === 9_000_000n)).toHaveLength(1);
  });

  test('is cancelled or paid, not both', async () => {
    const bob = visitor(smart.url);
    await bob.signIn(walletOfPerson('bob'));
    const { id } = await smart.order(5);
    const payer = await smart.payer('at the last moment', { celo: '9' });
    const payment = await race.prepare(id, payer);
    const answers = await race.together(race.lockLegs(payment.id), [
      await race.signer(payment, payer),
      () => bob.post(`/api/orders/${id}/cancel`),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await smart.settle();
    const isPaid = answers[0]?.status === 200;
    expect([(await smart.checkout.row(id)).status, await race.callsOf(payment.id)]).toEqual(
      isPaid ? ['completed', 1] : ['cancelled', 0],
    );
  });

  test('that ended takes no signature any more, also one that was asked for before', async () => {
    const { id } = await smart.order(5);
    const payer = await smart.payer('ended before', { celo: '9' });
    const payment = await race.prepare(id, payer);
    const sign = await race.signer(payment, payer);
    await smart.world.ctx.db.order.update({ where: { id }, data: { status: 'cancelled' } });
    const refused = await sign();
    expect([refused.status, refused.body.error.code]).toEqual([409, 'state_conflict']);
    expect([(await race.legRow(payment.id)).status, await race.callsOf(payment.id)]).toEqual(['prepared', 0]);
  });

  test('that is being paid in the usual way takes no signature of another payer', async () => {
    const { id } = await smart.order(5);
    const [usual, other] = [await smart.payer('usual', { base: '9' }), await smart.payer('other', { celo: '9' })];
    const payment = await race.prepare(id, other);
    const offered = await smart.checkout.prepare(id, { payer: usual.address });
    expect((await smart.checkout.submit(id, await smart.checkout.sign(offered, usual.key))).status).toBe(200);
    const refused = await (await race.signer(payment, other))();
    expect([refused.status, refused.body.error.code]).toEqual([409, 'state_conflict']);
    await smart.settle();
    expect((await smart.checkout.row(id)).status).toBe('completed');
    expect(await smart.usdcOf(other.address, 'celo')).toBe(9_000_000n);
  });

  test('for which too little time is left since it was priced is not begun', async () => {
    const deadline = BigInt(Math.floor(smart.world.ctx.clock.now() / 1_000) + 150);
    const { id } = await smart.order(5, { deadline });
    const payer = await smart.payer('slow to choose', { base: '9' });
    const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
    await smart.later(100);
    const late = await smart.pay({ candidateId: body.data[0].id, payer: payer.address });
    expect([late.status, late.body.error.code]).toEqual([409, 'state_conflict']);
  });

  test('that a payer begins to pay twice over with one candidate has one payment', async () => {
    const { id } = await smart.order(5);
    const payer = await smart.payer('pressed twice', { celo: '9' });
    const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
    const wish = { candidateId: body.data[0].id, payer: payer.address };
    const answers = await race.together((tx) => holdOrder(tx, id), [() => smart.pay(wish), () => smart.pay(wish)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body.id).toBe(answers[1]?.body.id);
  });
});

describe('one leg', () => {
  test('that ends in the moment in which its signature comes is not sent', async () => {
    const { id } = await smart.order(5);
    const payer = await smart.payer('too late', { celo: '9' });
    const payment = await race.prepare(id, payer);
    const ends = async (tx: Tx) => {
      await moveLeg(smart.world.ctx, tx, await race.legRow(payment.id), 'fail', { reason: 'It ended.' });
    };
    const [answer] = await race.together(ends, [await race.signer(payment, payer)]);
    expect(answer?.body.legs[0].status).toBe('failed');
    expect(await race.callsOf(payment.id)).toBe(0);
  });

  test('that ends while its call waits for a key is not signed', async () => {
    const { id } = await smart.order(5);
    const payer = await smart.payer('ended in the queue', { celo: '9' });
    const payment = await smart.begin(id, payer);
    const { ctx } = smart.world;
    const leg = await race.legRow(payment.id);
    await ctx.db.$transaction((tx) => moveLeg(ctx, tx, leg, 'fail', { reason: 'It ended.' }));
    await smart.work();
    const [sent] = await ctx.db.outgoingTx.findMany({ where: { subjectId: leg.id } });
    expect(sent).toMatchObject({ status: 'queued', nonce: null });
    expect(await smart.usdcOf(payer.address, 'celo')).toBe(9_000_000n);
    // Its signature expires, and the call with it.
    await smart.later(601);
    await smart.work();
    expect(await ctx.db.outgoingTx.count({ where: { subjectId: leg.id, status: 'queued' } })).toBe(0);
  });

  test('whose payment’s other leg ends at the same moment ends the payment with it', async () => {
    const { id } = await smart.order(20);
    const payer = await smart.payer('two ends', { base: '12', celo: '12' });
    const payment = await race.prepare(id, payer);
    expect(payment.legs).toHaveLength(2);
    const { ctx } = smart.world;
    const [one, two] = [await race.legRow(payment.id, 1), await race.legRow(payment.id, 2)];
    await race.together(
      (tx) => moveLeg(ctx, tx, one, 'fail', { reason: 'It ended.' }),
      [() => ctx.db.$transaction((tx) => moveLeg(ctx, tx, two, 'fail', { reason: 'It ended.' }))],
    );
    expect(await smart.statusOf(payment.id)).toMatchObject({
      status: 'failed',
      legs: [{ status: 'failed' }, { status: 'failed' }],
    });
  });
});

describe('what is in no final block', () => {
  test.each([
    ['a deposit', { celo: '9' }],
    ['a transfer', { base: '9' }],
  ])('%s of another sender, when its signature expires: the leg neither fails nor arrives', async (name, funds) => {
    const { id } = await smart.order(5, { deadline: BigInt(Math.floor(smart.world.ctx.clock.now() / 1_000) + 7_200) });
    const payer = await smart.payer(`expires ${name}`, funds);
    const payment = await smart.begin(id, payer);
    const leg = await race.legRow(payment.id);
    const { ctx } = smart.world;
    const queued = await ctx.db.outgoingTx.findFirstOrThrow({ where: { subjectId: leg.id } });
    // Our own call never comes to its turn.
    await ctx.db.outgoingTx.deleteMany({ where: { id: queued.id } });
    const stranger = await smart.payer('first', {});
    for (const chain of ['base', 'celo'] as const)
      await smart.world.admin(chain).setBalance({ address: stranger.address, value: 10n ** 18n });
    const call = { to: queued.toAddress as Address, data: queued.data as Hex };
    await sendAs(smart.world, stranger.key, call, queued.chain as 'base');
    // Our clock alone: no block that is final has the expiry behind it.
    smart.world.later(601_000);
    await smart.follow();
    expect((await race.legRow(payment.id)).status).toBe('sent');
    for (const chain of ['base', 'celo', 'ink'] as const) {
      await smart.world.admin(chain).increaseTime({ seconds: 601 });
      await smart.world.freshPrices(chain);
    }
    await smart.mine();
    await smart.follow();
    await smart.settle();
    expect([(await smart.statusOf(payment.id)).status, (await smart.checkout.row(id)).status]).toEqual([
      'succeeded',
      'completed',
    ]);
  });

  test('what Relay delivered has not arrived', async () => {
    const { payment } = await overRelay('early');
    await smart.bridge();
    await smart.follow();
    expect((await race.legRow(payment.id)).status).toBe('bridging');
    await smart.mine();
    await smart.follow();
    expect((await race.legRow(payment.id)).status).toBe('arrived');
  });
});

/** An order that is paid over Relay from the native asset of Celo, and the payer's transaction reported. */
async function overRelay(name: string) {
  const { id } = await smart.order(8);
  const payer = await smart.payer(name, {}, { gas: true });
  await smart.world.admin('celo').setBalance({ address: payer.address, value: 5n * 10n ** 18n });
  const sources = [{ chain: 'celo', asset: 'CELO' }];
  const { body } = await smart.candidates({ orderId: id, payer: [payer.address], sources });
  const payment: PreparedPaymentAnswer = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
  await smart.give(payment, payer.key);
  return { id, payer, payment };
}

/** A token that is none: it logs a transfer from its caller, as its caller says. */
const OTHER_TOKEN: Address = `0x${'70'.repeat(20)}`;
const [TRANSFER] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' });
const OTHER_CODE = concatHex(['0x6020355f525f35337f', TRANSFER as Hex, '0x60205fa300']);
const transferred = (to: Address, units: bigint) => concatHex([pad(to), toHex(units, { size: 32 })]);

describe('what Relay says', () => {
  test.each(['success', 'refund'])(
    '%s, with transactions that brought less, something else, or it to another account, ends nothing',
    async (status) => {
      const { id, payment } = await overRelay(`told ${status}`);
      await smart.world.admin().setCode({ address: OTHER_TOKEN, bytecode: OTHER_CODE });
      const giver = await smart.payer('gives', { base: '30' }, { gas: true });
      const { depositAddress } = await smart.checkout.row(id);
      const to = (status === 'success' ? depositAddress : giver.address) as Address;
      const transfer = (units: bigint, whom: Address) =>
        encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [whom, units] });
      const { usdc } = smart.world.evmChain('base');
      const hashes: Hex[] = [
        await sendAs(smart.world, giver.key, { to, value: 1n }),
        await sendAs(smart.world, giver.key, {
          to: usdc,
          data: transfer(8_000_000n, smart.world.evmChain('base').routers.payment),
        }),
        ...(status === 'success'
          ? [await sendAs(smart.world, giver.key, { to: usdc, data: transfer(7_999_999n, to) })]
          : []),
        await sendAs(smart.world, giver.key, { to: OTHER_TOKEN, data: transferred(to, 8_000_000n) }),
        `0x${'ab'.repeat(32)}`,
      ];
      await smart.bridge();
      await smart.mine();
      const said = vi
        .spyOn(smart.bridges.relay, 'status')
        .mockReturnValue([200, { status, inTxHashes: [], txHashes: hashes }]);
      await smart.follow();
      said.mockRestore();
      expect((await race.legRow(payment.id)).status).toBe('bridging');
    },
  );
});

describe('a wallet that sends by itself', () => {
  test('its transfer is on its way until its block is final, and a reorg takes it back', async () => {
    const { payer, payments, call } = await race.equal('not final', 1);
    const id = payments[0]?.id ?? '';
    const hash = await sendAs(smart.world, payer.key, call);
    expect((await smart.leg(id, 1, { txHash: hash })).status).toBe(200);
    await smart.follow();
    expect((await race.legRow(id)).status).toBe('bridging');
    await smart.world.admin().request({ method: 'anvil_rollback' as never, params: [1] as never });
    await smart.follow();
    expect((await race.legRow(id)).status).toBe('sent');
    const again = await sendAs(smart.world, payer.key, call);
    await smart.leg(id, 1, { txHash: again });
    await smart.mine();
    await smart.follow();
    expect((await smart.statusOf(id)).status).toBe('succeeded');
  });

  test('a transfer that it sped up is not given up while the faster one is in no final block', async () => {
    const { payer, payments, call } = await race.equal('faster soon', 1);
    const id = payments[0]?.id ?? '';
    const admin = smart.world.admin();
    const wallet = createWalletClient({
      account: privateKeyToAccount(payer.key),
      transport: rpcTransport(smart.world.anvilOf('base').rpcUrl),
    });
    const nonce = await smart.world.reader().getTransactionCount({ address: payer.address });
    const send = (gwei: bigint) =>
      wallet.sendTransaction({
        ...{ ...call, chain: null, gas: 200_000n, nonce },
        ...{ maxFeePerGas: gwei * 10n ** 9n, maxPriorityFeePerGas: gwei * 10n ** 9n },
      });
    await admin.setAutomine(false);
    expect((await smart.leg(id, 1, { txHash: await send(20n) })).status).toBe(200);
    const faster = await send(60n);
    await admin.mine({ blocks: 1 });
    await admin.setAutomine(true);
    await smart.follow();
    expect((await race.legRow(id)).status).toBe('sent');
    await smart.mine();
    await smart.follow();
    expect(await smart.statusOf(id)).toMatchObject({ status: 'succeeded', legs: [{ txHashes: { origin: faster } }] });
  });

  test('a leg that arrived in the moment in which another transfer is named keeps its own', async () => {
    const { payer, payments, call } = await race.equal('named late', 1);
    const id = payments[0]?.id ?? '';
    const [first, second] = [await sendAs(smart.world, payer.key, call), await sendAs(smart.world, payer.key, call)];
    expect((await smart.leg(id, 1, { txHash: first })).status).toBe(200);
    const leg = await race.legRow(id);
    await race.together(
      (tx) => moveLeg(smart.world.ctx, tx, leg, 'arrive', { destinationHash: first }),
      [() => smart.leg(id, 1, { txHash: second })],
    );
    expect(await race.legRow(id)).toMatchObject({ status: 'arrived', originHash: first, destinationHash: first });
  });

  test('two legs whose transfers were replaced by one: it is counted to one', async () => {
    const { payer, payments, call, recipient } = await race.equal('one for two', 2);
    const admin = smart.world.admin('base');
    const ids = payments.map(({ id }) => id);
    const real = await sendAs(smart.world, payer.key, call);
    await smart.mine();
    // Reported, never seen in a block, and of a nonce that another transaction has used.
    for (const [n, id] of ids.entries())
      await smart.world.ctx.db.smartLeg.updateMany({
        where: { paymentId: id },
        data: { status: 'sent', originHash: `0x${String(n + 1).repeat(64)}`, originNonce: 0, sentAt: new Date(0) },
      });
    await admin.mine({ blocks: 1 });
    await race.together(race.lockLegs(...ids), [() => smart.follow()], 2);
    await smart.follow();
    const rows = await Promise.all(ids.map((id) => race.legRow(id)));
    expect(rows.filter(({ originHash }) => originHash === real)).toHaveLength(1);
    expect(rows.map(({ status }) => status).sort()).toEqual(['arrived', 'failed']);
    expect(await smart.usdcOf(recipient, 'base')).toBe(4_000_000n);
  });
});
