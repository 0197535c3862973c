// kill -9 of a real process in the gaps between our rows and the chain, or the chat. After a restart there is exactly one payment and one receipt.
import { describe, expect, test } from 'vitest';
import { exactlyOnce, killedWorlds, receiptsIn } from '../setup/killing.ts';
import { until } from '../setup/processes.ts';

describe('kill -9 of the workers between', () => {
  const held = killedWorlds('bots');

  test('signed and broadcast', async () => {
    const gate = held.proxy.hold('eth_sendRawTransaction', 'before');
    await Promise.all([held.bots.start(), held.workers.start()]);
    await held.world.type('alice', '/tip @bob 5');
    await gate.reached;
    await until(
      async () => (await held.world.ctx.db.outgoingTx.count({ where: { status: 'signed' } })) === 1,
      'a stored transaction',
    );
    await held.workers.kill();
    gate.open();
    expect(await held.world.usdc('bob')).toBe(held.bobHad);
    await held.workers.start();
    await exactlyOnce(held);
  });

  test('broadcast and the record of it', async () => {
    const gate = held.proxy.hold('eth_sendRawTransaction', 'after');
    await Promise.all([held.bots.start(), held.workers.start()]);
    await held.world.type('alice', '/tip @bob 5');
    await gate.reached;
    await held.workers.kill();
    gate.open();
    expect((await held.world.ctx.db.outgoingTx.findFirst())?.status).toBe('signed');
    await held.workers.start();
    await exactlyOnce(held);
  });

  test('broadcast and mined', async () => {
    await held.world.admin().setAutomine(false);
    await held.world.admin().setIntervalMining({ interval: 0 });
    await Promise.all([held.bots.start(), held.workers.start()]);
    await held.world.type('alice', '/tip @bob 5');
    await until(
      async () => (await held.world.ctx.db.outgoingTx.count({ where: { status: 'sent' } })) === 1,
      'a broadcast transaction',
    );
    await held.workers.kill();
    await held.world.admin().setIntervalMining({ interval: 1 });
    await until(async () => (await held.world.usdc('bob')) > held.bobHad, 'the block');
    await held.workers.start();
    await exactlyOnce(held);
  });

  test('mined and recorded', async () => {
    const gate = held.proxy.hold('eth_getTransactionReceipt', 'before');
    await Promise.all([held.bots.start(), held.workers.start()]);
    await held.world.type('alice', '/tip @bob 5');
    await until(async () => (await held.world.usdc('bob')) > held.bobHad, 'the block');
    await gate.reached;
    await held.workers.kill();
    gate.open();
    expect((await held.world.ctx.db.tip.findFirst())?.status).toBe('submitted');
    await held.workers.start();
    await exactlyOnce(held);
  });
});

describe('kill -9 of the bots between', () => {
  const held = killedWorlds('workers');

  test('replied and the record of it: the payment is one, and at most the same words come twice', async () => {
    await held.world.user('faults', { method: 'sendMessage', status: 200, accept: true, delay_ms: 60_000, times: 1 });
    await Promise.all([held.bots.start(), held.workers.start()]);
    await held.world.type('alice', '/tip @bob 5');
    await until(async () => (await receiptsIn(held.world)).length === 1, 'the platform shows the receipt');
    await held.bots.kill();
    await held.bots.start();
    await exactlyOnce(held, { identicalRepeatAllowed: true });
  });
});
