// The public API under load: making, reading and listing orders at fifty connections, each as a ratio to a bare Express handler on the same database.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import autocannon from 'autocannon';
import pg from 'pg';
import { freePort } from '../local/stack/ports.ts';
import type { Stack } from '../local/stack/stack.ts';
import { createContext } from '../src/context.ts';
import { USUAL_SCOPES } from '../src/domain/apiKey.ts';
import { readEnv } from '../src/env.ts';
import { ROOT } from '../src/root.ts';
import { createApiKey } from '../src/services/workspaces/apiKeys.ts';
import type { Row } from './main.ts';

const CONNECTIONS = 50;
const SECONDS = 8;
const ROUNDS = 3;
const WARM_SECONDS = 3;
const BODY = JSON.stringify({ amount: '5', chain: 'base', metadata: { cart: '7041' } });

export type Server = { base: string; pid: number; send(message: object): void; stop(): void };
type Load = { name: string; method: 'POST' | 'GET'; path: (id: string) => string; goal: string };

const LOADS: Load[] = [
  { name: 'POST /v1/orders', method: 'POST', path: () => '/v1/orders', goal: 'goal: ratio 0.7; ' },
  { name: 'GET /v1/orders/{id}', method: 'GET', path: (id) => `/v1/orders/${id}`, goal: 'goal: ratio 0.7; ' },
  { name: 'GET /v1/orders (20 of them)', method: 'GET', path: () => '/v1/orders', goal: 'goal: ratio 0.7; ' },
];

export async function measureApi(stack: Stack): Promise<Row[]> {
  const env = { ...stack.processEnv, LOG_LEVEL: 'silent' };
  const ctx = await createContext(readEnv(env), 'bench', { queueNames: [] });
  const { id: handleId } = await ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
  const { secret } = await createApiKey(ctx, handleId, { label: 'bench', mode: 'test', scopes: [...USUAL_SCOPES] });
  // The baseline's rows belong to another workspace, so that both lists have the same length.
  const { id: bareHandle } = await ctx.db.handle.findUniqueOrThrow({ where: { slug: 'bob' } });
  await ctx.shutdown.close();
  const port = await freePort();
  const ours = await startServer('api.mjs', port, {
    ...env,
    LOG_LEVEL: 'info',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    API_RATE_PER_SECOND: '1000000',
    API_RATE_BURST: '1000000',
  });
  const bare = await startServer('benchBare.mjs', 0, { ...env, BENCH_HANDLE: bareHandle });
  try {
    const rows: Row[] = [];
    const database = stack.processEnv['DATABASE_URL'] ?? '';
    const ids = { ours: await anOrder(ours, secret), bare: await anOrder(bare, secret) };
    for (const load of LOADS) {
      // As autovacuum would have done by then: else one of them reads its list by a plan for an empty table.
      await run(database, 'analyze payment_order');
      await fire(ours, load, secret, ids.ours, WARM_SECONDS);
      await fire(bare, load, secret, ids.bare, WARM_SECONDS);
      const figures = { ours: [] as number[], bare: [] as number[] };
      // In turns, so that a machine that slows down slows both.
      for (let round = 0; round < ROUNDS; round++) {
        figures.bare.push(await fire(bare, load, secret, ids.bare, SECONDS));
        figures.ours.push(await fire(ours, load, secret, ids.ours, SECONDS));
      }
      const [value, baseline] = [middle(figures.ours), middle(figures.bare)];
      rows.push({
        name: `${load.name}, ${CONNECTIONS} connections`,
        value: Math.round(value),
        unit: 'calls/s',
        baseline: Math.round(baseline),
        ratio: Math.round((value / baseline) * 100) / 100,
        note: `${load.goal}baseline: a bare Express 5 handler, raw pg, ${load.method === 'POST' ? 'the same rows in one transaction' : 'the same rows'}, no keys, no checks`,
      });
    }
    await checkRows(database, handleId);
    return rows;
  } finally {
    ours.stop();
    bare.stop();
  }
}

/** @param flags of Node itself */
export async function startServer(
  file: string,
  port: number,
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<Server> {
  const { PATH, HOME } = process.env;
  const child: ChildProcess = spawn(process.execPath, [...flags, join(ROOT, 'dist', file)], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const told = await new Promise<{ port?: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { port?: number }));
    child.once('exit', () => reject(new Error(`${file} ended`)));
  });
  return {
    base: `http://127.0.0.1:${told.port ?? port}`,
    pid: child.pid ?? 0,
    send: (message) => void child.send(message),
    stop: () => void child.kill('SIGTERM'),
  };
}

async function anOrder(server: Server, secret: string): Promise<string> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'idempotency-key': 'first' };
  const response = await fetch(`${server.base}/v1/orders`, { method: 'POST', headers, body: BODY });
  const { id } = (await response.json()) as { id?: string };
  if (!id) throw new Error(`an order was answered with ${response.status}`);
  return id;
}

let drawn = 0;

/** @returns calls a second. @throws Error when any was answered with something else than success */
async function fire(server: Server, load: Load, secret: string, id: string, seconds: number): Promise<number> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const result = await autocannon({
    url: server.base,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [
      {
        method: load.method,
        path: load.path(id),
        headers,
        ...(load.method === 'POST'
          ? {
              body: BODY,
              setupRequest: (request) => {
                drawn += 1;
                return { ...request, headers: { ...headers, 'idempotency-key': `bench-${drawn}` } };
              },
            }
          : {}),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${load.name}: ${result.non2xx} answers were no success, ${result.errors} were none`);
  return result.requests.average;
}

async function run(database: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Every order that was made has its event and its key: what was measured is what is promised. */
async function checkRows(database: string, handleId: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select (select count(*) from payment_order where handle_id = $1) orders, (select count(*) from event where handle_id = $1 and type = 'order.created') events,
        (select count(*) from idempotency_key where key_id <> 'bare') keys`,
      [handleId],
    );
    const { orders, events, keys } = rows[0] as Record<string, string>;
    if (orders !== events || orders !== keys) throw new Error(`${orders} orders, ${events} events, ${keys} keys`);
  } finally {
    await client.end();
  }
}

export function middle(figures: number[]): number {
  return figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}
