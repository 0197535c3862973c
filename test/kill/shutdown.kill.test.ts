// SIGTERM while payments are under way: each process ends by itself within ten seconds with exit code 0, and what it left is finished after the restart.
import { type ChildProcess, spawn } from 'node:child_process';
import { parseUnits } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../local/stack/ports.ts';
import { bundled, shellEnv, until } from '../setup/processes.ts';
import { startWorld, type World } from '../setup/world.ts';

const WITHIN_MS = 10_000;
/** Five an hour each is what a sender may. */
const TIPS_EACH = 5;
let world: World;
let running: ChildProcess[] = [];
beforeAll(async () => {
  world = await startWorld({ anvil: { blockTimeSeconds: 1 } });
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await world.stop();
});

type Ended = { code: number | null; signal: string | null; ms: number };
type Started = { ready: Promise<void>; terminate(): Promise<Ended> };

function start(name: 'api' | 'workers' | 'bots', env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [bundled(name)], {
    env: { ...shellEnv(), ...world.processEnv, LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  running.push(child);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', () => resolve());
    child.on('exit', () => reject(new Error(`${name} ended: ${errors}`)));
  });
  ready.catch(() => {});
  return {
    ready,
    terminate() {
      const started = performance.now();
      const ended = new Promise<Ended>((resolve) => {
        child.once('exit', (code, signal) => resolve({ code, signal, ms: performance.now() - started }));
      });
      child.kill('SIGTERM');
      return ended;
    },
  };
}

const count = (status: string) => world.ctx.db.tip.count({ where: { status } });

test('ends in time, loses nothing, pays nothing twice', { timeout: 240_000 }, async () => {
  const people = ['alice', 'bob', 'shop'] as const;
  const before = await Promise.all(people.map((who) => world.usdc(who)));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const first = [start('workers'), start('bots'), start('api', { PORT: String(port), BASE_URL: base })];
  await Promise.all(first.map((one) => one.ready));
  for (let round = 0; round < TIPS_EACH; round++) {
    for (const [index, who] of people.entries())
      await world.type(who, `/tip @${people[(index + 1) % people.length]} 1`);
  }
  // In the middle: some are with the chain, others are not even planned.
  await until(async () => (await world.ctx.db.outgoingTx.count()) > 0, 'the first transaction', 60_000);
  let asked = 0;
  let asking = true;
  const pages = (async () => {
    while (asking) {
      const answer = await fetch(`${base}/api/session`).catch(() => null);
      if (answer?.ok) asked += 1;
    }
  })();
  await until(() => asked > 3, 'pages that are asked for');
  const endings = await Promise.all(first.map((one) => one.terminate()));
  asking = false;
  await pages;
  for (const { code, signal, ms } of endings) {
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(ms).toBeLessThan(WITHIN_MS);
  }
  running = [];
  // What is under way is in the rows; one of each kind of process left a beat by which its absence would be noticed.
  expect((await count('settled')) + (await count('failed'))).toBeLessThan(TIPS_EACH * people.length);
  expect((await world.ctx.db.beat.findMany()).map((row) => row.process).sort()).toEqual(['api', 'bots', 'workers']);

  const second = [start('workers'), start('bots')];
  await Promise.all(second.map((one) => one.ready));
  await until(async () => (await count('settled')) === TIPS_EACH * people.length, 'every tip settled', 90_000);
  await until(
    async () => (await world.ctx.db.reply.count({ where: { open: true } })) === 0,
    'every receipt shown',
    60_000,
  );
  const after = await Promise.all(people.map((who) => world.usdc(who)));
  // Each gave five and got five: what is missing is the fees.
  const fees = parseUnits('0.05', 6) * BigInt(TIPS_EACH);
  expect(after.map((units, index) => units - (before[index] ?? 0n))).toEqual([-fees, -fees, -fees]);
  const shown = (await world.botSaid()).filter(({ text }) => text.startsWith('✅') && !text.includes('confirming'));
  expect(shown).toHaveLength(TIPS_EACH * people.length);
  const endingsAgain = await Promise.all(second.map((one) => one.terminate()));
  for (const { code, ms } of endingsAgain) {
    expect(code).toBe(0);
    expect(ms).toBeLessThan(WITHIN_MS);
  }
});
