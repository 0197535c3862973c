import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../stack/processes.ts';
import { createDatabase, dropDatabase, type RunningPostgres, startPostgres, wipePostgres } from './postgres.ts';

const isRoot = process.getuid?.() === 0;
let parent: string;
let dataDir: string;
let running: RunningPostgres[] = [];

/** A data directory with a cluster in it, to copy where a test is not about making one. */
let made: string;

beforeAll(async () => {
  made = join(await mkdtemp(join(tmpdir(), 'ampersat-postgres-test-')), 'data');
  await chmod(join(made, '..'), 0o755);
  const server = await startPostgres({ dataDir: made, database: 'app', durable: false });
  await server.stop();
});

afterAll(() => rm(join(made, '..'), { recursive: true, force: true }));

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'ampersat-postgres-test-'));
  await chmod(parent, 0o755);
  dataDir = join(parent, 'data');
});

afterEach(async () => {
  for (const server of running) await server.stop();
  running = [];
  await wipePostgres(dataDir);
  await rm(parent, { recursive: true, force: true });
});

async function start(
  options: { port?: number; durable?: boolean; log?: (line: string) => void } = {},
): Promise<RunningPostgres> {
  const server = await startPostgres({ dataDir, database: 'app', durable: false, ...options });
  running.push(server);
  return server;
}

function copyMade(): void {
  execFileSync('cp', ['-a', made, dataDir]);
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('startPostgres', () => {
  test('creates a cluster that only its own password opens, and keeps its rows over a restart', async () => {
    const first = await start();
    expect(first).toMatchObject({ created: true, adopted: false });
    await query(first.url, 'create table t (n int); insert into t values (7)');
    const wrong = new URL(first.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
    const [stored] = await query(first.url, 'select rolpassword from pg_authid where rolpassword is not null');
    expect(stored?.['rolpassword']).toMatch(/^SCRAM-SHA-256\$1:/);
    const owner = execFileSync('ps', ['-o', 'uid=', '-p', String(first.pid)], { encoding: 'utf8' });
    expect(Number(owner)).not.toBe(0);
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);

    const second = await start();
    expect(second).toMatchObject({ created: false, adopted: false });
    expect(await query(second.url, 'select n from t')).toEqual([{ n: 7 }]);
  });

  test('adopts the server that a killed starter left running', async () => {
    copyMade();
    const child = fork(join(import.meta.dirname, 'startPostgres.fixture.ts'), [dataDir], {
      execArgv: ['--import', 'tsx'],
    });
    const [left] = (await once(child, 'message')) as [{ url: string; pid: number; port: number }];
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(isAlive(left.pid)).toBe(true);

    const server = await start();
    expect(server).toMatchObject({ adopted: true, pid: left.pid, port: left.port, url: left.url });
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('recovers every acknowledged row after kill -9 of the server', async () => {
    copyMade();
    const first = await start({ durable: true });
    await query(first.url, 'create table t (n int)');
    for (let n = 0; n < 50; n++) await query(first.url, `insert into t values (${n})`);
    process.kill(first.pid, 'SIGKILL');

    const second = await start();
    expect(second.pid).not.toBe(first.pid);
    expect(await query(second.url, 'select count(*)::int as rows from t')).toEqual([{ rows: 50 }]);
  });

  test('starts over a pid file whose process id belongs to another program now', async () => {
    copyMade();
    const first = await start();
    const pidFile = join(await clusterOf(dataDir), 'postmaster.pid');
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    process.kill(first.pid, 'SIGKILL');
    lines[0] = String(process.pid);
    writeFileSync(pidFile, lines.join('\n'));
    const second = await start();
    expect(second.adopted).toBe(false);
  });

  test('works below a private directory without widening its permissions', async () => {
    await chmod(parent, 0o700);
    const lines: string[] = [];
    const first = await start({ log: (line) => lines.push(line) });
    await query(first.url, 'create table t (n int); insert into t values (9)');
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'select n from t')).toEqual([{ n: 9 }]);
    expect(statSync(parent).mode & 0o777).toBe(0o700);
    const cluster = await clusterOf(dataDir);
    expect(cluster.startsWith(parent)).toBe(!isRoot);
    if (isRoot) expect(lines.join()).toContain('is private');

    await second.stop();
    await wipePostgres(dataDir);
    expect(existsSync(cluster)).toBe(false);
  });

  test('begins anew when a private data directory was deleted by hand while its server ran', async () => {
    await chmod(parent, 0o700);
    const first = await start();
    rmSync(dataDir, { recursive: true, force: true });
    const second = await start();
    expect(second.created).toBe(true);
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    if (isRoot) expect(isAlive(first.pid)).toBe(false);
  });

  test('clears away what a deleted temporary data directory has left elsewhere', async () => {
    const deleted = await mkdtemp(join(tmpdir(), 'ampersat-postgres-test-'));
    const left = await startPostgres({ dataDir: deleted, database: 'app', durable: false });
    running.push(left);
    const cluster = await clusterOf(deleted);
    rmSync(deleted, { recursive: true, force: true });
    copyMade();
    await start();
    expect(existsSync(cluster)).toBe(false);
    if (isRoot) expect(isAlive(left.pid)).toBe(false);
  });

  test('says which port is taken', async () => {
    copyMade();
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    await expect(start({ port })).rejects.toThrow(`port ${port} is taken by another program`);
    holder.close();
    expect((await start()).port).not.toBe(port);
  });
});

describe('databases', () => {
  test('createDatabase copies a template and dropDatabase cuts its connections', async () => {
    copyMade();
    const server = await start();
    const template = await createDatabase(server.url, 'template_a');
    await query(template, 'create table t (n int); insert into t values (3)');
    const copy = await createDatabase(server.url, 'copy "a"', 'template_a');
    expect(await query(copy, 'select n from t')).toEqual([{ n: 3 }]);

    const open = new pg.Client({ connectionString: copy });
    open.on('error', () => {});
    await open.connect();
    const cut = new Promise((resolve) => open.once('end', resolve));
    await dropDatabase(server.url, 'copy "a"');
    await cut;
    await dropDatabase(server.url, 'copy "a"');
    expect(await query(server.url, `select 1 from pg_database where datname like 'copy%'`)).toEqual([]);
  });
});

test('wipePostgres stops a surviving server and the next start is empty', async () => {
  copyMade();
  const first = await start();
  await query(first.url, 'create table t (n int)');
  await wipePostgres(dataDir);
  expect(isAlive(first.pid)).toBe(false);
  expect(readdirSync(dataDir)).toEqual([]);
  const second = await start();
  expect(second.created).toBe(true);
  await expect(query(second.url, 'select * from t')).rejects.toThrow(/does not exist/);
});

async function clusterOf(directory: string): Promise<string> {
  const pointer = join(directory, 'postgres.location');
  return join(existsSync(pointer) ? readFileSync(pointer, 'utf8') : directory, 'cluster');
}
