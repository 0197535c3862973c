#!/usr/bin/env node
// The Solidity compiler as forge calls it (`--version`, `--standard-json`), on the WebAssembly build from npm: nothing is
// downloaded, and every machine compiles with the same compiler.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const solc = createRequire(import.meta.url)('solc');
const args = process.argv.slice(2);

/** Answers an import from the folders that forge names, in their order. */
function readSource(path) {
  const roots = args.flatMap((arg, i) => (arg === '--base-path' || arg === '--include-path' ? [args[i + 1]] : []));
  for (const root of roots) {
    try {
      return { contents: readFileSync(resolve(root, path), 'utf8') };
    } catch {
      // Not in this folder: the next one may have it.
    }
  }
  return { error: `File not found: ${path}` };
}

if (args.includes('--version')) {
  // Forge knows the native builds by their platform suffix only.
  const version = solc.version().replace('Emscripten.clang', 'Linux.g++');
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`);
} else if (args.includes('--standard-json')) {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8'), { import: readSource }));
} else {
  process.stderr.write('This wrapper knows --version and --standard-json.\n');
  process.exitCode = 1;
}
