// kill -9 of a real process in the gaps that queues bridge. After a restart there is exactly one payment and one receipt.
import { describe, expect, test } from 'vitest';
import { exactlyOnce, killedWorlds, receiptsIn } from '../setup/killing.ts';
import { lockTable, until } from '../setup/processes.ts';

describe('kill -9 between', () => {
  const held = killedWorlds('workers');

  test('the inbox written and the job queued', async () => {
    const lock = await lockTable(held.world.databaseUrl, 'intent');
    await held.bots.start();
    await held.world.type('alice', '/tip @bob 5');
    await lock.reached();
    expect(await held.world.ctx.db.inbox.count({ where: { status: 'received' } })).toBe(1);
    await held.bots.kill();
    await lock.release();
    await Promise.all([held.bots.start(), held.workers.start()]);
    await exactlyOnce(held);
  });

  test('recorded and replied', async () => {
    // The bots give up on a call after ten seconds, and ask again.
    await held.world.user('faults', { method: 'sendMessage', status: 200, delay_ms: 60_000, times: 20 });
    await Promise.all([held.bots.start(), held.workers.start()]);
    await held.world.type('alice', '/tip @bob 5');
    await until(
      async () => (await held.world.ctx.db.tip.count({ where: { status: { in: ['mined', 'settled'] } } })) === 1,
      'a recorded payment',
    );
    await held.bots.kill();
    expect(await receiptsIn(held.world)).toHaveLength(0);
    await held.world.endFaults();
    await held.bots.start();
    await exactlyOnce(held);
    // Whoever was killed holds the job of the reply for half a minute.
  });
});

describe('everything at once', () => {
  const held = killedWorlds();

  test('both processes killed five times during one tip', async () => {
    await held.world.type('alice', '/tip @bob 5');
    for (let i = 0; i < 5; i++) {
      const started = Promise.allSettled([held.bots.start(), held.workers.start()]);
      await new Promise((resolve) => setTimeout(resolve, 700 + i * 450));
      await Promise.all([held.bots.kill(), held.workers.kill()]);
      await started;
    }
    await Promise.all([held.bots.start(), held.workers.start()]);
    await exactlyOnce(held, { identicalRepeatAllowed: true });
  });
});
