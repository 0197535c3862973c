// The event stream of an order: each step without asking again, nothing that is not for everybody, and an end.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { localKey } from '../../../local/stack/people.ts';
import { type Checkout, checkoutOf } from '../../../test/setup/checkout.ts';
import { orderRow } from '../../../test/setup/orders.ts';
import { until } from '../../../test/setup/processes.ts';
import { serveWorld, visitor } from '../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../test/setup/world.ts';

let world: World;
let checkout: Checkout;
let origin: string;
beforeAll(async () => {
  world = await startWorld();
  origin = await serveWorld(world);
  checkout = checkoutOf(world, visitor(origin));
  await checkout.index();
});
afterAll(() => world.stop());
beforeEach(() => checkout.later(61));

// biome-ignore lint/suspicious/noExplicitAny: a test looks into what is told.
type Told = { id: string; event: string; data: any };

/** A page that watches an order. */
async function watch(orderId: string, headers: Record<string, string> = {}) {
  const away = new AbortController();
  const path = `${origin}/api/checkout/${orderId}/events`;
  const response = await fetch(path, { headers, signal: away.signal });
  const page = { response, text: '', told: [] as Told[], over: false, leave: () => away.abort() };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      page.text += decoder.decode(chunk as Uint8Array, { stream: true });
      page.told = page.text
        .split('\n\n')
        .slice(0, -1)
        .flatMap((block) => {
          const lines = Object.fromEntries(
            block.split('\n').map((line) => [line.split(':')[0], line.replace(/^\w*: ?/, '')]),
          );
          return lines['event'] ? [{ ...lines, data: JSON.parse(lines['data'] ?? '') } as unknown as Told] : [];
        });
    }
  };
  void read()
    .catch(() => {})
    .finally(() => {
      page.over = true;
    });
  return page;
}
type Page = Awaited<ReturnType<typeof watch>>;
const stepsOf = (page: Page) => page.told.map(({ data }) => data.progress.step);
const reaches = (page: Page, step: string) => until(() => stepsOf(page).at(-1) === step, `the page shows ${step}`);

test('200: the state at once, then every step to the end, and nothing that is not for everybody', async () => {
  const order = await orderRow(world, { metadata: { secret: 'of the shop' } as never, description: 'Coffee' });
  await checkout.fund('watcher', '2');
  const page = await watch(order.id);
  expect(page.response.status).toBe(200);
  expect(page.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(page.response.headers.get('cache-control')).toBe('no-store');
  expect(page.response.headers.get('x-accel-buffering')).toBe('no');
  await reaches(page, 'waiting');
  expect(page.text).toMatch(/^retry: 3000\n\nid: 1\nevent: order\ndata: \{/);
  await checkout.pay(order.id, { payer: 'watcher' });
  await reaches(page, 'preparing');
  await checkout.work();
  await reaches(page, 'confirming');
  await world.mine(1);
  await until(() => page.told.at(-1)?.data.order.seen?.confirmations === 2, 'a second confirmation');
  await checkout.finish();
  await reaches(page, 'settled');
  await until(() => page.over, 'the stream ends');
  const last = page.told.at(-1)?.data;
  expect(last.order).toMatchObject({ status: 'completed', amount_received: '1.00', amount_due: '0.00' });
  expect(last.progress.steps.map(({ at }: { at: string | null }) => typeof at)).toEqual([
    'string',
    'string',
    'string',
    'string',
  ]);
  // In each answer every step has been after the one before it, and what a step was told of stays.
  const firsts = new Map<string, string>();
  for (const { data } of page.told) {
    const reached = (data.progress.steps as { name: string; at: string | null }[]).filter(({ at }) => at !== null);
    const times = reached.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    for (const { name, at } of reached) firsts.set(name, firsts.get(name) ?? (at as string));
    expect(reached.map(({ name, at }) => [name, at])).toEqual(reached.map(({ name }) => [name, firsts.get(name)]));
  }
  expect(page.text).not.toContain('secret');
  expect(page.text).not.toContain(localKey('watcher').address);
  expect(page.text).not.toContain(order.handleId);
  expect(page.told.map(({ id }) => id)).toEqual(page.told.map((_one, index) => String(index + 1)));
});

test('a payment that failed is told, and the order waits again', async () => {
  const order = await orderRow(world);
  await checkout.fund('sad', '2');
  const page = await watch(order.id);
  await checkout.pay(order.id, { payer: 'sad' });
  await checkout.refuse(localKey('sad').address);
  await checkout.finish();
  await until(() => page.told.at(-1)?.data.progress.failure !== null, 'the failure');
  expect(page.told.at(-1)?.data).toMatchObject({
    order: { status: 'awaiting_payment', seen: null },
    progress: {
      step: 'waiting',
      tx_hash: null,
      failure: 'The network rejected this payment. You haven’t been charged. Pay again.',
    },
  });
  page.leave();
});

test('a payer’s own transaction is followed on the chain', async () => {
  const order = await orderRow(world);
  const payer = await checkout.fund('walker', '2');
  const page = await watch(order.id);
  const hash = await checkout.send(await checkout.prepare(order.id, { payer, way: 'direct' }), 'walker');
  await checkout.submit(order.id, { tx_hash: hash });
  await reaches(page, 'confirming');
  await world.mine(1);
  await until(() => page.told.at(-1)?.data.order.seen?.confirmations === 2, 'a second confirmation');
  await checkout.finish();
  await reaches(page, 'settled');
});

test('an order that has ended is told once, and that is all', async () => {
  const order = await orderRow(world, { status: 'cancelled' });
  const page = await watch(order.id);
  await until(() => page.over, 'the stream ends');
  expect(stepsOf(page)).toEqual(['ended']);
});

test('404 for an order that nobody made, in the usual shape', async () => {
  const page = await visitor(origin).get('/api/checkout/ord_00000000000000000000000000/events');
  expect([page.status, page.body.error.code]).toEqual([404, 'resource_missing']);
});

test('429 for more streams than one address may hold; one that leaves makes room; half an hour is the longest', async () => {
  const order = await orderRow(world);
  const pages: Page[] = [];
  for (let count = 0; count < 20; count++) pages.push(await watch(order.id));
  const refused = await visitor(origin).get(`/api/checkout/${order.id}/events`);
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
  pages[0]?.leave();
  let page: Page | null = null;
  await until(async () => {
    page = await watch(order.id);
    return page.response.status === 200;
  }, 'room for another');
  await checkout.later(1_801);
  await until(() => pages.every(({ over }) => over), 'every stream is over');
});

test('streams end with the process, which does not wait for them', async () => {
  const order = await orderRow(world);
  const page = await watch(order.id);
  await reaches(page, 'waiting');
  const began = performance.now();
  await world.ctx.shutdown.close();
  await until(() => page.over, 'the stream ends');
  expect(performance.now() - began).toBeLessThan(2_500);
});
