// PostgreSQL killed with -9 under load, twice, with real processes: what was typed is kept, every tip is paid once and told once.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseUnits } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningPostgres, startPostgres } from '../../local/postgres/postgres.ts';
import { person } from '../../local/stack/people.ts';
import { seedMore } from '../../local/stack/seed.ts';
import { processOf, type Runner, until } from '../setup/processes.ts';
import { startWorld, type World } from '../setup/world.ts';

const SENDERS = Array.from({ length: 8 }, (_, index) =>
  person(`keep${index}x`, 600 + index, { handle: `keep${index}x`, kind: 'personal', connected: true }),
);
let folder: string;
let postgres: RunningPostgres;
let world: World;
let workers: Runner;
let bots: Runner;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ampersat-killed-'));
  // PostgreSQL never runs as root, and its account has to get through this folder.
  chmodSync(folder, 0o711);
  postgres = await startPostgres({ dataDir: folder, database: 'ampersat' });
  const { url } = postgres;
  world = await startWorld({ anvil: { blockTimeSeconds: 1 }, database: async () => ({ url, drop: async () => {} }) });
  await seedMore(world.processEnv, world.embedded, SENDERS, { platforms: ['telegram'], isSignedIn: false });
  workers = processOf(world, 'workers');
  bots = processOf(world, 'bots');
  await Promise.all([bots.start(), workers.start()]);
});
afterAll(async () => {
  await Promise.all([workers.stop(), bots.stop()]);
  await world.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const everybody = () =>
  Promise.all(
    SENDERS.map((from) =>
      world.user('messages', {
        chat_id: world.group,
        from: { ...from.telegram, first_name: from.name },
        text: '/tip @bob 1',
      }),
    ),
  );

async function killServer(): Promise<void> {
  process.kill(postgres.pid, 'SIGKILL');
  await until(async () => !(await answers()), 'PostgreSQL is dead');
}
const answers = () =>
  world.ctx.db.$queryRaw`select 1`.then(
    () => true,
    () => false,
  );
/** Counts, or waits while the server is away. */
const untilCount = (count: () => Promise<number>, wanted: number, what: string) =>
  until(async () => (await count().catch(() => -1)) === wanted, what, 120_000);

test('killed twice under load: nothing is lost, nothing is paid twice', { timeout: 300_000 }, async () => {
  const had = { bob: await world.usdc('bob'), treasury: await world.usdc('treasury') };
  const { port } = postgres;
  for (let round = 0; round < 2; round++) {
    await everybody();
    await until(
      async () => (await world.ctx.db.tip.count({ where: { status: { in: ['ready', 'submitted', 'mined'] } } })) > 0,
      'some tips are under way',
    );
    await killServer();
    // Typed while nothing can be stored: Telegram keeps it until something can.
    await everybody();
    postgres = await startPostgres({ dataDir: folder, database: 'ampersat', port });
  }
  await everybody();
  const tips = 5 * SENDERS.length;
  await untilCount(() => world.ctx.db.tip.count({ where: { status: 'settled' } }), tips, `${tips} settled tips`);
  await untilCount(() => world.ctx.db.reply.count({ where: { open: true } }), 0, 'every receipt shown');

  expect(await world.ctx.db.tip.count()).toBe(tips);
  expect((await world.usdc('bob')) - had.bob).toBe(parseUnits(`${tips}`, 6));
  expect((await world.usdc('treasury')) - had.treasury).toBe(parseUnits('0.05', 6) * BigInt(tips));
  const receipts = (await world.botSaid()).filter((message) => message.text.startsWith('✅'));
  expect(new Set(receipts.map((message) => message.reply_to_message?.message_id)).size).toBe(tips);
  const sent = await world.ctx.db.outgoingTx.findMany();
  expect(new Set(sent.map((row) => `${row.executor} ${row.nonce}`)).size).toBe(sent.length);
});
