// kill -9 of a real process in the gaps between our rows and a Solana cluster. After a restart there is exactly one payment and one receipt.
import { describe, expect, test } from 'vitest';
import { exactlyOnceOnSolana, killedSolanaWorlds } from '../setup/killing.ts';
import { until } from '../setup/processes.ts';

const TIPS = [
  ['wallet', '/tip @bob 5 on solana'],
  ['tab', '/tip @carol 5 on solana'],
] as const;

describe('kill -9 of the workers between', () => {
  const held = killedSolanaWorlds('bots');
  const start = () => Promise.all([held.bots.start(), held.workers.start()]);
  const count = (status: string) => held.world.ctx.db.outgoingTx.count({ where: { status } });

  test.each(TIPS)('signed and broadcast, to a %s', async (to, text) => {
    const gate = held.proxy.hold('sendTransaction', 'before');
    await start();
    await held.world.type('alice', text);
    await gate.reached;
    await until(async () => (await count('signed')) === 1, 'a stored transaction');
    await held.workers.kill();
    gate.open();
    await held.workers.start();
    await exactlyOnceOnSolana(held, to);
  });

  test.each(TIPS)('broadcast and the record of it, to a %s', async (to, text) => {
    const gate = held.proxy.hold('sendTransaction', 'after');
    await start();
    await held.world.type('alice', text);
    await gate.reached;
    await held.workers.kill();
    gate.open();
    expect(await count('signed')).toBe(1);
    await held.workers.start();
    await exactlyOnceOnSolana(held, to);
  });

  test('confirmed and recorded', async () => {
    const gate = held.proxy.hold('getSignatureStatuses', 'before');
    await start();
    await held.world.type('alice', '/tip @bob 5 on solana');
    await gate.reached;
    await until(() => held.world.solana.gained('bob') > 0n, 'the block');
    await held.workers.kill();
    gate.open();
    expect((await held.world.ctx.db.tip.findFirst())?.status).toBe('submitted');
    await held.workers.start();
    await exactlyOnceOnSolana(held, 'wallet');
  });

  test('confirmed and final', async () => {
    await start();
    await held.world.type('alice', '/tip @bob 5 on solana');
    await until(
      async () => (await held.world.ctx.db.tip.count({ where: { status: 'mined' } })) === 1,
      'a confirmed tip',
    );
    await held.workers.kill();
    await held.workers.start();
    await exactlyOnceOnSolana(held, 'wallet');
  });
});

describe('kill -9 of everything', () => {
  const held = killedSolanaWorlds();

  test('five times during one tip, on a cluster that drops some of what it is sent', async () => {
    held.world.solana.node.faults.add({ kind: 'drop', times: 2 });
    await held.world.type('alice', '/tip @bob 5 on solana');
    for (let i = 0; i < 5; i++) {
      const started = Promise.allSettled([held.bots.start(), held.workers.start()]);
      await new Promise((resolve) => setTimeout(resolve, 700 + i * 450));
      await Promise.all([held.bots.kill(), held.workers.kill()]);
      await started;
    }
    await Promise.all([held.bots.start(), held.workers.start()]);
    await exactlyOnceOnSolana(held, 'wallet', { identicalRepeatAllowed: true });
  });
});
