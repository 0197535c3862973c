// The SDK against the real API of a world: what it makes and reads, what it throws, and what it does when the network fails.
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  AmpersatConnectionError,
  AmpersatError,
  type ClientOptions,
  createAmpersat,
  type Order,
} from '../../sdk/index.ts';
import { keyOf } from '../setup/api.ts';
import { type Fault, type FlakyServer, startFlaky } from '../setup/flaky.ts';
import { until } from '../setup/processes.ts';
import { serveWorld } from '../setup/visitor.ts';
import { startWorld, type World } from '../setup/world.ts';

let world: World;
let apiKey: string;
let baseUrl: string;
let flaky: FlakyServer;
beforeAll(async () => {
  world = await startWorld();
  baseUrl = await serveWorld(world);
  apiKey = await keyOf(world, 'alice');
  flaky = await startFlaky(baseUrl);
});
afterAll(async () => {
  await flaky.stop();
  await world.stop();
});
afterEach(() => {
  flaky.fail();
  flaky.heard.splice(0);
});

const coffee = { amount: '12.5', chain: 'base', metadata: { cart: '7041' } };
/** A client that goes through the server that fails, and waits in no time. */
function unlucky(more: Partial<ClientOptions> = {}) {
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  return { waits, ...createAmpersat({ apiKey, baseUrl: flaky.url, wait, ...more }) };
}
/** The time of the next try is over as soon as the server has it; whatever follows has its whole time. */
function isOverOnceHeard(): void {
  const over = new AbortController();
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(over.signal);
  onTestFinished(() => limit.mockRestore());
  void until(() => flaky.heard.length === 1, 'it is heard').then(() => over.abort());
}
const direct = () => createAmpersat({ apiKey, baseUrl });
async function thrown<T extends Error>(work: Promise<unknown>, kind: new (...parts: never[]) => T): Promise<T> {
  const error = await work.then(
    () => null,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(kind);
  return error as T;
}

test('orders are made, read, cancelled; payment links are made, read, deactivated', async () => {
  const { orders, paymentLinks } = direct();
  const made: Order = await orders.create({ ...coffee, description: 'Two coffees', expires_in: 600 });
  expect(made).toMatchObject({ status: 'awaiting_payment', amount: '12.50', metadata: { cart: '7041' } });
  expect(await orders.get(made.id)).toEqual(made);
  expect((await orders.list({ status: 'awaiting_payment', limit: 1 })).data).toEqual([made]);
  expect((await orders.cancel(made.id)).status).toBe('cancelled');
  const link = await paymentLinks.create({ label: 'Tea', amount: '3', chain: 'base' });
  expect(await paymentLinks.get(link.id)).toEqual(link);
  expect((await paymentLinks.list({ active: true })).data).toEqual([link]);
  expect((await paymentLinks.orders(link.id).list()).data).toEqual([]);
  expect((await paymentLinks.deactivate(link.id)).active).toBe(false);
  expect((await paymentLinks.list({ active: true })).data).toEqual([]);
});

test('a loop over a list goes through all of its pages, each thing once, while more is made', async () => {
  const { orders } = createAmpersat({ apiKey: await keyOf(world, 'bob'), baseUrl });
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.unshift((await orders.create(coffee)).id);
  const found: string[] = [];
  for await (const { id } of orders.all({ limit: 2 })) {
    found.push(id);
    if (found.length === 3) await orders.create(coffee);
  }
  expect(found).toEqual(ids);
  const none = createAmpersat({ apiKey: await keyOf(world, 'carol'), baseUrl });
  for await (const order of none.orders.all()) expect(order).toBeUndefined();
});

test('an error has the code, the parameter, the request and the page of the API', async () => {
  const error = await thrown(direct().orders.create({ ...coffee, amount: '0' }), AmpersatError);
  expect(error).toMatchObject({
    name: 'AmpersatError',
    code: 'amount_out_of_range',
    status: 400,
    type: 'invalid_request_error',
    param: 'amount',
    docUrl: `${baseUrl}/docs/errors#amount_out_of_range`,
    isRetryable: false,
  });
  expect(error.requestId).toMatch(/^req_/);
  expect(error.requestLogUrl).toBe(`${baseUrl}/logs/${error.requestId}`);
  expect(await thrown(direct().orders.get('ord_nothing'), AmpersatError)).toMatchObject({ code: 'resource_missing' });
  const stranger = createAmpersat({ apiKey: `sk_test_${'x'.repeat(43)}`, baseUrl });
  expect(await thrown(stranger.orders.list(), AmpersatError)).toMatchObject({ code: 'api_key_invalid', status: 401 });
});

test.each<[string, Fault[]]>([
  ['a connection that dies before the service heard', ['drop-before']],
  ['an answer that is lost', ['drop-after']],
  ['half an answer', ['cut']],
  ['no answer in time', ['hang']],
  ['503 of something in between', [{ status: 503, body: '<html>away</html>' }]],
  ['429', [{ status: 429, headers: { 'retry-after': '1' } }]],
  ['408, then a lost answer', [{ status: 408 }, 'drop-after']],
])('after %s the call is made again with the same key, and there is exactly one order', async (_, faults) => {
  flaky.fail(...faults);
  if (faults.includes('hang')) isOverOnceHeard();
  const { orders } = unlucky();
  const before = await world.ctx.db.order.count();
  const made = await orders.create(coffee);
  expect(flaky.heard).toHaveLength(faults.length + 1);
  const keys = new Set(flaky.heard.map(({ headers }) => headers['idempotency-key']));
  expect(keys.size).toBe(1);
  expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(await world.ctx.db.order.count()).toBe(before + 1);
  expect(await direct().orders.get(made.id)).toEqual(made);
});

test('every POST has a key of its own, or the one that was given', async () => {
  const { orders } = unlucky();
  await orders.create(coffee);
  await orders.create(coffee);
  const chosen = { idempotencyKey: 'cart-7041' };
  const [first, second] = [await orders.create(coffee, chosen), await orders.create(coffee, chosen)];
  expect(second.id).toBe(first.id);
  const keys = flaky.heard.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(3);
  expect(keys.slice(2)).toEqual(['cart-7041', 'cart-7041']);
  await orders.get(first.id);
  expect(flaky.heard.at(-1)?.headers['idempotency-key']).toBeUndefined();
});

test('it waits as long as the service asks for, else longer each time, and gives up after its retries', async () => {
  // On a whole second, as the dates of HTTP are, and it stands: no answer takes any of the time that is asked for.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 1_000) * 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  const busy = { status: 429, headers: { 'retry-after': '7' } };
  flaky.fail(busy, { status: 503, headers: { 'retry-after': new Date(Date.now() + 20_000).toUTCString() } });
  const asked = unlucky();
  await asked.orders.list();
  expect(asked.waits).toEqual([7_000, 20_000]);
  vi.useRealTimers();

  flaky.fail(...Array<Fault>(9).fill('drop-before'));
  const patient = unlucky({ maxRetries: 6 });
  const before = flaky.heard.length;
  expect(await thrown(patient.orders.create(coffee), AmpersatConnectionError)).toMatchObject({ code: 'network' });
  expect(flaky.heard.length - before).toBe(7);
  for (const [retry, ms] of patient.waits.entries()) {
    const whole = Math.min(8_000, 500 * 2 ** retry);
    expect(ms).toBeGreaterThanOrEqual(whole / 2);
    expect(ms).toBeLessThanOrEqual(whole);
  }

  flaky.fail({ status: 503 }, { status: 503 });
  const once = unlucky({ maxRetries: 1 });
  expect(await thrown(once.orders.list(), AmpersatError)).toMatchObject({ status: 503, code: 'answer_unexpected' });
  expect(once.waits).toHaveLength(1);
});

test('what no retry cures is told at once', async () => {
  const told = (wish: string) => ({ status: 409, headers: { 'stripe-should-retry': wish } });
  const cases: [Fault, number][] = [
    [{ status: 400 }, 0],
    [{ status: 404 }, 0],
    [{ status: 409 }, 0],
    [told('false'), 0],
    [told('true'), 1],
    [{ status: 500, headers: { 'stripe-should-retry': 'false' } }, 0],
    // Nobody waits for an hour inside of a call.
    [{ status: 429, headers: { 'retry-after': '3600' } }, 0],
    // A key goes nowhere else.
    [{ status: 308, headers: { location: 'https://elsewhere.example/v1/orders' } }, 0],
    [{ status: 200, body: '<html>' }, 0],
  ];
  for (const [fault, retries] of cases) {
    const { orders, waits } = unlucky();
    flaky.fail(fault, { status: 400 });
    const before = flaky.heard.length;
    await expect(orders.create(coffee), JSON.stringify(fault)).rejects.toThrow();
    expect([waits.length, flaky.heard.length - before], JSON.stringify(fault)).toEqual([retries, retries + 1]);
  }
  flaky.fail({ status: 308, headers: { location: 'https://elsewhere.example/v1/orders' } });
  await expect(unlucky().orders.list()).rejects.toThrow('It is elsewhere: https://elsewhere.example/v1/orders.');
});

test('a real conflict of the service says itself whether it may be repeated', async () => {
  const { orders, waits } = unlucky();
  const { id } = await orders.create(coffee);
  await orders.cancel(id);
  expect(await thrown(orders.cancel(id), AmpersatError)).toMatchObject({
    code: 'order_not_cancellable',
    isRetryable: false,
  });
  expect(waits).toEqual([]);
});

test('a signal ends a call, and its waiting, with its own reason', async () => {
  flaky.fail('hang');
  const stop = new AbortController();
  const call = unlucky().orders.list({}, { signal: stop.signal });
  await expect.poll(() => flaky.heard.length).toBe(1);
  stop.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');

  flaky.fail({ status: 503, headers: { 'retry-after': '50' } });
  const later = new AbortController();
  const waiting = createAmpersat({ apiKey, baseUrl: flaky.url }).orders.list({}, { signal: later.signal });
  await expect.poll(() => flaky.heard.length).toBe(2);
  later.abort(new Error('no patience'));
  await expect(waiting).rejects.toThrow('no patience');
  await expect(direct().orders.list({}, { signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow('never');
});

test('a key, an address or an id that cannot be one is refused before anything is sent, and the key is not shown', async () => {
  for (const wrong of ['', 'sk_test_ä', 'sk_test_a b', 'sk_test_secret\nx-evil: 1']) {
    expect(() => createAmpersat({ apiKey: wrong, baseUrl })).toThrow(TypeError);
    expect(() => createAmpersat({ apiKey: wrong, baseUrl })).not.toThrow(/secret/);
  }
  for (const wrong of ['', 'pay.example', 'ftp://pay.example'])
    expect(() => createAmpersat({ apiKey, baseUrl: wrong })).toThrow(TypeError);
  for (const wrong of ['', '..', 'a/b', '?x']) expect(() => unlucky().orders.get(wrong)).toThrow(TypeError);
  expect(flaky.heard).toEqual([]);
});

test('an address may have a path, and a slash at its end', async () => {
  const inFront = await startFlaky(baseUrl);
  const { orders } = createAmpersat({ apiKey, baseUrl: `${inFront.url}/pay/` });
  inFront.fail({ status: 404 });
  await expect(orders.get('ord_1')).rejects.toThrow(AmpersatError);
  expect(inFront.heard[0]?.url).toBe('/pay/v1/orders/ord_1');
  expect(inFront.heard[0]?.headers).toMatchObject({
    authorization: `Bearer ${apiKey}`,
    'service-version': '2026-11-20',
  });
  await inFront.stop();
});
