/**
 * Decides where the cluster of a data directory lies and keeps its password. Normally that is the data directory itself;
 * when its parents are private and the database has to run as another account, it is a directory of its own in a place
 * that every account can reach, with a pointer to it in the data directory.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Account, isOurs, sharedDirectories } from './binaries.ts';

const run = promisify(execFile);

const SHARED_PREFIX = 'ampersat-data-';

export type Home = { dataDir: string; directory: string; cluster: string; password: string; log: string };

/** Where this data directory's cluster lies, decided and noted at the first call. `dataDir` is an absolute real path. */
export async function findHome(dataDir: string, account: Account, log: (line: string) => void): Promise<Home> {
  const known = readHome(dataDir);
  if (known && existsSync(join(known.cluster, 'PG_VERSION'))) {
    if (await canReach(known.directory, account)) return known;
    throw new Error(
      `The account that the database runs as can no longer reach ${known.cluster}. ` +
        'Give that account access again, or start with --fresh.',
    );
  }
  if (known && known.directory !== dataDir) {
    log(`the database that was kept in ${known.directory} is gone; starting with an empty one`);
  }
  if (!existsSync(passwordOf(dataDir))) await keep(passwordOf(dataDir), randomBytes(24).toString('base64url'));
  if (await canReach(dataDir, account)) {
    await rm(pointerOf(dataDir), { force: true });
  } else {
    const directory = await makeSharedDirectory(dataDir, account);
    log(`${dataDir} is private, so the database is kept in ${directory}`);
    await keep(pointerOf(dataDir), directory);
  }
  return readHome(dataDir)!;
}

/** The place noted earlier, or undefined for a data directory that has no database yet. */
export function readHome(dataDir: string): Home | undefined {
  if (!existsSync(passwordOf(dataDir))) return undefined;
  const pointer = pointerOf(dataDir);
  const directory = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : dataDir;
  const owner = ownerOf(directory);
  if (directory !== dataDir && existsSync(owner) && readFileSync(owner, 'utf8').trim() !== dataDir) {
    throw new Error(
      `${dataDir} was moved or copied from ${readFileSync(owner, 'utf8').trim()}, which owns the database in ${directory}. ` +
        `Use that directory, or delete ${pointer} to start with an empty database.`,
    );
  }
  return {
    dataDir,
    directory,
    cluster: join(directory, 'cluster'),
    password: readFileSync(passwordOf(dataDir), 'utf8').trim(),
    log: join(dataDir, 'postgres.log'),
  };
}

/** Deletes the cluster and everything noted about it. The server must have stopped. */
export async function forgetHome({ dataDir, directory, cluster, log }: Home): Promise<void> {
  await rm(directory === dataDir ? cluster : directory, { recursive: true, force: true, maxRetries: 5 });
  for (const file of [pointerOf(dataDir), log, passwordOf(dataDir)]) await rm(file, { force: true });
}

/** The cluster that a data directory has in the shared place, also when that data directory was deleted by hand. */
export function sharedCluster(dataDir: string): string {
  return join(sharedDirectoryOf(dataDir), 'cluster');
}

/**
 * Shared directories whose data directory is gone and was a temporary one: a test's, say. Others are left alone, because
 * a data directory that cannot be seen may only lie on a disk that is not mounted now.
 */
export async function orphanedDirectories(): Promise<string[]> {
  const shared = sharedDirectories()[0]!;
  const temporary = [await realpath(tmpdir()), '/dev/shm'];
  return (await readdir(shared))
    .filter((name) => name.startsWith(SHARED_PREFIX))
    .map((name) => join(shared, name))
    .filter((directory) => {
      try {
        const dataDir = readFileSync(ownerOf(directory), 'utf8').trim();
        const isTemporary = temporary.some((parent) => dataDir.startsWith(`${parent}/`));
        return isOurs(directory) && isTemporary && !existsSync(dataDir);
      } catch {
        // Another start is removing it at this moment.
        return false;
      }
    });
}

async function makeSharedDirectory(dataDir: string, account: Account): Promise<string> {
  const directory = sharedDirectoryOf(dataDir);
  if (existsSync(directory)) {
    // Nothing in the data directory points here: it is what remained of a data directory deleted by hand.
    if (!isOurs(directory)) throw new Error(`${directory} belongs to another user. Remove it and start again.`);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  await mkdir(directory, { mode: 0o711 });
  await writeFile(ownerOf(directory), dataDir, { mode: 0o600 });
  if (!(await canReach(directory, account)))
    throw new Error(`${directory} cannot be reached by user ${account.uid}. Use another --data-dir.`);
  return directory;
}

/** The name is derived from the path, so that a second start finds what an interrupted first one made. */
function sharedDirectoryOf(dataDir: string): string {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(sharedDirectories()[0]!, `${SHARED_PREFIX}${name}`);
}

/** Whether the account can enter the directory, asked by entering it: all its parents count. */
async function canReach(directory: string, account: Account): Promise<boolean> {
  if (account.uid === undefined) return true;
  try {
    await run('test', ['-x', directory], { ...account, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

/** Writes a private file in one step: a start that is killed leaves the old one or the new one. */
async function keep(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function passwordOf(dataDir: string): string {
  return join(dataDir, 'postgres.password');
}

function pointerOf(dataDir: string): string {
  return join(dataDir, 'postgres.location');
}

function ownerOf(directory: string): string {
  return join(directory, 'owner');
}
