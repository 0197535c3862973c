// Heartbeats: an instance that was replaced long ago is dropped, and the last of its kind never is.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, startDesk } from '../../../test/setup/webhooks.ts';
import { beat, dropReplaced } from './heartbeats.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

test('an instance goes an hour after its last heartbeat when a newer one of its kind stands', async () => {
  const { ctx } = desk;
  const write = (process: string, instance: string, agoMs: number) =>
    beat(
      { ...ctx, clock: { now: () => ctx.clock.now() - agoMs } },
      { process, instance, startedAt: new Date(), rssBytes: 1, lagMs: 0 },
    );
  await write('workers', 'old', 3_700_000);
  await write('workers', 'recent', 3_500_000);
  await write('workers', 'new', 0);
  await write('bots', 'only', 90_000_000);
  expect(await dropReplaced(ctx)).toBe(1);
  const rows = await ctx.db.beat.findMany({ orderBy: { lastSeenAt: 'asc' } });
  expect(rows.map(({ instance }) => instance)).toEqual(['only', 'recent', 'new']);
});
