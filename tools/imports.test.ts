// What the pages and the rooms of src/services may import, by our linter's rules in a folder of its own.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../src/root.ts';

const ANSWERS = '../../../src/http/api/escrowAnswers.ts';
const CASES = "import type { Case } from '../../../src/services/operations/cases.ts';\nexport type A = Case;\n";
const ALLOWED = {
  type: `import type { EscrowView } from '${ANSWERS}';\nexport type A = EscrowView;\n`,
  types: `import type { EscrowList, EscrowView } from '${ANSWERS}';\nexport type A = EscrowView | EscrowList;\n`,
  domain: `import { findChain } from '../../../src/domain/chains.ts';\nexport const a = findChain('base');\n`,
  'operator/type': CASES,
};
const REFUSED = {
  value: `import { escrowView } from '${ANSWERS}';\nexport const a = escrowView;\n`,
  mixed: `import { type EscrowView, escrowView } from '${ANSWERS}';\nexport const a = escrowView as unknown as EscrowView;\n`,
  inlineType: `import { type EscrowView } from '${ANSWERS}';\nexport type A = EscrowView;\n`,
  namespace: `import * as answers from '${ANSWERS}';\nexport const a = answers;\n`,
  effect: `import '${ANSWERS}';\n`,
  dynamic: `export const a = import('${ANSWERS}');\n`,
  passedOn: `export { escrowView } from '${ANSWERS}';\n`,
  route: `import type { Route } from '../../../src/http/api/route.ts';\nexport type A = Route;\n`,
  operations: CASES,
  'operator/value': CASES.replace('import type', 'import'),
  service: `import type { EscrowView } from '../../../src/services/escrow/views.ts';\nexport type A = EscrowView;\n`,
};
/** The rooms of src/services, top to bottom. A room imports the rooms above it and the root files. */
const ROOMS = [
  'outgoing',
  'indexer',
  'outbox',
  'accounts',
  'workspaces',
  'spending',
  'webhooks',
  'orders',
  'escrow',
  'sends',
  'bridges',
  'tips',
  'plans',
  'smart',
  'chat',
  'operations',
];
/** Folders of src/services with how many of the rooms a file there may import. */
const FOLDERS = new Map([
  ['.', 0],
  ...ROOMS.map((room, above) => [room, above] as const),
  ['webhooks/egress', ROOMS.indexOf('webhooks')],
  ['orders/payments', ROOMS.indexOf('orders')],
  ['smart/looks', ROOMS.indexOf('smart')],
]);
/** What each importer imports, one a line. */
const IMPORTED = [...ROOMS.map((room) => `${room}/some`), 'events', '../domain/ids', '../context'];
function importsIn(folder: string): string {
  const path = (name: string) => relative(folder, `${name}.ts`).replace(/^(?!\.)/, './');
  return IMPORTED.map((name, at) => `export { some as at${at} } from '${path(name)}';\n`).join('');
}
const importerIn = (folder: string, test = '') => join('src/services', folder, `importer${test}.ts`);

const fileOf = (name: string) => `web/src/${name.includes('/') ? name : `app/${name}`}.ts`;

let folder: string;
/** The linter’s output. */
let said: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ampersat-imports-'));
  for (const file of ['biome.json', 'web/typesOnly.grit']) cpSync(join(ROOT, file), join(folder, file));
  for (const [name, text] of Object.entries({ ...ALLOWED, ...REFUSED })) {
    mkdirSync(dirname(join(folder, fileOf(name))), { recursive: true });
    writeFileSync(join(folder, fileOf(name)), text);
  }
  for (const one of FOLDERS.keys()) {
    mkdirSync(join(folder, 'src/services', one), { recursive: true });
    for (const test of ['', '.test']) writeFileSync(join(folder, importerIn(one, test)), importsIn(one));
  }
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'lint', '--vcs-enabled=false', '--colors=off', '--max-diagnostics=none', 'web', 'src'];
  const done = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch((failed) => failed);
  said = `${done.stdout}${done.stderr}`;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.keys(ALLOWED))('%s: allowed', (name) => {
  expect(said).not.toContain(fileOf(name));
});

test.each(Object.keys(REFUSED))('%s: refused', (name) => {
  expect(said).toMatch(new RegExp(`^${fileOf(name)}:\\d+:\\d+ (plugin|lint/style/noRestrictedImports) `, 'm'));
});

test('every folder of src/services is a room', () => {
  const entries = readdirSync(join(ROOT, 'src/services'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(ROOMS).toEqual(expect.arrayContaining(folders));
});

/** What the linter refuses of the imports of a file. */
function refusedIn(file: string): string[] {
  const pattern = `^${file.replaceAll('.', '\\.')}:(\\d+):\\d+ lint/style/noRestrictedImports `;
  const lines = new Set([...said.matchAll(new RegExp(pattern, 'gm'))].map(([, line]) => Number(line)));
  return IMPORTED.filter((_, at) => lines.has(at + 1));
}

test.each([...FOLDERS])('services/%s: the rooms above it and the root files', (one, above) => {
  const own = `${one.split('/')[0]}/some`;
  const below = ROOMS.slice(above).map((room) => `${room}/some`);
  expect(refusedIn(importerIn(one)).filter((name) => name !== own)).toEqual(below.filter((name) => name !== own));
});

test.each([...FOLDERS.keys()])('services/%s: tests import any room', (one) => {
  expect(refusedIn(importerIn(one, '.test'))).toEqual([]);
});
