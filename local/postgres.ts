/**
 * Runs a real PostgreSQL for one data directory: creates the cluster, starts it or adopts the one that survived a
 * killed start, stops it, wipes it.
 */
import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { chown, mkdir, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort, isPortFree } from './ports.ts';
import { type Account, findAccount, findBinaries } from './postgresBinaries.ts';
import { findHome, forgetHome, type Home, orphanedDirectories, readHome, sharedCluster } from './postgresHome.ts';
import { identifyProcess, isAlive, isZombie } from './processes.ts';

const run = promisify(execFile);
const USER = 'postgres';
const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 10_000;

export type StartPostgresOptions = {
  dataDir: string;
  /** 0 or none: any free port. A surviving server keeps the port it has. */
  port?: number;
  /** Created when it does not exist. */
  database: string;
  /** False trades crash safety for speed, for tests: nothing is synced to disk. */
  durable?: boolean;
  /** Receives one line about each unusual thing: adoption, another place for the data, a removed leftover. */
  log?: (line: string) => void;
};

export type RunningPostgres = {
  url: string;
  port: number;
  pid: number;
  /** It had survived an earlier start and was taken over. */
  adopted: boolean;
  /** The cluster was made by this start: it is empty. */
  created: boolean;
  stop(): Promise<void>;
};

/** Starts (or adopts) the database server of `dataDir`. Throws an Error that says what to do when it cannot. */
export async function startPostgres(options: StartPostgresOptions): Promise<RunningPostgres> {
  const { database, log = () => {} } = options;
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const account = await findAccount();
  const binaries = await findBinaries(account);
  await clearOrphans(dataDir);
  const home = await findHome(dataDir, account, log);
  const created = await createCluster(home, binaries, account, options.durable ?? true);
  const survivor = await findSurvivor(home.cluster);
  if (survivor) log(`adopted the PostgreSQL that still ran (process ${survivor.pid}, port ${survivor.port})`);
  const server = survivor ?? (await launch(home, binaries, account, options));
  const urlOf = (name: string) => `postgresql://${USER}:${home.password}@127.0.0.1:${server.port}/${name}`;
  await ensureDatabase(urlOf('postgres'), database);

  // A crash of this process by an exception must not leave the server behind; only a kill -9 can.
  const interrupt = () => kill(server.pid, 'SIGINT');
  process.once('exit', interrupt);
  return {
    url: urlOf(database),
    port: server.port,
    pid: server.pid,
    adopted: survivor !== undefined,
    created,
    async stop() {
      process.off('exit', interrupt);
      await stopServer(home.cluster, server.pid);
    },
  };
}

/** Stops the server of `dataDir`, if one survived, and deletes its cluster, wherever it lies. */
export async function wipePostgres(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  const home = readHome(await realpath(dataDir));
  if (!home) return;
  const survivor = await findSurvivor(home.cluster);
  if (survivor) await stopServer(home.cluster, survivor.pid);
  await forgetHome(home);
}

/** Creates a database on the server of `url`, empty or as a copy of `template`, and returns its URL. */
export async function createDatabase(url: string, name: string, template = 'template0'): Promise<string> {
  await query(url, `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)}`);
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}

/** Drops a database if it exists, cutting whatever connections it has. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  await query(maintenance.href, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/**
 * Ends the server of a data directory that was deleted by hand and is made anew (its password went with the directory),
 * and removes what temporary data directories have left behind elsewhere.
 */
async function clearOrphans(dataDir: string): Promise<void> {
  const cluster = sharedCluster(dataDir);
  const survivor = readHome(dataDir) ? undefined : await findSurvivor(cluster);
  if (survivor) await stopServer(cluster, survivor.pid);
  for (const directory of await orphanedDirectories()) {
    const orphan = await findSurvivor(join(directory, 'cluster'));
    if (orphan) await stopServer(join(directory, 'cluster'), orphan.pid);
    // Another start may be removing it as well; whatever stays is removed by the next.
    await rm(directory, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  }
}

/** Initialises the cluster under a draft name, so that a start killed in the middle leaves nothing that looks finished. */
async function createCluster(home: Home, binaries: string, account: Account, durable: boolean): Promise<boolean> {
  if (existsSync(join(home.cluster, 'PG_VERSION'))) {
    const owner = (await stat(home.cluster)).uid;
    const runner = account.uid ?? process.getuid?.();
    if (runner !== undefined && owner !== runner) {
      throw new Error(
        `The database in ${home.cluster} belongs to user ${owner}, but PostgreSQL would run as ${runner}. Start as the user who created it, or use another --data-dir.`,
      );
    }
    return false;
  }
  for (const name of await readdir(home.directory)) {
    if (name.startsWith('cluster.'))
      await rm(join(home.directory, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const draft = `${home.cluster}.${process.pid}`;
  const passwordFile = `${draft}.password`;
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, home.password, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(draft, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  const options = [
    '-D',
    draft,
    '-U',
    USER,
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--no-locale',
  ];
  try {
    await run(join(binaries, 'bin/initdb'), durable ? options : [...options, '--no-sync'], { ...account, cwd: '/' });
    await rename(draft, home.cluster);
  } catch (error) {
    const detail = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    await rm(draft, { recursive: true, force: true });
    throw new Error(`PostgreSQL could not create its database in ${home.directory}: ${detail}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
  return true;
}

/**
 * The server that already runs on this cluster. Removes a pid file that would keep a new server from starting for ever:
 * that of a zombie that nobody collects (its backends end with it), and that of an id which another program has now.
 */
async function findSurvivor(cluster: string): Promise<{ pid: number; port: number } | undefined> {
  const deadline = Date.now() + STOP_LIMIT_MS;
  for (;;) {
    const file = readPidFile(cluster);
    if (!file) return undefined;
    if (isZombie(file.pid)) {
      for (let waited = 0; waited < 4_000 && isZombie(file.pid); waited += 100) await sleep(100);
      if (isZombie(file.pid)) await rm(join(cluster, 'postmaster.pid'), { force: true });
      continue;
    }
    if (!isAlive(file.pid)) return undefined;
    if (!identifyProcess(file.pid)?.includes(cluster)) {
      await rm(join(cluster, 'postmaster.pid'), { force: true });
      return undefined;
    }
    if (!file.stopping && file.port > 0) return { pid: file.pid, port: file.port };
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL (process ${file.pid}) neither runs nor stops. End it and start again.`);
    await sleep(50);
  }
}

/** Line 1 is the process id, line 4 the port, line 8 the state. The later lines appear while the server starts. */
function readPidFile(cluster: string): { pid: number; port: number; stopping: boolean } | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), stopping: lines[7]?.trim() === 'stopping' };
  } catch {
    return undefined;
  }
}

async function launch(
  home: Home,
  binaries: string,
  account: Account,
  options: StartPostgresOptions,
): Promise<{ pid: number; port: number }> {
  const wanted = options.port ?? 0;
  // A port found free can be gone a moment later, so an unnamed one is worth another try.
  for (let attempt = 1; ; attempt++) {
    const port = wanted === 0 ? await freePort() : wanted;
    const failure = await launchOn(port, home, binaries, account, options.durable ?? true);
    if (typeof failure === 'number') return { pid: failure, port };
    const taken = /Address already in use/.test(failure) || !(await isPortFree(port));
    if (taken && wanted !== 0)
      throw new Error(`PostgreSQL cannot start: port ${port} is taken by another program. Free it or choose another.`);
    if (!taken || attempt === 3) throw new Error(`PostgreSQL ended while starting: ${failure}`);
  }
}

/** Starts the server and waits until it says in its pid file that it is ready. Returns its process id, or why it ended. */
async function launchOn(
  port: number,
  home: Home,
  binaries: string,
  account: Account,
  durable: boolean,
): Promise<number | string> {
  const settings = ['max_connections=200', 'shared_buffers=128MB', 'log_checkpoints=off', 'log_min_messages=log'];
  if (!durable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
  const log = openSync(home.log, 'w', 0o600);
  const child = spawn(
    join(binaries, 'bin/postgres'),
    [
      '-D',
      home.cluster,
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-k',
      '',
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    // A process group of its own: Ctrl-C in the terminal must reach the stack, which stops the database last.
    { ...account, cwd: '/', stdio: ['ignore', log, log], detached: true },
  );
  closeSync(log);
  child.unref();
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `exit ${code ?? signal}`;
  });
  const deadline = Date.now() + START_LIMIT_MS;
  while (ended === undefined) {
    if (child.pid !== undefined && isReady(home.cluster, child.pid)) return child.pid;
    if (Date.now() > deadline) {
      child.kill('SIGQUIT');
      ended = `not ready after ${START_LIMIT_MS / 1000} s`;
    }
    await sleep(10);
  }
  return `${ended}. ${readFileSync(home.log, 'utf8').trim().slice(-1_000)}`;
}

function isReady(cluster: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/** An adopted server may still be recovering, which refuses connections with code 57P03 until it is done. */
async function ensureDatabase(url: string, name: string): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      const found = await client.query('select 1 from pg_database where datname = $1', [name]);
      if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)} template template0`);
      return;
    } catch (error) {
      const starting =
        (error as { code?: string }).code === '57P03' || (error as { code?: string }).code === 'ECONNREFUSED';
      if (!starting || Date.now() > deadline) throw error;
      await sleep(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** Fast shutdown (open transactions are rolled back), and an immediate one when that hangs: the log makes it safe. */
async function stopServer(cluster: string, pid: number): Promise<void> {
  for (const name of ['SIGINT', 'SIGQUIT'] as const) {
    kill(pid, name);
    const deadline = Date.now() + STOP_LIMIT_MS;
    while (isAlive(pid) && Date.now() < deadline) await sleep(10);
    if (!isAlive(pid)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) in ${cluster} does not stop.`);
}

function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}
