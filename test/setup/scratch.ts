// Where a run of the tests writes: into memory where there is room, because a database is copied there in a tenth of the time.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { isAlive } from '../../local/stack/processes.ts';

const MEMORY = '/dev/shm';
/** A run writes about a quarter of it. */
const ROOM_BYTES = 4 * 1024 ** 3;
const PREFIX = 'ampersat-tests-';
const FOLDER = new RegExp(`^${PREFIX}(\\d+)-`);

/**
 * Makes one folder for everything that this process and its children write to the place for temporary files, and makes it that place.
 * @returns what removes it with all that is left in it
 */
export function openScratch(): () => void {
  const parent = hasRoom() ? MEMORY : tmpdir();
  forgetKilledRuns(parent);
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // PostgreSQL never runs as root, and its account has to get through.
  chmodSync(folder, 0o711);
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** Files there are memory of this machine, so both have to have the room. */
function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES && process.availableMemory() >= ROOM_BYTES;
}

/** A run that was killed could not remove its folder, and in memory it would stay until the machine ends. */
function forgetKilledRuns(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = FOLDER.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
  }
}
