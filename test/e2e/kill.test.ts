// kill -9 of a real process in every gap of a tip's way. After a restart there is exactly one payment and one receipt.
import { parseUnits } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TELEGRAM_BOT } from '../../local/people.ts';
import { lockTable, processOf, type Runner, until } from '../setup/processes.ts';
import { type RpcProxy, startRpcProxy } from '../setup/rpcProxy.ts';
import { startWorld, type World } from '../setup/world.ts';

let world: World;
let proxy: RpcProxy;
let workers: Runner;
let bots: Runner;
let bobHad: bigint;
let treasuryHad: bigint;

beforeEach(async () => {
  world = await startWorld({
    anvil: { blockTimeSeconds: 1 },
    rpcUrls: {
      base: async (direct) => {
        proxy = await startRpcProxy(direct);
        return proxy.url;
      },
    },
  });
  workers = processOf(world, 'workers');
  bots = processOf(world, 'bots');
  [bobHad, treasuryHad] = await Promise.all([world.usdc('bob'), world.usdc('treasury')]);
});
afterEach(async () => {
  await Promise.all([workers.stop(), bots.stop()]);
  await world.stop();
  await proxy.close();
});

const receipts = async () => (await world.botSaid()).filter((message) => message.from.id === TELEGRAM_BOT.id);
const finalReceipt = () =>
  until(
    async () => {
      const last = (await receipts()).at(-1)?.text ?? '';
      return last.startsWith('✅') && !last.includes('confirming');
    },
    'a final receipt',
    45_000,
  );

/** One payment, one receipt, and nothing more comes. */
async function exactlyOnce({ identicalRepeatAllowed = false } = {}): Promise<void> {
  await finalReceipt();
  await until(async () => (await world.ctx.db.reply.count({ where: { open: true } })) === 0, 'no reply is open');
  expect((await world.usdc('bob')) - bobHad).toBe(parseUnits('5', 6));
  expect((await world.usdc('treasury')) - treasuryHad).toBe(parseUnits('0.1', 6));
  const events = await world.reader().getLogs({ address: world.evmChain().routers.bot, fromBlock: 0n });
  const settled = await world.ctx.db.tip.findMany({ where: { status: 'settled' } });
  expect(settled).toHaveLength(1);
  expect(events.filter((event) => event.topics[1] === settled[0]?.messageKey)).toHaveLength(1);
  const said = await receipts();
  if (identicalRepeatAllowed) expect(said.length).toBeLessThanOrEqual(2);
  else expect(said).toHaveLength(1);
}

describe('kill -9 between', () => {
  test('the inbox written and the job queued', async () => {
    const lock = await lockTable(world.databaseUrl, 'intent');
    await bots.start();
    await world.type('alice', '/tip @bob 5');
    await lock.reached();
    expect(await world.ctx.db.inbox.count({ where: { status: 'received' } })).toBe(1);
    await bots.kill();
    await lock.release();
    await Promise.all([bots.start(), workers.start()]);
    await exactlyOnce();
  });

  test('the job queued and the transaction signed', async () => {
    await bots.start();
    await world.type('alice', '/tip @bob 5');
    await until(async () => (await world.ctx.db.intent.count()) === 1, 'the intent');
    const lock = await lockTable(world.databaseUrl, 'executor_key');
    // The lock also holds loops that only read; what matters is that nothing was signed when the process dies.
    void workers.start().catch(() => undefined);
    await until(
      async () => (await world.ctx.db.tip.count({ where: { status: 'ready', leaseUntil: { not: null } } })) === 1,
      'the leg is being settled',
    );
    await lock.reached();
    await workers.kill();
    await lock.release();
    expect(await world.ctx.db.outgoingTx.count()).toBe(0);
    await workers.start();
    await exactlyOnce();
  });

  test('signed and broadcast', async () => {
    const gate = proxy.hold('eth_sendRawTransaction', 'before');
    await Promise.all([bots.start(), workers.start()]);
    await world.type('alice', '/tip @bob 5');
    await gate.reached;
    await until(
      async () => (await world.ctx.db.outgoingTx.count({ where: { status: 'signed' } })) === 1,
      'a stored transaction',
    );
    await workers.kill();
    gate.open();
    expect(await world.usdc('bob')).toBe(bobHad);
    await workers.start();
    await exactlyOnce();
  });

  test('broadcast and the record of it', async () => {
    const gate = proxy.hold('eth_sendRawTransaction', 'after');
    await Promise.all([bots.start(), workers.start()]);
    await world.type('alice', '/tip @bob 5');
    await gate.reached;
    await workers.kill();
    gate.open();
    expect((await world.ctx.db.outgoingTx.findFirst())?.status).toBe('signed');
    await workers.start();
    await exactlyOnce();
  });

  test('broadcast and mined', async () => {
    await world.admin().setAutomine(false);
    await world.admin().setIntervalMining({ interval: 0 });
    await Promise.all([bots.start(), workers.start()]);
    await world.type('alice', '/tip @bob 5');
    await until(
      async () => (await world.ctx.db.outgoingTx.count({ where: { status: 'sent' } })) === 1,
      'a broadcast transaction',
    );
    await workers.kill();
    await world.admin().setIntervalMining({ interval: 1 });
    await until(async () => (await world.usdc('bob')) > bobHad, 'the block');
    await workers.start();
    await exactlyOnce();
  });

  test('mined and recorded', async () => {
    const gate = proxy.hold('eth_getTransactionReceipt', 'before');
    await Promise.all([bots.start(), workers.start()]);
    await world.type('alice', '/tip @bob 5');
    await until(async () => (await world.usdc('bob')) > bobHad, 'the block');
    await gate.reached;
    await workers.kill();
    gate.open();
    expect((await world.ctx.db.tip.findFirst())?.status).toBe('submitted');
    await workers.start();
    await exactlyOnce();
  });

  test('recorded and replied', async () => {
    await world.user('faults', { method: 'sendMessage', status: 200, delay_ms: 60_000, times: 1 });
    await Promise.all([bots.start(), workers.start()]);
    await world.type('alice', '/tip @bob 5');
    await until(
      async () => (await world.ctx.db.tip.count({ where: { status: { in: ['mined', 'settled'] } } })) === 1,
      'a recorded payment',
    );
    await bots.kill();
    expect(await receipts()).toHaveLength(0);
    await bots.start();
    await exactlyOnce();
  });

  test('replied and the record of it: the payment is one, and at most the same words come twice', async () => {
    await world.user('faults', { method: 'sendMessage', status: 200, accept: true, delay_ms: 60_000, times: 1 });
    await Promise.all([bots.start(), workers.start()]);
    await world.type('alice', '/tip @bob 5');
    await until(async () => (await receipts()).length === 1, 'the platform shows the receipt');
    await bots.kill();
    await bots.start();
    await exactlyOnce({ identicalRepeatAllowed: true });
  });
});

describe('everything at once', () => {
  test('both processes killed five times during one tip', async () => {
    await world.type('alice', '/tip @bob 5');
    for (let i = 0; i < 5; i++) {
      const started = Promise.allSettled([bots.start(), workers.start()]);
      await new Promise((resolve) => setTimeout(resolve, 700 + i * 450));
      await Promise.all([bots.kill(), workers.kill()]);
      await started;
    }
    await Promise.all([bots.start(), workers.start()]);
    await exactlyOnce({ identicalRepeatAllowed: true });
  });
});
