import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { dropDatabase } from '../local/postgres/postgres.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const ROOT = join(import.meta.dirname, '..');
const GENERATOR = `
generator client {
  provider            = "prisma-client"
  output              = "../src/generated/prisma"
  importFileExtension = "ts"
  runtime             = "nodejs"
}
datasource db {
  provider = "postgresql"
}
model User {
  id    String @id
  name  String @unique
`;

/** A project of its own with this repository's configuration and tools, so that schemas can be tried out in it. */
let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'ampersat-prisma-test-'));
  mkdirSync(join(project, 'prisma'));
  for (const file of ['package.json', 'prisma.config.ts', 'prisma/schema-engine.mjs', 'prisma/new-migration.mjs']) {
    cpSync(join(ROOT, file), join(project, file));
  }
  for (const directory of ['node_modules', 'local']) symlinkSync(join(ROOT, directory), join(project, directory));
  writeSchema('}');
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

function writeSchema(rest: string): void {
  writeFileSync(join(project, 'prisma/schema.prisma'), GENERATOR + rest);
}

function runNode(args: string[], databaseUrl?: string): Promise<{ code: number; output: string }> {
  const { DATABASE_URL: _, PRISMA_SCHEMA_ENGINE_BINARY: __, ...env } = process.env;
  const options = { cwd: project, env: databaseUrl ? { ...env, DATABASE_URL: databaseUrl } : env };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

function prisma(args: string[], databaseUrl?: string): Promise<{ code: number; output: string }> {
  return runNode([join(project, 'node_modules/prisma/build/index.js'), ...args], databaseUrl);
}

function migrations(): string[] {
  return readdirSync(join(project, 'prisma/migrations'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

test('generate needs neither a download nor a database', async () => {
  const generated = await prisma(['generate']);
  expect(generated).toMatchObject({ code: 0 });
  expect(existsSync(join(project, 'src/generated/prisma/client.ts'))).toBe(true);
});

test('new-migration writes what changed, and prisma migrate applies it with its own bookkeeping', async () => {
  const server = inject('postgresUrl').replace('/template_ampersat', '/postgres');
  const name = `migrated_${randomBytes(6).toString('hex')}`;
  onTestFinished(() => dropDatabase(server, name));
  const url = server.replace(/\/postgres$/, `/${name}`);
  expect(await runNode(['prisma/new-migration.mjs', 'init'])).toMatchObject({ code: 0 });
  const [first] = migrations() as [string];
  expect(first).toMatch(/^\d{14}_init$/);
  const sql = readFileSync(join(project, 'prisma/migrations', first, 'migration.sql'), 'utf8');
  expect(sql).toContain('CREATE TABLE "User"');
  const unchanged = await runNode(['prisma/new-migration.mjs', 'again']);
  expect(unchanged).toMatchObject({ code: 0, output: expect.stringContaining('has not changed') });
  expect(migrations()).toEqual([first]);

  expect(await prisma(['migrate', 'status'], url)).toMatchObject({ code: 1 });
  expect(await prisma(['migrate', 'deploy'], url)).toMatchObject({ code: 0 });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const rows = await client.query(
    'select migration_name, checksum, applied_steps_count, finished_at from _prisma_migrations',
  );
  expect(rows.rows).toEqual([
    {
      migration_name: first,
      checksum: createHash('sha256').update(sql).digest('hex'),
      applied_steps_count: 1,
      finished_at: expect.any(Date),
    },
  ]);

  writeSchema('  age Int?\n}');
  const drift = ['migrate', 'diff', '--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma'];
  expect(await prisma([...drift, '--exit-code'], url)).toMatchObject({ code: 2 });
  const shadows = await client.query(`select datname from pg_database where datname like 'prisma_migrate_shadow%'`);
  expect(shadows.rows).toEqual([]);
  await client.end();
});

test('migrate says that the database cannot be reached, instead of doing nothing', async () => {
  const answer = await prisma(['migrate', 'deploy'], 'postgresql://postgres:x@127.0.0.1:1/none');
  expect(answer).toMatchObject({ code: 1, output: expect.stringContaining('P1001') });
});
