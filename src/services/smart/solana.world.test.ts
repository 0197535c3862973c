// Smart payments from and to Solana, by Relay and without a bridge: what is offered, what the payer signs, and what proves that it arrived or came back.
import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { faultInput } from '../../../local/bridge/faults.ts';
import { depositoryVault, solanaSolver } from '../../../local/bridge/solanaPlace.ts';
import { readAccount } from '../../../local/solana/accounts.ts';
import { forkWithout } from '../../../local/solana/fork.ts';
import { tokenAccountOf } from '../../../local/solana/tokens.ts';
import { signTransaction } from '../../../test/setup/signer.ts';
import { aroundSmart, type SmartWorld, shape } from '../../../test/setup/smart.ts';
import { transferUsdc } from '../../../test/setup/solanaTransfers.ts';
import type { PreparedPaymentAnswer } from '../../http/api/smartAnswers.ts';
import { refundArgs } from '../orders/refunds.ts';
import { followLegs } from './follow.ts';

let smart: SmartWorld;
aroundSmart(
  ['base', 'celo'],
  (started) => {
    smart = started;
  },
  { solana: true },
);

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API.
type Body = any;
const statusOf = (id: string) => smart.statusOf(id);
const orderOf = (id: string) => smart.checkout.row(id);
const usdcOf = (owner: string) => smart.world.solana.usdcOf(owner);
const deposited = () =>
  tokenAccountOf(readAccount(smart.world.solana.ledger, depositoryVault(smart.world.solana.usdc)))?.amount ?? 0n;
const legOf = (paymentId: string) =>
  smart.world.ctx.db.smartLeg.findUniqueOrThrow({ where: { paymentId_number: { paymentId, number: 1 } } });
const fault = (kind: string, more: object = {}) =>
  smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind, ...more }));
const failing = (answer: Body) => [answer.status, answer.body.error?.code];

/** A payment of the cheapest candidate, prepared and not given. */
async function prepare(wish: object, payers: string[], payer = payers[0] as string): Promise<PreparedPaymentAnswer> {
  const { body } = await smart.candidates({ ...wish, payer: payers });
  expect(body.error).toBeUndefined();
  const answer = await smart.pay({ candidateId: body.data[0].id, payer });
  expect(answer.body.error).toBeUndefined();
  return answer.body;
}
const fresh = (usdc = '40', sol = '0.01') => smart.solanaPayer(randomUUID(), { usdc, sol });
/** A payment from Solana of an order on Base: given, and the order. */
async function begun(usdc = 8) {
  const { id } = await smart.order(usdc);
  const payer = fresh();
  const payment = await prepare({ orderId: id }, [payer.address]);
  await smart.give(payment);
  return { id, payer, payment };
}
const stepOf = ({ legs }: PreparedPaymentAnswer, n = 0) => {
  const [step] = legs[n]?.steps ?? [];
  if (step?.kind !== 'solana_transaction') throw new Error('this leg is signed as a whole transaction');
  return step;
};

describe('from Solana', () => {
  test('an order on Base is paid with USDC on Solana: the payer signs one transaction, and exactly what is due arrives', async () => {
    const { id } = await smart.order(25);
    const payer = fresh();
    const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
    const [candidate] = body.data;
    expect(shape(candidate)).toEqual(['single', 'solana relay 25.00']);
    expect(candidate).toMatchObject({ gasless: false, balance_ok: true, confirmations: 1 });
    expect(candidate.legs[0].fees.map(({ kind }: Body) => kind)).toEqual(['bridge', 'network']);
    const [vault, lamports] = [deposited(), smart.world.solana.lamportsOf(payer.address)];
    const prepared = (await smart.pay({ candidateId: candidate.id, orderId: id, payer: payer.address })).body;
    expect(stepOf(prepared).signed_by).toBe(payer.address);
    await smart.give(prepared);
    expect((await statusOf(prepared.id)).step).toBe('waiting_for_confirmation');
    await smart.settle();
    const ended = await statusOf(prepared.id);
    expect([ended.status, (await orderOf(id)).status]).toEqual(['succeeded', 'completed']);
    expect(ended.legs[0].txHashes.origin).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
    expect(ended.legs[0].txHashes.destination).toMatch(/^0x/);
    // What left the wallet lies at the depository, and the network's fee came from the payer.
    const gave = 40_000_000n - usdcOf(payer.address);
    expect([deposited() - vault, String(gave)]).toEqual([gave, String(Math.round(Number(ended.legs[0].amount) * 1e6))]);
    const network = lamports - smart.world.solana.lamportsOf(payer.address);
    expect(network).toBeGreaterThanOrEqual(10_000n);
    expect(network).toBeLessThan(100_000n);
    const row = await orderOf(id);
    expect(row.payer).toBe(payer.address);
    // A Solana address cannot be refunded on Base: the merchant learns what to do.
    await expect(refundArgs(smart.world.ctx, { workspaceId: row.handleId }, id)).rejects.toMatchObject({
      code: 'order_not_refundable',
      message: expect.stringMatching(/paid from Solana/),
    });
  });

  test('SOL pays as well, at its price, and the wallet keeps its rent', async () => {
    const { id } = await smart.order(3);
    const payer = fresh('0', '0.1');
    const payment = await prepare({ orderId: id }, [payer.address]);
    expect(payment.legs.map(({ asset, via, chain }) => [asset, via, chain])).toEqual([['SOL', 'relay', 'solana']]);
    await smart.give(payment);
    await smart.settle();
    expect([(await statusOf(payment.id)).status, (await orderOf(id)).status]).toEqual(['succeeded', 'completed']);
    // 3 USD at 150 USD a SOL, and the fees.
    const left = smart.world.solana.lamportsOf(payer.address);
    expect(left).toBeLessThan(80_000_000n);
    expect(left).toBeGreaterThan(79_000_000n);
  });

  test('a wallet without SOL for the network, or with too little of either, is offered nothing that it cannot pay', async () => {
    const { id } = await smart.order(3);
    const list = async (usdc: string, sol: string) => {
      const { address } = fresh(usdc, sol);
      return (await smart.candidates({ orderId: id, payer: [address] })).body.data.filter(
        (one: Body) => one.balance_ok,
      );
    };
    expect(await list('9', '0')).toEqual([]);
    // What would be left is less than an account needs.
    expect(await list('9', '0.0007')).toEqual([]);
    // A leg of a pack delivers half a dollar, and this SOL is worth less.
    expect(await list('3', '0.002')).toEqual([]);
    expect((await list('9', '0.001')).map(shape)).toEqual([['single', 'solana relay 3.00']]);
    expect(await list('0', '0.0205')).toEqual([]);
  });

  test('a pack of both families: two wallets each sign their part', async () => {
    const { id } = await smart.order(25);
    const solana = fresh('12');
    const celo = await smart.payer(randomUUID(), { celo: '15' });
    const { body } = await smart.candidates({ orderId: id, payer: [celo.address, solana.address] });
    const pack = body.data.find(({ kind }: Body) => kind === 'multi');
    expect(pack.legs.map(({ chain, payer }: Body) => [chain, payer]).sort()).toEqual([
      ['celo', celo.address],
      ['solana', solana.address],
    ]);
    const payment = (await smart.pay({ candidateId: pack.id, payer: celo.address })).body;
    await smart.give(payment, celo.key);
    await smart.settle();
    const ended = await statusOf(payment.id);
    expect([ended.allOk, ended.status, (await orderOf(id)).status]).toEqual([true, 'succeeded', 'completed']);
  });

  test('a pack of which the Solana part comes back: what arrived stands on the order, and the rest can be paid', async () => {
    const { id } = await smart.order(25);
    const solana = fresh('12');
    const celo = await smart.payer(randomUUID(), { celo: '15' });
    const { body } = await smart.candidates({ orderId: id, payer: [celo.address, solana.address] });
    const pack = body.data.find(({ kind }: Body) => kind === 'multi');
    const payment: PreparedPaymentAnswer = (await smart.pay({ candidateId: pack.id, payer: celo.address })).body;
    fault('refunded');
    await smart.give(payment, celo.key);
    await smart.settle();
    await smart.settle();
    const ended = await statusOf(payment.id);
    expect([ended.status, ended.allOk]).toEqual(['partly', false]);
    const back = ended.legs.find(({ chain }: Body) => chain === 'solana');
    expect([back.status, usdcOf(solana.address)]).toEqual(['refunded', 12_000_000n]);
    expect(back.txHashes.refund).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
    const rest = (await smart.candidates({ orderId: id, payer: [solana.address] })).body;
    expect(rest.due.amount).toBe(back.arrives);
  });
});

describe('to Solana', () => {
  test('an order is paid with USDC on Base: Relay delivers to its own address, and it settles as any deposit', async () => {
    const row = await smart.solanaOrder('12');
    const payer = await smart.payer(randomUUID(), { base: '40' }, { gas: true });
    const payment = await prepare({ orderId: row.id }, [payer.address]);
    expect(payment.legs.map(({ chain, via }) => [chain, via])).toEqual([['base', 'relay']]);
    const before = usdcOf(smart.world.solana.addressOf('shop'));
    await smart.give(payment, payer.key);
    await smart.settle();
    expect([(await statusOf(payment.id)).status, (await orderOf(row.id)).status]).toEqual(['succeeded', 'completed']);
    // 1 % of a business is the fee.
    expect(usdcOf(smart.world.solana.addressOf('shop')) - before).toBe(11_880_000n);
    await expect(refundArgs(smart.world.ctx, { workspaceId: row.handleId }, row.id)).rejects.toMatchObject({
      code: 'order_not_refundable',
      message: expect.stringMatching(/paid from Base/),
    });
  });

  test('from a wallet on Solana too: a pack of a transfer and a bridge, whose transfer we pay for', async () => {
    const row = await smart.solanaOrder('20');
    const own = fresh('12', '0');
    const base = await smart.payer(randomUUID(), { base: '15' }, { gas: true });
    const { body } = await smart.candidates({ orderId: row.id, payer: [own.address, base.address] });
    const pack = body.data.find(({ kind }: Body) => kind === 'multi');
    expect(pack.legs.map(({ chain, via, gasless }: Body) => [chain, via, gasless]).sort()).toEqual([
      ['base', 'relay', false],
      ['solana', 'direct', true],
    ]);
    const payment = (await smart.pay({ candidateId: pack.id, payer: base.address })).body;
    await smart.give(payment, base.key);
    await smart.settle();
    expect([(await statusOf(payment.id)).status, (await orderOf(row.id)).status]).toEqual(['succeeded', 'completed']);
    expect(usdcOf(own.address)).toBe(0n);
  });

  test('a handle and an address are paid in their wallets, in USDC and in SOL', async () => {
    const payer = await smart.payer(randomUUID(), { base: '40' }, { gas: true });
    const newcomer = smart.solanaPayer(randomUUID(), { isNew: true }).address;
    const bob = smart.world.solana.addressOf('bob');
    for (const [recipient, currency, amount] of [
      ['@bob', 'USDC', '3'],
      [newcomer, 'USDC', '2'],
      [bob, 'SOL', '0.01'],
    ] as const) {
      const [usdc, lamports] = [usdcOf(bob), smart.world.solana.lamportsOf(bob)];
      const sources = [{ chain: 'base', asset: 'USDC' }];
      const payment = await prepare({ recipient, amount, currency, chain: 'solana', sources }, [payer.address]);
      await smart.give(payment, payer.key);
      await smart.settle();
      expect([recipient, currency, (await statusOf(payment.id)).status]).toEqual([recipient, currency, 'succeeded']);
      if (recipient === '@bob') expect(usdcOf(bob) - usdc).toBe(3_000_000n);
      if (recipient === newcomer) expect(usdcOf(newcomer)).toBe(2_000_000n);
      if (currency === 'SOL') expect(smart.world.solana.lamportsOf(bob) - lamports).toBe(10_000_000n);
    }
  });

  test('Relay asks for the account that it opens, once', async () => {
    const payer = await smart.payer(randomUUID(), { base: '40' }, { gas: true });
    const cost = async (recipient: string) => {
      const wish = { recipient, amount: '3', currency: 'USDC', chain: 'solana', payer: [payer.address] };
      return Number((await smart.candidates(wish)).body.data[0].cost_usd);
    };
    const [known, opened] = [await cost('@bob'), await cost(smart.world.solana.addressOf(randomUUID()))];
    // 0.00203928 SOL at 150 USD.
    expect(opened - known).toBeCloseTo(0.306, 2);
  });

  test('from one wallet on Solana to another: the payer pays the network, and opens the account that is missing', async () => {
    for (const [currency, amount] of [
      ['USDC', '3'],
      ['SOL', '0.02'],
    ]) {
      const payer = fresh('5', '0.1');
      const recipient = smart.solanaPayer(randomUUID(), { usdc: '0', sol: '0.01' }).address;
      const [executor] = smart.world.solana.roles.executors;
      const paid = smart.world.solana.lamportsOf(executor?.address ?? '');
      const payment = await prepare({ recipient, amount, currency, chain: 'solana' }, [payer.address]);
      expect(payment.legs.map(({ via }) => via)).toEqual(['direct']);
      await smart.give(payment);
      await smart.settle();
      expect((await statusOf(payment.id)).status).toBe('succeeded');
      // It cost us nothing.
      expect(smart.world.solana.lamportsOf(executor?.address ?? '')).toBeGreaterThanOrEqual(paid);
      if (currency === 'USDC') expect([usdcOf(recipient), usdcOf(payer.address)]).toEqual([3_000_000n, 2_000_000n]);
      else expect(smart.world.solana.lamportsOf(recipient)).toBe(30_000_000n);
    }
  });

  test('refused: an order in SOL, an address of another family, a program, an order and a chain that contradict', async () => {
    const sol = await smart.solanaOrder('0.1', { currency: 'SOL' });
    const payer = await smart.payer(randomUUID(), { base: '9' });
    const codes = async (wish: object) => failing(await smart.candidates({ payer: [payer.address], ...wish }));
    expect(await codes({ orderId: sol.id })).toEqual([422, 'unsupported_asset']);
    const wish = { amount: '1', currency: 'USDC', chain: 'solana' };
    expect(await codes({ ...wish, recipient: payer.address })).toEqual([400, 'parameter_invalid']);
    expect(await codes({ ...wish, recipient: smart.world.solana.program })).toEqual([400, 'parameter_invalid']);
    expect(await codes({ ...wish, recipient: '@bob', currency: 'ETH' })).toEqual([422, 'unsupported_asset']);
    expect(await codes({ ...wish, recipient: '@bob', payer: ['11111111'] })).toEqual([400, 'parameter_invalid']);
  });
});

describe('what Relay does to a payment from Solana', () => {
  test.each([
    ['refunded', 'refunded', 'refunded'],
    ['drifted', 'refunded', 'refunded'],
    ['failed', 'failed', 'failed'],
  ])('%s: the payment is %s, and the order can be paid', async (kind, status, leg) => {
    fault(kind);
    const { id, payer, payment } = await begun();
    await smart.settle();
    await smart.settle();
    const ended = await statusOf(payment.id);
    expect([ended.status, ended.legs[0].status]).toEqual([status, leg]);
    if (status === 'refunded') expect(usdcOf(payer.address)).toBe(40_000_000n);
    else expect(ended.legs[0].reason).toMatch(/bridge reports a failure/);
    expect((await orderOf(id)).status).toBe('awaiting_payment');
    expect((await smart.candidates({ orderId: id, payer: [payer.address] })).body.data.length).toBeGreaterThan(0);
  });

  test('delayed, and its API away, slow or busy meanwhile: it arrives all the same', async () => {
    fault('delayed', { ms: 60_000 });
    const { id, payment } = await begun();
    fault('away', { times: 3 });
    fault('status', { times: 2, status: 503 });
    fault('status', { times: 2, status: 429 });
    fault('slow', { ms: 300 });
    await smart.settle();
    expect((await orderOf(id)).status).toBe('awaiting_payment');
    expect((await statusOf(payment.id)).status).toBe('pending');
    await smart.later(61);
    smart.bridges.faults.clear();
    await smart.settle();
    await smart.settle();
    expect([(await statusOf(payment.id)).status, (await orderOf(id)).status]).toEqual(['succeeded', 'completed']);
  });

  test('never filled: it stays under way, and nothing is credited', async () => {
    fault('never_filled');
    const { id, payment } = await begun();
    await smart.settle();
    expect(await statusOf(payment.id)).toMatchObject({ status: 'pending', step: 'bridge_processing' });
    expect((await orderOf(id)).status).toBe('awaiting_payment');
  });

  test('failed, and given back later: the leg says so', async () => {
    fault('failed', { ms: 60_000 });
    const { payer, payment } = await begun();
    await smart.settle();
    expect((await statusOf(payment.id)).status).toBe('failed');
    await smart.later(61);
    await smart.settle();
    expect([(await statusOf(payment.id)).status, usdcOf(payer.address)]).toEqual(['refunded', 40_000_000n]);
  });

  test('a bridge that is away when the ways are listed is left out, and named', async () => {
    const { id } = await smart.order(7);
    for (const kind of ['away', 'status']) {
      fault(kind, { times: 10 });
      const { body } = await smart.candidates({ orderId: id, payer: [fresh().address] });
      expect([body.data, body.unavailable]).toEqual([[], ['relay']]);
      smart.bridges.faults.clear();
    }
  });

  test('what it says alone ends nothing: another account’s money, too little, and a transaction that is not final', async () => {
    const { payment, payer } = await begun();
    await smart.workSolana();
    const { solana } = smart.world;
    const says = vi.spyOn(smart.bridges.relay, 'status');
    const said = (answer: object) => says.mockReturnValue([200, { inTxHashes: [], txHashes: [], ...answer }]);
    // A refund to the payer of nothing, to another wallet, and one that a fork may take back.
    const elsewhere = transferUsdc(solana, 'bob', solana.addressOf('alice'), 1_000_000n).signature;
    solana.step(12);
    for (const name of [elsewhere, 'not a transaction', `0x${'1'.repeat(64)}`]) {
      said({ status: 'refund', txHashes: [name] });
      await smart.follow();
      said({ status: 'success', txHashes: [name] });
      await smart.follow();
    }
    expect((await legOf(payment.id)).status).toBe('bridging');
    const young = transferUsdc(solana, 'bob', payer.address, 5n).signature;
    solana.step(1);
    said({ status: 'refund', txHashes: [young] });
    await smart.follow();
    expect((await legOf(payment.id)).status).toBe('bridging');
    solana.step(12);
    await smart.follow();
    expect((await legOf(payment.id)).status).toBe('refunded');
    says.mockRestore();
    await smart.bridge();
    await smart.settle();
  });
});

describe('what the payer signs', () => {
  const broken: [string, (payment: PreparedPaymentAnswer) => Promise<string> | string][] = [
    ['of another key', (payment) => signTransaction(fresh(), stepOf(payment).solana_transaction)],
    [
      'of another amount',
      (payment) => {
        const [key, text] = [smart.keyOf(stepOf(payment).signed_by), stepOf(payment).solana_transaction];
        return signTransaction(key, text, ({ compiledInstructions }) => {
          const data = compiledInstructions[2]?.data as Uint8Array;
          data[8] = (data[8] ?? 0) ^ 1;
        });
      },
    ],
    [
      'to another request',
      (payment) => {
        const [key, text] = [smart.keyOf(stepOf(payment).signed_by), stepOf(payment).solana_transaction];
        return signTransaction(key, text, ({ compiledInstructions }) => {
          const data = compiledInstructions[2]?.data as Uint8Array;
          data[20] = (data[20] ?? 0) ^ 1;
        });
      },
    ],
    ['that is none', () => Buffer.from('nothing').toString('base64')],
  ];
  test.each(broken)('a transaction %s is refused, and nothing is sent', async (_, change) => {
    const { id } = await smart.order(8);
    const payment = await prepare({ orderId: id }, [fresh().address]);
    const answer = await smart.leg(payment.id, 1, { solana_transaction: await change(payment) });
    expect(failing(answer)).toEqual([400, 'signature_invalid']);
    expect((await legOf(payment.id)).status).toBe('prepared');
  });

  test('one payment’s transaction pays no other', async () => {
    const payer = fresh();
    const recipient = smart.solanaPayer(randomUUID(), {}).address;
    const wish = { recipient, amount: '2', currency: 'USDC', chain: 'solana' };
    const [one, other] = [await prepare(wish, [payer.address]), await prepare(wish, [payer.address])];
    const signed = smart.signed(stepOf(one));
    expect(failing(await smart.leg(other.id, 1, { solana_transaction: signed }))).toEqual([400, 'signature_invalid']);
    expect((await smart.leg(one.id, 1, { solana_transaction: signed })).status).toBe(200);
    expect((await smart.leg(one.id, 1, { solana_transaction: signed })).status).toBe(200);
    await smart.settle();
    expect([(await statusOf(one.id)).status, usdcOf(recipient)]).toEqual(['succeeded', 2_000_000n]);
    expect((await legOf(other.id)).status).toBe('prepared');
  });

  test('the same signed transaction twice at once is sent once', async () => {
    const { id } = await smart.order(8);
    const payment = await prepare({ orderId: id }, [fresh().address]);
    const solana_transaction = smart.signed(stepOf(payment));
    const answers = await Promise.all([1, 2].map(() => smart.leg(payment.id, 1, { solana_transaction })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { id: subjectId } = await legOf(payment.id);
    expect(await smart.world.ctx.db.outgoingTx.count({ where: { subjectId } })).toBe(1);
    await smart.settle();
    expect((await statusOf(payment.id)).status).toBe('succeeded');
  });

  test('a leg is given in its own way', async () => {
    const { id } = await smart.order(8);
    const payment = await prepare({ orderId: id }, [fresh().address]);
    for (const proof of [{ signature: `0x${'11'.repeat(65)}` }, { txHash: `0x${'1'.repeat(64)}` }])
      expect(failing(await smart.leg(payment.id, 1, proof))).toEqual([409, 'state_conflict']);
    const evm = await prepare({ orderId: id }, [(await smart.payer(randomUUID(), { base: '20' })).address]);
    const solana_transaction = Buffer.from('anything').toString('base64');
    expect(failing(await smart.leg(evm.id, 1, { solana_transaction }))).toEqual([409, 'state_conflict']);
  });

  test('money that is gone by then is refused at once, in words', async () => {
    const { id } = await smart.order(8);
    const payer = fresh();
    const payment = await prepare({ orderId: id }, [payer.address]);
    const name = smart.nameOf(payer.address);
    transferUsdc(smart.world.solana, name, smart.world.solana.addressOf('bob'), 39_000_000n);
    smart.world.solana.step(3);
    const answer = await smart.leg(payment.id, 1, { solana_transaction: smart.signed(stepOf(payment)) });
    expect(failing(answer)).toEqual([402, 'call_refused']);
    expect(answer.body.error.message).toMatch(/no longer covers it/);
  });

  test('a transaction whose block hash is over ends its leg, and nothing left the wallet', async () => {
    const { id } = await smart.order(8);
    const payer = fresh();
    const payment = await prepare({ orderId: id }, [payer.address]);
    const solana_transaction = smart.signed(stepOf(payment));
    expect((await smart.leg(payment.id, 1, { solana_transaction })).status).toBe(200);
    smart.world.solana.step(500);
    await smart.settle();
    const ended = await statusOf(payment.id);
    expect([ended.status, ended.legs[0].reason]).toEqual([
      'failed',
      'It was not paid in time. Nothing left your wallet.',
    ]);
    expect([usdcOf(payer.address), (await orderOf(id)).status]).toEqual([40_000_000n, 'awaiting_payment']);
    // Signed too late, it is not taken at all; the payment gives a fresh one.
    const other = await prepare({ orderId: id }, [payer.address]);
    const stale = smart.signed(stepOf(other));
    smart.world.solana.step(500);
    expect(failing(await smart.leg(other.id, 1, { solana_transaction: stale }))).toEqual([402, 'call_refused']);
    const { candidateId } = await smart.world.ctx.db.smartPayment.findUniqueOrThrow({ where: { id: other.id } });
    const again = (await smart.pay({ candidateId, payer: payer.address })).body;
    expect([again.id, stepOf(again).solana_transaction === stepOf(other).solana_transaction]).toEqual([
      other.id,
      false,
    ]);
    await smart.give(again);
    await smart.settle();
    expect((await statusOf(other.id)).status).toBe('succeeded');
  });

  test('an order that was paid before it was sent: nothing is sent', async () => {
    const { id, payer, payment } = await begun(5);
    await smart.world.ctx.db.order.update({ where: { id }, data: { status: 'cancelled' } });
    await smart.settle();
    const ended = await statusOf(payment.id);
    expect([ended.status, ended.legs[0].reason]).toEqual([
      'failed',
      'The order ended, or was paid, before this was sent. Nothing left your wallet.',
    ]);
    expect(usdcOf(payer.address)).toBe(40_000_000n);
  });
});

describe('a fork of Solana', () => {
  test('takes a deposit back after it was filled: it lands again, and nothing is paid twice', async () => {
    const { id, payer, payment } = await begun();
    await smart.workSolana();
    const { originHash } = await legOf(payment.id);
    expect((await legOf(payment.id)).status).toBe('bridging');
    await smart.bridge();
    expect(forkWithout(smart.world.solana.ledger, originHash ?? '')).toBe(true);
    await smart.world.solana.follow();
    expect((await legOf(payment.id)).status).toBe('sent');
    await smart.settle();
    await smart.settle();
    expect([(await statusOf(payment.id)).status, (await orderOf(id)).status]).toEqual(['succeeded', 'completed']);
    const gave = 40_000_000n - usdcOf(payer.address);
    expect(gave).toBe(BigInt(Math.round(Number((await statusOf(payment.id)).legs[0].amount) * 1e6)));
  });

  test('takes an arrival back: it counts when it is final, and not before', async () => {
    const row = await smart.solanaOrder('4');
    const payer = await smart.payer(randomUUID(), { base: '40' }, { gas: true });
    const payment = await prepare({ orderId: row.id }, [payer.address]);
    await smart.give(payment, payer.key);
    await smart.mine();
    await smart.bridge();
    smart.world.solana.step(3);
    await followLegs(smart.world.ctx);
    await smart.follow();
    expect((await statusOf(payment.id)).status).toBe('pending');
    const { slot, signature } = smart.lastOf(solanaSolver());
    expect(slot).toBeGreaterThan(0);
    expect(forkWithout(smart.world.solana.ledger, signature)).toBe(true);
    await smart.settle();
    // Relay’s word alone: no one has the money, so nothing is credited.
    expect([(await statusOf(payment.id)).status, (await orderOf(row.id)).status]).toEqual([
      'pending',
      'awaiting_payment',
    ]);
  });
});
