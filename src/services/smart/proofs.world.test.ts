// What proves that a leg was sent, arrived or came back, and whose money it was: nothing else does.
import { createWalletClient, encodeFunctionData, erc20Abi, type Hex, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultInput } from '../../../local/bridge/faults.ts';
import { publishRefund } from '../../../local/bridge/filler.ts';
import { ACROSS_ROLE } from '../../../local/chains/deploy/across.ts';
import { openLocalChain } from '../../../local/chains/deploy/send.ts';
import { giveUsdc, sendAs, sendToken } from '../../../test/setup/orders.ts';
import { chainThrough } from '../../../test/setup/payments.ts';
import { type Races, racesOf } from '../../../test/setup/races.ts';
import { startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { aroundSmart, type SmartWorld } from '../../../test/setup/smart.ts';
import { acrossOf } from '../../chain/bridge/across.ts';
import { readOwnCall } from '../../chain/logs/ownPayments.ts';
import type { Address } from '../../chain/rpc/client.ts';
import { rpcTransport } from '../../chain/rpc/transport.ts';
import { encodeApprove } from '../../chain/signing/permits.ts';
import { namePayers } from '../orders/payers.ts';
import { requireSameOwner } from '../orders/refunds.ts';
import { followLegs } from './follow.ts';

let smart: SmartWorld;
let race: Races;
aroundSmart(['base', 'celo', 'ink', 'bsc'], (started) => {
  smart = started;
  race = racesOf(smart);
});
const inSeconds = (seconds: number) => BigInt(Math.floor(smart.world.ctx.clock.now() / 1_000) + seconds);

test('another transfer of the wallet proves no leg: of less, to another account, or of another wallet', async () => {
  const { payer, payments, recipient } = await race.equal('di1', 1);
  const other = await smart.payer('di1 other', { base: '9' });
  const { usdc } = smart.world.evmChain('base');
  for (const hash of [
    await sendToken(smart.world, payer.key, usdc, recipient, 3_999_999n),
    await sendToken(smart.world, payer.key, usdc, other.address, 4_000_000n),
    await sendToken(smart.world, other.key, usdc, recipient, 4_000_000n),
  ]) {
    const { status, body } = await smart.leg(payments[0]?.id ?? '', 1, { txHash: hash });
    expect([status, body.error?.code]).toEqual([422, 'tx_mismatch']);
  }
});

test('another signature that the wallet gave, and that was used, ends no leg', async () => {
  const deadline = inSeconds(7_200);
  const payer = await smart.payer('di5', { base: '20' });
  const a = await smart.begin((await smart.order(5, { deadline })).id, payer);
  await smart.work();
  const b = await smart.begin((await smart.order(5, { deadline })).id, payer);
  const leg = await race.legRow(b.id);
  await smart.world.ctx.db.outgoingTx.deleteMany({ where: { subjectId: leg.id } });
  await smart.mine();
  await smart.later(601);
  await smart.mine();
  await smart.follow();
  expect((await race.legRow(b.id)).status).toBe('failed');
  await smart.settle();
  expect((await smart.statusOf(a.id)).status).toBe('succeeded');
});

test('a transfer from just before the payment, in a block that is not final, proves no leg', async () => {
  const { payer, payments, call, recipient } = await race.equal('pa6', 1);
  expect(payments).toHaveLength(1);
  const old = await sendAs(smart.world, payer.key, call);
  const wish = { recipient, amount: '4', currency: 'USDC', chain: 'base', payer: [payer.address] };
  const { body } = await smart.candidates({ ...wish, sources: [{ chain: 'base', asset: 'USDC' }] });
  const second = (await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).body;
  const refused = await smart.leg(second.id, 1, { txHash: old });
  expect([refused.status, refused.body.error?.code]).toEqual([422, 'tx_mismatch']);
});

test('a transfer that we sent and the chain refused has not arrived', async () => {
  const { id } = await smart.order(5);
  const payer = await smart.payer('k5', { base: '9' });
  const safe = await smart.payer('k5 safe', {});
  const payment = await smart.begin(id, payer);
  expect(payment.legs[0]?.via).toBe('direct');
  const admin = smart.world.admin('base');
  await admin.setBalance({ address: payer.address, value: 10n ** 18n });
  const wallet = createWalletClient({
    account: privateKeyToAccount(payer.key),
    transport: rpcTransport(smart.world.anvilOf('base').rpcUrl),
  });
  await admin.setAutomine(false);
  await smart.work();
  await wallet.writeContract({
    ...{ address: smart.world.evmChain('base').usdc, abi: erc20Abi },
    ...{ functionName: 'transfer', args: [safe.address, 9_000_000n] },
    ...{ chain: null, gas: 200_000n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 12n },
  });
  await admin.mine({ blocks: 1 });
  await admin.setAutomine(true);
  await smart.work();
  await smart.mine();
  await smart.work();
  const leg = await race.legRow(payment.id);
  const sent = await smart.world.ctx.db.outgoingTx.findFirstOrThrow({ where: { subjectId: leg.id } });
  expect([sent.status, sent.succeeded, leg.status]).toEqual(['final', false, 'sent']);
  await smart.later(1_900);
  await smart.mine();
  await smart.follow();
  expect((await smart.statusOf(payment.id)).status).toBe('failed');
});

test('a transfer that the chain refused is over with a final block, and not before', async () => {
  const { payer, payments, call } = await race.equal('ld1', 1);
  const id = payments[0]?.id ?? '';
  const admin = smart.world.admin('base');
  const wallet = createWalletClient({
    account: privateKeyToAccount(payer.key),
    transport: rpcTransport(smart.world.anvilOf('base').rpcUrl),
  });
  const nonce = await smart.world.reader('base').getTransactionCount({ address: payer.address });
  const fees = { chain: null, gas: 200_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 11n };
  const safe = (await smart.payer('ld1 safe', {})).address;
  const empty = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [safe, 20_000_000n] });
  await admin.setAutomine(false);
  await wallet.sendTransaction({ to: smart.world.evmChain('base').usdc, data: empty, nonce, ...fees });
  const hash = await wallet.sendTransaction({ ...call, nonce: nonce + 1, ...fees });
  expect((await smart.leg(id, 1, { txHash: hash })).status).toBe(200);
  await admin.mine({ blocks: 1 });
  await admin.setAutomine(true);
  await smart.follow();
  expect((await race.legRow(id)).status).toBe('sent');
  await smart.mine();
  await smart.follow();
  expect(await race.legRow(id)).toMatchObject({
    status: 'failed',
    reason: 'The network rejected your wallet’s transaction.',
  });
});

test('a transfer, or its refusal, in a block that one endpoint alone puts so deep ends no leg', async () => {
  const { payer, payments, call } = await race.equal('so deep', 2);
  const [arrives, fails] = payments.map(({ id }) => id) as [string, string];
  const { rpcUrl } = smart.world.anvilOf('base');
  const [liar, honest] = [await startRpcProxy(rpcUrl), await startRpcProxy(rpcUrl)];
  const base = chainThrough(smart.world.evmChain('base'), [liar.url, honest.url], { local: false });
  const wallet = createWalletClient({ account: privateKeyToAccount(payer.key), transport: rpcTransport(rpcUrl) });
  const admin = smart.world.admin('base');
  for (const id of [arrives, fails]) {
    await admin.setAutomine(false);
    // The second with too little gas for it.
    const txHash = await wallet.sendTransaction({ ...call, chain: null, gas: id === arrives ? 200_000n : 30_000n });
    expect((await smart.leg(id, 1, { txHash })).status).toBe(200);
    await admin.mine({ blocks: 1 });
    await admin.setAutomine(true);
    // The liar is the first to answer, and then tells the truth.
    const late = honest.hold('eth_getTransactionReceipt', 'before');
    let asked = 0;
    liar.alter('eth_getTransactionReceipt', (receipt) => {
      asked += 1;
      if (asked > 1) late.open();
      return asked > 1 ? receipt : { ...(receipt as object), blockNumber: '0x1' };
    });
    const { id: legId } = await race.legRow(id);
    const { db } = smart.world.ctx;
    await db.smartLeg.updateMany({ data: { nextLookAt: new Date(smart.world.ctx.clock.now() + 60_000) } });
    await db.smartLeg.update({ where: { id: legId }, data: { nextLookAt: new Date(0) } });
    await followLegs({ ...smart.world.ctx, chains: { ...smart.world.ctx.chains, base } });
    expect(asked).toBe(2);
    expect((await race.legRow(id)).status).toBe(id === arrives ? 'bridging' : 'sent');
  }
  await smart.mine();
  await smart.follow();
  expect((await race.legRow(arrives)).status).toBe('arrived');
  expect((await race.legRow(fails)).status).toBe('failed');
  await Promise.all([liar.close(), honest.close()]);
});

test('the nonce of a wallet’s transaction is what its signature proves, not what an endpoint says', async () => {
  const { payer, call } = await race.equal('false nonce', 1);
  const { rpcUrl } = smart.world.anvilOf('base');
  const proxy = await startRpcProxy(rpcUrl);
  const base = chainThrough(smart.world.evmChain('base'), [proxy.url], { local: false });
  const wallet = createWalletClient({ account: privateKeyToAccount(payer.key), transport: rpcTransport(rpcUrl) });
  const nonce = await smart.world.reader('base').getTransactionCount({ address: payer.address });
  const admin = smart.world.admin('base');
  await admin.setAutomine(false);
  const hash = await wallet.sendTransaction({ ...call, chain: null, gas: 200_000n });
  const read = () => readOwnCall(base, hash, { ...call, from: payer.address, value: 0n }, null);
  expect(await read()).toEqual({ state: 'pending', nonce });
  proxy.alter('eth_getTransactionByHash', (shown) => ({ ...(shown as object), nonce: toHex(nonce + 1) }));
  expect(await read()).toEqual({ state: 'pending', nonce: null });
  await admin.mine({ blocks: 1 });
  await admin.setAutomine(true);
  expect(await read()).toMatchObject({ state: 'mined', nonce: null });
  await proxy.close();
});

test('one refund that returns deposits of two wallets ends the legs of both', async () => {
  const payers = [await smart.payer('la3 a', { celo: '20' }), await smart.payer('la3 b', { celo: '20' })];
  smart.bridges.faults.add(faultInput.parse({ bridge: 'across', kind: 'never_filled', times: 2 }));
  const payments: string[] = [];
  for (const payer of payers) {
    payments.push((await smart.begin((await smart.order(5)).id, payer)).id);
    await smart.work();
    await smart.mine();
    await smart.work();
  }
  await smart.bridge();
  await smart.later(1_900);
  await smart.mine();
  const celo = smart.world.evmChain('celo');
  await giveUsdc(smart.world, acrossOf(celo).pool, 20_000_000n, 'celo');
  const legs = await Promise.all(payments.map((id) => race.legRow(id)));
  const inputs = legs.map(({ terms }) => BigInt((terms as { input: string }).input));
  await publishRefund(await openLocalChain(smart.world.anvilOf('celo').rpcUrl, ACROSS_ROLE.key), acrossOf(celo).pool, {
    ...{ amountToReturn: 0n, chainId: BigInt(celo.facts.chainId), leafId: 78, l2TokenAddress: celo.usdc },
    ...{ refundAmounts: inputs, refundAddresses: payers.map(({ address }) => address) },
  });
  await smart.mine();
  // One after the other: what the first one took is not the second one's.
  for (const [turn, other] of [payments, [...payments].reverse()]) {
    const { db } = smart.world.ctx;
    await db.smartLeg.updateMany({ where: { paymentId: other ?? '' }, data: { nextLookAt: new Date(8.64e12) } });
    await db.smartLeg.updateMany({ where: { paymentId: turn ?? '' }, data: { nextLookAt: new Date(0) } });
    await followLegs(smart.world.ctx);
  }
  expect((await Promise.all(payments.map((id) => race.legRow(id)))).map(({ status }) => status)).toEqual([
    'refunded',
    'refunded',
  ]);
});

describe('a wallet that deposits by itself', () => {
  let relays: unknown;
  beforeAll(() => {
    const bsc = smart.world.evmChain('bsc');
    relays = bsc.relay;
    Object.assign(bsc, { relay: [] });
  });
  afterAll(() => void Object.assign(smart.world.evmChain('bsc'), { relay: relays }));

  test('is not called unpaid while the pool would still take its deposit, which comes back then', async () => {
    const { id } = await smart.order(7, { deadline: inSeconds(20_000) });
    const payer = await smart.payer('la2', { bsc: '9' }, { gas: true });
    const payment = await race.prepare(id, payer);
    await smart.later(1_900);
    await smart.mine();
    await smart.follow();
    expect((await race.legRow(payment.id)).status).toBe('prepared');
    await smart.later(1_800);
    await smart.mine();
    await smart.follow();
    expect(await race.legRow(payment.id)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/not paid/),
    });
  });

  test('too small an allowance is none', async () => {
    const { id } = await smart.order(7);
    const payer = await smart.payer('t2', { bsc: '9' }, { gas: true });
    const { usdc } = smart.world.evmChain('bsc');
    await sendAs(
      smart.world,
      payer.key,
      { to: usdc, data: encodeApprove(acrossOf(smart.world.evmChain('bsc')).pool, 1n) },
      'bsc',
    );
    const payment = await race.prepare(id, payer);
    expect(payment.legs[0]?.steps.map((step) => 'purpose' in step && step.purpose)).toEqual(['approve', 'pay']);
  });
});

describe('who paid', () => {
  test('of two parts in one transaction each names its own wallet, and only this order’s', async () => {
    const { ctx } = smart.world;
    const { id } = await smart.order(20);
    const [a, b] = [await smart.payer('y2 a', { celo: '12' }), await smart.payer('y2 b', { ink: '12' })];
    const { body } = await smart.candidates({ orderId: id, payer: [a.address, b.address] });
    expect(body.data[0].kind).toBe('multi');
    const payment = (await smart.pay({ candidateId: body.data[0].id, payer: a.address })).body;
    const legs = [await race.legRow(payment.id, 1), await race.legRow(payment.id, 2)];
    const txHash = `0x${'ab'.repeat(32)}`;
    await ctx.db.smartLeg.updateMany({ where: { paymentId: payment.id }, data: { destinationHash: txHash } });
    const log = (units: unknown) => ({ kind: 'deposit', txHash, units, fromAddress: 'the relayer' });
    const logs = legs.map(({ arriveUnits }) => log(arriveUnits)) as never[];
    const payers = async (orderId: string) =>
      (await namePayers(ctx, orderId, logs)).map(({ fromAddress }: { fromAddress: string }) => fromAddress);
    expect(await payers(id)).toEqual(legs.map(({ payer }) => payer));
    expect(await payers((await smart.order(20)).id)).toEqual(['the relayer', 'the relayer']);
    await ctx.db.smartLeg.updateMany({ where: { paymentId: payment.id }, data: { destinationHash: null } });
  });

  test('only a contract on another chain whose money came from there is not refunded', async () => {
    const { ctx } = smart.world;
    const { id } = await smart.order(20);
    const payer = await smart.payer('y5 direct', { base: '12' });
    const other = await smart.payer('y5 bridged', { celo: '12' });
    const { body } = await smart.candidates({ orderId: id, payer: [payer.address, other.address] });
    expect(body.data[0].kind).toBe('multi');
    expect((await smart.pay({ candidateId: body.data[0].id, payer: payer.address })).status).toBe(201);
    const row = await smart.checkout.row(id);
    const owner = (address: string) => requireSameOwner(ctx, row, address);
    const code = (chain: 'base' | 'celo', address: Address, bytecode: Hex) =>
      smart.world.admin(chain).setCode({ address, bytecode });
    await code('celo', other.address, '0x60');
    for (const chain of ['base', 'celo'] as const) await code(chain, payer.address, '0x60');
    await expect(owner(other.address)).rejects.toMatchObject({ code: 'order_not_refundable' });
    // Its own chain: what the contract sent from there goes back there.
    await expect(owner(payer.address)).resolves.toBeUndefined();
    // A wallet with a delegation (EIP-7702) is the same key everywhere.
    await code('celo', other.address, `0xef0100${'11'.repeat(20)}`);
    await expect(owner(other.address)).resolves.toBeUndefined();
    await code('celo', other.address, '0x');
    for (const chain of ['base', 'celo'] as const) await code(chain, payer.address, '0x');
  });
});
