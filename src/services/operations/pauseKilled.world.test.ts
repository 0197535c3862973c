// A pause is sent again after the watchdog is killed: at whatever point that happens, the router is paused in the end, and no row says so before the chain does.
import { type Hex, parseGwei } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ROLES } from '../../../local/stack/roles.ts';
import { HONEST, OTHER, startWatched, type Watched } from '../../../test/setup/watched.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { pauseBy } from './pausing.ts';

let world: World;
let watched: Watched;
let before = 0;

beforeAll(async () => {
  world = await startWorld();
  watched = await startWatched(world);
  await world.say('alice', '/tip @bob 1');
});
afterAll(async () => {
  await watched.close();
  await world.stop();
});
/** A theft is found; nothing is signed for it yet. */
beforeEach(async () => {
  before = (await watched.foreign()).length;
  await watched.start();
  await watched.lookByAll();
  const thief = watched.walletOf(ROLES.executors[1]?.key as Hex);
  await thief.sendTransaction({ to: localPerson('carol').address, value: 1n, gas: 21_000n, chain: null });
  await world.taken();
  await watched.look(HONEST);
  expect(await held()).toBe(false);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await watched.forget();
});

async function held(): Promise<boolean> {
  const [row, ...others] = (await watched.foreign()).slice(before);
  if (!row || others.length > 0) throw new Error('one theft is found');
  return row.pausedAt !== null;
}
const pause = (number: number) => pauseBy(world.ctx, watched.watch, watched.pauses, number);

/** Everything that a process had in mind is gone. */
async function kill(): Promise<void> {
  await watched.start();
  expect(await held()).toBe(false);
}

async function endsPaused(): Promise<void> {
  await watched.pauseRounds();
  expect([await watched.isPaused(), await held()]).toEqual([true, true]);
  expect(watched.pauses.owed.size).toBe(0);
}

test('killed between what it found and its signature', async () => {
  await kill();
  await endsPaused();
});

test('killed after it signed, before any endpoint has the bytes', async () => {
  for (const proxy of watched.proxies) proxy.answer('eth_sendRawTransaction', () => `0x${'00'.repeat(32)}`);
  await pause(HONEST);
  expect([...watched.pauses.bids.keys()]).toHaveLength(1);
  await pause(HONEST);
  expect(await held()).toBe(false);
  for (const proxy of watched.proxies) proxy.answer('eth_sendRawTransaction', null);
  await kill();
  await endsPaused();
});

test('killed after it sent, while no block has the pause', async () => {
  await world.admin().setAutomine(false);
  await pause(HONEST);
  await kill();
  for (const number of [HONEST, OTHER]) await pause(number).catch(() => undefined);
  expect([await watched.isPaused(), await held()]).toEqual([false, false]);
  await world.admin().setAutomine(true);
  await endsPaused();
});

test('killed after it sent what pays too little by now', async () => {
  await world.admin().setAutomine(false);
  await pause(HONEST);
  await world.admin().setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('50') });
  await world.admin().mine({ blocks: 1 });
  expect(await watched.isPaused()).toBe(false);
  await kill();
  await pause(HONEST);
  await world.admin().setAutomine(true);
  await endsPaused();
});

test('killed between the block of the pause and the note of it, it pauses no second time', async () => {
  const from = await world.reader().getBlockNumber();
  await pause(HONEST);
  await world.taken();
  expect(await watched.isPaused()).toBe(true);
  await kill();
  await endsPaused();
  expect(await watched.pausesFrom(from)).toHaveLength(1);
});

test('a pause whose block is replaced is none, and is sent again', async () => {
  const snapshot = await world.admin().snapshot();
  await pause(HONEST);
  await world.mine(1);
  for (const number of [HONEST, OTHER]) await pause(number);
  expect([await watched.isPaused(), await held()]).toEqual([true, false]);
  await world.admin().revert({ id: snapshot });
  await kill();
  await endsPaused();
});

test('a guardian that could not pay pauses within a minute once it can', async () => {
  await world.admin().setBalance({ address: watched.guardian.address, value: 0n });
  let at = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => at);
  for (let round = 0; round < 12; round++) {
    await expect(pause(HONEST)).rejects.toThrow(/funds/i);
    const { nextAt = 0 } = watched.pauses.tries.get(HONEST) ?? {};
    expect(Math.round(nextAt - at)).toBeLessThanOrEqual(60_000);
    at = nextAt;
  }
  await world.admin().setBalance({ address: watched.guardian.address, value: 10n ** 18n });
  await pause(HONEST);
  await world.taken();
  expect(await watched.isPaused()).toBe(true);
  await endsPaused();
});
