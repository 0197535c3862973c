// The mark that says "this database is a local stack's": without it nothing is seeded and nothing wiped.
import type pg from 'pg';
import { openClient } from '../../src/db.ts';
import { StartError } from '../../src/domain/errors.ts';

const MARK = 'ampersat_local';

/** Marks an empty or embedded database as ours. @throws StartError for a database that holds something else */
export async function claimDatabase(url: string, { embedded }: { embedded: boolean }): Promise<void> {
  await withClient(url, async (client) => {
    if (await hasSchema(client, MARK)) return;
    const { rowCount } = await client.query(
      "select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema') limit 1",
    );
    if (rowCount && !embedded) {
      throw new StartError(
        'The database of DATABASE_URL is not one of a local stack, so nothing is seeded into it. Name an empty database.',
      );
    }
    await client.query(`create schema if not exists ${MARK}`);
  });
}

/** Empties a marked database for `--fresh`. @throws StartError when the mark is missing */
export async function dropLocalData(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query(
      "select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema') limit 1",
    );
    if (!rowCount) return;
    if (!(await hasSchema(client, MARK))) {
      throw new StartError(
        '--fresh would empty the database of DATABASE_URL, and that is not one of a local stack. Name another one.',
      );
    }
    await client.query(
      `drop schema public cascade; create schema public; drop schema if exists bullmq cascade; drop schema ${MARK}`,
    );
  });
}

async function hasSchema(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_namespace where nspname = $1', [name]);
  return rowCount === 1;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openClient(url);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
