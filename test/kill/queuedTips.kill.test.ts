// kill -9 of the process that has the job of a tip, on either backend: the queue gives the job to the next process, which pays once.
import { expect, test } from 'vitest';
import { exactlyOnce, killedWorlds } from '../setup/killing.ts';
import { lockTable, until } from '../setup/processes.ts';

const held = killedWorlds('bots');

test('kill -9 between the job queued and the transaction signed', async () => {
  await held.bots.start();
  await held.world.type('alice', '/tip @bob 5');
  await until(async () => (await held.world.ctx.db.intent.count()) === 1, 'the intent');
  const lock = await lockTable(held.world.databaseUrl, 'executor_key');
  // The lock also holds loops that only read; what matters is that nothing was signed when the process dies.
  void held.workers.start().catch(() => undefined);
  await until(
    async () => (await held.world.ctx.db.tip.count({ where: { status: 'ready', leaseUntil: { not: null } } })) === 1,
    'the leg is being settled',
  );
  await lock.reached();
  await held.workers.kill();
  await lock.release();
  expect(await held.world.ctx.db.outgoingTx.count()).toBe(0);
  await held.workers.start();
  await exactlyOnce(held);
});
