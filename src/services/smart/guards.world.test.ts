// What holds when two things happen at once, or the chain refuses what we sent: one refund for several legs, equal transfers, failed sendings, budgets.
import { createWalletClient, erc20Abi, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { faultInput } from '../../../local/bridge/faults.ts';
import { publishRefund } from '../../../local/bridge/filler.ts';
import { ACROSS_ROLE } from '../../../local/chains/deploy/across.ts';
import { openLocalChain } from '../../../local/chains/deploy/send.ts';
import { giveUsdc, sendAs, sendToken } from '../../../test/setup/orders.ts';
import { aroundSmart, type SmartWorld } from '../../../test/setup/smart.ts';
import { acrossOf } from '../../chain/bridge/across.ts';
import type { Address } from '../../chain/rpc/client.ts';
import { rpcTransport } from '../../chain/rpc/transport.ts';
import type { Ctx } from '../../context.ts';
import { PAYMENT_FAILURES_A_DAY } from '../../domain/checkout.ts';
import { firmQuote } from '../bridges/prices.ts';

let smart: SmartWorld;
aroundSmart(['base', 'celo'], (started) => {
  smart = started;
});

const legOf = async (id: string) => (await smart.statusOf(id)).legs[0];

type Payer = Awaited<ReturnType<SmartWorld['payer']>>;

describe('one refund of a bridge', () => {
  /** Two equal deposits of one wallet that no one delivers, past their deadline. */
  async function twoUndelivered(payer: Payer) {
    smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'never_filled', times: 2 }));
    const payments: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      payments.push((await smart.begin((await smart.order(5)).id, payer)).id);
      await smart.work();
      await smart.mine();
      await smart.work();
    }
    await smart.bridge();
    expect((await Promise.all(payments.map(legOf))).map(({ status }) => status)).toEqual(['bridging', 'bridging']);
    await smart.later(1_900);
    await smart.mine();
    return payments;
  }
  const refunds = async (payments: string[]) =>
    (await Promise.all(payments.map(legOf))).map(({ txHashes }) => txHashes.refund);

  test('that returns both deposits of a wallet ends both of its legs', async () => {
    const payer = await smart.payer('both back', { celo: '20' });
    const payments = await twoUndelivered(payer);
    await smart.bridge();
    await smart.mine();
    await smart.follow();
    const [one, other] = await refunds(payments);
    expect([one, one === other]).toEqual([expect.stringMatching(/^0x/), true]);
    expect((await Promise.all(payments.map(smart.statusOf))).map(({ status }) => status)).toEqual([
      'refunded',
      'refunded',
    ]);
    // All that it lacks is what our executor was paid for the gas of its deposits.
    const legs = await smart.world.ctx.db.smartLeg.findMany({ where: { paymentId: { in: payments } } });
    const fees = legs.reduce((sum, { terms }) => sum + BigInt((terms as { fee: string }).fee), 0n);
    expect(fees).toBeGreaterThan(0n);
    expect(await smart.usdcOf(payer.address, 'celo')).toBe(20_000_000n - fees);
  });

  test('that is enough for one ends one, also where both are looked at together', async () => {
    const payer = await smart.payer('one back', { celo: '20' });
    const payments = await twoUndelivered(payer);
    const celo = smart.world.evmChain('celo');
    // As other depositors' money lies in it.
    await giveUsdc(smart.world, acrossOf(celo).pool, 20_000_000n, 'celo');
    const { input } = (await smart.world.ctx.db.smartLeg.findFirstOrThrow({ where: { paymentId: payments[0] ?? '' } }))
      .terms as { input: string };
    await publishRefund(
      await openLocalChain(smart.world.anvilOf('celo').rpcUrl, ACROSS_ROLE.key),
      acrossOf(celo).pool,
      {
        ...{ amountToReturn: 0n, chainId: BigInt(celo.facts.chainId), leafId: 77, l2TokenAddress: celo.usdc },
        ...{ refundAmounts: [BigInt(input)], refundAddresses: [payer.address] },
      },
    );
    await smart.mine();
    await smart.follow();
    await smart.follow();
    const known = await refunds(payments);
    expect(known.filter((hash) => hash !== null)).toHaveLength(1);
    expect((await Promise.all(payments.map(legOf))).map(({ status }) => status).sort()).toEqual([
      'bridging',
      'refunded',
    ]);
    // The other one's own refund.
    await smart.bridge();
    await smart.mine();
    await smart.follow();
    const ended = await refunds(payments);
    expect(new Set(ended).size).toBe(2);
    expect((await Promise.all(payments.map(smart.statusOf))).map(({ status }) => status)).toEqual([
      'refunded',
      'refunded',
    ]);
  });
});

test('two equal transfers of a wallet, both sped up: each leg has its own', async () => {
  const payer = await smart.payer('twice faster', { base: '20' }, { gas: true });
  const recipient = (await smart.payer('twice paid', {})).address;
  const wish = { recipient, amount: '4', currency: 'USDC', chain: 'base', payer: [payer.address] };
  const account = privateKeyToAccount(payer.key);
  const wallet = createWalletClient({ account, transport: rpcTransport(smart.world.anvilOf('base').rpcUrl) });
  const admin = smart.world.admin('base');
  const nonce = await smart.world.reader('base').getTransactionCount({ address: payer.address });
  await admin.setAutomine(false);
  const payments: string[] = [];
  const calls: { to: Address; data: Hex }[] = [];
  const send = (n: number, gwei: bigint) =>
    wallet.sendTransaction({
      ...{ ...(calls[n] as { to: Address; data: Hex }), chain: null, gas: 200_000n, nonce: nonce + n },
      ...{ maxFeePerGas: gwei * 10n ** 9n, maxPriorityFeePerGas: gwei * 10n ** 9n },
    });
  for (const n of [0, 1]) {
    const { body } = await smart.candidates({ ...wish, sources: [{ chain: 'base', asset: 'USDC' }] });
    const prepared = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
    const [step] = prepared.legs[0].steps;
    calls.push({ to: step.to, data: step.data });
    expect((await smart.leg(prepared.id, 1, { txHash: await send(n, 20n) })).status).toBe(200);
    payments.push(prepared.id);
  }
  for (const n of [0, 1]) await send(n, 60n);
  await admin.mine({ blocks: 1 });
  await admin.setAutomine(true);
  await smart.mine();
  for (let turn = 0; turn < 3; turn += 1) await smart.follow();
  const legs = await Promise.all(payments.map(legOf));
  expect(legs.map(({ status }) => status)).toEqual(['arrived', 'arrived']);
  expect(new Set(legs.map(({ txHashes }) => txHashes.origin)).size).toBe(2);
  expect(await smart.usdcOf(recipient, 'base')).toBe(8_000_000n);
});

describe('what we send for a wallet', () => {
  /** Our transaction is refused by the chain: the wallet's money goes away in the same block, ahead of it. */
  async function refusedOnChain(name: string) {
    const { id } = await smart.order(5);
    const payer = await smart.payer(name, { celo: '9' });
    const safe = await smart.payer(`${name} safe`, {});
    const payment = await smart.begin(id, payer);
    const admin = smart.world.admin('celo');
    await admin.setBalance({ address: payer.address, value: 10n ** 18n });
    const { rpcUrl } = smart.world.anvilOf('celo');
    const wallet = createWalletClient({ account: privateKeyToAccount(payer.key), transport: rpcTransport(rpcUrl) });
    const { usdc } = smart.world.evmChain('celo');
    await admin.setAutomine(false);
    await smart.work();
    await wallet.writeContract({
      ...{ address: usdc, abi: erc20Abi, functionName: 'transfer', args: [safe.address, 9_000_000n] },
      ...{ chain: null, gas: 200_000n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 12n },
    });
    await admin.mine({ blocks: 1 });
    await admin.setAutomine(true);
    await smart.work();
    await smart.mine();
    await smart.work();
    const leg = await smart.world.ctx.db.smartLeg.findFirstOrThrow({ where: { paymentId: payment.id } });
    const sent = await smart.world.ctx.db.outgoingTx.findFirstOrThrow({ where: { subjectId: leg.id } });
    expect([sent.status, sent.succeeded, leg.status]).toEqual(['final', false, 'sent']);
    return { id, payer, safe, payment, call: { to: sent.toAddress as Address, data: sent.data as Hex } };
  }

  test('and the chain refuses stays open while its signature is good: anyone may send what is public', async () => {
    const { id, payer, safe, payment, call } = await refusedOnChain('emptied');
    const again = await smart.candidates({ orderId: id, payer: [payer.address] });
    expect(again.body.error.code).toBe('state_conflict');
    await sendToken(smart.world, safe.key, smart.world.evmChain('celo').usdc, payer.address, 9_000_000n, 'celo');
    const stranger = await smart.payer('stranger', {});
    await smart.world.admin('celo').setBalance({ address: stranger.address, value: 10n ** 18n });
    await sendAs(smart.world, stranger.key, call, 'celo');
    await smart.settle();
    expect([(await smart.statusOf(payment.id)).status, (await smart.checkout.row(id)).status]).toEqual([
      'succeeded',
      'completed',
    ]);
  });

  test('and the chain refuses is over with its signature, and the order can be paid', async () => {
    const { id, payer, payment } = await refusedOnChain('emptied for good');
    await smart.later(1_900);
    await smart.mine();
    await smart.follow();
    expect(await legOf(payment.id)).toMatchObject({
      status: 'failed',
      reason: 'It was not paid in time. Nothing left your wallet.',
    });
    expect((await smart.candidates({ orderId: id, payer: [payer.address] })).status).toBe(200);
  });

  test('goes one after the other, and not after several failures of a day', async () => {
    const payer = await smart.payer('impatient', { celo: '60' });
    const account = privateKeyToAccount(payer.key);
    const prepare = async () => {
      const { id } = await smart.order(5);
      const { body } = await smart.candidates({ orderId: id, payer: [payer.address] });
      return (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
    };
    const sign = async ({ id, legs }: Awaited<ReturnType<typeof prepare>>) => {
      const { status, body } = await smart.leg(id, 1, {
        signature: await account.signTypedData(legs[0].steps[0].typed_data),
      });
      return [status, body.error?.code];
    };
    const [first, second] = [await prepare(), await prepare()];
    // Both at once: the first one holds the wallet's turn.
    const both = await Promise.all([sign(first), sign(second)]);
    expect(both.map(([status]) => status).sort()).toEqual([200, 409]);
    await smart.settle();
    const waited = both[0]?.[0] === 409 ? first : second;
    expect(await sign(waited)).toEqual([200, undefined]);
    await smart.settle();
    for (let n = 0; n < PAYMENT_FAILURES_A_DAY; n += 1) {
      // Ten payments a minute may be begun.
      if (n % 5 === 0) await smart.later(61);
      const where = { paymentId: (await prepare()).id };
      const sentAt = new Date(smart.world.ctx.clock.now());
      await smart.world.ctx.db.smartLeg.updateMany({ where, data: { status: 'failed', sentAt, endedAt: sentAt } });
    }
    await smart.later(61);
    expect(await sign(await prepare())).toEqual([429, 'rate_limited']);
    await smart.later(86_401);
    expect(await sign(await prepare())).toEqual([200, undefined]);
    await smart.settle();
  });
});

test('the quotes of a minute are those of all processes together', async () => {
  const { world } = smart;
  const payer = await smart.payer('quoted', {});
  const [celo, base] = [world.evmChain('celo'), world.evmChain('base')];
  const route = {
    ...{ via: 'relay' as const, origin: celo, destination: base, inputToken: celo.usdc, outputToken: base.usdc },
    ...{ inputDecimals: 6, outputDecimals: 6, inputValue: 10n ** 18n, outputValue: 10n ** 18n },
  };
  // A process shares nothing with another but the rows.
  const processes = [world.ctx, { ...world.ctx, shutdown: { ...world.ctx.shutdown } }];
  const ask = (ctx: Ctx, n: number) =>
    firmQuote(
      ctx,
      route,
      {
        ...{ payer: payer.address, recipient: payer.address, client: null },
        ...{ amount: BigInt(1_000_000 + n), slippageBps: 200 },
      },
      'payment',
    );
  await smart.later(61);
  const asked = Array.from({ length: 24 }, (_, n) => ask(processes[n % 2] as Ctx, n));
  const ended = await Promise.allSettled(asked);
  const refused = ended.filter((one) => one.status === 'rejected');
  expect(ended.length - refused.length).toBe(15);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'RATE_LIMITED', isBusy: true });
  await smart.later(61);
  await expect(ask(world.ctx, 99)).resolves.toBeDefined();
});
