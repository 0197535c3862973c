// Listing what is due: the endpoints with a due delivery, and when the next one becomes due.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, endpointRow, eventRow, startDesk } from '../../../test/setup/webhooks.ts';
import { listDue } from './dueDeliveries.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

test('says when the next delivery becomes due, and lists it from then on', async () => {
  const { ctx } = desk;
  const now = ctx.clock.now();
  expect(await listDue(ctx.db, now)).toEqual({ due: [], nextMs: null });
  const [soon, later] = [await endpointRow(ctx, 'https://a.example/'), await endpointRow(ctx, 'https://b.example/')];
  await eventRow(ctx, [soon, later]);
  const dueAt = async (endpointId: string, atMs: number) =>
    ctx.db.delivery.updateMany({ where: { endpointId }, data: { nextAttemptAt: new Date(atMs) } });
  await dueAt(soon.id, now + 5_000);
  await dueAt(later.id, now + 60_000);
  expect(await listDue(ctx.db, now)).toEqual({ due: [], nextMs: now + 5_000 });
  const { due, nextMs } = await listDue(ctx.db, now + 5_000);
  expect(due.map(({ id }) => id)).toEqual([soon.id]);
  expect(nextMs).toBe(now + 60_000);
});
