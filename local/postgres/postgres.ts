/**
 * Runs a real PostgreSQL for one data directory: creates the cluster, starts it or adopts the one that survived a
 * killed start, stops it, wipes it.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Account, findAccount, findBinaries } from './binaries.ts';
import { findHome, forgetHome, type Home, orphanedDirectories, readHome, sharedCluster } from './home.ts';
import { findSurvivor, kill, launch, stopServer } from './server.ts';

const run = promisify(execFile);
const USER = 'postgres';
/** How long an adopted server may take to recover. */
const READY_LIMIT_MS = 30_000;

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
  try {
    await ensureDatabase(urlOf('postgres'), database);
  } catch (error) {
    await stopServer(home.cluster, server.pid);
    throw error;
  }

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

/**
 * Creates a database on the server of `url`, empty or as a copy of `template`, and returns its URL.
 * @param client a connection to that server, where there is one already
 */
export async function createDatabase(
  url: string,
  name: string,
  template = 'template0',
  client?: pg.Client,
): Promise<string> {
  // Copying the files takes a fifth of what writing them through the log takes.
  const copy = `template ${pg.escapeIdentifier(template)} strategy file_copy`;
  await query(url, `create database ${pg.escapeIdentifier(name)} ${copy}`, client);
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}

/** Drops a database if it exists, cutting whatever connections it has. */
export async function dropDatabase(url: string, name: string, client?: pg.Client): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  await query(maintenance.href, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`, client);
}

async function query(url: string, text: string, connected?: pg.Client): Promise<void> {
  if (connected) {
    await connected.query(text);
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/**
 * Ends the server of a data directory that was deleted by hand and is created again (its password went with the directory),
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
    // The password is 24 random bytes, which no number of rounds makes harder to guess: each only costs every connection time.
    '--set',
    'scram_iterations=1',
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

/** An adopted server may still be recovering, which refuses connections with code 57P03 until it is done. */
async function ensureDatabase(url: string, name: string): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS;
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
