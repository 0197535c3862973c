// Whoever waits for a chain that makes no blocks, or died after a tip was planned, is told after ten seconds, and has a receipt when it goes on.
import { parseUnits } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';

let world: World;
let proxy: RpcProxy;
beforeEach(async () => {
  world = await startWorld({
    rpcUrls: {
      base: async (direct) => {
        proxy = await startRpcProxy(direct);
        return proxy.url;
      },
    },
  });
});
afterEach(async () => {
  await world.stop();
  await proxy.close();
});

const SLOW = /^⏳ Base is slow right now\. @alice, your payment is saved and goes out by itself\.$/;
const texts = async () => (await world.botSaid()).map(({ text }) => text);

async function planned(text = '/tip @bob 5'): Promise<void> {
  await world.type('alice', text);
  await world.fetchUpdates();
  await world.ingest();
  await world.prepare();
}

/** Until the command is so old by our clock; the time that the steps took counts. */
async function atAge(ms: number): Promise<void> {
  const { acceptedAt } = await world.ctx.db.intent.findFirstOrThrow({ orderBy: { acceptedAt: 'desc' } });
  world.later(acceptedAt.getTime() + ms - world.ctx.clock.now());
}

/** What the workers do over and over. */
async function look(): Promise<void> {
  await world.settle();
  await world.watch().catch(() => {});
  await world.reply();
}

async function paidInTheEnd(before: bigint): Promise<void> {
  await world.run();
  expect((await world.usdc('bob')) - before).toBe(parseUnits('5', 6));
  expect(await texts()).toEqual([expect.stringMatching(/^✅ @alice tipped @bob 5\.00 USDC/)]);
}

describe('a chain that makes no blocks', () => {
  beforeEach(() => world.admin().setAutomine(false));

  test('is told after ten seconds, once, and the message ends as the receipt', async () => {
    const before = await world.usdc('bob');
    await planned();
    await look();
    await atAge(9_000);
    await look();
    expect(await texts()).toEqual([]);
    await atAge(11_000);
    await look();
    expect(await texts()).toEqual([expect.stringMatching(SLOW)]);
    const { version } = await world.ctx.db.reply.findFirstOrThrow({ where: { kind: 'intent' } });
    await atAge(14_000);
    await look();
    expect(await world.ctx.db.reply.findFirstOrThrow({ where: { kind: 'intent' } })).toMatchObject({ version });
    await world.admin().setAutomine(true);
    await paidInTheEnd(before);
  });

  test('is not told while it still makes blocks, only ours does not get in', async () => {
    await planned();
    await look();
    for (const age of [5_000, 9_000, 13_000]) {
      await atAge(age);
      await world.admin().request({ method: 'anvil_dropAllTransactions' as never, params: [] as never });
      await world.mine(1);
      await look();
    }
    expect(await texts()).toEqual([]);
  });
});

test('a chain that stood still because nobody used it is not slow for a tip that has just been sent', async () => {
  await world.say('alice', '/tip @bob 1');
  world.later(3_600_000);
  await world.admin().setAutomine(false);
  await planned('/tip @bob 2');
  await atAge(12_000);
  await look();
  expect((await texts()).filter((text) => text.startsWith('⏳'))).toEqual([]);
});

describe('a chain that stops answering', () => {
  test('after the tip was planned is told after ten seconds', async () => {
    const before = await world.usdc('bob');
    await planned();
    proxy.setDead(true);
    await look();
    await atAge(9_000);
    await look();
    expect(await texts()).toEqual([expect.stringMatching(/^⏳/)]);
    expect(await texts()).not.toEqual([expect.stringMatching(SLOW)]);
    await atAge(11_000);
    await look();
    expect(await texts()).toEqual([expect.stringMatching(SLOW)]);
    proxy.setDead(false);
    world.later(2_000);
    await paidInTheEnd(before);
  });

  test('after the tip was sent is told after ten seconds', async () => {
    const before = await world.usdc('bob');
    await world.admin().setAutomine(false);
    await planned();
    await look();
    proxy.setDead(true);
    await atAge(9_000);
    await look();
    expect(await texts()).toEqual([]);
    await atAge(11_000);
    await look();
    expect(await texts()).toEqual([expect.stringMatching(SLOW)]);
    proxy.setDead(false);
    await world.admin().setAutomine(true);
    await paidInTheEnd(before);
  });
});
