// The watchdog as a process beside a Solana chain: tips of ours, also after kills of the workers and of itself, never pause the program; one transaction with
// an executor's key that none of our rows signed does, also when the watchdog is killed between what it found and the pause.
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { localSolanaKey } from '../../local/solana/keys.ts';
import { decodeConfig } from '../../src/chain/solana/accounts.ts';
import { evaluateAlerts } from '../../src/services/operations/alertChecks.ts';
import { killedSolanaWorlds } from '../setup/killing.ts';
import { processOf, type Runner, until } from '../setup/processes.ts';

// A person may type five commands an hour.
const TIPS = 4;
const held = killedSolanaWorlds('bots');

const solana = () => held.world.solana;
const db = () => held.world.ctx.db;
const settled = () => db().tip.count({ where: { status: 'settled' } });
const isPaused = () =>
  (decodeConfig(solana().data(solana().fixed.config) ?? new Uint8Array())?.pausedUntil ?? 0n) > BigInt(solana().now());

function watchdogOf(): Runner {
  const keys = { SOLANA_GUARDIAN_KEY: solana().roles.guardian.secret, SOLANA_EXECUTOR_KEYS: '', EXECUTOR_KEYS: '' };
  return processOf(held.world, 'watchdog', keys);
}

/** Whether it has looked since now, and found all of it judged. */
async function hasReadAll(): Promise<void> {
  const from = new Date();
  await until(
    async () => (await db().watchCheckpoint.count({ where: { chain: 'solana', caughtUpAt: { gt: from } } })) === 1,
    'the watchdog has read what there is',
  );
}

function steal(): string {
  const [, key] = solana().roles.executors;
  if (!key) throw new Error('two executors');
  const [fromPubkey, toPubkey] = [key.address, localSolanaKey('thief').address].map((one) => new PublicKey(one));
  if (!fromPubkey || !toPubkey) throw new Error('two addresses');
  return solana().send([key], SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 1_000_000 })).signature;
}

test(`${TIPS} tips of ours never pause the program, and what is not ours does, also after kills between its steps`, {
  timeout: 600_000,
}, async () => {
  const watchdog = watchdogOf();
  await Promise.all([held.bots.start(), held.workers.start(), watchdog.start()]);
  for (let tip = 0; tip < TIPS; tip++) await held.world.type('alice', '/tip @bob 1 on solana');
  for (const part of [1, 2, 3]) {
    await until(async () => (await settled()) >= (part * TIPS) / 4, `${part} quarters are settled`, 200_000);
    await Promise.all([watchdog.kill(), held.workers.kill()]);
    await Promise.all([watchdog.start(), held.workers.start()]);
  }
  await until(async () => (await settled()) === TIPS, 'all are settled', 200_000);
  await hasReadAll();
  expect(await db().foreignTransaction.count()).toBe(0);
  expect(isPaused()).toBe(false);

  // A chain whose guardian's key it has not is watched, and says so.
  await until(async () => (await db().watchGuardian.count()) === 2, 'it has looked at both guardians');
  const guardians = await db().watchGuardian.findMany({ orderBy: { chain: 'asc' } });
  expect(guardians.map(({ problem }) => problem)).toEqual([expect.stringMatching(/^GUARDIAN_KEY is missing/), null]);

  const gate = held.proxy.hold('sendTransaction', 'before');
  await held.workers.kill();
  const hash = steal();
  await gate.reached;
  await until(async () => (await db().foreignTransaction.count()) === 1, 'it is noted');
  await watchdog.kill();
  gate.open();
  expect(isPaused()).toBe(false);
  const after = held.proxy.hold('sendTransaction', 'after');
  await watchdog.start();
  await after.reached;
  await until(isPaused, 'the program is paused');
  await watchdog.kill();
  after.open();
  expect(await db().foreignTransaction.findMany()).toMatchObject([{ hash, pausedAt: null }]);
  await watchdog.start();
  await until(
    async () => (await db().foreignTransaction.count({ where: { pausedAt: { not: null } } })) === 1,
    'it holds',
  );
  expect(await db().foreignTransaction.count()).toBe(1);
  await evaluateAlerts(held.world.ctx);
  expect(await db().alert.findMany({ where: { kind: 'watchdog_paused' } })).toMatchObject([
    { subject: `solana ${hash}` },
  ]);
  await watchdog.stop();
});
