// The API log of a workspace that calls often, as its dashboard reads it: the list unfiltered, by filters that match much, little and nothing, and one request.
import type { Ctx } from '../src/context.ts';
import { sqlRows } from '../src/db.ts';
import { formatId } from '../src/domain/ids.ts';
import { loggedBody } from '../src/domain/requestLog.ts';
import { getRequest, listRequests, type RequestFilters } from '../src/services/workspaces/requestViews.ts';
import type { Row } from './main.ts';

export const REQUESTS = 200_000;
const AT_ONCE = 5_000;
const DAYS_MS = 6.9 * 86_400_000;
const RUNS = 5;
const ROUTES = ['/v1/orders', '/v1/orders/{order_id}', '/v1/events', '/v1/payment_links'] as const;

/** Spread over the days that the log keeps; one in 20 is refused, and one in all is a fault of ours. */
export async function insertRequests(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  { handleId, count = REQUESTS, livemode = false }: { handleId: string; count?: number; livemode?: boolean },
): Promise<void> {
  const now = ctx.clock.now();
  const order = {
    id: 'ord_01kb2v6m3fz0q8x4w7t5r9y1nc',
    amount: '12.50',
    currency: 'USDC',
    description: 'x'.repeat(600),
  };
  const response = loggedBody(order).text;
  for (let from = 0; from < count; from += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => {
      const index = from + at;
      const random = Buffer.alloc(10);
      random.writeUInt32BE(index);
      const status = index === 7 ? 500 : index % 20 === 0 ? 404 : 200;
      return {
        id: formatId('req', Math.floor(now - DAYS_MS + (DAYS_MS * index) / count), random),
        route: ROUTES[index % ROUTES.length],
        key: `key_${index % 3}`,
        status,
        code: status === 404 ? 'resource_missing' : null,
      };
    });
    await ctx.db.$executeRaw`
      with given as (select * from jsonb_to_recordset(${sqlRows(rows)}) as g(id text, route text, key text, status int, code text)),
      bodies as (
        insert into request_log_body (id, request_body, request_cut, response_body, response_cut) select id, ${response}, false, ${response}, false from given
      )
      insert into request_log (id, handle_id, livemode, key_id, method, route, path, status, duration_ms, error_code, idempotency_key)
        select id, ${handleId}, ${livemode}::boolean, key, 'GET', route, route, status, 12, code, null from given`;
  }
  await ctx.db.$executeRaw`analyze request_log`;
}

/** Milliseconds of service time, the slowest of a few runs. The log of `handleId` has {@link REQUESTS} rows. */
export async function measureRequestLog(ctx: Ctx, handleId: string): Promise<Row[]> {
  const reader = { workspaceId: handleId, livemode: false };
  const now = ctx.clock.now();
  const lists: [string, Omit<RequestFilters, 'limit'>][] = [
    ['all', {}],
    ['refused', { status: '4xx' }],
    ['one of all', { status: '5xx' }],
    ['none', { code: 'rate_limited' }],
    ['of a key and a route', { key: 'key_1', route: '/v1/events' }],
    ['of no key', { key: 'key_9', method: 'GET' }],
    ['of a day', { from: now - 3 * 86_400_000, before: now - 2 * 86_400_000, status: 404 }],
  ];
  const rows: Row[] = [];
  for (const [name, filters] of lists) {
    const value = await slowest(() => listRequests(ctx, reader, { ...filters, limit: 25 }));
    rows.push({ name: `API log: ${name}`, value, unit: 'ms', note: `of ${REQUESTS.toLocaleString('en')} requests` });
  }
  const { data } = await listRequests(ctx, reader, { limit: 100 });
  const id = data[50]?.id ?? '';
  rows.push({ name: 'API log: one request', value: await slowest(() => getRequest(ctx, reader, id)), unit: 'ms' });
  return rows;
}

async function slowest(work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  for (let run = 0; run < RUNS; run++) {
    const began = performance.now();
    await work();
    most = Math.max(most, performance.now() - began);
  }
  return Math.round(most);
}
