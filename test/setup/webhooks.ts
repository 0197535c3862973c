// Merchants' side of webhooks: receivers on 127.0.0.1 that behave as a test says, and rows of endpoints, events and deliveries that are put there
// without the services that make them.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Ctx, createContext, newId } from '../../src/context.ts';
import { openClient, type Row } from '../../src/db.ts';
import { API_VERSION } from '../../src/domain/events.ts';
import { readEnv } from '../../src/env.ts';
import { sealSecret } from '../../src/services/webhooks/secrets.ts';
import { freshDatabase } from './database.ts';
import { until } from './processes.ts';
import { baseEnv } from './seeded.ts';

/** What a receiver does with a request once it has read it. */
export type Behaviour =
  | {
      status: number;
      headers?: Record<string, string>;
      body?: string | Buffer;
      afterMs?: number;
      /** Answers once this is. */
      when?: Promise<unknown>;
    }
  /** Says nothing at all. */
  | 'hang'
  /** Ends the connection in order, without an answer. */
  | 'drop'
  /** Ends it with a reset. */
  | 'reset'
  /** Begins an answer and sends its body forever: as fast as it is read, or a byte now and then. */
  | { endless: number; everyMs?: number }
  /** Writes these very bytes and ends the connection. */
  | { raw: string | Buffer };

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Of the machine's clock, in milliseconds. */
  at: number;
};

export type Receiver = {
  /** `http://127.0.0.1:PORT/hook/…`, another one for each receiver: ports come again. */
  url: string;
  host: string;
  requests: Received[];
  /** The most requests that it had at once. */
  mostAtOnce(): number;
  /** From now on; `number` counts from 1 what came since. A list is gone through, its last stays. */
  behave(how: Behaviour | Behaviour[] | ((request: Received, number: number) => Behaviour)): void;
  close(): Promise<void>;
};

/** A receiver that answers 200 by default. The test that it began in ends it; outside of one, `close` does. */
export async function startReceiver(how: Parameters<Receiver['behave']>[0] = { status: 200 }): Promise<Receiver> {
  const requests: Received[] = [];
  const path = `/hook/${randomBytes(6).toString('hex')}`;
  let atOnce = 0;
  let most = 0;
  let number = 0;
  let choose: (request: Received, number: number) => Behaviour = () => ({ status: 200 });
  const server = createServer((req, res) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    res.once('close', () => {
      atOnce -= 1;
    });
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('error', () => {});
    req.on('end', () => {
      // A retry for a receiver that had this port before.
      if (!req.url?.startsWith(path)) return void act(res, { status: 404 });
      const body = Buffer.concat(chunks).toString('utf8');
      const request: Received = { path: req.url ?? '', headers: req.headers, body, at: Date.now() };
      requests.push(request);
      number += 1;
      act(res, choose(request, number));
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}${path}`,
    host: `127.0.0.1:${port}`,
    requests,
    mostAtOnce: () => most,
    behave(next) {
      number = 0;
      if (typeof next === 'function') choose = next;
      else {
        const steps = [next].flat();
        choose = (_, count) => steps[Math.min(count, steps.length) - 1] ?? { status: 200 };
      }
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  receiver.behave(how);
  return receiver;
}

/** The same, closed when the test ends. */
export async function receiverForTest(how?: Parameters<Receiver['behave']>[0]): Promise<Receiver> {
  const receiver = await startReceiver(how);
  onTestFinished(() => receiver.close());
  return receiver;
}

function act(res: ServerResponse, how: Behaviour): void {
  if (how === 'hang') return;
  if (how === 'drop') return void res.socket?.end();
  if (how === 'reset') return void res.socket?.resetAndDestroy();
  if ('raw' in how) return void res.socket?.end(how.raw);
  if ('endless' in how) return void pour(res, how);
  const answer = () => {
    res.writeHead(how.status, how.headers);
    res.end(how.body);
  };
  if (how.when) return void how.when.then(answer);
  if (how.afterMs === undefined) return void answer();
  const timer = setTimeout(answer, how.afterMs);
  res.once('close', () => clearTimeout(timer));
}

function pour(res: ServerResponse, { endless, everyMs }: { endless: number; everyMs?: number }): void {
  res.writeHead(endless, { 'content-type': 'text/plain' });
  let isOver = false;
  res.once('close', () => {
    isOver = true;
    clearInterval(timer);
  });
  const block = Buffer.alloc(16_384, 'x');
  const flood = () => {
    while (!isOver && res.write(block));
  };
  const timer = everyMs === undefined ? undefined : setInterval(() => res.write('x'), everyMs);
  if (everyMs !== undefined) return;
  res.on('drain', flood);
  flood();
}

/** Services without chains, and a clock that stands until it is moved. */
export async function startDesk(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ampersat-desk-'));
  const chainsFile = join(folder, 'chains.json');
  writeFileSync(chainsFile, '{}');
  const { url, drop } = await freshDatabase();
  let now = Date.now();
  const clock = { now: () => now, ofLeases: 'this' as const };
  const given: Record<string, string> = {
    ...baseEnv(url, chainsFile),
    WEBHOOK_HOST_PER_SECOND: '100000',
    ...env,
  };
  const ctx: Ctx = await createContext(readEnv(given), 'test', { clock });
  return {
    ctx,
    env: given,
    clock,
    later(ms: number) {
      now += ms;
    },
    /** A second process over the same rows, with the same clock. It ends with the test. */
    async another(more: Record<string, string> = {}): Promise<Ctx> {
      const second = await createContext(readEnv({ ...given, ...more }), 'another', { clock });
      onTestFinished(() => second.shutdown.close());
      return second;
    },
    async stop() {
      await ctx.shutdown.close();
      await untilAlone(url);
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
/** A pool ends before its connections do; the error of a connection that a dropped database cuts off then has no listener. */
async function untilAlone(databaseUrl: string): Promise<void> {
  const client = await openClient(databaseUrl);
  let left: string[] = [];
  const isAlone = async () => {
    const { rows } = await client.query<{ text: string }>(
      `select concat_ws(' ', application_name, state, left(query, 200)) as text from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    );
    left = rows.map(({ text }) => text);
    return left.length === 0;
  };
  try {
    await until(isAlone, 'all connections are over', 5_000);
  } catch (cause) {
    throw new Error(`connections that were not ended: ${left.join('; ')}`, { cause });
  }
  await client.end();
}

export type Desk = Awaited<ReturnType<typeof startDesk>>;

export const HOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** An enabled endpoint in test mode that takes every event, unless wished otherwise. Its secret is {@link HOOK_SECRET}. */
export function endpointRow(
  ctx: Ctx,
  url: string,
  wishes: Partial<Row<'WebhookEndpoint'>> = {},
): Promise<Row<'WebhookEndpoint'>> {
  const id = wishes.id ?? newId(ctx, 'whs');
  return ctx.db.webhookEndpoint.create({
    data: {
      id,
      handleId: 'hdl_merchant',
      livemode: false,
      url,
      host: new URL(url).host,
      apiVersion: API_VERSION,
      status: 'enabled',
      secret: sealSecret(ctx, id, HOOK_SECRET),
      createdAt: new Date(ctx.clock.now()),
      ...wishes,
    },
  });
}

/** An event of an order that does not exist, with a delivery to each endpoint, due now. */
export async function eventRow(
  ctx: Ctx,
  endpoints: Pick<Row<'WebhookEndpoint'>, 'id'>[] = [],
  wishes: Partial<Row<'Event'>> = {},
): Promise<Row<'Event'>> {
  const [event] = await eventRows(ctx, 1, endpoints, wishes);
  if (!event) throw new Error('no event was written');
  return event;
}

/** Many of them, oldest first. */
export async function eventRows(
  ctx: Ctx,
  count: number,
  endpoints: Pick<Row<'WebhookEndpoint'>, 'id'>[] = [],
  wishes: Partial<Row<'Event'>> = {},
): Promise<Row<'Event'>[]> {
  const at = wishes.createdAt ?? new Date(ctx.clock.now());
  const events = Array.from({ length: count }, () => {
    const resourceId = newId(ctx, 'ord');
    const object = { order: { id: resourceId, object: 'order', amount: '1.00', currency: 'USDC' } };
    return {
      id: newId({ clock: { now: () => at.getTime() } }, 'evt'),
      handleId: 'hdl_merchant',
      livemode: false,
      type: 'order.completed',
      apiVersion: API_VERSION,
      resourceId,
      uniqueKey: randomBytes(12).toString('hex'),
      object,
      createdAt: at,
      ...(wishes as object),
    };
  }).sort((a, b) => (a.id < b.id ? -1 : 1));
  const rows = await ctx.db.event.createManyAndReturn({ data: events });
  await ctx.db.delivery.createMany({
    data: rows.flatMap((event) =>
      endpoints.map(({ id }) => ({
        eventId: event.id,
        endpointId: id,
        status: 'pending',
        isTest: event.isTest,
        nextAttemptAt: at,
        createdAt: at,
      })),
    ),
  });
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A delivery with its attempts, oldest first. */
export function deliveryOf(ctx: Ctx, eventId: string, endpointId: string) {
  return ctx.db.delivery.findUniqueOrThrow({
    where: { eventId_endpointId: { eventId, endpointId } },
    include: { tries: { orderBy: { number: 'asc' } } },
  });
}
