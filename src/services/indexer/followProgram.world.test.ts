// The feed of a program: every final transaction once and in order, through long outages, deaths, endpoints that lag, omit, forget or invent.
import type { Connection } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { type SolanaTabs, startSolanaTabs } from '../../../test/setup/solanaTabs.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { limitsOf } from '../../chain/solana/addresses.ts';
import type { SolanaChain } from '../../chain/solana/client.ts';
import { followProgram, type ProgramRoom } from './followProgram.ts';

let world: World;
let tabs: SolanaTabs;
let alice: string;
let other: string;
const read: string[] = [];
beforeAll(async () => {
  world = await startWorld();
  tabs = await startSolanaTabs(world);
  alice = await tabs.walletOf('alice');
  other = tabs.solana.person('other').address;
});
afterAll(async () => {
  await tabs.stop();
  await world.stop();
});
beforeEach(async () => {
  tabs.solana.settle();
  await follow();
  read.length = 0;
});

const room: ProgramRoom = {
  ingest: (batch) => async () => void read.push(...batch.map(({ receipt }) => receipt.hash)),
  afterRound: async () => false,
};
const follow = (chain: SolanaChain = tabs.chain, page?: number, rooms = [room]) =>
  followProgram(world.ctx, chain, { addresses: [chain.program.id], rooms }, page);
const checkpoint = () => world.ctx.db.indexerCheckpoint.findUniqueOrThrow({ where: { chain: 'solana' } });

/** Transactions of the program, a slot each unless they share one. @returns their signatures */
function act(count: number, { share = false } = {}): string[] {
  const wallet = localSolanaKey('alice');
  const limits = limitsOf(tabs.solana.program, wallet.address).address;
  return Array.from({ length: count }, (_, at) => {
    const args = { paused: at % 2 === 0 };
    const { signature } = tabs.solana.send(
      [wallet],
      tabs.solana.build('setPaused', { args, accounts: { signer: wallet.address, limits } }),
    );
    if (!share) tabs.solana.step();
    return signature;
  });
}

type List = Connection['getSignaturesForAddress'];
/** The cluster through endpoints, of which some list otherwise. */
function through(...lists: ((real: List) => List)[]): SolanaChain {
  const chain = tabs.twice();
  for (const [index, list] of lists.entries()) {
    const endpoint = chain.endpoints[index] as Connection;
    endpoint.getSignaturesForAddress = list(endpoint.getSignaturesForAddress.bind(endpoint));
  }
  return chain;
}
const omitting =
  (hidden: string[]) =>
  (real: List): List =>
  async (...given) =>
    (await real(...given)).filter(({ signature }) => !hidden.includes(signature));
const dead = (): List => async () => {
  throw new Error('away');
};

test('what is final is read in order, what is not final later, what failed never', async () => {
  const first = act(4);
  expect(() =>
    tabs.solana.send(
      [localSolanaKey('alice')],
      tabs.solana.build('setPaused', {
        args: { paused: true },
        accounts: { signer: alice, limits: limitsOf(tabs.solana.program, other).address },
      }),
    ),
  ).toThrow();
  tabs.solana.settle();
  const second = act(3);
  const round = await follow();
  expect(read).toEqual(first);
  expect(round).toMatchObject({ logs: 4, isExpecting: false });
  tabs.solana.settle();
  await follow();
  expect(read).toEqual([...first, ...second]);
  expect(await checkpoint()).toMatchObject({ block: (await checkpoint()).target, blockTime: expect.any(Date) });
  await follow();
  expect(read).toHaveLength(7);
});

test.each([2, 3, 5])('an outage of many pages of %i is read to its end, the oldest first', async (page) => {
  const landed = [...act(6), ...act(4, { share: true }), ...act(3)];
  tabs.solana.settle();
  await follow(tabs.chain, page);
  expect(read).toEqual(landed);
});

test('a death in the middle loses nothing and repeats no batch that was saved', async () => {
  const landed = act(120);
  tabs.solana.settle();
  let batches = 0;
  const dying: ProgramRoom = {
    ...room,
    ingest: (batch) => async (tx) => {
      if (++batches === 2) throw new Error('killed');
      await room.ingest(batch)(tx);
    },
  };
  await expect(follow(tabs.chain, undefined, [dying])).rejects.toThrow('killed');
  expect(read).toEqual(landed.slice(0, 100));
  await follow();
  expect(read).toEqual(landed);
});

test('of two processes at once, each transaction is read by one', async () => {
  const landed = act(5);
  tabs.solana.settle();
  await Promise.all([follow(), follow()]);
  await follow();
  expect(read.toSorted()).toEqual(landed.toSorted());
});

test('what an endpoint lists late is read when it comes, and what one omits comes from the other', async () => {
  const [early = '', late = '', last = ''] = act(3);
  tabs.solana.settle();
  await follow(through(omitting([late]), omitting([late])));
  expect(read).toEqual([early, last]);
  tabs.solana.step(20);
  await follow(through(omitting([late]), omitting([])));
  expect(read).toEqual([early, last, late]);
});

test('an endpoint that is away, or behind, is made up for by the other; two that are away are no answer', async () => {
  const landed = act(2);
  tabs.solana.settle();
  await follow(through(dead));
  expect(read).toEqual(landed);
  await expect(follow(through(dead, dead))).rejects.toMatchObject({ code: 'provider_unavailable' });
  const more = act(2);
  tabs.solana.settle();
  tabs.solana.node.faults.add({ kind: 'stale', times: 1, slots: 12, method: 'getSignaturesForAddress' });
  await follow();
  await follow();
  expect(read).toEqual([...landed, ...more]);
});

test('a page whose beginning the node does not know is no end of the history', async () => {
  const landed = act(6);
  tabs.solana.settle();
  const forgetful =
    (real: List): List =>
    async (address, options, commitment) =>
      options?.before ? [] : real(address, options, commitment);
  await expect(follow(through(forgetful, forgetful), 3)).rejects.toMatchObject({ code: 'provider_unavailable' });
  expect(read).toEqual([]);
  await follow();
  expect(read).toEqual(landed);
});

test('what only one of two endpoints shows is not believed, and the checkpoint waits', async () => {
  act(1);
  tabs.solana.settle();
  const before = await checkpoint();
  const chain = tabs.twice();
  const [, second] = chain.endpoints as [Connection, Connection];
  second.getTransaction = (async () => null) as never;
  await expect(follow(chain)).rejects.toMatchObject({ code: 'provider_unavailable' });
  expect([read, (await checkpoint()).block]).toEqual([[], before.block]);
  await follow(tabs.twice());
  expect(read).toHaveLength(1);
});
