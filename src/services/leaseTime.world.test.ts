// Leases of processes whose clocks are ten minutes apart: the database's time decides, so no two of them hold one at once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliveryOf, endpointRow, eventRow, receiverForTest } from '../../test/setup/webhooks.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { type Ctx, newId } from '../context.ts';
import { claimTask, endTask, runShared } from './exclusiveRuns.ts';
import { claimRun, endRun } from './indexer/checkpoints.ts';
import { tellAlerts } from './operations/alertNotices.ts';
import { claimLegs } from './tips/settle.ts';
import { claimDeliveries } from './webhooks/dueDeliveries.ts';

const APART_MS = 600_000;
let world: World;
let slow: Ctx;
let fast: Ctx;
beforeAll(async () => {
  world = await startWorld();
  slow = withClock(-APART_MS / 2);
  fast = withClock(APART_MS / 2);
});
afterAll(() => world.stop());

/** The same rows, by a process whose clock is wrong. */
function withClock(byMs: number): Ctx {
  return { ...world.ctx, clock: { now: () => Date.now() + byMs } };
}

/** Each pair in both orders: the one that holds it, then the one that would take it too soon or hold it too long. */
const pairs = () =>
  [
    [slow, fast],
    [fast, slow],
  ] as const;

/** What a lease is until then, by the database's own clock. */
async function leftMs(table: string, column: string): Promise<number> {
  const [row] = await world.ctx.db.$queryRawUnsafe<{ ms: number }[]>(
    `select extract(epoch from max(${column}) - statement_timestamp())::float8 * 1000 as ms from ${table}`,
  );
  return row?.ms ?? 0;
}

describe('two processes whose clocks are ten minutes apart', () => {
  test('never run a task at once', async () => {
    for (const [one, other] of pairs()) {
      const held = await claimTask(one, 'process-webhooks');
      expect(held).not.toBeNull();
      expect(await claimTask(other, 'process-webhooks')).toBeNull();
      expect(await leftMs('cron_run', 'until')).toBeLessThanOrEqual(60_000);
      await endTask(one, 'process-webhooks', held as Date);
      const next = await claimTask(other, 'process-webhooks');
      expect(next).not.toBeNull();
      await endTask(other, 'process-webhooks', next as Date);
    }
  });

  test('share a run instead of beginning another', async () => {
    for (const [one, other] of pairs()) {
      let end = (_: { by: string }) => {};
      const result = new Promise<{ by: string }>((resolve) => {
        end = resolve;
      });
      let runs = 0;
      const first = runShared(one, 'charge:plan', () => {
        runs += 1;
        return result;
      });
      const second: Promise<{ by: string }> = until(() => runs === 1).then(() =>
        runShared(other, 'charge:plan', async () => {
          runs += 1;
          return { by: 'second' };
        }),
      );
      await until(() => runs === 1);
      // It looks four times a second; two looks say that it waits.
      await new Promise((resolve) => setTimeout(resolve, 600));
      end({ by: 'first' });
      expect(await Promise.all([first, second])).toEqual([{ by: 'first' }, { by: 'first' }]);
      expect(runs).toBe(1);
    }
  });

  test('never read one chain at once on request', async () => {
    const at = new Date();
    const row = { chain: 'base', firstBlock: 0n, block: 0n, hashes: [], target: 0n, caughtUpAt: at, updatedAt: at };
    await world.ctx.db.indexerCheckpoint.upsert({ where: { chain: 'base' }, create: row, update: { runUntil: null } });
    for (const [one, other] of pairs()) {
      const held = await claimRun(one, 'base');
      expect(held).not.toBeNull();
      expect(await claimRun(other, 'base')).toBeNull();
      expect(await leftMs('indexer_checkpoint', 'run_until')).toBeLessThanOrEqual(120_000);
      await endRun(one, 'base', held as Date);
    }
  });

  test('never sign for one leg at once', async () => {
    await world.type('alice', '/tip @bob 1');
    await world.fetchUpdates();
    await world.ingest();
    await world.prepare();
    for (const [one, other] of pairs()) {
      expect(await claimLegs(one, world.evmChain())).toHaveLength(1);
      expect(await claimLegs(other, world.evmChain())).toEqual([]);
      expect(await leftMs('tip', 'lease_until')).toBeLessThanOrEqual(60_000);
      await world.ctx.db.tip.updateMany({ data: { leaseUntil: null } });
    }
  });

  test('never send one delivery at once', async () => {
    const receiver = await receiverForTest();
    const endpoint = await endpointRow(world.ctx, receiver.url);
    const event = await eventRow(world.ctx, [endpoint]);
    for (const [one, other] of pairs()) {
      const grants = [{ endpointId: endpoint.id, slots: 5 }];
      const due = Date.now() + APART_MS;
      expect(await claimDeliveries(one, grants, due)).toHaveLength(1);
      expect(await claimDeliveries(other, grants, due)).toEqual([]);
      await world.ctx.db.delivery.updateMany({ data: { leaseUntil: null } });
    }
    expect(await deliveryOf(world.ctx, event.id, endpoint.id)).toMatchObject({ status: 'pending' });
  });

  test('never publish one alert at once', async () => {
    let held = () => {};
    const gate = new Promise<void>((resolve) => {
      held = resolve;
    });
    const receiver = await receiverForTest({ status: 200, when: gate });
    const at = new Date(Date.now() - APART_MS);
    const told = { kind: 'reorg', subject: 'base', detail: {}, raisedAt: at, lastSeenAt: new Date(), nextTellAt: at };
    await world.ctx.db.alert.create({ data: { id: newId(world.ctx, 'alr'), ...told } });
    const tell = (ctx: Ctx) => tellAlerts({ ...ctx, env: { ...ctx.env, ALERT_WEBHOOK_URL: receiver.url } });
    const first = tell(slow);
    await until(() => receiver.requests.length === 1);
    expect(await tell(fast)).toBe(0);
    held();
    expect(await first).toBe(1);
    expect(receiver.requests).toHaveLength(1);
  });
});

async function until(isSo: () => boolean): Promise<void> {
  const looks = 1_000;
  for (let look = 0; look < looks && !isSo(); look++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isSo()).toBe(true);
}
