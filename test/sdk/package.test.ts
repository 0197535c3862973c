// The package of the SDK as programs of other people have it: strict TypeScript takes its types, and Node runs it without a compiler.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../src/root.ts';

const PROGRAM = `
import { AmpersatError, type AmpersatEvent, createAmpersat, type Order, webhooks } from '@ampersat/sdk';

const { orders } = createAmpersat({ apiKey: 'sk_test_x', baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
export const carts = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const order of orders.all({ status: 'completed' })) found.push(order.metadata['cart'] ?? '');
  return found;
};
export function paid(event: AmpersatEvent): Order | null {
  return event.type === 'order.completed' ? event.data.object.order : null;
}
// @ts-expect-error An amount is text.
const refused = orders.create({ amount: 25, chain: 'base' });
try {
  await refused;
} catch (error) {
  console.log(error instanceof AmpersatError, (error as Error).message, Object.keys(webhooks).join());
}
`;

let folder: string;
const tsc = (...args: string[]) =>
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ampersat-package-'));
  const installed = join(folder, 'node_modules/@ampersat/sdk');
  mkdirSync(installed, { recursive: true });
  // What `npm pack` does and packs, without judging the sources once more.
  tsc('-p', join(ROOT, 'sdk'), '--noCheck', '--outDir', join(installed, 'dist'));
  cpSync(join(ROOT, 'sdk/package.json'), join(installed, 'package.json'));
  mkdirSync(join(folder, 'node_modules/@types'));
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a program in strict TypeScript compiles against it and then runs as plain JavaScript', () => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'till.ts'), PROGRAM);
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', types: ['node'], skipLibCheck: true };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['till.ts'] }));
  tsc('-p', '.');
  const said = execFileSync(process.execPath, ['till.js'], { cwd: folder, encoding: 'utf8' });
  expect(said).toBe('false Could not connect to http://127.0.0.1:1. constructEvent,verifyStandard\n');
});
