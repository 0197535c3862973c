// Writing an order: its row, the event of its creation with its deliveries, and the idempotency key of the request stand in one statement, so there
// is one round trip and no moment at which one of them is there without the others.
import type { Ctx } from '../../context.ts';
import { type Db, type Prepared, type Row, runPrepared, sqlState } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { IDEMPOTENCY_KEPT_MS } from '../../domain/idempotency.ts';
import { DELIVERIES } from '../events.ts';
import type { OrderView } from './views.ts';

/** A POST under /v1 that may be repeated. `bodyHash` is the SHA-256 of its bytes, in hex. */
export type KeyedRequest = { keyId: string; path: string; key: string; bodyHash: string };

type Insertion = {
  row: Row<'Order'>;
  event: { id: string; type: string; apiVersion: string; uniqueKey: string; object: string; requestId: string | null };
  /** What is answered, now and to whoever repeats the request. */
  body: string;
  status: number;
  idempotency: KeyedRequest | null;
};

type Inserted = { isNew: boolean; deliveries: number };

/** @returns `isNew` false when the key was used before: nothing was written then */
export async function insertOrder(ctx: Ctx, { row, event, body, status, idempotency }: Insertion): Promise<Inserted> {
  const made = [
    ...[row.id, row.handleId, row.recipientId, row.livemode, row.origin, row.linkId, row.status, row.description],
    ...[row.currency, row.chain, row.router, row.routerAddress, row.token, row.decimals, row.payee],
    ...[row.units.toFixed(0), row.feeUnits.toFixed(0), row.deadline, row.onChainId, JSON.stringify(row.metadata)],
    ...[row.chat === null ? null : JSON.stringify(row.chat), row.createdAt],
    ...[event.id, event.type, event.apiVersion, event.uniqueKey, event.object, event.requestId],
  ];
  if (!idempotency) return insertFor(ctx, row, [QUIET, TOLD], made);
  const { keyId, path, key, bodyHash } = idempotency;
  const keptSince = new Date(row.createdAt.getTime() - IDEMPOTENCY_KEPT_MS);
  const values = [...made, keyId, path, key, bodyHash, status, body, keptSince];
  try {
    return await insertFor(ctx, row, [QUIET_ONCE, TOLD_ONCE], values);
  } catch (cause) {
    // A twin that came first holds the key, and whatever holds it up lasted longer than a statement may.
    if (sqlState(cause) !== STATEMENT_ENDED) throw cause;
    throw new AppError('idempotency_in_progress', undefined, { cause, retryAfterMs: 1_000 });
  }
}

/** PostgreSQL's own limit on a statement, or an operator who ended it. */
const STATEMENT_ENDED = '57014';

/** Workspaces and modes in which somebody listened lately: a guess that costs a round trip when it is wrong, and nothing else. */
const listened = new WeakMap<Db, Set<string>>();
const MOST_LISTENED = 10_000;

type Written = { events: number; deliveries: number; listens: boolean };

/** Most workspaces have no endpoint, so the statement that knows of none is tried first: it writes nothing where there is one. */
async function insertFor(
  ctx: Ctx,
  { handleId, livemode }: Row<'Order'>,
  [quiet, told]: readonly [Prepared, Prepared],
  values: unknown[],
): Promise<Inserted> {
  const known = listened.get(ctx.db) ?? new Set();
  listened.set(ctx.db, known);
  const place = `${handleId} ${livemode}`;
  if (!known.has(place) && (await runPrepared(ctx.db, quiet, values)).count === 1)
    return { isNew: true, deliveries: 0 };
  const [written] = (await runPrepared<Written>(ctx.db, told, values)).rows;
  if (!written) throw new Error('the statement counts what it wrote');
  if (known.size >= MOST_LISTENED) known.clear();
  if (written.listens) known.add(place);
  else known.delete(place);
  return { isNew: written.events === 1, deliveries: written.deliveries };
}

const NOBODY_LISTENS = `not exists (
      select 1 from webhook_endpoint where handle_id = $2 and livemode = $4::boolean and status = 'enabled')`;

type Parts = { isOnce: boolean; isTold: boolean };

function insertion(name: string, { isOnce, isTold }: Parts): Prepared {
  const quiet = isTold ? '' : `where ${NOBODY_LISTENS}`;
  const kept = `kept as (
      insert into idempotency_key as k (key_id, path, key, body_hash, status, body, created_at)
      select $29, $30, $31, $32, $33::int, $34, $22::timestamptz ${quiet}
      on conflict (key_id, path, key) do update
        set body_hash = excluded.body_hash, status = excluded.status, body = excluded.body, created_at = excluded.created_at
        where k.created_at <= $35::timestamptz
      returning 1
    ),`;
  const event = `insert into event (id, handle_id, livemode, type, api_version, resource_id, unique_key, object, request_id, idempotency_key, created_at)
    select $23, handle_id, livemode, $24, $25, id, $26, $27::jsonb, $28, ${isOnce ? '$31' : 'null'}, created_at
    from made`;
  const text = `with ${isOnce ? kept : ''} made as (
      insert into payment_order (id, handle_id, recipient_id, livemode, origin, link_id, status, description, currency, chain, router,
        router_address, token, decimals, payee, units, fee_units, deadline, on_chain_id, metadata, chat, created_at)
      select $1, $2, $3, $4::boolean, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::int, $15, $16::numeric, $17::numeric, $18::bigint, $19, $20::jsonb,
        $21::jsonb, $22::timestamptz
      ${isOnce ? 'where exists (select 1 from kept)' : quiet}
      returning handle_id, livemode, id, created_at
    )`;
  if (!isTold) return { name, text: `${text} ${event}` };
  return {
    name,
    text: `${text}, told as (
    ${event}
    returning id, handle_id, livemode, type, created_at
  ), ${DELIVERIES}
  select (select count(*)::int from told) as events, (select count(*)::int from sent) as deliveries,
    not (${NOBODY_LISTENS}) as listens`,
  };
}

const QUIET = insertion('insert order', { isOnce: false, isTold: false });
const QUIET_ONCE = insertion('insert order once', { isOnce: true, isTold: false });
const TOLD = insertion('insert order and tell', { isOnce: false, isTold: true });
const TOLD_ONCE = insertion('insert order once and tell', { isOnce: true, isTold: true });

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
