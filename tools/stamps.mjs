// What was built from what: a step is done again only when one of its inputs changed. Node's own modules only.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');
const STAMPS = join(ROOT, 'dist', 'stamps');

function hash(paths) {
  const sum = createHash('sha256');
  const add = (path) => {
    const full = join(ROOT, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const entry of readdirSync(full).sort())
        if (entry !== 'dist' && entry !== 'node_modules' && !/\.(tgz|test\.ts)$/.test(entry)) add(join(path, entry));
    } else sum.update(path).update(readFileSync(full));
  };
  paths.forEach(add);
  return sum.digest('hex');
}

/** Whether a step has to run: its output is missing, or its inputs (files and folders below the root) are not those of the last time. */
export function isStale(name, inputs, output) {
  const stamp = join(STAMPS, name);
  return !existsSync(join(ROOT, output)) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash(inputs);
}

/** Notes that a step is done for its inputs as they are now. */
export function setStamp(name, inputs) {
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(join(STAMPS, name), hash(inputs));
}
