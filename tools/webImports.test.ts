// What the pages may import of the service: the domain, and the types of answers. The linter runs in a folder of its own, with our rules.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'lint', '--vcs-enabled=false', '--colors=off', '--max-diagnostics=200', 'web'];
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
