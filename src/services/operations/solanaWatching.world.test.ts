// The watchdog on a real Solana chain: what an executor's key signed outside of our rows pauses the program, what is ours never does, and an endpoint that
// lies, hangs, hides or lists without an end neither forces a pause nor prevents one.
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { localSolanaKey } from '../../../local/solana/keys.ts';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { fundedKey } from '../../../test/setup/solana.ts';
import type { SolanaSide } from '../../../test/setup/solanaSide.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { decodeConfig } from '../../chain/solana/accounts.ts';
import { createSolanaChain, type SolanaKey, solanaKeyOf } from '../../chain/solana/client.ts';
import { base58Bytes, solanaSignatureOf } from '../../domain/solanaAddress.ts';
import { evaluateAlerts } from './alertChecks.ts';
import { type Debt, loadOwed, openDebt, owePause } from './pauseDebt.ts';
import { lookAtSolanaGuardian, pauseSolanaBy } from './solanaPausing.ts';
import { lookAtSolana, openSolanaWatch, type SolanaWatch } from './solanaWatching.ts';
import { listWatched } from './watchdogs.ts';

const [HONEST, OTHER] = [0, 1] as const;
const LIED = ['getSignaturesForAddress', 'getTransaction', 'getAccountInfo', 'getSlot'];
let world: World;
let solana: SolanaSide;
let proxies: [RpcProxy, RpcProxy];
let guardian: SolanaKey;
let watch: SolanaWatch;
let debt: Debt;

beforeAll(async () => {
  world = await startWorld({ solana: true });
  solana = world.solana;
  proxies = [await startRpcProxy(solana.node.url), await startRpcProxy(solana.node.url)];
  guardian = solanaKeyOf(solana.roles.guardian.secretBytes);
  await world.say('alice', '/tip @bob 1 on solana');
});
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await world.stop();
});
beforeEach(async () => {
  open();
  solana.step(3);
  for (const number of [HONEST, OTHER]) await look(number).catch(() => undefined);
  for (const number of [HONEST, OTHER]) await look(number);
});
afterEach(async () => {
  for (const proxy of proxies) {
    proxy.setDead(false);
    for (const method of LIED) {
      proxy.alter(method, null);
      proxy.answer(method, null);
    }
  }
  const { db } = world.ctx;
  await db.watchCheckpoint.deleteMany();
  await db.foreignTransaction.deleteMany();
  await db.watchGuardian.deleteMany();
  await db.alert.deleteMany();
  // What the owner ended may be paused again after as long as it lasted.
  if (isPaused())
    solana.send([solana.roles.owner], solana.build('unpause', { args: {}, accounts: { owner: owner() } }));
  solana.later(100 * 3_600_000);
  solana.step(80);
});

const owner = () => solana.roles.owner.address;

function open(): void {
  const rpcUrls = proxies.map(({ url }) => url);
  debt = openDebt();
  watch = openSolanaWatch(createSolanaChain('solana', { ...solana.config, rpcUrls }), (hash) => owePause(debt, hash));
}

/** One complete poll. */
async function look(number: number): Promise<void> {
  for (const state of watch.states.values())
    Object.assign(state, { savedAt: Number.NEGATIVE_INFINITY, listedAt: Number.NEGATIVE_INFINITY });
  while ((await lookAtSolana(world.ctx, watch, number)) > 0);
}

const pause = (number: number) => pauseSolanaBy(world.ctx, watch, { debt, guardian }, number);
async function pauseRounds(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await Promise.allSettled([HONEST, OTHER].map(pause));
    solana.step(8);
  }
}

const isPaused = () =>
  (decodeConfig(solana.data(solana.fixed.config) ?? new Uint8Array())?.pausedUntil ?? 0n) > BigInt(solana.now());
const foreign = () => world.ctx.db.foreignTransaction.findMany();
const alerts = async () => {
  await evaluateAlerts(world.ctx);
  return (await world.ctx.db.alert.findMany({ where: { resolvedAt: null } })).map(
    ({ kind, subject }) => `${kind} ${subject}`,
  );
};
const executor = () => solana.roles.executors[1] ?? localSolanaKey('no executor');

/** What a thief does with an executor's key: it need not even touch the program. */
function steal(key = executor()): string {
  const [fromPubkey, toPubkey] = [key.address, localSolanaKey('thief').address].map((one) => new PublicKey(one));
  if (!fromPubkey || !toPubkey) throw new Error('two addresses');
  const { signature } = solana.send([key], SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 1_000_000 }));
  solana.step(3);
  return signature;
}

const ours = () => world.ctx.db.txAttempt.findFirstOrThrow({ orderBy: { signedAt: 'desc' } });
const shownAs = (signature: string) =>
  solana.node.rpc('getTransaction', signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 });
const listing = (signatures: string[]) => () =>
  signatures.map((signature) => ({ signature, slot: 1_000_000_000, err: null, memo: null, blockTime: null }));

test('a transaction that an executor’s key signed outside of our rows pauses the program, once, and raises an alert that stays', async () => {
  const hash = steal();
  await look(HONEST);
  expect(await foreign()).toMatchObject([{ hash, executor: executor().address, pausedAt: null }]);
  await pauseRounds();
  expect(isPaused()).toBe(true);
  expect(await foreign()).toMatchObject([{ hash, pausedAt: expect.any(Date) }]);
  expect(debt.owed.size).toBe(0);
  expect(await alerts()).toContain(`watchdog_paused solana ${hash}`);
  const [view] = (await listWatched(world.ctx)).filter(({ chain }) => chain === 'solana');
  expect(view?.found).toMatchObject([{ hash, executor: executor().address, paused_at: expect.any(String) }]);
  // The owner's word holds: the same transaction pauses no second time, by any endpoint, nor after a new start.
  solana.send([solana.roles.owner], solana.build('unpause', { args: {}, accounts: { owner: owner() } }));
  open();
  for (const number of [HONEST, OTHER]) await look(number);
  await loadOwed(world.ctx, watch, debt);
  await pauseRounds();
  expect(isPaused()).toBe(false);
});

test('our own tips never do, and are compared without being read', async () => {
  const before = proxies.map((proxy) => proxy.passed('getTransaction'));
  await world.say('alice', '/tip @bob 2 on solana');
  for (const number of [HONEST, OTHER]) await look(number);
  expect(await foreign()).toEqual([]);
  expect(proxies.map((proxy) => proxy.passed('getTransaction'))).toEqual(before);
});

test('a stranger’s transaction that names an executor is none of it', async () => {
  const key = solana.roles.owner;
  const instruction = SystemProgram.transfer({
    ...{ fromPubkey: new PublicKey(key.address), toPubkey: new PublicKey(executor().address), lamports: 1_000_000 },
  });
  solana.send([key], instruction);
  solana.step(3);
  for (const number of [HONEST, OTHER]) await look(number);
  expect(await foreign()).toEqual([]);
});

test('an endpoint that shows ours under another name, or with another signature, proves nothing and is behind', async () => {
  const { hash } = await ours();
  const honest = await shownAs(hash);
  const name = solanaSignatureOf(new Uint8Array(64).fill(7));
  proxies[OTHER].answer('getSignaturesForAddress', listing([name]));
  proxies[OTHER].answer('getTransaction', () => honest);
  await expect(look(OTHER)).rejects.toThrow('does not show it');
  const bytes = base58Bytes(hash).slice();
  bytes[3] = (bytes[3] ?? 0) ^ 1;
  const [mirrored, ...others] = [solanaSignatureOf(bytes), ...honest.transaction.signatures.slice(1)];
  const lie = { ...honest, transaction: { ...honest.transaction, signatures: [mirrored, ...others] } };
  proxies[OTHER].answer('getSignaturesForAddress', listing([mirrored]));
  proxies[OTHER].answer('getTransaction', () => lie);
  await look(OTHER);
  expect(await foreign()).toEqual([]);
  expect(debt.owed.size).toBe(0);
});

test('bytes that our rows hold are ours, under whatever signature', async () => {
  const { hash } = await ours();
  const other = solanaSignatureOf(new Uint8Array(64).fill(9));
  const rename = (from: string, to: string) =>
    world.ctx.db.txAttempt.update({ where: { hash: from }, data: { hash: to } });
  await rename(hash, other);
  proxies[OTHER].answer('getSignaturesForAddress', listing([hash]));
  await look(OTHER);
  await rename(other, hash);
  expect(await foreign()).toEqual([]);
  expect(proxies[OTHER].passed('getTransaction')).toBeGreaterThan(0);
});

test('what an endpoint lists and does not show yet is judged once it does', async () => {
  const hash = steal();
  proxies[HONEST].answer('getTransaction', () => null);
  await expect(look(HONEST)).rejects.toThrow(`it lists transaction ${hash} and does not show it`);
  solana.step(200);
  await expect(look(HONEST)).rejects.toThrow('does not show it');
  proxies[HONEST].answer('getTransaction', null);
  await look(HONEST);
  expect(await foreign()).toMatchObject([{ hash }]);
});

test('an endpoint that lists without an end fills no memory, and stops no other', async () => {
  const { hash } = await ours();
  proxies[OTHER].answer('getSignaturesForAddress', listing(Array.from({ length: 1_000 }, () => hash)));
  for (let round = 0; round < 6; round++) expect(await lookAtSolana(world.ctx, watch, OTHER)).toBe(2);
  const { walk, harmless } = watch.states.get(watch.endpoints[OTHER] ?? '') ?? {};
  expect([walk?.next.size, walk?.known.size, harmless?.size]).toEqual([2, 0, expect.any(Number)]);
  steal();
  await look(HONEST);
  expect(await foreign()).toHaveLength(1);
  proxies[OTHER].answer('getSignaturesForAddress', null);
  world.later(61_000);
  expect(await alerts()).toContain('watchdog_behind solana 1');
});

test('an answer that does not end is cut off', async () => {
  proxies[OTHER].answer('getSignaturesForAddress', () => 'x'.repeat(11_000_000));
  await expect(look(OTHER)).rejects.toThrow(/more than 10485760 bytes/);
});

test('an endpoint that hangs delays neither what another one finds nor its pause', async () => {
  const gates = LIED.map((method) => proxies[OTHER].hold(method, 'before'));
  gates.push(proxies[OTHER].hold('sendTransaction', 'before'));
  steal();
  const hanging = look(OTHER).catch(() => undefined);
  await look(HONEST);
  await pause(HONEST);
  expect(isPaused()).toBe(true);
  for (const gate of gates) gate.open();
  await hanging;
});

test('a pause is owed until two endpoints show it in a final slot, and an alert says so meanwhile', async () => {
  proxies[OTHER].setDead(true);
  steal();
  await look(HONEST);
  await pause(HONEST);
  expect(isPaused()).toBe(true);
  solana.step(3);
  await pause(HONEST);
  expect([...debt.owed.values()].map(({ confirmed }) => confirmed.size)).toEqual([0]);
  await pauseRounds();
  expect([...debt.owed.values()].map(({ confirmed }) => confirmed.size)).toEqual([1]);
  world.later(61_000);
  expect(await alerts()).toContain('watchdog_powerless solana pause');
  proxies[OTHER].setDead(false);
  await pauseRounds();
  expect(debt.owed.size).toBe(0);
  expect(await alerts()).not.toContain('watchdog_powerless solana pause');
});

test('a pause that is over soon is no answer: the next one is owed until the program takes it', async () => {
  const pausing = { args: { seconds: 1_800n }, accounts: { guardian: solana.roles.guardian.address } };
  solana.send([solana.roles.guardian], solana.build('pause', pausing));
  solana.step(40);
  steal();
  await look(HONEST);
  await pauseRounds();
  expect(isPaused()).toBe(true);
  expect(await foreign()).toMatchObject([{ pausedAt: null }]);
  // The program takes none before work ran for as long as the last pause lasted.
  solana.later(3_700_000);
  await pauseRounds();
  await pauseRounds();
  expect(isPaused()).toBe(true);
  expect(await foreign()).toMatchObject([{ pausedAt: expect.any(Date) }]);
});

test('a key that isn’t the program’s guardian, or that can’t pay, raises an alert', async () => {
  await lookAtSolanaGuardian(world.ctx, watch, guardian);
  expect(await alerts()).not.toContain('watchdog_powerless solana');
  await lookAtSolanaGuardian(world.ctx, watch, solanaKeyOf(localSolanaKey('thief').secretBytes));
  expect(await alerts()).toContain('watchdog_powerless solana');
  const [view] = (await listWatched(world.ctx)).filter(({ chain }) => chain === 'solana');
  expect(view?.problem).toMatch(/^the program’s guardian is /);
});

test('an executor that only one endpoint lists raises an alert, and its transactions count once two list it', async () => {
  const added = fundedKey(solana.ledger, 'a third executor');
  proxies[OTHER].setDead(true);
  solana.send(
    [solana.roles.owner],
    solana.build('addExecutor', { args: { key: added.address }, accounts: { owner: owner() } }),
  );
  const hash = steal(added);
  await expect(look(HONEST)).rejects.toThrow(`it lists executors that no other endpoint lists: ${added.address}`);
  expect(await foreign()).toEqual([]);
  proxies[OTHER].setDead(false);
  await look(OTHER).catch(() => undefined);
  await look(HONEST);
  expect(await foreign()).toMatchObject([{ hash, executor: added.address }]);
  solana.send(
    [solana.roles.owner],
    solana.build('removeExecutor', { args: { key: added.address }, accounts: { owner: owner() } }),
  );
});
