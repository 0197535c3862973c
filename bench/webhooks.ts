// Webhooks by a real workers process to a receiver in a process of its own: how many a second against a bare loop, what one dead endpoint costs the
// others, and what a backlog needs. The limit of each host is raised: it is there for merchants, not for the machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { NODE_FLAGS } from '../local/stack/children.ts';
import type { Stack } from '../local/stack/stack.ts';
import { type Ctx, createContext, newId } from '../src/context.ts';
import { API_VERSION } from '../src/domain/events.ts';
import { readEnv } from '../src/env.ts';
import { enqueue } from '../src/queues.ts';
import { ROOT } from '../src/root.ts';
import { wakeDeliveries, writeEvents } from '../src/services/events.ts';
import { sealSecret } from '../src/services/webhooks/secrets.ts';
import { drawSecret } from '../src/services/webhooks/signatures.ts';
import type { Row } from './main.ts';
import type { Receipt } from './receiver.ts';

const EVENTS = 3_000;
const ROUNDS = 3;
const ENDPOINTS = 20;
/** Events a second, each to twenty endpoints. */
const LIVE_RATE = 15;
/** Without a dead endpoint, with one (until its first attempts are given up, and beyond), and without again. */
const LIVE_SECONDS = { well: 6, dead: 12 } as const;
const BACKLOG = 50_000;
const BACKLOG_ENDPOINTS = 5;
const LOOK_EVERY_MS = 50;
const SAMPLE_EVERY_MS = 200;
const RAISED = 'WEBHOOK_HOST_PER_SECOND raised to 1,000,000';

type Bench = {
  ctx: Ctx;
  db: pg.Client;
  handleId: string;
  secret: string;
  workers: ChildProcess;
  receiver: ChildProcess;
  bare: ChildProcess;
  ports: number[];
};

/** The stack's own workers must be stopped. @param backend what the queues run on: part of the rows' names */
export async function measureWebhooks(stack: Stack, backend: string): Promise<Row[]> {
  const env: Record<string, string> = { ...stack.processEnv, LOG_LEVEL: 'warn', WEBHOOK_HOST_PER_SECOND: '1000000' };
  const ctx = await createContext(readEnv(env), 'bench', { queueNames: ['webhooks'] });
  const db = new pg.Client({ connectionString: env['DATABASE_URL'] ?? '' });
  await db.connect();
  const { id: handleId } = await ctx.db.handle.findUniqueOrThrow({ where: { slug: 'carol' } });
  const receiver = await start('benchReceiver.mjs', env);
  const bare = await start('benchBareWebhooks.mjs', env);
  const workers = await start('workers.mjs', env, NODE_FLAGS.workers);
  const children = [receiver, bare, workers].map(({ child }) => child);
  const ports = receiver.told.ports ?? [];
  const bench: Bench = {
    ctx,
    db,
    handleId,
    secret: drawSecret(),
    workers: workers.child,
    receiver: receiver.child,
    bare: bare.child,
    ports,
  };
  try {
    return [
      await measureRate(bench, backend),
      await measureNeighbours(bench, backend),
      ...(await measureBacklog(bench, backend)),
    ];
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(children.map(ended));
    await db.end();
    await ctx.shutdown.close();
  }
}

async function measureRate(bench: Bench, backend: string): Promise<Row> {
  const url = `http://127.0.0.1:${bench.ports[0]}/hook`;
  const [endpoint = ''] = await makeEndpoints(bench, [url]);
  const figures = { ours: [] as number[], bare: [] as number[] };
  // The first round warms both up. In turns, so that a machine that slows down slows both.
  for (let round = 0; round <= ROUNDS; round++) {
    const ids = await insertEvents(bench, EVENTS);
    const sent = await ask<{ sent: number; ms: number }>(bench.bare, {
      eventIds: [ids[0], ids.at(-1)],
      url,
      secret: bench.secret,
    });
    if (sent.sent !== EVENTS) throw new Error(`the bare loop sent ${sent.sent} of ${EVENTS}`);
    const ours = await deliver(bench, ids, [endpoint]);
    if (round === 0) continue;
    figures.bare.push(EVENTS / (sent.ms / 1_000));
    figures.ours.push(EVENTS / (ours / 1_000));
  }
  await received(bench);
  await endEndpoints(bench);
  const [value, baseline] = [middle(figures.ours), middle(figures.bare)];
  const goal = backend === 'Redis' ? 0.6 : 0.3;
  return {
    name: `webhooks a second to one endpoint (${backend})`,
    value: Math.round(value),
    unit: '/s',
    baseline: Math.round(baseline),
    ratio: Math.round((value / baseline) * 100) / 100,
    note: `goal: ratio ${goal}; baseline: a bare loop of ten that signs and posts the same bodies and writes one row each; ${RAISED}`,
  };
}

/** @returns milliseconds from the waking of the workers to the record of the last one */
async function deliver(bench: Bench, eventIds: string[], endpoints: string[]): Promise<number> {
  await insertDeliveries(bench, eventIds, endpoints);
  const began = performance.now();
  await bench.ctx.queues.flush(bench.ctx.db);
  await untilSent(bench, endpoints);
  return performance.now() - began;
}

/** Live events while an endpoint hangs, against the same while none does: what the others notice of it. */
async function measureNeighbours(bench: Bench, backend: string): Promise<Row> {
  const well = await live(bench, { isDead: false });
  const beside = await live(bench, { isDead: true });
  well.push(...(await live(bench, { isDead: false })));
  const [value, baseline] = [quantile(beside, 0.99), quantile(well, 0.99)];
  return {
    name: `event to receipt with 1 of ${ENDPOINTS} endpoints dead, p99 of the others (${backend})`,
    value,
    unit: 'ms',
    baseline,
    ratio: Math.round((value / baseline) * 100) / 100,
    note: `goal: as without it; p50 ${quantile(beside, 0.5)} and ${quantile(well, 0.5)} ms; baseline: none dead; ${LIVE_RATE} events/s to each; ${RAISED}`,
  };
}

/** @returns for each receipt of a healthy endpoint the milliseconds since its event */
async function live(bench: Bench, { isDead }: { isDead: boolean }): Promise<number[]> {
  const paths = bench.ports.map((port, index) => `http://127.0.0.1:${port}/${isDead && index === 0 ? 'hang' : 'hook'}`);
  const endpoints = await makeEndpoints(bench, paths);
  await received(bench);
  const count = LIVE_RATE * (isDead ? LIVE_SECONDS.dead : LIVE_SECONDS.well);
  const { ctx, handleId } = bench;
  const since = new Date(ctx.clock.now());
  const began = performance.now();
  for (let number = 0; number < count; number++) {
    await sleep(Math.max(0, began + (number * 1_000) / LIVE_RATE - performance.now()));
    const order = orderOf(newId(ctx, 'ord'));
    const draft = {
      handleId,
      livemode: false,
      type: 'order.completed',
      resourceId: order.id,
      object: { order },
    } as const;
    await ctx.db.$transaction((tx) => writeEvents(ctx, tx, [{ ...draft, uniqueKey: `bench:${order.id}` }]));
    await wakeDeliveries(ctx);
  }
  const healthy = isDead ? endpoints.slice(1) : endpoints;
  await untilSent(bench, healthy);
  const { rows } = await bench.db.query<{ id: string; created_at: Date }>(
    'select id, created_at from event where handle_id = $1 and created_at >= $2',
    [handleId, since],
  );
  const createdAt = new Map(rows.map((row) => [row.id, row.created_at.getTime()]));
  const waits = (await received(bench)).flatMap(({ port, eventId, at }) => {
    const created = createdAt.get(eventId);
    return created === undefined || (isDead && port === bench.ports[0]) ? [] : [at - created];
  });
  if (waits.length !== count * healthy.length) throw new Error(`${waits.length} of ${count * healthy.length} came`);
  await endEndpoints(bench);
  return waits;
}

async function measureBacklog(bench: Bench, backend: string): Promise<Row[]> {
  const urls = bench.ports.slice(0, BACKLOG_ENDPOINTS).map((port) => `http://127.0.0.1:${port}/hook`);
  const endpoints = await makeEndpoints(bench, urls);
  const ids = await insertEvents(bench, BACKLOG / BACKLOG_ENDPOINTS);
  const sizes: number[] = [];
  const before = residentOf(bench.workers);
  const sampler = setInterval(() => sizes.push(residentOf(bench.workers)), SAMPLE_EVERY_MS);
  const ms = await deliver(bench, ids, endpoints);
  clearInterval(sampler);
  const after = residentOf(bench.workers);
  const came = (await received(bench)).length;
  if (came < BACKLOG) throw new Error(`${came} of ${BACKLOG} came`);
  await endEndpoints(bench);
  const half = sizes.slice(0, Math.ceil(sizes.length / 2));
  return [
    {
      name: `backlog of ${BACKLOG.toLocaleString('en')} webhooks, drained (${backend})`,
      value: Math.round(ms / 100) / 10,
      unit: 's',
      note: `${Math.round(BACKLOG / (ms / 1_000))} a second to ${BACKLOG_ENDPOINTS} endpoints; ${came - BACKLOG} came twice; ${RAISED}`,
    },
    {
      name: `memory of the workers meanwhile, peak (${backend})`,
      value: Math.max(...sizes, after),
      unit: 'MB',
      baseline: before,
      ratio: Math.round((Math.max(...sizes, after) / before) * 100) / 100,
      note: `goal: flat; baseline: before; ${Math.max(...half)} at most in the first half, ${after} at the end`,
    },
  ];
}

async function makeEndpoints({ ctx, handleId, secret }: Bench, urls: string[]): Promise<string[]> {
  const made = await ctx.db.webhookEndpoint.createManyAndReturn({
    data: urls
      .map((url) => [newId(ctx, 'whs'), url] as const)
      .map(([id, url]) => ({
        id,
        handleId,
        livemode: false,
        url,
        host: new URL(url).host,
        apiVersion: API_VERSION,
        status: 'enabled',
        secret: sealSecret(ctx, id, secret),
        createdAt: new Date(ctx.clock.now()),
      })),
  });
  return made.map(({ id }) => id);
}

/** Nothing more is sent to any, nor waits for one. */
async function endEndpoints({ db, handleId }: Bench): Promise<void> {
  await db.query("update webhook_endpoint set status = 'deleted' where handle_id = $1", [handleId]);
  await db.query(
    "update delivery set status = 'failed', failure = 'endpoint_deleted', next_attempt_at = null, ended_at = now() where next_attempt_at is not null",
  );
}

const orderOf = (id: string) => ({
  id,
  object: 'order',
  status: 'completed',
  checkout_url: `http://127.0.0.1:8080/o/${id}`,
  amount: '25.00',
  currency: 'USDC',
  chain: 'base',
  recipient: '@carol',
  recipient_address: `0x${'4'.repeat(40)}`,
  txHash: `0x${'7'.repeat(64)}`,
  metadata: { cart: '7041', customer: 'cus_0192837465' },
  livemode: false,
});

/** @returns their ids, oldest first */
async function insertEvents({ ctx, db, handleId }: Bench, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(ctx, 'evt')).sort();
  await db.query(
    `insert into event (id, handle_id, livemode, type, api_version, resource_id, unique_key, object, created_at)
     select id, $1, false, 'order.completed', $2, id, 'bench:' || id, $3, now() from unnest($4::text[]) as e(id)`,
    [handleId, API_VERSION, { order: orderOf('ord_bench') }, ids],
  );
  return ids;
}

/** As the transaction of a change writes them, for many changes at once. */
async function insertDeliveries({ ctx, db }: Bench, eventIds: string[], endpoints: string[]): Promise<void> {
  await db.query(
    `insert into delivery (event_id, endpoint_id, status, next_attempt_at, created_at)
     select e.id, w.id, 'pending', now(), now() from unnest($1::text[]) as e(id) cross join unnest($2::text[]) as w(id)`,
    [eventIds, endpoints],
  );
  // As autovacuum would have done by then.
  await db.query('analyze delivery, event');
  const [first = ''] = eventIds;
  await ctx.db.$transaction((tx) => enqueue(tx, 'webhooks', `bench-${first}`, { eventIds: [first] }, ctx.clock.now()));
}

async function untilSent({ db, workers }: Bench, endpoints: string[]): Promise<void> {
  for (;;) {
    const { rowCount } = await db.query(
      'select 1 from delivery where endpoint_id = any($1) and next_attempt_at is not null limit 1',
      [endpoints],
    );
    if (rowCount === 0) return;
    if (workers.exitCode !== null) throw new Error('the workers ended');
    await sleep(LOOK_EVERY_MS);
  }
}

async function received({ receiver }: Bench): Promise<Receipt[]> {
  return (await ask<{ receipts: Receipt[] }>(receiver, {})).receipts;
}

function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('a process of the bench ended'));
    child.once('exit', fail);
    child.once('message', (answer) => {
      child.off('exit', fail);
      resolve(answer as Answer);
    });
    child.send(question);
  });
}

type Told = { ports?: number[] };

async function start(file: string, env: object, flags: readonly string[] = []) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [...flags, join(ROOT, 'dist', file)], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const told = await new Promise<Told>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Told));
    child.once('exit', () => reject(new Error(`${file} ended`)));
  });
  return { child, told };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null)
    await new Promise<void>((resolve) => child.once('exit', () => resolve()));
}

/** In megabytes. */
function residentOf({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024);
}

function quantile(figures: number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function middle(figures: number[]): number {
  return quantile(figures, 0.5);
}
