// An older copy of the database was restored: what the chain has paid since then is taken over from it, never told as not sent.
import { parseUnits } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RpcProxy, startRpcProxy } from '../../../test/setup/rpcProxy.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';
import { pauseNow } from '../spending/pauses.ts';

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

const FIVE = parseUnits('5', 6);
const leg = () => world.ctx.db.tip.findFirstOrThrow();
const lastAnswer = async () => (await world.botSaid()).at(-1)?.text ?? '';

/** A leg that was frozen when the copy was made. */
async function frozen(): Promise<void> {
  await world.type('alice', '/tip @bob 5');
  await world.fetchUpdates();
  await world.ingest();
  await world.prepare();
}
/** What happens after the copy was made and is not in it: signed, sent, mined. */
async function paidAfterTheCopy(): Promise<void> {
  const { db } = world.ctx;
  await world.settle();
  await world.mine(3);
  await db.tip.updateMany({ data: { status: 'ready', outgoingTxId: null, leaseUntil: null } });
  await db.txAttempt.deleteMany();
  await db.outgoingTx.deleteMany();
}

describe('a leg that the copy knows as ready, and the chain as paid,', () => {
  const since: [string, () => Promise<unknown>][] = [
    ['is settled', async () => {}],
    ['is settled when its time is over', async () => world.later(20 * 60_000)],
    ['is settled when its sender paused meanwhile', async () => pauseNow(world.ctx, (await leg()).senderHandleId)],
    [
      'is settled when its sender disconnected meanwhile',
      () => world.ctx.db.connection.updateMany({ data: { canSpend: false } }),
    ],
  ];
  test.each(since)('%s', async (_, happens) => {
    await frozen();
    const before = await world.usdc('bob');
    await paidAfterTheCopy();
    await happens();
    await world.settle();
    await world.reply();
    expect(await leg()).toMatchObject({ status: 'settled', failure: null });
    expect(await lastAnswer()).toMatch(/^✅/);
    expect((await world.usdc('bob')) - before).toBe(FIVE);
  });
});

test('a leg whose time is over is not given up while its chain cannot be asked, and is when it can', async () => {
  await frozen();
  world.later(20 * 60_000);
  proxy.setDead(true);
  await world.settle();
  expect((await leg()).status).toBe('ready');
  proxy.setDead(false);
  world.later(5_000);
  await world.settle();
  expect(await leg()).toMatchObject({ status: 'failed', failure: { code: 'expired' } });
});
