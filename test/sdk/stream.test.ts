// The SDK's stream of events against the real one: what happens is told once, whatever becomes of the connection.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { AmpersatError, type AmpersatEvent, createAmpersat } from '../../sdk/index.ts';
import { keyOf } from '../setup/api.ts';
import { startFlaky } from '../setup/flaky.ts';
import { serveWorld } from '../setup/visitor.ts';
import { startWorld, type World } from '../setup/world.ts';

let world: World;
let baseUrl: string;
let line: Awaited<ReturnType<typeof startLine>>;
beforeAll(async () => {
  world = await startWorld();
  baseUrl = await serveWorld(world);
  line = await startLine();
});
afterAll(async () => {
  await line.stop();
  await world.stop();
});

/** A line to the service that can be cut. */
async function startLine() {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    stop() {
      cut();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Somebody who listens through that line, and comes back only when the test lets them. */
async function listen(name: string, lastEventId?: string) {
  const apiKey = await keyOf(world, name);
  const stop = new AbortController();
  const told: AmpersatEvent[] = [];
  const states: string[] = [];
  let comeBack: () => void = () => {};
  const wait = () =>
    new Promise<void>((resolve) => {
      comeBack = resolve;
    });
  const { events } = createAmpersat({ apiKey, baseUrl: line.url, wait });
  const from = lastEventId === undefined ? {} : { lastEventId };
  const done = (async () => {
    for await (const event of events.stream({ ...from, signal: stop.signal, onState: (state) => states.push(state) }))
      told.push(event);
  })();
  await expect.poll(() => states).toEqual(['open']);
  const { orders } = createAmpersat({ apiKey, baseUrl });
  return {
    states,
    orders,
    make: async (amount: string) => (await orders.create({ amount, chain: 'base' })).id,
    /** The orders of which was told, in that order. */
    async expectTold(...ids: string[]) {
      await expect.poll(() => told.map(orderOf)).toEqual(ids);
      return told;
    },
    comeBack: () => comeBack(),
    async stop() {
      stop.abort();
      comeBack();
      await done;
    },
  };
}
const orderOf = (event: AmpersatEvent) => ('order' in event.data.object ? event.data.object.order.id : null);

test('an event comes as it happens, typed by what happened, and the loop ends with the signal', async () => {
  const listener = await listen('alice');
  const id = await listener.make('3');
  const [event] = await listener.expectTold(id);
  if (event?.type !== 'order.created') throw new Error('another type');
  expect(event.data.object.order.amount).toBe('3.00');
  const { events } = createAmpersat({ apiKey: await keyOf(world, 'alice'), baseUrl });
  expect(await events.get(event.id)).toEqual(event);
  expect((await events.list({ resource: id })).data).toEqual([event]);
  await listener.stop();
});

test('what happens while the line is cut is told afterwards, and what was told before is not told again', async () => {
  const listener = await listen('bob');
  const first = await listener.make('1');
  await listener.expectTold(first);
  line.cut();
  await expect.poll(() => listener.states).toEqual(['open', 'lost']);
  const second = await listener.make('2');
  listener.comeBack();
  await listener.expectTold(first, second);
  const third = await listener.make('3');
  await listener.expectTold(first, second, third);
  expect(listener.states).toEqual(['open', 'lost', 'open']);
  await listener.stop();
});

test('a line that was cut before anything was told leaves nothing out', async () => {
  const listener = await listen('carol');
  line.cut();
  await expect.poll(() => listener.states).toEqual(['open', 'lost']);
  const id = await listener.make('1');
  listener.comeBack();
  await listener.expectTold(id);
  await listener.stop();
});

test('it begins behind the event that is named', async () => {
  const apiKey = await keyOf(world, 'shop');
  const { orders, events } = createAmpersat({ apiKey, baseUrl });
  const ids: string[] = [];
  for (const amount of ['1', '2', '3']) {
    ids.push((await orders.create({ amount, chain: 'base' })).id);
    // Further apart than a transaction may be late: what is as young as the event that is named may be told again.
    world.later(40_000);
  }
  const [, second] = (await events.list()).data;
  const listener = await listen('shop', second?.id);
  await listener.expectTold(ids[2] ?? '');
  await listener.stop();
});

test('a key that does not work ends it with the service’s own error; a service that is busy does not', async () => {
  const stranger = createAmpersat({ apiKey: `sk_test_${'x'.repeat(43)}`, baseUrl });
  await expect(stranger.events.stream().next()).rejects.toThrow(AmpersatError);

  const flaky = await startFlaky(baseUrl);
  flaky.fail({ status: 429, headers: { 'retry-after': '3' } }, { status: 503 }, { status: 401, body: '{}' });
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const busy = createAmpersat({ apiKey: await keyOf(world, 'alice'), baseUrl: flaky.url, wait });
  await expect(busy.events.stream().next()).rejects.toMatchObject({ status: 401 });
  expect(waits).toHaveLength(2);
  expect(waits[0]).toBe(3_000);
  await flaky.stop();
});

test('a line on which nothing is heard any more is taken for lost', async () => {
  const flaky = await startFlaky(baseUrl);
  flaky.fail('hang', { status: 401 });
  const client = createAmpersat({ apiKey: await keyOf(world, 'alice'), baseUrl: flaky.url, wait: async () => {} });
  // A minute passes at once, and only once the line stands: the second answer has as long as a busy machine needs.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = expect(client.events.stream().next()).rejects.toMatchObject({ status: 401 });
  await expect.poll(() => flaky.heard.length).toBe(1);
  vi.advanceTimersByTime(59_999);
  await new Promise((resolve) => setImmediate(resolve));
  expect(flaky.heard).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await ended;
  expect(flaky.heard).toHaveLength(2);
  await flaky.stop();
});

test('a loop that is left closes its line', async () => {
  const closed: boolean[] = [];
  const watching: typeof fetch = async (input, init) => {
    if (String(input).endsWith('/stream')) init?.signal?.addEventListener('abort', () => closed.push(true));
    return fetch(input, init);
  };
  const { events, orders } = createAmpersat({ apiKey: await keyOf(world, 'alice'), baseUrl, fetch: watching });
  let made: Promise<unknown> = Promise.resolve();
  const onState = () => {
    made = orders.create({ amount: '1', chain: 'base' });
  };
  for await (const event of events.stream({ onState })) {
    expect([event.type, closed]).toEqual(['order.created', []]);
    break;
  }
  expect(closed).toEqual([true]);
  await made;
});
