// How many deliveries failed for good: counted up to a bound, since a time, for their owner only.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Desk, endpointRow, eventRows, startDesk } from '../../../test/setup/webhooks.ts';
import { listDeadWork } from '../operations/deadWork.ts';
import { listDeliveries } from './deliveryViews.ts';
import { countFailed, countFailedSince, MOST_FAILED_COUNTED } from './failedCounts.ts';
import { replayFailedSince } from './replays.ts';

const OWNER = { workspaceId: 'hdl_merchant' };

describe('what failed for good', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await startDesk();
  });
  afterAll(() => desk.stop());
  beforeEach(async () => {
    await desk.ctx.db.delivery.deleteMany();
    await desk.ctx.db.webhookEndpoint.deleteMany();
  });

  const endpoint = (path: string) => endpointRow(desk.ctx, `http://127.0.0.1:9/${path}`);

  async function fail(count: number, endpointId: string, endedMs = desk.ctx.clock.now()): Promise<void> {
    const events = await eventRows(desk.ctx, count);
    const base = { endpointId, status: 'failed', failure: 'exhausted', createdAt: new Date(endedMs) };
    await desk.ctx.db.delivery.createMany({
      data: events.map(({ id }) => ({ ...base, eventId: id, endedAt: new Date(endedMs) })),
    });
  }

  it('is counted for each endpoint, without what waits or got through', async () => {
    const [one, other] = [await endpoint('one'), await endpoint('other')];
    await eventRows(desk.ctx, 3, [one, other]);
    await desk.ctx.db.delivery.updateMany({
      where: { endpointId: other.id },
      data: { status: 'delivered', nextAttemptAt: null },
    });
    await fail(2, one.id);
    expect(await countFailed(desk.ctx, [one, other])).toEqual(
      new Map([
        [one.id, { count: 2, has_more: false }],
        [other.id, { count: 0, has_more: false }],
      ]),
    );
    expect(await countFailed(desk.ctx, [])).toEqual(new Map());
  });

  it('is never a test event, which no replay sends either', async () => {
    const { id } = await endpoint('one');
    await fail(2, id);
    const [test] = await desk.ctx.db.delivery.findMany({ where: { endpointId: id } });
    await desk.ctx.db.delivery.updateMany({ where: { eventId: test?.eventId ?? '' }, data: { isTest: true } });
    const counted = { count: 1, has_more: false };
    expect(await countFailed(desk.ctx, [{ id }])).toEqual(new Map([[id, counted]]));
    expect(await countFailedSince(desk.ctx, OWNER, id, 0)).toEqual(counted);
    const ofTest = test?.eventId ?? '';
    const failed = async (more: object = {}) =>
      (await listDeliveries(desk.ctx, OWNER, { status: 'failed', limit: 20, ...more })).data.map(({ event }) => event);
    expect(await failed()).toHaveLength(1);
    expect(await failed()).not.toContain(ofTest);
    expect(await failed({ endpoint: id })).not.toContain(ofTest);
    expect(await failed({ event: ofTest })).toEqual([]);
    expect((await listDeliveries(desk.ctx, OWNER, { limit: 20 })).data).toHaveLength(2);
    expect((await listDeadWork(desk.ctx)).map(({ reason }) => reason)).toEqual(['1 failed']);
    expect(await replayFailedSince(desk.ctx, OWNER, id, 0)).toBe(1);
    expect(await listDeadWork(desk.ctx)).toEqual([]);
    expect(await desk.ctx.db.delivery.findMany({ where: { status: 'failed' } })).toMatchObject([{ isTest: true }]);
  });

  it('is counted since a time by when it ended, as a replay finds it', async () => {
    const { id } = await endpoint('one');
    const now = desk.ctx.clock.now();
    await fail(1, id, now - 10_000);
    await fail(2, id, now - 5_000);
    const since = (ms: number) => countFailedSince(desk.ctx, OWNER, id, now - ms);
    expect(await since(5_000)).toEqual({ count: 2, has_more: false });
    expect(await since(4_999)).toEqual({ count: 0, has_more: false });
    expect(await since(10_000)).toEqual({ count: 3, has_more: false });
  });

  it('is counted no further than anybody needs it', async () => {
    const { id } = await endpoint('one');
    await fail(MOST_FAILED_COUNTED, id);
    const counted = { count: MOST_FAILED_COUNTED, has_more: false };
    expect(await countFailedSince(desk.ctx, OWNER, id, 0)).toEqual(counted);
    await fail(1, id);
    expect(await countFailedSince(desk.ctx, OWNER, id, 0)).toEqual({ ...counted, has_more: true });
    expect(await countFailed(desk.ctx, [{ id }])).toEqual(new Map([[id, { ...counted, has_more: true }]]));
  });

  it('is told to nobody else', async () => {
    const { id } = await endpoint('one');
    await expect(countFailedSince(desk.ctx, { workspaceId: 'hdl_other' }, id, 0)).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });
});
