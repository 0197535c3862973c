import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createDatabase, dropDatabase } from '../local/postgres/postgres.ts';
import { databaseForTest } from '../test/setup/database.ts';
import { migrateDb } from './db.ts';

const ROOT = join(import.meta.dirname, '..');
const prisma = (args: string[], databaseUrl: string) =>
  promisify(execFile)(process.execPath, [join(ROOT, 'node_modules/prisma/build/index.js'), ...args], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: databaseUrl, CHECKPOINT_DISABLE: '1' },
  });

async function emptyDatabase(): Promise<string> {
  const server = inject('postgresUrl').replace('/template_ampersat', '/postgres');
  const name = `empty_${Math.random().toString(36).slice(2)}`;
  onTestFinished(() => dropDatabase(server, name));
  return createDatabase(server, name);
}

function migrationsWith(extra: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'ampersat-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(ROOT, 'prisma/migrations'), folder, { recursive: true });
  for (const [name, sql] of Object.entries(extra)) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'migration.sql'), sql);
  }
  return folder;
}

describe('migrations', () => {
  test('are applied once, also by five processes that start together', async () => {
    const url = await emptyDatabase();
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrateDb(url)));
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
    expect(await migrateDb(url)).toEqual([]);
  });

  test('look to the official CLI as if it had applied them', { timeout: 60_000 }, async () => {
    const url = await emptyDatabase();
    await migrateDb(url);
    const { stdout } = await prisma(['migrate', 'status'], url);
    expect(stdout).toContain('Database schema is up to date');
    const deployed = await prisma(['migrate', 'deploy'], url);
    expect(deployed.stdout).toContain('No pending migrations to apply');
  });

  test('and those that the official CLI applied are taken as done', { timeout: 60_000 }, async () => {
    const url = await emptyDatabase();
    await prisma(['migrate', 'deploy'], url);
    expect(await migrateDb(url)).toEqual([]);
  });

  test('lead to the schema: what the official CLI finds to change is the one column that nobody wrote a migration for', {
    timeout: 60_000,
  }, async () => {
    const url = await databaseForTest();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('alter table handle add column forgotten text');
    await client.end();
    const fromDatabase = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema.prisma'];
    const diff = prisma([...fromDatabase, '--script', '--exit-code'], url);
    await expect(diff).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^(-- AlterTable\s+)?ALTER TABLE "handle" DROP COLUMN "forgotten";\s*$/),
    });
  });

  test('refuse a file that changed after it was applied', async () => {
    const url = await databaseForTest();
    const folder = migrationsWith({ '20990101000000_more': 'create table more (id int);' });
    expect(await migrateDb(url, folder)).toEqual(['20990101000000_more']);
    writeFileSync(join(folder, '20990101000000_more/migration.sql'), 'create table more (id bigint);');
    await expect(migrateDb(url, folder)).rejects.toThrow(/was changed after it was applied/);
  });

  test('stop at one that fails, say so, and do not run it again by themselves', async () => {
    const url = await databaseForTest();
    const folder = migrationsWith({ '20990101000000_bad': 'create table half (id int); select nonsense;' });
    await expect(migrateDb(url, folder)).rejects.toThrow(/20990101000000_bad failed: .*nonsense/);
    await expect(migrateDb(url, folder)).rejects.toThrow(/failed before\. Mend the database/);
  });

  test('a dead database is one clear line', async () => {
    await expect(migrateDb('postgresql://nobody:x@127.0.0.1:1/none')).rejects.toThrow(
      'The database of DATABASE_URL cannot be reached (ECONNREFUSED). Start it, or correct DATABASE_URL.',
    );
  });
});
