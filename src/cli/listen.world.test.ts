// `ampersat listen` against the real API of a world: events as they happen, sent on to receivers that behave well and badly.
import { PassThrough } from 'node:stream';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { webhooks } from '../../sdk/index.ts';
import { keyOf } from '../../test/setup/api.ts';
import { commandLine, type Ran } from '../../test/setup/cli.ts';
import { startCutProxy } from '../../test/setup/cutProxy.ts';
import { until } from '../../test/setup/processes.ts';
import { serveWorld } from '../../test/setup/visitor.ts';
import { type Receiver, receiverForTest } from '../../test/setup/webhooks.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { SECRET_PATTERN } from '../domain/webhookEndpoint.ts';
import { cancelOrder, createOrder } from '../services/orders/orders.ts';
import { forwardEvent, readUrl } from './forward.ts';

let world: World;
let base: string;
let key: string;
let shop: string;
beforeAll(async () => {
  world = await startWorld();
  base = await serveWorld(world);
  key = await keyOf(world, 'shop');
  shop = (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'shop' } })).id;
});
afterAll(() => world.stop());

/** Makes an order, which is an event. @returns its id */
async function order(amount = '5'): Promise<string> {
  const how = { origin: 'dashboard' as const, requestId: 'req_test' };
  const made = await createOrder(world.ctx, { id: shop }, { amount, chain: 'base' }, how);
  return made.order.id;
}
const cancel = (id: string) => cancelOrder(world.ctx, { workspaceId: shop }, id, { requestId: 'req_test' });

type Listening = { out(): string; err(): string; end(): Promise<Ran> };

/** A listener that is connected. `end` is Ctrl-C. */
async function listen(args: string[], { at = base, ready = /Listening to / } = {}): Promise<Listening> {
  const control = new AbortController();
  onTestFinished(() => control.abort());
  const written = { out: '', err: '' };
  const [out, err] = [new PassThrough(), new PassThrough()];
  out.on('data', (chunk) => {
    written.out += chunk;
  });
  err.on('data', (chunk) => {
    written.err += chunk;
  });
  const run = commandLine({ AMPERSAT_API_KEY: key, AMPERSAT_BASE_URL: at });
  const ran = run(['listen', ...args], { signal: control.signal, out, err });
  const failed = ran.then(({ err: words }) => {
    if (!control.signal.aborted) throw new Error(words);
  });
  await Promise.race([until(() => ready.test(written.err + written.out), `it says ${ready}`), failed]);
  return {
    out: () => written.out,
    err: () => written.err,
    end() {
      control.abort();
      return ran;
    },
  };
}

const lines = (text: string) => text.trimEnd().split('\n').filter(Boolean);
const taken = (receiver: Receiver, count: number) =>
  until(() => receiver.requests.length >= count, `${count} events are received`);

test('prints each event on a line and posts it as the service would: the same body, signed with the secret of the session', async () => {
  await order('1');
  const receiver = await receiverForTest({ status: 202 });
  const listening = await listen(['--forward-to', receiver.url]);
  const id = await order('12.5');
  await taken(receiver, 1);
  await until(() => /→/.test(listening.out()), 'the forward is told');
  const { code, out, err } = await listening.end();
  expect(code).toBe(0);
  expect(err).toMatch(/^Forwarding to http:\S+\nListening to http:\S+ Press Ctrl-C to stop\.\n$/);
  const [first = '', second = '', third = '', ...more] = lines(out);
  const secret = first.replace('Your signing secret for this session is ', '');
  expect(secret).toMatch(SECRET_PATTERN);
  const [, event = ''] = /(evt_\w+)/.exec(second) ?? [];
  expect(second).toMatch(
    new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}order\\.created {5}evt_\\w+ {2}12\\.50 USDC on base, ${id}$`),
  );
  expect(third).toMatch(new RegExp(`^ {10}→ 202 in \\d+ ms {2}${event}$`));
  expect(more).toEqual([]);

  const [request] = receiver.requests;
  const { headers, body = '' } = request ?? {};
  expect(receiver.requests).toHaveLength(1);
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event });
  const read = webhooks.constructEvent(body, headers ?? {}, secret);
  expect(webhooks.verifyStandard(body, headers ?? {}, secret)).toEqual(read);
  const signature = String(headers?.['service-signature']);
  expect(Stripe.webhooks.constructEvent(body, signature, secret).id).toBe(event);
  expect(() => webhooks.constructEvent(body.replace('12.50', '12.51'), headers ?? {}, secret)).toThrow();
  const kept = await fetch(`${base}/v1/events/${event}`, { headers: { authorization: `Bearer ${key}` } });
  expect(read).toEqual(await kept.json());
});

test('only what is asked for, whole, signed with the secret that was given', async () => {
  const secret = `whsec_${'b'.repeat(43)}=`;
  const receiver = await receiverForTest();
  const args = ['--events', 'escrow.*,order.cancelled', '--print', 'json', '--secret', secret];
  const listening = await listen([...args, '--forward-to', receiver.url]);
  const id = await order();
  await cancel(id);
  await taken(receiver, 1);
  const { out } = await listening.end();
  const { body, headers } = receiver.requests[0] ?? { body: '', headers: {} };
  const event = webhooks.constructEvent(body, headers, secret);
  expect(event).toMatchObject({ type: 'order.cancelled', data: { object: { order: { id } } } });
  expect(out).toContain(JSON.stringify(event, null, 2));
  expect(out).not.toContain('order.created');
});

test('a line of JSON for the session, each event and each forward', async () => {
  const receiver = await receiverForTest();
  const listening = await listen(['--json', '--forward-to', receiver.url], { ready: /"object":"listen"/ });
  const id = await order();
  await until(() => lines(listening.out()).length === 3, 'three lines');
  const { code, json, err } = await listening.end();
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [session, event, forward] = json;
  expect(session).toEqual({
    object: 'listen',
    forward_to: receiver.url,
    secret: expect.stringMatching(SECRET_PATTERN),
  });
  expect(event).toMatchObject({ object: 'event', type: 'order.created', data: { object: { order: { id } } } });
  const { latency_ms: latency, ...facts } = forward;
  expect(facts).toEqual({ object: 'forward', event: event.id, url: receiver.url, status: 200, failure: null });
  expect(latency).toBeGreaterThanOrEqual(0);
});

test('a forward that fails is told, not repeated, and holds nothing up but its turn', async () => {
  const elsewhere = await receiverForTest();
  const receiver = await receiverForTest([
    { status: 500, afterMs: 300 },
    { status: 302, headers: { location: elsewhere.url } },
    'drop',
    { endless: 200 },
    { status: 204 },
  ]);
  const listening = await listen(['--forward-to', receiver.url]);
  const ids: string[] = [];
  for (let number = 1; number <= 5; number += 1) ids.push(await order(String(number)));
  await until(() => [...listening.out().matchAll(/→/g)].length === 5, 'five forwards are told');
  const { out, code } = await listening.end();
  expect(code).toBe(0);
  const received = receiver.requests.map(({ body }) => JSON.parse(body));
  expect(received.map(({ data }) => data.object.order.id).sort()).toEqual(ids.sort());
  // In their order, which two of one millisecond have by chance.
  expect(received.map(({ id }) => id)).toEqual(received.map(({ id }) => id).sort());
  expect(receiver.mostAtOnce()).toBe(1);
  expect(elsewhere.requests).toEqual([]);
  const told = lines(out).filter((line) => line.includes('→'));
  const words = [/→ 500 in \d+ ms/, /→ 302 in \d+ ms/, /→ no answer: /, /→ 200 in \d+ ms/, /→ 204 in \d+ ms/];
  for (const [index, pattern] of words.entries()) {
    const id = received[index].id;
    expect(told[index]).toMatch(pattern);
    expect(told[index]).toContain(
      index < 3 ? `${id}  resend: ampersat events resend ${id} --forward-to ${receiver.url}` : id,
    );
    expect(told[index]?.includes('resend')).toBe(index < 3);
  }
  // What is advised works as it stands there.
  const [, advice = ''] = /resend: ampersat (.+)$/.exec(told[0] ?? '') ?? [];
  const again = await commandLine({ AMPERSAT_API_KEY: key, AMPERSAT_BASE_URL: base })(advice.split(' '));
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(receiver.requests[5]?.body).toBe(receiver.requests[0]?.body);
});

test('where nothing listens, and where nothing is said for too long', async () => {
  const receiver = await receiverForTest('hang');
  const secret = `whsec_${'b'.repeat(43)}=`;
  const event = { id: 'evt_1' } as Parameters<typeof forwardEvent>[1];
  const at = (url: string) => ({ url: new URL(url), secret });
  const { signal } = new AbortController();
  expect(await forwardEvent(at(receiver.url), event, { signal, timeoutMs: 50 })).toMatchObject({
    status: null,
    failure: 'no answer within 0.05 seconds',
  });
  const { url } = receiver;
  await receiver.close();
  expect(await forwardEvent(at(url), event, { signal })).toMatchObject({
    status: null,
    failure: 'connection refused',
  });
});

test('what was missed is sent again from here, signed as it was', async () => {
  const secret = `whsec_${'b'.repeat(43)}=`;
  const run = commandLine({ AMPERSAT_API_KEY: key, AMPERSAT_BASE_URL: base });
  const id = await order();
  const [event] = (await run(['events', 'list', '--resource', id, '--json'])).json;
  const receiver = await receiverForTest([{ status: 503 }, { status: 200 }]);
  const again = ['events', 'resend', event.id, '--forward-to', receiver.url];
  const failed = await run([...again, '--secret', secret]);
  expect(failed).toMatchObject({ code: 1, err: '' });
  expect(failed.out).toContain('→ 503');
  const sent = await run([...again, '--secret', secret, '--json']);
  expect(sent).toMatchObject({ code: 0, json: [{ object: 'forward', event: event.id, status: 200 }] });
  const { body, headers } = receiver.requests[1] ?? { body: '', headers: {} };
  expect(webhooks.constructEvent(body, headers, secret)).toEqual(event);
  const unsigned = await run(again);
  expect(unsigned).toMatchObject({ code: 2, out: '' });
  expect(unsigned.err).toContain('Pass --secret');
  expect(receiver.requests).toHaveLength(2);
});

test('Ctrl-C while a program is silent ends quietly', async () => {
  const receiver = await receiverForTest('hang');
  const listening = await listen(['--forward-to', receiver.url]);
  await order();
  await taken(receiver, 1);
  const { code, out, err } = await listening.end();
  expect(code).toBe(0);
  expect(out).not.toContain('→');
  expect(err).toMatch(/Press Ctrl-C to stop\.\n$/);
});

test('a connection that is lost comes back, says so, and what happened meanwhile is told once', async () => {
  const line = await startCutProxy(base);
  const receiver = await receiverForTest();
  const before = await order('1');
  const listening = await listen(['--forward-to', receiver.url], { at: line.url });
  // Lost before anything came, and again after something did.
  line.cut(true);
  await until(() => /Connection lost/.test(listening.err()), 'the loss is told');
  const first = await order('2');
  line.mend();
  await taken(receiver, 1);
  const second = await order('3');
  await taken(receiver, 2);
  line.cut();
  const third = await order('4');
  await taken(receiver, 3);
  await until(() => [...listening.err().matchAll(/Reconnected/g)].length === 2, 'it is back twice');
  const { out, err, code } = await listening.end();
  expect(code).toBe(0);
  expect(receiver.requests.map(({ body }) => JSON.parse(body).data.object.order.id)).toEqual([first, second, third]);
  expect(out).not.toContain(before);
  expect(lines(err).slice(1)).toEqual([
    `Listening to ${line.url}. Press Ctrl-C to stop.`,
    'Connection lost. Reconnecting…',
    'Reconnected. Continuing where it left off.',
    'Connection lost. Reconnecting…',
    'Reconnected. Continuing where it left off.',
  ]);
});

test('a key that does not work, and a service that is not there, are told at once', async () => {
  const wrong = commandLine({ AMPERSAT_API_KEY: `${key.slice(0, -4)}0000`, AMPERSAT_BASE_URL: base });
  const refused = await wrong(['listen', '--forward-to', 'http://127.0.0.1:4242']);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain('api_key_invalid');
  const powerless = await keyOf(world, 'shop', { scopes: ['orders'] });
  const orders = await commandLine({ AMPERSAT_API_KEY: powerless, AMPERSAT_BASE_URL: base })(['listen']);
  expect(orders).toMatchObject({ code: 1, out: '' });
  expect(orders.err).toMatch(/scope/);
  const nobody = await commandLine({ AMPERSAT_API_KEY: key, AMPERSAT_BASE_URL: 'http://127.0.0.1:1' })(['listen']);
  expect(nobody).toMatchObject({ code: 1, out: '' });
  expect(nobody.err).toContain('Could not connect to http://127.0.0.1:1');
});

test.each([
  ['3000', 'http://localhost:3000/'],
  ['3000/hooks', 'http://localhost:3000/hooks'],
  ['localhost:3000', 'http://localhost:3000/'],
  ['localhost:3000/hooks?a=b', 'http://localhost:3000/hooks?a=b'],
  ['127.0.0.1:4242', 'http://127.0.0.1:4242/'],
  ['[::1]:4242', 'http://[::1]:4242/'],
  ['shop.example/hooks', 'http://shop.example/hooks'],
  ['https://shop.example/hooks', 'https://shop.example/hooks'],
])('%s is forwarded to %s', (text, url) => {
  expect(readUrl(text).href).toBe(url);
});

test('a port alone forwards to this machine', async () => {
  const receiver = await receiverForTest();
  const { port, pathname } = new URL(receiver.url);
  const listening = await listen(['--forward-to', `${port}${pathname}`]);
  await order();
  await taken(receiver, 1);
  expect((await listening.end()).err).toContain(`Forwarding to http://localhost:${port}${pathname}\n`);
});

test.each([
  [['--forward-to', 'ftp://127.0.0.1'], /Must be a URL or a port/],
  [['--forward-to', 'http://me:secret@127.0.0.1'], /Must be a URL or a port/],
  [['--forward-to', 'localhost:99999'], /Must be a URL or a port/],
  [['--forward-to', '0'], /Must be a URL or a port/],
  [['--events', 'order.paid'], /Unknown event type: order\.paid/],
  [['--events', 'orders.*'], /Unknown event type: orders\.\*/],
  [['--print', 'xml'], /compact, json/],
  [['--secret', 'whsec_short'], /signing secret/],
])('wrong usage is exit code 2: %s', async (args, words) => {
  const ran = await commandLine({ AMPERSAT_API_KEY: key, AMPERSAT_BASE_URL: base })(['listen', ...args]);
  expect(ran).toMatchObject({ code: 2, out: '' });
  expect(ran.err).toMatch(words);
});
