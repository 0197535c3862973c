// Topping up a handle's Solana wallet with SOL from its USDC on EVM chains, over real HTTP and the local Relay.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { faultInput } from '../../../local/bridge/faults.ts';
import { giveUsdc, sendToken } from '../../../test/setup/orders.ts';
import { walletOfPerson } from '../../../test/setup/signer.ts';
import { aroundSmart, type SmartWorld } from '../../../test/setup/smart.ts';
import { type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson } from '../../../test/setup/world.ts';

let smart: SmartWorld;
let alice: Visitor;
aroundSmart(
  ['base', 'celo'],
  async (started) => {
    smart = started;
    alice = visitor(smart.url);
    await alice.signIn(walletOfPerson('alice'));
    for (const name of ['base', 'celo'] as const)
      await smart.world.admin(name).setBalance({ address: localPerson('alice').address, value: 10n ** 18n });
  },
  { solana: true },
);
// The day’s limit starts again with each case.
beforeEach(() => smart.later(86_401));
afterEach(() => smart.bridges.faults.clear());

const { key, address } = localPerson('alice');
const topUp = (amount: string, who = alice) => who.post('/api/solana/top-up', { amount });
const lamports = (name = 'alice') => smart.world.solana.lamportsOf(smart.world.solana.addressOf(name));
const codes = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code];

test('SOL arrives for USDC of the chain on which it costs least, and is answered as any payment', async () => {
  await giveUsdc(smart.world, address, 5_000_000n, 'celo');
  const before = lamports();
  const { status, body } = await topUp('0.05');
  expect([status, body.error]).toEqual([201, undefined]);
  expect(body).toMatchObject({ currency: 'SOL', chain: 'solana', amount: '0.05', orderId: null, status: 'pending' });
  expect(body.legs).toHaveLength(1);
  expect(body.legs[0]).toMatchObject({ via: 'relay', asset: 'USDC', payer: address });
  await smart.give(body, key);
  await smart.settle();
  const ended = await smart.statusOf(body.id);
  expect([ended.status, lamports() - before]).toEqual(['succeeded', 50_000_000n]);
  // 7.50 USD of SOL, and what Relay asks.
  expect(Number(ended.legs[0].amount)).toBeGreaterThan(7.5);
  expect(Number(ended.legs[0].amount)).toBeLessThan(7.6);
});

test('at most 50 USD a day: the refusal says what is left, and what came back counts no more', async () => {
  const first = await topUp('0.3');
  expect(first.status).toBe(201);
  await smart.give(first.body, key);
  const refused = await topUp('0.05');
  expect(codes(refused)).toEqual([400, 'amount_out_of_range']);
  expect(refused.body.error.message).toBe('That is about 7.50 USD. You can top up 50.00 USD a day. 5.00 USD are left.');
  expect((await topUp('0.03')).status).toBe(201);
  // What was prepared holds its part too, until its price is over.
  expect(codes(await topUp('0.03'))).toEqual([400, 'amount_out_of_range']);
  await smart.later(601);
  expect((await topUp('0.03')).status).toBe(201);
  await smart.settle();
  await smart.later(86_401);
  smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind: 'refunded' }));
  const second = await topUp('0.33');
  await smart.give(second.body, key);
  await smart.settle();
  await smart.settle();
  expect((await smart.statusOf(second.body.id)).status).toBe('refunded');
  expect((await topUp('0.33')).status).toBe(201);
});

test('two at once share what is left', async () => {
  const answers = await Promise.all(['0.2', '0.2'].map((amount) => topUp(amount)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
});

test('refused: without a session, without a wallet of either family, without the money, and nothing that could be held', async () => {
  const { ctx, solana } = smart.world;
  expect(codes(await topUp('0.05', visitor(smart.url)))).toEqual([401, 'session_required']);
  for (const amount of ['0', '-1', 'some', '0.0000000001'])
    expect(codes(await topUp(amount))).toEqual([400, 'parameter_invalid']);
  const handle = await ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
  const where = { handleId_family: { handleId: handle.id, family: 'solana' } };
  const wallet = await ctx.db.wallet.findUniqueOrThrow({ where });
  await ctx.db.wallet.delete({ where });
  const none = await topUp('0.05');
  expect(codes(none)).toEqual([409, 'state_conflict']);
  expect(none.body.error.message).toBe('You have no Solana wallet yet. Add one under Settings → Wallets first.');
  // A wallet that is new to the chain cannot hold less than its rent.
  await ctx.db.wallet.create({ data: { ...wallet, address: solana.addressOf('new to the chain') } });
  const little = await topUp('0.0001');
  expect(codes(little)).toEqual([400, 'amount_out_of_range']);
  expect(little.body.error.message).toBe('Top up at least 0.002 SOL.');
  await ctx.db.wallet.update({ where, data: { address: wallet.address } });
  const { usdc } = smart.world.evmChain('base');
  const bob = localPerson('bob');
  const had = await smart.usdcOf(address, 'base');
  await sendToken(smart.world, key, usdc, bob.address, had);
  const celo = await smart.usdcOf(address, 'celo');
  await sendToken(smart.world, key, smart.world.evmChain('celo').usdc, bob.address, celo, 'celo');
  const poor = await topUp('0.05');
  expect(codes(poor)).toEqual([402, 'call_refused']);
  expect(poor.body.error.message).toMatch(/^Your EVM wallet doesn’t have 7\.\d+ USDC on any one network/);
  await sendToken(smart.world, bob.key, usdc, address, had);
});

test.each([
  ['delayed', 'succeeded'],
  ['never_filled', 'pending'],
  ['refunded', 'refunded'],
  ['drifted', 'refunded'],
  ['failed', 'failed'],
  ['duplicate_webhook', 'succeeded'],
  ['reordered_webhook', 'succeeded'],
  ['no_webhook', 'succeeded'],
])('Relay: %s, and the top-up has %s', async (kind, status) => {
  const [sol, usdc] = [lamports(), await smart.usdcOf(address, 'base')];
  smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind, ...(kind === 'delayed' ? { ms: 5_000 } : {}) }));
  const { body } = await topUp('0.01');
  await smart.give(body, key);
  await smart.settle();
  await smart.later(6);
  await smart.settle();
  expect((await smart.statusOf(body.id)).status).toBe(status);
  expect(lamports() - sol).toBe(status === 'succeeded' ? 10_000_000n : 0n);
  const chain = body.legs[0].chain;
  if (status === 'refunded' && chain === 'base') expect(await smart.usdcOf(address, 'base')).toBe(usdc);
});

test.each([
  ['away', {}],
  ['status', { status: 503 }],
  ['status', { status: 429 }],
])('Relay: %s %o when it is asked: try again', async (kind, more) => {
  smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind, times: 20, ...more }));
  expect(codes(await topUp('0.01'))).toEqual([503, 'provider_unavailable']);
  smart.bridges.faults.clear();
  smart.bridges.faults.add(faultInput.parse({ bridge: 'relay', kind: 'slow', ms: 500 }));
  expect((await topUp('0.01')).status).toBe(201);
});

test('a deposit that a reorg takes back is followed again', async () => {
  const sol = lamports();
  const { body } = await topUp('0.01');
  const chain = body.legs[0].chain;
  const admin = smart.world.admin(chain);
  const snapshot = await admin.snapshot();
  await smart.give(body, key);
  await smart.work();
  expect((await smart.statusOf(body.id)).legs[0].status).toBe('bridging');
  await admin.revert({ id: snapshot });
  await smart.mine();
  await smart.work();
  expect((await smart.statusOf(body.id)).legs[0].status).toBe('sent');
  await smart.give(body, key);
  await smart.settle();
  await smart.settle();
  expect([(await smart.statusOf(body.id)).status, lamports() - sol]).toEqual(['succeeded', 10_000_000n]);
});
