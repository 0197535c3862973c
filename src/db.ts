// The database: Prisma's client over one pg pool, and the migrations that the program applies itself at start.
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { holdRight } from './acting.ts';
import { StartError } from './domain/errors.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { ROOT } from './root.ts';

export type Db = PrismaClient;
/** The client inside an interactive transaction. */
export type Tx = Prisma.TransactionClient;
export type Json = Prisma.InputJsonValue;
export type Row<Model extends Prisma.ModelName> = Prisma.TypeMap['model'][Model]['payload']['scalars'];
/** A parameterised list for `in (…)` of a raw statement. */
export const sqlList = Prisma.join;
/** A piece of a statement, to be put into others. */
export const sqlPart = Prisma.sql;
/** The same of a text of ours that several statements share: never of a user's input. */
export const sqlText = Prisma.raw;

/**
 * Many rows as one parameter of a raw statement, to be read by `jsonb_to_recordset(…) as rows(id text, …)`: one statement for a whole batch.
 * A bigint goes as its digits, a Date as its ISO text; what is undefined is left out.
 */
export function sqlRows(rows: readonly object[]): Prisma.Sql {
  const json = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  return Prisma.sql`${json}::jsonb`;
}

/** The SQLSTATE with which PostgreSQL itself refused a statement; undefined when it did not come to that, as in an outage or a timeout. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code;
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  const refusal = error.meta?.['driverAdapterError'] as { cause?: { originalCode?: unknown } } | undefined;
  const code = refusal?.cause?.originalCode;
  return typeof code === 'string' ? code : undefined;
}

const DATABASE_ERROR = /^(DriverAdapterError|PrismaClient(KnownRequest|UnknownRequest|Initialization|RustPanic)Error)$/;

/** Whether a statement failed: in an outage, a timeout, or refused by PostgreSQL. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof pg.DatabaseError || (error instanceof Error && DATABASE_ERROR.test(error.name));
}

/** Units as a column of `Decimal` holds them. */
export function decimalOf(units: bigint): Prisma.Decimal {
  return new Prisma.Decimal(units.toString());
}

const MIGRATIONS = join(ROOT, 'prisma/migrations');
/** `prisma migrate` takes this very advisory lock, so that the two never run against each other. */
const MIGRATE_LOCK = 72707369;

/** How long a database may keep a process waiting, in milliseconds. */
export type DbLimits = { connect: number; statement: number; answer: number; idleInTransaction: number };

/**
 * PostgreSQL ends a statement itself; one that it never answers ends a moment later, with its connection. A transaction that its process has
 * forgotten, because it hangs or is stopped, keeps its locks no longer than the last of them.
 */
export const DB_LIMITS: DbLimits = { connect: 10_000, statement: 30_000, answer: 35_000, idleInTransaction: 30_000 };

function limitsOf({ connect, statement, answer, idleInTransaction }: DbLimits): pg.ClientConfig {
  return {
    connectionTimeoutMillis: connect,
    statement_timeout: statement,
    query_timeout: answer,
    idle_in_transaction_session_timeout: idleInTransaction,
  };
}

/** What pg says of a statement that was not answered in time. */
const NOT_ANSWERED = 'Query read timeout';

/** pg would send the next statement of a transaction behind the one that is never answered, and give the connection back to the pool. */
function endUnanswered(client: pg.PoolClient & pg.Client): void {
  const watched = (...given: unknown[]) => {
    const answer: unknown = Reflect.apply(pg.Client.prototype.query, client, given);
    if (answer instanceof Promise)
      answer.catch((error: Error) => {
        if (error.message === NOT_ANSWERED) void client.end().catch(() => {});
      });
    return answer;
  };
  client.query = watched as typeof client.query;
}

/**
 * A pool whose connections may break or fall silent at any moment. Between the pool's listener and its borrower's there is a moment
 * without any, and a server that dies right then would end the process; the next statement reports what the error means.
 */
export function openPool(config: pg.PoolConfig, limits: DbLimits = DB_LIMITS): pg.Pool {
  const pool = new pg.Pool({ ...config, ...limitsOf(limits) });
  pool.on('connect', (client) => {
    client.on('error', () => {});
    endUnanswered(client as pg.PoolClient & pg.Client);
  });
  // The pool reports a connection that breaks while it is idle, and Prisma listens to a pool only once it has used it.
  pool.on('error', () => {});
  return pool;
}

/** What is planned so reads tables by their indexes only, also if it was planned when they were empty, as the plans of prepared statements are. */
const BY_INDEX = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';

/** Connections that stay open without queries: the first tip after a quiet moment waits for none. */
const KEPT_OPEN = 4;

/** @param byIndex for statements that take few rows of tables that grow fast; others would suffer from it */
export function connectDb(
  url: string,
  {
    max = 10,
    byIndex = false,
    onError,
    limits = DB_LIMITS,
  }: { max?: number; byIndex?: boolean; onError?: (error: Error) => void; limits?: DbLimits } = {},
): Db {
  const pool = openPool(
    {
      connectionString: url,
      max,
      min: Math.min(max, KEPT_OPEN),
      ...(byIndex ? { options: BY_INDEX } : {}),
    },
    limits,
  );
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    onPoolError: (error) => onError?.(error),
    onConnectionError: (error) => onError?.(error),
  });
  const db = new PrismaClient({
    adapter,
    // Else each call notes its place in the source, for a picture of it in errors that a bundle has no source for.
    errorFormat: 'minimal',
    transactionOptions: { maxWait: 10_000, timeout: 20_000 },
  });
  const guarded = guardTransactions(db);
  pools.set(guarded, pool);
  return guarded;
}

/** Each transaction of a member's request begins with the look whether that member still may: no service can leave it out. */
function guardTransactions(db: Db): Db {
  const begin = db.$transaction.bind(db) as (work: unknown, options?: object) => Promise<unknown>;
  const guarded = (work: unknown, options?: object) =>
    typeof work === 'function'
      ? begin(async (tx: Tx) => {
          await holdRight(tx);
          return work(tx);
        }, options)
      : begin(work, options);
  return new Proxy(db, {
    get: (target, name) => (name === '$transaction' ? guarded : Reflect.get(target, name)),
  });
}

const pools = new WeakMap<Db, pg.Pool>();

/** Prisma ends the pool only if it has used it itself. */
export async function disconnectDb(db: Db): Promise<void> {
  await db.$disconnect();
  const pool = pools.get(db);
  if (pool && !pool.ending) await pool.end();
}

/** One text that never changes, under a name of its own: each connection has it parsed and planned once. */
export type Prepared = { name: string; text: string };

/**
 * Runs a statement that every call of the API runs, on the same pool and past Prisma's layers, which cost as much as the statement itself.
 * Outside of transactions. Values come as pg reads them: a Date for a timestamp, text for numeric and bigint, an object for JSON.
 */
export async function runPrepared<T>(
  db: Db,
  { name, text }: Prepared,
  values: unknown[],
): Promise<{ rows: T[]; count: number }> {
  const pool = pools.get(db);
  if (!pool) throw new Error('this client is not one of connectDb');
  const { rows, rowCount } = await pool.query({ name, text, values });
  return { rows: rows as T[], count: rowCount ?? 0 };
}

/**
 * One connection outside the pool.
 * @param limits null for what may take long, which is to connect in time all the same
 * @throws StartError when the database is away
 */
export async function openClient(url: string, limits: DbLimits | null = DB_LIMITS): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    ...(limits ? limitsOf(limits) : { connectionTimeoutMillis: DB_LIMITS.connect }),
  });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (cause) {
    const { code } = cause as { code?: string };
    throw new StartError(
      `The database of DATABASE_URL cannot be reached (${code ?? 'no answer'}). Start it, or correct DATABASE_URL.`,
      { cause },
    );
  }
  return client;
}

/**
 * What tells this database from every other one, whichever address it is reached under: its cluster's own number and its number in there.
 * A replica that takes over keeps both; a copy or a restored dump does not.
 */
export async function identifyDb(url: string): Promise<string> {
  const client = await openClient(url);
  try {
    const { rows } = await client.query<{ identity: string }>(
      "select (select system_identifier from pg_control_system()) || '/' || oid as identity from pg_database where datname = current_database()",
    );
    return rows[0]?.identity ?? '';
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Brings the database to the newest migration, under an advisory lock, in the format of `prisma migrate`.
 * @returns the names of the migrations that were applied now
 * @throws StartError when the database is away, an applied migration was changed, or one failed half-way
 */
export async function migrateDb(url: string, folder: string = MIGRATIONS): Promise<string[]> {
  const client = await openClient(url, null);
  try {
    // What an operator set for the role has no say here: a large index takes as long as it takes.
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await takeMigrateLock(client);
    await client.query(MIGRATIONS_TABLE);
    return await applyPending(client, folder);
  } finally {
    await client.end().catch(() => {});
  }
}

const LOCK_LOOK_MS = 200;

/** Polled: a session that waits within a statement keeps a snapshot, and an index that is built concurrently waits for all of those to end. */
async function takeMigrateLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [MIGRATE_LOCK]);
    if (rows[0]?.taken) return;
    await sleep(LOCK_LOOK_MS);
  }
}

const MIGRATIONS_TABLE = `create table if not exists _prisma_migrations (
  id varchar(36) primary key not null,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`;

type MigrationRow = { migration_name: string; checksum: string; finished_at: Date | null };

async function applyPending(client: pg.Client, folder: string): Promise<string[]> {
  const { rows } = await client.query<MigrationRow>(
    'select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null',
  );
  const known = new Map(rows.map((row) => [row.migration_name, row]));
  const applied: string[] = [];
  for (const name of migrationNames(folder)) {
    const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
    const checksum = createHash('sha256').update(sql).digest('hex');
    const row = known.get(name);
    if (row && row.finished_at === null) {
      throw new StartError(
        `Migration ${name} failed before. Mend the database, then mark it with \`prisma migrate resolve\`.`,
      );
    }
    if (row && row.checksum !== checksum) {
      throw new StartError(
        `Migration ${name} was changed after it was applied. Restore the file and write a new migration.`,
      );
    }
    if (!row) {
      await applyOne(client, name, sql, checksum);
      applied.push(name);
    }
  }
  return applied;
}

async function applyOne(client: pg.Client, name: string, sql: string, checksum: string): Promise<void> {
  const id = randomUUID();
  await client.query('insert into _prisma_migrations (id, checksum, migration_name) values ($1, $2, $3)', [
    id,
    checksum,
    name,
  ]);
  try {
    await client.query(sql);
  } catch (cause) {
    await client.query('update _prisma_migrations set logs = $2 where id = $1', [id, String(cause)]);
    throw new StartError(`Migration ${name} failed: ${(cause as Error).message}`, { cause });
  }
  await client.query('update _prisma_migrations set finished_at = now(), applied_steps_count = 1 where id = $1', [id]);
}

/** The migrations of this version that the database does not have, by name. */
export async function missingMigrations(db: Db, folder: string = MIGRATIONS): Promise<string[]> {
  const rows = await db.$queryRaw<{ migration_name: string }[]>`
    select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null`;
  const applied = new Set(rows.map((row) => row.migration_name));
  return migrationNames(folder).filter((name) => !applied.has(name));
}

function migrationNames(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
