// The log of a workspace's requests to the API. Entries are written in batches, off the path of the requests: a slow database delays none of them,
// and one that is away costs entries, not requests.
import type { Ctx } from '../../context.ts';
import { isDatabaseError, sqlRows, sqlState } from '../../db.ts';
import { formatId } from '../../domain/ids.ts';
import { LOG_KEPT_DAYS } from '../../domain/requestLog.ts';

/** Bodies, path and idempotency key are without secrets already. */
export type RequestEntry = {
  id: string;
  handleId: string;
  livemode: boolean;
  keyId: string;
  method: string;
  route: string;
  path: string;
  status: number;
  durationMs: number;
  errorCode: string | null;
  idempotencyKey: string | null;
  requestBody: string | null;
  requestCut: boolean;
  responseBody: string | null;
  responseCut: boolean;
};

export type RequestLog = {
  /** Never fails, and waits for nothing. */
  add(entry: RequestEntry): void;
  /** Whether a key had a refusal of its rate limit logged within the last second: one a second is enough. */
  hasEnough(keyId: string): boolean;
  /** Writes what waits; a failure leaves it for the next time. */
  flush(): Promise<void>;
};

/** What a kill loses at most. */
const FLUSH_AFTER_MS = 500;
const RETRY_AFTER_MS = 1_000;
/** How often a batch is tried, a second apart, while PostgreSQL is away; and where it is there and ends the statement. */
const STATEMENT_ENDED = '57014';
const MOST_TRIES = { away: 300, ended: 10 };
/** A full batch is written at once. */
const BATCH = 200;
/** Entries that wait for the database, of about 10 KB at most; more are dropped. */
const MOST_WAITING = 2_000;
const LIMITED_EVERY_MS = 1_000;
const MOST_LIMITED = 1_000;

export function createRequestLog(ctx: Ctx): RequestLog {
  let waiting: RequestEntry[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  /** Of a database that does not answer, no full batch is tried before its time. */
  let isAway = false;
  /** Of the batch that is first. */
  let tries = 0;
  const limited = new Map<string, number>();

  function later(ms: number): void {
    if (timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void flush();
    }, ms).unref();
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      const { left, err } = await insertAll(ctx, batch);
      if (left.length === 0) {
        isAway = false;
        tries = 0;
        continue;
      }
      ctx.log.warn({ err }, 'requests were not logged yet');
      tries += 1;
      isAway = true;
      if (tries < (sqlState(err) === STATEMENT_ENDED ? MOST_TRIES.ended : MOST_TRIES.away)) putBack(left);
      else {
        dropped += left.length;
        tries = 0;
      }
      if (waiting.length > 0) later(RETRY_AFTER_MS);
      break;
    }
    if (dropped > 0) ctx.log.warn({ dropped }, 'requests were not logged: the database is away or too slow');
    dropped = 0;
  }

  /** What came meanwhile is newer, and goes first when there is too much. */
  function putBack(left: RequestEntry[]): void {
    const all = [...left, ...waiting];
    dropped += Math.max(0, all.length - MOST_WAITING);
    waiting = all.slice(0, MOST_WAITING);
  }

  function flush(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  ctx.shutdown.onClose('request log', flush);
  return {
    add(entry) {
      if (waiting.length >= MOST_WAITING) {
        dropped += 1;
        return;
      }
      waiting.push(entry);
      later(FLUSH_AFTER_MS);
      if (waiting.length >= BATCH && !isAway) void flush();
    },
    hasEnough(keyId) {
      const now = ctx.clock.now();
      const last = limited.get(keyId);
      if (last !== undefined && Math.abs(now - last) < LIMITED_EVERY_MS) return true;
      if (limited.size >= MOST_LIMITED) limited.clear();
      limited.set(keyId, now);
      return false;
    },
    flush,
  };
}

/** An entry that was written before the connection broke is there already. */
async function insert(ctx: Ctx, entries: RequestEntry[]): Promise<void> {
  await ctx.db.$executeRaw`
    with given as (
      select * from jsonb_to_recordset(${sqlRows(entries)}) as rows("id" text, "handleId" text, "livemode" boolean, "keyId" text, "method" text,
        "route" text, "path" text, "status" int, "durationMs" int, "errorCode" text, "idempotencyKey" text, "requestBody" text,
        "requestCut" boolean, "responseBody" text, "responseCut" boolean)
    ), bodies as (
      insert into request_log_body (id, request_body, request_cut, response_body, response_cut)
        select "id", "requestBody", "requestCut", "responseBody", "responseCut" from given on conflict (id) do nothing
    )
    insert into request_log (id, handle_id, livemode, key_id, method, route, path, status, duration_ms, error_code, idempotency_key)
      select "id", "handleId", "livemode", "keyId", "method", "route", "path", "status", "durationMs", "errorCode", "idempotencyKey" from given
      on conflict (id) do nothing`;
}

/** PostgreSQL refuses a row, not a batch: each alone, so that one takes no others with it. @returns those to try again, and why */
async function insertAll(ctx: Ctx, batch: RequestEntry[]): Promise<{ left: RequestEntry[]; err?: unknown }> {
  try {
    await insert(ctx, batch);
    return { left: [] };
  } catch (err) {
    if (isPassing(err)) return { left: batch, err };
  }
  for (const [at, entry] of batch.entries()) {
    try {
      await insert(ctx, [entry]);
    } catch (err) {
      if (isPassing(err)) return { left: batch.slice(at), err };
      ctx.log.warn({ err, request: entry.id }, 'a request could not be logged');
    }
  }
  return { left: [] };
}

/** Of SQLSTATE, the classes that say that these values can never be stored: data, constraints, text that is no SQL, limits. */
const NEVER = /^(?:2[123]|42|54)/;

/** Whether the same rows may be stored later: the connection, the server or the statement ended, not the rows are at fault. */
export function isPassing(err: unknown): boolean {
  const state = sqlState(err);
  return state === undefined ? isDatabaseError(err) : !NEVER.test(state);
}

const DAY_MS = 86_400_000;
const DROP_BATCH = 5_000;
const MOST_BATCHES = 200;

/** Deletes entries that are over. Each batch is a short statement; what is left over waits for the next time. @returns how many went */
export async function dropOldRequests(ctx: Ctx): Promise<number> {
  const oldest = formatId('req', Math.max(0, ctx.clock.now() - LOG_KEPT_DAYS * DAY_MS), new Uint8Array(10));
  let gone = 0;
  for (let batch = 0; batch < MOST_BATCHES && !ctx.shutdown.closing(); batch++) {
    const count = await ctx.db.$executeRaw`
      with gone as (
        delete from request_log where id in (select id from request_log where id < ${oldest} order by id limit ${DROP_BATCH}) returning id
      ), bodies as (delete from request_log_body where id in (select id from gone))
      select id from gone`;
    gone += count;
    if (count < DROP_BATCH) break;
  }
  return gone;
}
