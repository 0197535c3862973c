// The API log: what each request leaves there, what never does, that no request waits for it, and who reads it.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { atOneMoment, keyOf, type Program, program } from '../../../test/setup/api.ts';
import { call } from '../../../test/setup/http.ts';
import { serveWorld, type Visitor, visitor } from '../../../test/setup/visitor.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { newId } from '../../context.ts';
import { connectDb, disconnectDb, openClient } from '../../db.ts';
import { SCOPES } from '../../domain/apiKey.ts';
import { formatId } from '../../domain/ids.ts';
import {
  createRequestLog,
  dropOldRequests,
  isPassing,
  type RequestEntry,
} from '../../services/workspaces/requestLog.ts';

let world: World;
let base: string;
let shop: Visitor;
let bob: Visitor;
let secret: string;
let api: Program;
beforeAll(async () => {
  world = await startWorld();
  Object.assign(world.ctx.env, { API_RATE_PER_SECOND: 10_000, API_RATE_BURST: 10_000 });
  base = await serveWorld(world);
  [shop, bob] = (await Promise.all(['shop', 'bob'].map(signedIn))) as [Visitor, Visitor];
  secret = await keyOf(world, 'shop', { scopes: [...SCOPES] });
  api = program(base, secret);
});
afterAll(() => world.stop());

async function signedIn(name: string): Promise<Visitor> {
  const browser = visitor(base);
  expect((await browser.signIn(privateKeyToAccount(localPerson(name).key))).status).toBe(200);
  return browser;
}

const requestOf = (answer: { headers: Headers }) => String(answer.headers.get('request-id'));

/** The request in the log, once it is there. */
async function logged(answer: { headers: Headers }, browser = shop) {
  const id = requestOf(answer);
  await expect.poll(() => world.ctx.db.requestLog.count({ where: { id } })).toBe(1);
  return (await browser.get(`/api/request_logs/${id}`)).body;
}

async function listed(query: string, browser = shop): Promise<{ id: string }[]> {
  const answer = await browser.get(`/api/request_logs?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

describe('a request with a key of the workspace', () => {
  test('is logged with all that its developer needs', async () => {
    const body = { amount: '5', chain: 'base', metadata: { cart: '7041' } };
    const answer = await api.post('/v1/orders', body, { 'idempotency-key': 'cart-7041' });
    expect(answer.status).toBe(201);
    const entry = await logged(answer);
    expect(entry).toMatchObject({
      object: 'request_log',
      id: requestOf(answer),
      livemode: false,
      method: 'POST',
      route: '/v1/orders',
      path: '/v1/orders',
      status: 201,
      error_code: null,
      idempotency_key: 'cart-7041',
      key: { label: 'a test', mode: 'test', last4: secret.slice(-4) },
    });
    expect(Math.abs(Date.parse(entry.created_at) - world.ctx.clock.now())).toBeLessThan(60_000);
    expect(JSON.parse(entry.request_body.text)).toEqual(body);
    expect(JSON.parse(entry.response_body.text)).toEqual(answer.body);
    const read = await logged(await api.get(`/v1/orders/${answer.body.id}`));
    expect(read).toMatchObject({ method: 'GET', route: '/v1/orders/{order_id}', path: `/v1/orders/${answer.body.id}` });
    expect(read.request_body).toBeNull();
  });

  test('that is repeated with its Idempotency-Key is logged again', async () => {
    const once = () => api.post('/v1/orders', { amount: '0', chain: 'base' }, { 'idempotency-key': 'again' });
    for (const answer of [await once(), await once()])
      expect(await logged(answer)).toMatchObject({ status: answer.status, error_code: answer.body.error.code });
  });

  test('that fails names its entry', async () => {
    for (const answer of [
      await api.post('/v1/orders', { amount: '5', chain: 'nowhere' }),
      await api.post('/v1/orders', '{"amount": '),
      await api.get('/v1/orders/ord_1'),
      await api.get('/v1/orderz'),
      await api.get('/v1/orders/%ff'),
      await api.send('DELETE', '/v1/orders'),
      await api.get('/v1/orders', { 'service-version': '1999-01-01' }),
      await program(base, await keyOf(world, 'shop', { scopes: ['events'] })).get('/v1/webhook_endpoints'),
    ]) {
      const { error } = answer.body;
      expect(error.request_log_url).toBe(`${base}/logs/${requestOf(answer)}`);
      expect(await logged(answer)).toMatchObject({ status: answer.status, error_code: error.code });
    }
    expect(await logged(await api.get('/v1/orderz'))).toMatchObject({ route: null, path: '/v1/orderz' });
  });

  test('that is a form is logged as what it says', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const entry = await logged(await api.post('/v1/orders', 'amount=5&chain=base&metadata[cart]=1', form));
    expect(JSON.parse(entry.request_body.text)).toEqual({ amount: '5', chain: 'base', metadata: { cart: '1' } });
  });

  test('for a stream is logged as it opens', async () => {
    const open = await fetch(`${base}/v1/events/stream`, { headers: { authorization: `Bearer ${secret}` } });
    expect(await logged(open)).toMatchObject({ route: '/v1/events/stream', status: 200, response_body: null });
    await open.body?.cancel();
  });

  test('with NUL, lone surrogates or too large a body is logged as others', async () => {
    for (const answer of [
      await api.post('/v1/orders', '{"amount":"5","chain":"base","description":"a\\u0000b\\ud800c"}'),
      await api.post('/v1/orders', `{"amount":"5","metadata":{"a":"${'x'.repeat(1_200_000)}"}}`),
      await api.get('/v1/orders?cursor=%00'),
      await api.get('/v1/orders?cursor=%ED%A0%80'),
    ])
      expect(await logged(answer)).toMatchObject({ status: answer.status, error_code: answer.body.error.code });
  });
});

test('without a valid key nothing is logged, and an error names no entry', async () => {
  const before = await world.ctx.db.requestLog.count();
  for (const key of [`sk_test_${'x'.repeat(43)}`, 'x', ''])
    for (const path of ['/v1/orders', '/v1/orderz']) {
      const { body } = await program(base, key).get(path);
      expect(body.error).not.toHaveProperty('request_log_url');
    }
  expect((await call(`${base}/v1/orders`)).status).toBe(401);
  await logged(await api.get('/v1/orders'));
  expect(await world.ctx.db.requestLog.count()).toBe(before + 1);
});

test('keys, signatures and secrets are never stored', async () => {
  const signature = `0x${'9a'.repeat(65)}`;
  const solana = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
  const privateKey = `0x${'4f'.repeat(32)}`;
  const metadata = { a: secret, b: signature, c: solana, d: privateKey, password: 'hunter22', e: `Bearer ${secret}` };
  const made = await api.post('/v1/webhook_endpoints', { url: 'https://93.184.215.14/hook', description: secret });
  expect(made.status, made.text).toBe(201);
  const rolled = await api.post(`/v1/webhook_endpoints/${made.body.id}/roll_secret`, {});
  for (const answer of [
    made,
    rolled,
    await api.post('/v1/orders', { amount: '5', chain: 'base', metadata }, { 'idempotency-key': secret }),
    await api.post('/v1/orders', {
      amount: '5',
      chain: 'base',
      [secret]: signature,
      signature,
      permit: { r: privateKey },
    }),
    await api.post('/v1/orders', `{"amount":"5", ${secret}`),
    await api.get(`/v1/orders?metadata[a]=${secret}&cursor=${signature}`),
    await api.get(`/v1/orders/${secret}`),
    await api.get(`/v1/${signature}`),
  ])
    await logged(answer);
  const [rows] = await world.ctx.db.$queryRaw<{ text: string }[]>`
    select (select string_agg(l::text, '') from request_log l) || (select string_agg(b::text, '') from request_log_body b) as text`;
  const secrets = [secret, signature, solana, privateKey, made.body.secret, rolled.body.secret];
  expect(secrets.every((one) => typeof one === 'string' && one.length > 30)).toBe(true);
  for (const one of secrets) expect(rows?.text.includes(one.slice(-20)), one).toBe(false);
  expect(rows?.text).not.toContain('hunter22');
});

test('of refusals by the rate limit, one a second is logged', async () => {
  await atOneMoment(world, async () => {
    const limited = program(base, await keyOf(world, 'shop'));
    const { id } = await world.ctx.db.apiKey.findFirstOrThrow({ orderBy: { id: 'desc' } });
    Object.assign(world.ctx.env, { API_RATE_PER_SECOND: 10_000, API_RATE_BURST: 10_000 });
    const log = createRequestLog(world.ctx);
    expect([log.hasEnough(id), log.hasEnough(id), log.hasEnough('key_2')]).toEqual([false, true, false]);
    expect((await limited.get('/v1/orders')).status).toBe(200);
  });
});

test('an address that is none of ours takes from the rate limit of its key, or of unknown keys', async () => {
  await atOneMoment(world, async () => {
    const { env } = world.ctx;
    const usual = { ...env };
    Object.assign(env, { API_RATE_PER_SECOND: 1, API_RATE_BURST: 2 });
    // The limits are read when the service starts.
    const other = await serveWorld(world);
    Object.assign(env, usual);
    const valid = program(other, await keyOf(world, 'shop'));
    const statuses: number[] = [];
    for (const path of ['/v1/orderz', '/v1/orders/%ff', '/v1/orderz', '/v1/orders/%ff'])
      statuses.push((await valid.get(path)).status);
    statuses.push((await valid.send('DELETE', '/v1/orders')).status);
    expect(statuses).toEqual([404, 400, 429, 429, 429]);
    const unknown = program(other, `sk_test_${'y'.repeat(43)}`);
    const seen = new Set<number>();
    for (let count = 0; count < 70; count++) seen.add((await unknown.get('/v1/orderz')).status);
    expect([...seen].sort()).toEqual([404, 429]);
  });
});

test('requests are answered while the log cannot be written, and are logged afterwards', async () => {
  const answers: { headers: Headers; status: number }[] = [];
  await world.ctx.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`lock table request_log in access exclusive mode`;
      // Longer than the log waits before it writes, so that it finds itself writing.
      const end = performance.now() + 1_500;
      while (performance.now() < end) answers.push(await api.get('/v1/orders?limit=1'));
    },
    { timeout: 60_000 },
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const ids = answers.map(requestOf);
  await expect.poll(() => world.ctx.db.requestLog.count({ where: { id: { in: ids } } })).toBe(ids.length);
  await logged(await api.get('/v1/orders?limit=1'));
});

test('what waits for a slow database is bounded, and a row that PostgreSQL refuses takes no other with it', async () => {
  const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'carol' } });
  const log = createRequestLog(world.ctx);
  const entry = (method?: string) => entryOf(handleId, method);
  const countOf = () => world.ctx.db.requestLog.count({ where: { handleId } });
  await world.ctx.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`lock table request_log in access exclusive mode`;
      for (let count = 0; count < 5_000; count++) log.add(entry());
    },
    { timeout: 60_000 },
  );
  await log.flush();
  const count = await countOf();
  expect(count).toBeGreaterThanOrEqual(2_000);
  expect(count).toBeLessThan(2_500);
  for (const method of ['GET', 'a\0b', 'POST']) log.add(entry(method));
  await log.flush();
  expect(await countOf()).toBe(count + 2);
});

const entryOf = (handleId: string, method = 'GET'): RequestEntry => ({
  ...{
    id: newId(world.ctx, 'req'),
    handleId,
    livemode: false,
    keyId: 'key_1',
    method,
    route: '',
    path: '/v1',
    status: 200,
  },
  ...{ durationMs: 1, errorCode: null, idempotencyKey: null, requestBody: null, requestCut: false },
  ...{ responseBody: null, responseCut: false },
});

describe('no entry is lost', () => {
  const LIMITS = { connect: 5_000, statement: 300, answer: 10_000, idleInTransaction: 60_000 };
  const lock = 'lock table request_log in access exclusive mode';

  async function logAlone() {
    const db = connectDb(world.databaseUrl, { max: 1, limits: LIMITS });
    onTestFinished(() => disconnectDb(db));
    const { id } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'carol' } });
    const log = createRequestLog({ ...world.ctx, db });
    const before = await world.ctx.db.requestLog.count({ where: { handleId: id } });
    for (const method of ['GET', 'a\0b', 'POST', 'HEAD']) log.add(entryOf(id, method));
    const written = async () => (await world.ctx.db.requestLog.count({ where: { handleId: id } })) - before;
    return { log, written };
  }

  test('where a statement takes too long', async () => {
    const { log, written } = await logAlone();
    await world.ctx.db.$transaction(
      async (tx) => {
        await tx.$executeRawUnsafe(lock);
        await log.flush();
      },
      { timeout: 60_000 },
    );
    expect(await written()).toBe(0);
    await log.flush();
    expect(await written()).toBe(3);
  });

  test('where the server ends the connection', async () => {
    const { log, written } = await logAlone();
    const client = await openClient(world.databaseUrl);
    onTestFinished(() => client.end());
    await world.ctx.db.$transaction(
      async (tx) => {
        await tx.$executeRawUnsafe(lock);
        const flushed = log.flush();
        await expect
          .poll(async () => {
            const { rows } = await client.query(
              "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%request_log_body%'",
            );
            return rows.length;
          })
          .toBe(1);
        await flushed;
      },
      { timeout: 60_000 },
    );
    await log.flush();
    expect(await written()).toBe(3);
  });

  test.each([
    ['57014', true],
    ['57P01', true],
    ['53300', true],
    ['08006', true],
    ['40P01', true],
    ['55P03', true],
    ['22P05', false],
    ['23502', false],
    ['21000', false],
  ])('SQLSTATE %s passes: %s', (code, passes) => {
    expect(isPassing(Object.assign(new pg.DatabaseError('a refusal', 1, 'error'), { code }))).toBe(passes);
  });

  test('of a database that cannot be reached, all wait', async () => {
    const db = connectDb('postgresql://nobody@127.0.0.1:9/nothing', { max: 1, limits: LIMITS });
    onTestFinished(() => disconnectDb(db));
    const error = await db.$queryRaw`select 1`.catch((err: unknown) => err);
    expect(isPassing(error)).toBe(true);
    expect(isPassing(new TypeError('no error of a database'))).toBe(false);
  });
});

describe('the list', () => {
  test('is filtered, and read page by page', async () => {
    const made = await api.post('/v1/orders', { amount: '7', chain: 'base' });
    const missing = await api.get('/v1/orders/ord_2');
    await logged(missing);
    const { key } = await logged(made);
    const id = requestOf(missing);
    const code = missing.body.error.code;
    for (const query of [
      'status=4xx',
      'status=404',
      `code=${code}`,
      'method=GET',
      `key=${key.id}`,
      'route=%2Fv1%2Forders%2F%7Border_id%7D',
    ])
      expect((await listed(query))[0]?.id, query).toBe(id);
    for (const query of ['status=5xx', 'code=rate_limited', 'method=DELETE&status=2xx', 'key=key_0', 'before=1000'])
      expect(
        (await listed(query)).map((one) => one.id),
        query,
      ).not.toContain(id);
    expect(await listed(`request=${id}`)).toMatchObject([{ id }]);
    const first = (await shop.get('/api/request_logs?limit=2')).body;
    const second = (await shop.get(`/api/request_logs?limit=2&cursor=${first.next_cursor}`)).body;
    const ids = [...first.data, ...second.data].map((one: { id: string }) => one.id);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    expect(ids).toHaveLength(4);
    expect((await shop.get('/api/request_logs?status=9xx')).body.error.param).toBe('status');
  });

  test('begins and ends at the very millisecond of its bounds', async () => {
    const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'shop' } });
    const moment = world.ctx.clock.now() - 3_600_000;
    const ids = [-1, 0, 1].map((ms) => formatId('req', moment + ms, randomBytes(10)));
    await world.ctx.db.requestLog.createMany({
      data: ids.map((id) => ({
        ...{ id, handleId, livemode: false, keyId: 'key_1', method: 'GET', route: '', path: '/v1', status: 200 },
        durationMs: 1,
      })),
    });
    const isoTime = (ms: number) => new Date(moment + ms).toISOString();
    const found = async (query: string) => (await listed(query)).map((one) => one.id).filter((id) => ids.includes(id));
    expect(await found(`from=${isoTime(0)}&before=${isoTime(9)}`)).toEqual([ids[2], ids[1]]);
    expect(await found(`from=${isoTime(-9)}&before=${isoTime(0)}`)).toEqual([ids[0]]);
    expect(await found(`from=${isoTime(-30_000)}&before=${isoTime(1)}`)).toEqual([ids[1], ids[0]]);
    const ofKey = async (query: string) =>
      (await api.get(`/v1/request_logs?${query}`)).body.data.map((one: { id: string }) => one.id);
    expect(await ofKey(`created[gt]=${isoTime(-1)}&created[lte]=${isoTime(0)}`)).toEqual([ids[1]]);
    await world.ctx.db.requestLog.deleteMany({ where: { id: { in: ids } } });
  });

  test('is of one workspace, and of one mode', async () => {
    const answer = await api.get('/v1/orders');
    await logged(answer);
    const live = await program(base, await keyOf(world, 'shop', { mode: 'live' })).get('/v1/orders');
    expect(await logged(live)).toMatchObject({ livemode: true });
    expect((await listed('mode=test')).map(({ id }) => id)).not.toContain(requestOf(live));
    expect((await listed('mode=live')).map(({ id }) => id)).toEqual([requestOf(live)]);
    expect(await listed('', bob)).toEqual([]);
    expect((await bob.get(`/api/request_logs/${requestOf(answer)}`)).status).toBe(404);
    expect((await visitor(base).get(`/api/request_logs/${requestOf(answer)}`)).status).toBe(401);
  });

  test('ends after seven days', async () => {
    const answer = await api.get('/v1/orders');
    const body = () => world.ctx.db.requestLogBody.count({ where: { id: requestOf(answer) } });
    await logged(answer);
    expect(await dropOldRequests(world.ctx)).toBe(0);
    world.later(7 * 86_400_000 + 1_000);
    expect((await visitorAgain()).status).toBe(404);
    expect(await dropOldRequests(world.ctx)).toBeGreaterThan(10);
    expect([await world.ctx.db.requestLog.count(), await body()]).toEqual([0, 0]);

    async function visitorAgain() {
      return (await signedIn('shop')).get(`/api/request_logs/${requestOf(answer)}`);
    }
  });
});
