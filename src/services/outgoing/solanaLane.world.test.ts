// Transactions of ours on Solana, from stored bytes to a final slot: dropped, forked, expired, answered by a stale node. Paid once, or not at all.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { airdrop as giveLamports } from '../../../local/solana/genesis.ts';
import { startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { type SolanaWorld, startSolanaWorld } from '../../../test/setup/solanaWorld.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { createSolanaChain, type SolanaChain, solanaKeyOf } from '../../chain/solana/client.ts';
import { encodeInstructions } from '../../chain/solana/payload.ts';
import { readTipTerms, type SolanaTip, solanaTipCall } from '../../chain/solana/tips.ts';
import type { Ctx } from '../../context.ts';
import { followOutgoing } from './follow.ts';
import { NOTHING, type OutgoingKind, type OutgoingKinds } from './kinds.ts';
import { reconcileChain } from './reconcile.ts';
import { submit } from './submit.ts';

let world: World;
let solana: SolanaWorld;
let chain: SolanaChain;
let ctx: Ctx;
const calls: string[] = [];
const MILLION = 1_000_000n;
const FINALIZED_AFTER = 6;

const noted = (call: string) => {
  calls.push(call);
  return NOTHING;
};
const watched: OutgoingKind = {
  onMined: async () => noted('mined'),
  onUnmined: async () => noted('unmined'),
  onFinal: async (_ctx, _chain, { succeeded }) => noted(succeeded ? 'final' : 'failed'),
  onLost: async () => noted('lost'),
};
const KINDS = { tips: watched } as unknown as OutgoingKinds;

beforeEach(async () => {
  calls.length = 0;
  world = await startWorld();
  solana = await startSolanaWorld({ slotMs: 0, finalizedAfter: FINALIZED_AFTER });
  chain = createSolanaChain('solana', {
    rpcUrls: [solana.node.url],
    program: solana.program,
    usdc: solana.usdc,
    local: true,
  });
  const solanaExecutors = solana.roles.executors.map(({ secretBytes }) => solanaKeyOf(secretBytes));
  ctx = { ...world.ctx, solanaExecutors, chains: { ...world.ctx.chains, solana: chain } };
});
afterEach(async () => {
  await solana.stop();
  await world.stop();
});

const people = () => ({ alice: solana.person('alice').address, bob: solana.person('bob').address });

/** Signs, stores and sends a tip of 5 USDC. */
async function tip(to: { alice: string; bob: string }, text = 'message'): Promise<void> {
  const time = BigInt(solana.now());
  const hash = Buffer.from(text).toString('hex').padEnd(48, '7');
  const leg: SolanaTip = {
    to: 'wallet',
    opensAccount: false,
    messageKey: `0x${hash}${time.toString(16).padStart(16, '0')}`,
    sender: to.alice,
    recipient: to.bob,
    token: solana.usdc,
    amount: 5n * MILLION,
    fee: 50_000n,
    validUntil: time + 900n,
  };
  const call = solanaTipCall(chain, await readTipTerms(chain), [leg]);
  await submit(ctx, chain, {
    kind: 'tips',
    subjectId: text,
    to: chain.program.id,
    data: encodeInstructions(call.instructions),
    gas: BigInt(call.units),
  });
}
const follow = () => followOutgoing(ctx, chain, KINDS);
const rows = () => ctx.db.outgoingTx.findMany({ include: { attempts: true }, orderBy: { createdAt: 'asc' } });
const bobHas = (bob: string) => solana.usdcOf(bob) - 1_000n * MILLION;

test('a tip is signed, stored, sent, confirmed and final, once', async () => {
  const both = people();
  await tip(both);
  expect((await rows())[0]).toMatchObject({ status: 'sent', nonce: null });
  solana.step(3);
  await follow();
  expect((await rows())[0]).toMatchObject({ status: 'mined', succeeded: true });
  solana.step(FINALIZED_AFTER + 2);
  await follow();
  expect((await rows())[0]?.status).toBe('final');
  expect(calls).toEqual(['mined', 'final']);
  expect(bobHas(both.bob)).toBe(5n * MILLION);
});

test('what the network drops goes out again, as the same bytes', async () => {
  const both = people();
  solana.node.faults.add({ kind: 'drop', times: 1 } as never);
  await tip(both);
  solana.step(3);
  await follow();
  expect(bobHas(both.bob)).toBe(0n);
  world.later(2_000);
  await follow();
  solana.step(3);
  await follow();
  expect(bobHas(both.bob)).toBe(5n * MILLION);
  expect((await rows())[0]?.attempts).toHaveLength(1);
});

test('a fork takes a confirmed tip back, and it lands again', async () => {
  const both = people();
  await tip(both);
  solana.step(3);
  await follow();
  const [row] = await rows();
  const { forkWithout } = await import('../../../local/solana/fork.ts');
  expect(forkWithout(solana.ledger, row?.minedHash ?? '')).toBe(true);
  await follow();
  expect(calls).toEqual(['mined', 'unmined']);
  solana.step(3);
  await follow();
  solana.step(FINALIZED_AFTER + 2);
  await follow();
  expect(calls).toEqual(['mined', 'unmined', 'mined', 'final']);
  expect(bobHas(both.bob)).toBe(5n * MILLION);
});

test('a tip is lost only when its block hash is over for good and it is unknown there', async () => {
  const both = people();
  solana.node.faults.add({ kind: 'drop', times: 1_000 } as never);
  await tip(both);
  const { hash } = (await rows())[0]?.attempts[0] ?? { hash: '' };
  // The last valid height has passed, and is not final yet.
  solana.step(152);
  world.later(2_000);
  await follow();
  expect(calls).toEqual([]);
  solana.step(FINALIZED_AFTER + 2);
  // Without its last height it is never given up.
  const { lastValidHeight } = await ctx.db.txAttempt.findFirstOrThrow();
  await ctx.db.txAttempt.updateMany({ data: { lastValidHeight: null } });
  world.later(2_000);
  await follow();
  expect(calls).toEqual([]);
  await ctx.db.txAttempt.updateMany({ data: { lastValidHeight } });
  world.later(2_000);
  await follow();
  expect(calls).toEqual(['lost']);
  expect(bobHas(both.bob)).toBe(0n);
  solana.node.faults.clear();
  await tip(both, 'message again');
  solana.step(3);
  await follow();
  expect((await rows())[1]?.attempts[0]?.hash).not.toBe(hash);
  expect(bobHas(both.bob)).toBe(5n * MILLION);
});

test('a tip is not lost because the endpoint that gave its block hash calls it over', async () => {
  const liar = await startRpcProxy(solana.node.url);
  liar.alter('getLatestBlockhash', (found) => {
    const { value, ...context } = found as { value: object };
    return { ...context, value: { ...value, lastValidBlockHeight: 1 } };
  });
  chain = createSolanaChain('solana', {
    rpcUrls: [liar.url, solana.node.url],
    program: solana.program,
    usdc: solana.usdc,
    local: false,
  });
  ctx = { ...ctx, chains: { ...ctx.chains, solana: chain } };
  const both = people();
  solana.node.faults.add({ kind: 'drop', times: 2 } as never);
  await tip(both);
  expect((await rows())[0]?.attempts[0]?.lastValidHeight).toBe(1n);
  solana.step(FINALIZED_AFTER + 2);
  world.later(2_000);
  await follow();
  expect(calls).toEqual([]);
  solana.step(3);
  await follow();
  expect(calls).toEqual(['mined']);
  expect(bobHas(both.bob)).toBe(5n * MILLION);
  await liar.close();
});

test('a key without SOL is passed over until it has some, and a tip that none can pay for waits', async () => {
  const [first, second] = solana.roles.executors;
  if (!first || !second) throw new Error('there are two executors');
  ctx = { ...ctx, solanaExecutors: [solanaKeyOf(first.secretBytes)] };
  const had = solana.lamportsOf(first.address);
  solana.drain(first);
  solana.settle();
  await reconcileChain(ctx, chain);
  await expect(tip(people())).rejects.toMatchObject({ code: 'provider_unavailable' });
  ctx = { ...ctx, solanaExecutors: [first, second].map(({ secretBytes }) => solanaKeyOf(secretBytes)) };
  await reconcileChain(ctx, chain);
  await tip(people(), 'by the second');
  expect((await rows())[0]?.executor).toBe(second.address);
  giveLamports(solana.ledger, first.address, had);
  solana.settle();
  await reconcileChain(ctx, chain);
  expect(await ctx.db.executorKey.count({ where: { chain: 'solana', pausedReason: null } })).toBe(2);
});

test('a key that the program does not know as an executor signs nothing', async () => {
  const stranger = solana.person('no executor');
  ctx = { ...ctx, solanaExecutors: [solanaKeyOf(stranger.secretBytes)] };
  await reconcileChain(ctx, chain);
  await expect(tip(people())).rejects.toMatchObject({ code: 'provider_unavailable' });
});
