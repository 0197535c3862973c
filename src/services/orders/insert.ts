// Inserts an order, its event with the deliveries, and the idempotency key of the request: one statement, one round trip.
import type { Ctx } from '../../context.ts';
import { type Db, type Prepared, type Row, runPrepared, sqlState } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { IDEMPOTENCY_KEPT_MS } from '../../domain/idempotency.ts';
import { DELIVERIES } from '../events.ts';
import type { KeyedRequest } from '../idempotency.ts';
import type { OrderView } from './views.ts';

type Insertion = {
  row: Row<'Order'>;
  event: { id: string; type: string; apiVersion: string; uniqueKey: string; object: string; requestId: string | null };
  /** The answer to the request, kept for its repetitions. */
  body: string;
  status: number;
  idempotency: KeyedRequest | null;
};

type Inserted = { isNew: boolean; deliveries: number };

/** The columns of one row, each with its SQL type and its value. */
type Columns = Record<string, readonly [type: string, value: (insertion: Insertion) => unknown]>;

const ORDER = {
  id: ['text', ({ row }) => row.id],
  handle_id: ['text', ({ row }) => row.handleId],
  recipient_id: ['text', ({ row }) => row.recipientId],
  livemode: ['boolean', ({ row }) => row.livemode],
  origin: ['text', ({ row }) => row.origin],
  link_id: ['text', ({ row }) => row.linkId],
  status: ['text', ({ row }) => row.status],
  description: ['text', ({ row }) => row.description],
  currency: ['text', ({ row }) => row.currency],
  chain: ['text', ({ row }) => row.chain],
  router: ['text', ({ row }) => row.router],
  router_address: ['text', ({ row }) => row.routerAddress],
  token: ['text', ({ row }) => row.token],
  decimals: ['int', ({ row }) => row.decimals],
  payee: ['text', ({ row }) => row.payee],
  units: ['numeric', ({ row }) => row.units.toFixed(0)],
  fee_units: ['numeric', ({ row }) => row.feeUnits.toFixed(0)],
  deadline: ['bigint', ({ row }) => row.deadline],
  on_chain_id: ['text', ({ row }) => row.onChainId],
  metadata: ['jsonb', ({ row }) => JSON.stringify(row.metadata)],
  chat: ['jsonb', ({ row }) => (row.chat === null ? null : JSON.stringify(row.chat))],
  created_at: ['timestamptz', ({ row }) => row.createdAt],
  success_url: ['text', ({ row }) => row.successUrl],
  cancel_url: ['text', ({ row }) => row.cancelUrl],
  client_reference_id: ['text', ({ row }) => row.clientReferenceId],
  line_items: ['jsonb', ({ row }) => JSON.stringify(row.lineItems)],
  embed_origins: ['text[]', ({ row }) => row.embedOrigins],
  opens_recorded: ['boolean', ({ row }) => row.opensRecorded],
} as const satisfies Columns;

/** Beside these, an event has the workspace, the mode, the resource and the time of its order. */
const EVENT = {
  id: ['text', ({ event }) => event.id],
  type: ['text', ({ event }) => event.type],
  api_version: ['text', ({ event }) => event.apiVersion],
  unique_key: ['text', ({ event }) => event.uniqueKey],
  object: ['jsonb', ({ event }) => event.object],
  request_id: ['text', ({ event }) => event.requestId],
  idempotency_key: ['text', ({ idempotency }) => idempotency?.key ?? null],
} as const satisfies Columns;

const IDEMPOTENCY_KEY = {
  key_id: ['text', ({ idempotency }) => idempotency?.keyId],
  path: ['text', ({ idempotency }) => idempotency?.path],
  key: ['text', ({ idempotency }) => idempotency?.key],
  body_hash: ['text', ({ idempotency }) => idempotency?.bodyHash],
  status: ['int', ({ status }) => status],
  body: ['text', ({ body }) => body],
  created_at: ['timestamptz', ({ row }) => row.createdAt],
} as const satisfies Columns;

/** A statement and the values of its parameters, in the order of the columns. */
type Statement = Prepared & { values: (insertion: Insertion) => unknown[] };

/** `into`: the names of the columns; `parameters`: `$1::text, …`, numbered behind those of the tables before. */
function numbered(columns: Columns, before: Columns[]): { into: string; parameters: string } {
  const first = before.reduce((count, table) => count + Object.keys(table).length, 1);
  const parameters = Object.values(columns).map(([type], index) => `$${first + index}::${type}`);
  return { into: Object.keys(columns).join(', '), parameters: parameters.join(', ') };
}

function parameterOf(column: keyof typeof ORDER): string {
  return `$${Object.keys(ORDER).indexOf(column) + 1}::${ORDER[column][0]}`;
}

const HAS_ENDPOINT = `exists (
      select 1 from webhook_endpoint
      where handle_id = ${parameterOf('handle_id')} and livemode = ${parameterOf('livemode')} and status = 'enabled')`;

const KEPT = `interval '${IDEMPOTENCY_KEPT_MS} milliseconds'`;

/** `isKeyed`: with the idempotency key, or nothing when it is in use. `hasDeliveries`: with the deliveries, or nothing when there is an endpoint. */
function statement(name: string, { isKeyed, hasDeliveries }: { isKeyed: boolean; hasDeliveries: boolean }): Statement {
  const tables: Columns[] = [ORDER, EVENT, ...(isKeyed ? [IDEMPOTENCY_KEY] : [])];
  const [order, event, key] = [
    numbered(ORDER, []),
    numbered(EVENT, [ORDER]),
    numbered(IDEMPOTENCY_KEY, [ORDER, EVENT]),
  ];
  const condition = hasDeliveries ? '' : `where not ${HAS_ENDPOINT}`;
  const keyed = `keyed as (
      insert into idempotency_key as k (${key.into}) select ${key.parameters} ${condition}
      on conflict (key_id, path, key) do update
        set body_hash = excluded.body_hash, status = excluded.status, body = excluded.body, created_at = excluded.created_at
        where k.created_at <= excluded.created_at - ${KEPT}
      returning 1
    ),`;
  const inserted = `with ${isKeyed ? keyed : ''} inserted as (
      insert into payment_order (${order.into}) select ${order.parameters}
      ${isKeyed ? 'where exists (select 1 from keyed)' : condition}
      returning id as resource_id, handle_id, livemode, created_at
    )`;
  const published = `insert into event (${event.into}, resource_id, handle_id, livemode, created_at)
    select ${event.parameters}, resource_id, handle_id, livemode, created_at from inserted`;
  const values = (insertion: Insertion) =>
    tables.flatMap((columns) => Object.values(columns).map(([, value]) => value(insertion)));
  if (!hasDeliveries) return { name, values, text: `${inserted} ${published}` };
  return {
    name,
    values,
    text: `${inserted}, told as (
    ${published}
    returning id, handle_id, livemode, type, created_at
  ), ${DELIVERIES}
  select (select count(*)::int from told) as events, (select count(*)::int from sent) as deliveries, ${HAS_ENDPOINT} as has_endpoint`,
  };
}

const PLAIN = statement('insert order', { isKeyed: false, hasDeliveries: false });
const KEYED = statement('insert keyed order', { isKeyed: true, hasDeliveries: false });
const DELIVERED = statement('insert order with deliveries', { isKeyed: false, hasDeliveries: true });
const KEYED_DELIVERED = statement('insert keyed order with deliveries', { isKeyed: true, hasDeliveries: true });

/** PostgreSQL's own limit on a statement, or an operator who ended it. */
const STATEMENT_ENDED = '57014';

/** @returns `isNew` false when the key was used before: nothing is written then */
export async function insertOrder(ctx: Ctx, insertion: Insertion): Promise<Inserted> {
  if (!insertion.idempotency) return insertBy(ctx, insertion, PLAIN, DELIVERED);
  try {
    return await insertBy(ctx, insertion, KEYED, KEYED_DELIVERED);
  } catch (cause) {
    // A duplicate that came first holds the key, and whatever holds it up lasted longer than a statement may.
    if (sqlState(cause) !== STATEMENT_ENDED) throw cause;
    throw new AppError('idempotency_in_progress', undefined, { cause, retryAfterMs: 1_000 });
  }
}

/** Workspaces and modes that had an endpoint lately: a guess that costs a round trip when it is wrong, and nothing else. */
const withEndpoint = new WeakMap<Db, Set<string>>();
const MOST_KNOWN = 10_000;

type Written = { events: number; deliveries: number; has_endpoint: boolean };

/** Most workspaces have no endpoint, so the statement that knows of none is tried first: it writes nothing where there is one. */
async function insertBy(ctx: Ctx, insertion: Insertion, plain: Statement, delivered: Statement): Promise<Inserted> {
  const known = withEndpoint.get(ctx.db) ?? new Set();
  withEndpoint.set(ctx.db, known);
  const workspace = `${insertion.row.handleId} ${insertion.row.livemode}`;
  const values = plain.values(insertion);
  if (!known.has(workspace) && (await runPrepared(ctx.db, plain, values)).count === 1)
    return { isNew: true, deliveries: 0 };
  const [written] = (await runPrepared<Written>(ctx.db, delivered, values)).rows;
  if (!written) throw new Error('the statement counts what it wrote');
  if (known.size >= MOST_KNOWN) known.clear();
  if (written.has_endpoint) known.add(workspace);
  else known.delete(workspace);
  return { isNew: written.events === 1, deliveries: written.deliveries };
}

/** What was answered to a request with that key. @returns null for none within its time; @throws AppError `idempotency_key_reused` */
export async function storedAnswer(
  ctx: Ctx,
  { keyId, path, key, bodyHash }: KeyedRequest,
): Promise<{ order: OrderView; body: string; status: number; replayed: true } | null> {
  const found = await ctx.db.idempotencyKey.findUnique({ where: { keyId_path_key: { keyId, path, key } } });
  if (!found || found.createdAt.getTime() <= ctx.clock.now() - IDEMPOTENCY_KEPT_MS) return null;
  if (found.bodyHash !== bodyHash) throw new AppError('idempotency_key_reused');
  return { order: JSON.parse(found.body) as OrderView, body: found.body, status: found.status, replayed: true };
}
