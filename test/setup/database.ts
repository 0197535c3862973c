// A database of a test's own, copied from the migrated template in a few milliseconds.
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { createDatabase, dropDatabase } from '../../local/postgres/postgres.ts';
import { migrateDb } from '../../src/db.ts';
import { ROOT } from '../../src/root.ts';

export type OwnDatabase = { url: string; drop: () => Promise<void> };

/** @returns the URL of a fresh, migrated database, and how to drop it */
export const freshDatabase = () => copyOf('template_ampersat');

/** The same with the people of the local stack in it. */
export const seededDatabase = () => copyOf(inject('seededWorld').database);

/** Of this worker: PostgreSQL starts a process for each connection. */
let connected: Promise<pg.Client> | undefined;

async function connect(server: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server });
  // The server ends with the run, which may be before the worker does.
  client.on('error', () => {
    connected = undefined;
  });
  await client.connect();
  return client;
}

async function copyOf(template: string): Promise<OwnDatabase> {
  // Not connected to the template itself: a copy waits for all others to leave it.
  const server = inject('postgresUrl').replace('/template_ampersat', '/postgres');
  const client = () => (connected ??= connect(server));
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = await createDatabase(server, name, template, await client());
  return { url, drop: async () => dropDatabase(server, name, await client()) };
}

/** The same, dropped when the test ends. */
export async function databaseForTest(): Promise<string> {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  return url;
}

/** A database as the version before a migration left it, dropped when the test ends; `migrateDb(url)` applies the rest. */
export async function databaseBefore(migration: string): Promise<{ url: string; client: pg.Client }> {
  const folder = mkdtempSync(join(tmpdir(), 'ampersat-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(ROOT, 'prisma/migrations'), folder, {
    recursive: true,
    filter: (path) => (path.match(/\d{14}_\w+/)?.[0] ?? '') < migration,
  });
  const server = inject('postgresUrl').replace('/template_ampersat', '/postgres');
  const name = `before_${randomBytes(6).toString('hex')}`;
  onTestFinished(() => dropDatabase(server, name));
  const url = await createDatabase(server, name);
  await migrateDb(url, folder);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return { url, client };
}
