// The migrations lead to the schema, as Prisma’s own engine plays them.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../src/root.ts';

test('the migrations and schema.prisma agree', async () => {
  const { stdout } = await promisify(execFile)('node', ['prisma/new-migration.mjs', 'nothing_new'], { cwd: ROOT });
  expect(stdout).toContain('schema.prisma has not changed');
});
