// What operators see of webhooks, and when they are alerted: for what waits by our own fault, never for endpoints that fail or dawdle by themselves.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Desk, endpointRow, eventRow, eventRows, startDesk } from '../../../test/setup/webhooks.ts';
import type { Row } from '../../db.ts';
import { listAlerts } from '../alerts.ts';
import { evaluateAlerts } from '../operations/alertChecks.ts';
import { readFigures } from '../operations/metrics.ts';
import { readWork } from '../operations/work.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await startDesk();
});
afterEach(() => desk.stop());

const open = async () => {
  await evaluateAlerts(desk.ctx);
  const alerts = await listAlerts(desk.ctx, { open: true, limit: 50 });
  return alerts.map(({ kind, subject, message }) => `${kind} ${subject}: ${message}`).sort();
};
const endpoint = (wishes: Partial<Row<'WebhookEndpoint'>> = {}) =>
  endpointRow(desk.ctx, 'https://shop.example/hook', wishes);
const waits = async () =>
  (await readWork(desk.ctx)).map(({ step, subject, waiting, oldestMs }) => [step, subject, waiting, oldestMs]);
let number = 0;
/** What came of an attempt that began now. */
async function tried(to: { id: string }, wishes: Partial<Row<'DeliveryAttempt'>> = {}): Promise<void> {
  const event = await eventRow(desk.ctx);
  number += 1;
  const key = { eventId: event.id, endpointId: to.id };
  const now = new Date(desk.ctx.clock.now());
  await desk.ctx.db.delivery.create({ data: { ...key, status: 'delivered', createdAt: now } });
  await desk.ctx.db.deliveryAttempt.create({
    data: { ...key, number, startedAt: now, latencyMs: 40, status: 200, ...wishes },
  });
}

describe('webhooks_behind', () => {
  test('is raised for what an endpoint that is well has waited for, from the moment at which it was due, and is over when it is sent', async () => {
    const well = await endpoint();
    const [first] = await eventRows(desk.ctx, 2, [well]);
    desk.later(60_000);
    expect(await open()).toEqual([]);
    desk.later(1_500);
    expect(await open()).toEqual([
      'webhooks_behind late: 2 webhooks wait although their endpoints are well; the oldest for 62 s.',
    ]);
    await desk.ctx.db.delivery.updateMany({ data: { nextAttemptAt: new Date(desk.ctx.clock.now() + 300_000) } });
    expect(await open()).toEqual([]);
    // A due retry is no older than its own time.
    desk.later(330_000);
    expect(await open()).toEqual([]);
    expect(await waits()).toEqual([['deliveries', 'healthy', 2, 30_000]]);
    expect(first).toBeDefined();
  });

  test('is never raised for endpoints that fail, are slow, or are not enabled', async () => {
    const now = new Date(desk.ctx.clock.now());
    const [failing, slow, off] = [
      await endpoint({ failingSince: now }),
      await endpoint(),
      await endpoint({ status: 'disabled', disabledReason: 'by_owner', disabledAt: now }),
    ];
    await tried(slow, { latencyMs: 2_001 });
    await eventRow(desk.ctx, [failing, slow, off]);
    desk.later(600_000);
    expect(await open()).toEqual([]);
    expect(await waits()).toEqual(
      expect.arrayContaining([
        ['deliveries', 'failing', 1, 600_000],
        ['deliveries', 'slow', 1, 600_000],
      ]),
    );
    // Once it answers at once again, nobody but us keeps it waiting.
    await tried(slow);
    expect(await open()).toHaveLength(1);
  });

  test('is raised for attempts that failed before they reached anybody', async () => {
    const to = await endpoint();
    await tried(to, { status: null, failure: 'timeout' });
    expect(await open()).toEqual([]);
    await tried(to, { status: null, failure: 'proxy' });
    await tried(to, { status: null, failure: 'secret_unreadable' });
    expect(await open()).toEqual([
      'webhooks_behind proxy: 1 webhooks could not leave through WEBHOOK_PROXY.',
      'webhooks_behind secret_unreadable: 1 webhooks could not be signed: the secrets of their endpoints were sealed under another WEBHOOK_KEY.',
    ]);
    desk.later(61_000);
    expect(await open()).toEqual([]);
  });
});

describe('the figures', () => {
  test('count endpoints by how they are, attempts by what came of them, and how long answers took', async () => {
    const figures = async (name: string) =>
      (await readFigures(desk.ctx))
        .filter((figure) => figure.name === name)
        .map(({ labels, value }) => [...Object.values(labels ?? {}), Number(value.toFixed(3))].join(' '))
        .sort();
    expect(await figures('ampersat_webhook_attempt_seconds')).toEqual([]);
    const now = new Date(desk.ctx.clock.now());
    const well = await endpoint({ livemode: true });
    await endpoint({ failingSince: now });
    await endpoint({ status: 'disabled', disabledReason: 'gone', disabledAt: now, failingSince: now });
    await endpoint({ status: 'deleted' });
    for (const latencyMs of [100, 200, 300]) await tried(well, { latencyMs });
    await tried(well, { status: 503, latencyMs: 200 });
    await tried(well, { status: null, failure: 'timeout', latencyMs: 10_000 });
    expect(await figures('ampersat_webhook_endpoints')).toEqual([
      'disabled test 1',
      'enabled live 1',
      'failing test 1',
    ]);
    expect(await figures('ampersat_webhook_attempts_total')).toEqual(['2xx 3', '5xx 1', 'timeout 1']);
    expect(await figures('ampersat_webhook_attempt_seconds')).toEqual(['0.5 0.2', '0.99 0.297']);
    // What was counted is kept, what comes is added.
    desk.later(301_000);
    expect(await figures('ampersat_webhook_attempts_total')).toEqual(['2xx 3', '5xx 1', 'timeout 1']);
    await tried(well);
    expect(await figures('ampersat_webhook_attempts_total')).toEqual(['2xx 4', '5xx 1', 'timeout 1']);
    expect(await figures('ampersat_webhook_attempt_seconds')).toEqual(['0.5 0.04', '0.99 0.04']);
    expect(await desk.ctx.metrics.render(await readFigures(desk.ctx))).toContain(
      'ampersat_webhook_attempts_total{result="2xx"} 4',
    );
  });
});
