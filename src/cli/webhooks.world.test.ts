// `ampersat webhooks`, `events` and `logs`: endpoints are created, called, read about, against real deliveries to a real receiver.
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { webhooks } from '../../sdk/index.ts';
import { keyOf, program } from '../../test/setup/api.ts';
import { type CommandLine, commandLine } from '../../test/setup/cli.ts';
import { startFlaky } from '../../test/setup/flaky.ts';
import { serveWorld } from '../../test/setup/visitor.ts';
import { type Receiver, startReceiver } from '../../test/setup/webhooks.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { SCOPES } from '../domain/apiKey.ts';
import { RETRY_SCHEDULE_S } from '../domain/delivery.ts';
import { createDeliverer, type Deliverer } from '../services/webhooks/dispatcher.ts';
import { shortId } from './tables.ts';

let world: World;
let run: CommandLine;
let deliverer: Deliverer;
let receiver: Receiver;
/** The endpoint that every test has, and its secret. */
let endpoint: { id: string; secret: string };
beforeAll(async () => {
  world = await startWorld();
  const apiKey = await keyOf(world, 'alice', { scopes: [...SCOPES] });
  run = commandLine({ AMPERSAT_BASE_URL: await serveWorld(world), AMPERSAT_API_KEY: apiKey });
  deliverer = createDeliverer(world.ctx, { jitter: () => 0 });
  receiver = await startReceiver();
  [endpoint] = (await runLine(`webhooks create --url ${receiver.url} --events order.created,order.cancelled --json`))
    .json as [typeof endpoint];
});
afterAll(async () => {
  await deliverer.close();
  await receiver.close();
  await world.stop();
});
beforeEach(async () => {
  // What the test before left under way is over.
  receiver.behave({ status: 200 });
  await deliverer.round();
  receiver.requests.splice(0);
});

const runLine = (line: string) => run(line.split(' '));
async function makeOrder(): Promise<{ order: string; event: string }> {
  const [order] = (await runLine('orders create --amount 2 --chain base --json')).json;
  const [event] = (await runLine(`events list --resource ${order.id} --json`)).json;
  return { order: order.id, event: event.id };
}

test('before the first delivery the logs say how to get one', async () => {
  expect(await runLine('logs')).toMatchObject({
    code: 0,
    out: '',
    err: 'No deliveries yet. Events that occur are sent to your webhook endpoints; add one: ampersat webhooks create --url https://… (events forwarded by listen aren’t listed)\n',
  });
});

test('an endpoint is listed, and its secret is the one that signs', async () => {
  expect(endpoint).toMatchObject({ object: 'webhook_endpoint', enabled_events: ['order.created', 'order.cancelled'] });
  const [head, line] = (await runLine('webhooks list')).out.split('\n');
  expect(head).toMatch(/^endpoint +status +events +URL$/);
  expect(line).toContain(shortId(endpoint.id));
  expect(line).toMatch(/enabled +order.created order.cancelled +http:/);
  const { order } = await makeOrder();
  await deliverer.round();
  const [request] = receiver.requests;
  const event = webhooks.constructEvent(request?.body ?? '', request?.headers ?? {}, endpoint.secret);
  expect(event).toMatchObject({ type: 'order.created', data: { object: { order: { id: order } } } });
  expect(webhooks.verifyStandard(request?.body ?? '', request?.headers ?? {}, endpoint.secret)).toEqual(event);
});

test('one is created, rolled, tried and deleted, in words for people', async () => {
  const made = await runLine(`webhooks create --url ${receiver.url}/second`);
  const [, id = ''] = /endpoint +(whs_\w+)/.exec(made.out) ?? [];
  const [, secret = ''] = /secret +(whsec_\S+)/.exec(made.out) ?? [];
  expect(made.out).toMatch(/events +\*/);
  expect(made.out).toMatch(/\n\nCopy the secret now\. It is shown only once\.\n$/);
  const rolled = await runLine(`webhooks roll ${id} --overlap-hours 2`);
  expect(rolled.out).toMatch(/secret +whsec_/);
  expect(rolled.out).not.toContain(secret);
  expect(rolled.out).toMatch(/old secret valid until +20/);
  expect((await runLine(`webhooks test ${id} --type order.completed`)).out).toMatch(
    /^Sent sample event order.completed evt_\w+\. See the delivery: ampersat logs/,
  );
  await deliverer.round();
  const [request] = receiver.requests.filter(({ path }) => path.endsWith('/second'));
  // Signed with both while they overlap.
  expect(webhooks.constructEvent(request?.body ?? '', request?.headers ?? {}, secret).type).toBe('order.completed');
  expect((await runLine(`webhooks delete ${id}`)).out).toBe(`Deleted ${id}.\n`);
  expect((await runLine('webhooks list --json')).json.map((one) => one.id)).toEqual([endpoint.id]);
  expect((await runLine(`webhooks test ${id}`)).err).toContain('resource_missing');
});

test('what an endpoint may not be is refused with the words of the service', async () => {
  for (const [line, code] of [
    ['webhooks create --url http://10.0.0.1/hook', 'private_address'],
    [`webhooks create --url ${receiver.url} --events order.paid`, 'parameter_invalid'],
  ] as const) {
    const { code: exit, err } = await runLine(`${line} --json`);
    expect([exit, JSON.parse(err).error.code]).toEqual([1, code]);
  }
  expect((await runLine(`webhooks roll ${endpoint.id} --overlap-hours 25`)).code).toBe(2);
});

test('events are listed, read, and sent again to where they are taken', async () => {
  const { order, event } = await makeOrder();
  const list = await runLine('events list --type order.* --limit 1');
  expect(list.out).toMatch(/^event +created +type +resource +pending\n/);
  expect(list.out).toMatch(new RegExp(`${shortId(event)} +20[\\d-]+ [\\d:]+ +order.created +${shortId(order)} +1\n$`));
  const shown = await runLine(`events get ${event}`);
  expect(JSON.parse(shown.out)).toEqual((await runLine(`events get ${event} --json`)).json[0]);
  await deliverer.round();
  expect(receiver.requests).toHaveLength(1);
  const { out } = await runLine(`events resend ${event}`);
  expect(out).toMatch(`Resending order.created ${event}.`);
  await deliverer.round();
  // What is advised shows it, also below newer events, and nothing else.
  const { event: newer } = await makeOrder();
  const [, advice = ''] = /See the delivery: ampersat (.+)\n$/.exec(out) ?? [];
  const tries = (await runLine(`${advice} --json`)).json.map((one) => [one.event, one.attempt.number]);
  expect(tries).toEqual([
    [event, 1],
    [event, 2],
  ]);
  expect((await runLine(`logs --event ${shortId(event)} --json`)).json).toHaveLength(2);
  const again = await runLine(`events resend ${event} --endpoint ${endpoint.id} --json`);
  expect(again.json[0]).toMatchObject({ id: event, object: 'event' });
  await deliverer.round();
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([event, event, newer, event]);
  expect(await runLine('events get evt_nothing')).toMatchObject({ code: 1, out: '' });
});

test('logs have a line for each attempt, newest last, with the answer made harmless', async () => {
  const { event } = await makeOrder();
  receiver.behave([
    { status: 500, body: 'no\u001b[31m\nway ☕\u009b2J' },
    { status: 200, body: 'thanks' },
  ]);
  await deliverer.round();
  world.later(61_000);
  await deliverer.round();
  const { out, err } = await runLine('logs');
  const count = out.trimEnd().split('\n').length;
  expect(err).toBe(`${count} delivery attempts, newest last\n`);
  const times = out
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(0, 19));
  expect(times).toEqual([...times].sort());
  const lines = out.split('\n').filter((line) => line.includes(shortId(event)));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    new RegExp(
      `^20[\\d-]+ [\\d:]+ +order.created +${shortId(event)} +${shortId(endpoint.id)} +500 +\\d+ ms +no way ☕$`,
    ),
  );
  expect(lines[1]).toMatch(/ 200 +\d+ ms +thanks$/);
  const { out: raw, json } = await runLine(`logs --endpoint ${endpoint.id} --json`);
  expect(raw.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  const results = json.filter((one) => one.event === event);
  expect(results[0].attempt.answer).toBe('no\u001b[31m\nway ☕\u009b2J');
  expect(results.map(({ object, attempt }) => [object, attempt.number, attempt.status])).toEqual([
    ['webhook_attempt', 1, 500],
    ['webhook_attempt', 2, 200],
  ]);
});

test('--failed has only what failed after all retries', async () => {
  expect(await runLine('logs --failed')).toMatchObject({
    code: 0,
    out: '',
    err: 'No deliveries match these filters.\n',
  });
  const { event } = await makeOrder();
  receiver.behave({ status: 503 });
  await deliverer.round();
  for (const [attempt, offsetS] of RETRY_SCHEDULE_S.entries()) {
    world.later((offsetS - (RETRY_SCHEDULE_S[attempt - 1] ?? 0)) * 1_000);
    await deliverer.round();
  }
  const failed = (await runLine('logs --failed --json')).json;
  expect(failed.map((one) => [one.event, one.attempt.number, one.failure])).toEqual(
    Array.from({ length: 7 }, (_, at) => [event, at + 1, 'exhausted']),
  );
});

test('--follow writes each new attempt once, also of deliveries that waited, until it is stopped', async () => {
  const { event: old } = await makeOrder();
  receiver.behave({ status: 500 });
  await deliverer.round();
  const stop = new AbortController();
  const out = new PassThrough();
  let seen = '';
  out.on('data', (chunk) => {
    seen += chunk;
  });
  const following = run('logs --follow --limit 1 --json'.split(' '), { signal: stop.signal, out });
  const told = () => {
    const lines = seen.split('\n').filter((line) => line !== '');
    return lines
      .map((line) => JSON.parse(line))
      .map(({ event, attempt }) => `${event} ${attempt.number} ${attempt.status}`);
  };
  await expect.poll(told).toEqual([`${old} 1 500`]);
  receiver.behave({ status: 204 });
  world.later(61_000);
  const { event: young } = await makeOrder();
  await deliverer.round();
  await expect.poll(told).toEqual(expect.arrayContaining([`${old} 2 204`, `${young} 1 204`]));
  // What there was before is no news, though there is more of it than was asked for.
  expect(told().slice(1).sort()).toEqual([`${old} 2 204`, `${young} 1 204`].sort());
  stop.abort();
  expect((await following).code).toBe(0);
  expect(new Set(told()).size).toBe(told().length);
});

test('--follow goes on after a lost connection: nothing is missed or shown twice, and a replay says so', async () => {
  const { event: old } = await makeOrder();
  await deliverer.round();
  const { BASE_URL } = world.ctx.env;
  const front = await startFlaky(BASE_URL);
  const stop = new AbortController();
  const out = new PassThrough();
  let seen = '';
  out.on('data', (chunk) => {
    seen += chunk;
  });
  const following = run(['logs', '--follow', '--wide', '--limit', '1', '--base-url', front.url], {
    signal: stop.signal,
    out,
  });
  const linesOf = (event: string) => seen.split('\n').filter((line) => line.includes(event));
  await expect.poll(() => linesOf(old)).toHaveLength(1);
  // More than the client tries by itself.
  front.fail(...Array.from({ length: 12 }, () => 'drop-before' as const));
  const { event: young } = await makeOrder();
  expect((await runLine(`events resend ${old}`)).code).toBe(0);
  await deliverer.round();
  await expect.poll(() => [linesOf(old).length, linesOf(young).length]).toEqual([2, 1]);
  const heard = front.heard.length;
  await expect.poll(() => front.heard.length).toBeGreaterThan(heard + 2);
  expect([linesOf(old).length, linesOf(young).length]).toEqual([2, 1]);
  expect(linesOf(old).map((line) => line.includes('replay'))).toEqual([false, true]);
  expect(linesOf(young)[0]).not.toContain('replay');
  stop.abort();
  const { code, err } = await following;
  await front.stop();
  expect(code).toBe(0);
  expect(err.split('\n').slice(-3)).toEqual([
    'Connection lost. Reconnecting…',
    'Reconnected. Continuing where it left off.',
    '',
  ]);
});

test('deliveries that were active since a time are listed, however old their events are', async () => {
  const { event: old } = await makeOrder();
  await deliverer.round();
  world.later(60_000);
  const { event: young } = await makeOrder();
  await deliverer.round();
  world.later(60_000);
  const since = new Date(world.ctx.clock.now()).toISOString();
  const { BASE_URL } = world.ctx.env;
  const api = program(BASE_URL, await keyOf(world, 'alice', { scopes: [...SCOPES] }));
  const active = async (query = '') =>
    (await api.get(`/v1/webhook_deliveries?active_since=${encodeURIComponent(since)}${query}`)).body.data.map(
      (one: { event: string }) => one.event,
    );
  expect(await active()).toEqual([]);
  expect((await api.post(`/v1/events/${old}/replay`, {})).status).toBe(200);
  expect(await active('&status=pending')).toEqual([]);
  await deliverer.round();
  expect(await active()).toEqual([old]);
  expect(await active(`&event=${old}`)).toEqual([old]);
  expect(await active(`&event=${young}`)).toEqual([]);
  expect((await api.get('/v1/webhook_deliveries?active_since=yesterday')).body.error.param).toBe('active_since');
});
