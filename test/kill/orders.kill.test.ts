// A real API process, killed in the middle of POSTs again and again: each key has one order or none, never two, and can be tried again.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOf } from '../setup/api.ts';
import { type ApiProcess, startApi } from '../setup/processes.ts';
import { startWorld, type World } from '../setup/world.ts';

const ROUNDS = 3;
const AT_ONCE = 20;
let world: World;
let key: string;
let running: ApiProcess | undefined;
beforeAll(async () => {
  world = await startWorld();
  key = await keyOf(world, 'alice');
});
afterAll(async () => {
  await running?.kill();
  await world.stop();
});

type Sent = { key: string; answer: string | null };

async function post(base: string, idempotencyKey: string): Promise<string | null> {
  try {
    const response = await fetch(`${base}/v1/orders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ amount: '5', chain: 'base', metadata: { key: idempotencyKey } }),
    });
    const text = await response.text();
    return response.status === 201 ? text : null;
  } catch {
    return null;
  }
}

test('each key has one order or none, and its retry answers what the first one would have', async () => {
  const sent: Sent[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const api = await startApi(world);
    running = api;
    // A first call connects to the database, so that the next ones run at once.
    await post(api.base, randomUUID());
    let answered = 0;
    let kill: Promise<void> | undefined;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (!kill) {
          const one = { key: randomUUID(), answer: null as string | null };
          sent.push(one);
          one.answer = await post(api.base, one.key);
          if (one.answer) answered += 1;
          // Some have been answered, others are under way.
          if (answered >= AT_ONCE * 2) kill ??= api.kill();
        }
      }),
    );
    await kill;
  }
  expect(sent.filter(({ answer }) => answer === null).length).toBeGreaterThan(0);
  const perKey = async () => {
    const rows = await world.ctx.db.order.findMany({ select: { id: true, metadata: true } });
    const found = new Map<string, string[]>();
    for (const { id, metadata } of rows) {
      const { key: of } = metadata as { key: string };
      found.set(of, [...(found.get(of) ?? []), id]);
    }
    return found;
  };
  const before = await perKey();
  for (const one of sent) {
    const ids = before.get(one.key) ?? [];
    expect(ids.length).toBeLessThanOrEqual(1);
    if (one.answer) expect(ids).toEqual([JSON.parse(one.answer).id]);
  }
  const api = await startApi(world);
  running = api;
  for (const one of sent) {
    const again = await post(api.base, one.key);
    expect(again).not.toBeNull();
    if (one.answer) expect(again).toBe(one.answer);
    const [id] = before.get(one.key) ?? [];
    if (id) expect(JSON.parse(again ?? '').id).toBe(id);
  }
  const after = await perKey();
  for (const one of sent) expect(after.get(one.key)).toHaveLength(1);
  const [orders, events] = [await world.ctx.db.order.count(), await world.ctx.db.event.count()];
  expect(events).toBe(orders);
  await api.kill();
});
