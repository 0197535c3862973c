// `npm run bench`: how fast and how large the main job is, as a table and as JSON lines. Every ratio compares two things measured in this run.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '../local/stack.ts';
import { measureMemory } from './memory.ts';
import { measureParser } from './parser.ts';
import { measureTips } from './tips.ts';

export type Row = { name: string; value: number; unit: string; baseline?: number; ratio?: number; note?: string };

const rows: Row[] = [];
function report(row: Row): void {
  rows.push(row);
  process.stdout.write(`${JSON.stringify(row)}\n`);
}

const folder = mkdtempSync(join(tmpdir(), 'ampersat-bench-'));
chmodSync(folder, 0o711);
const options = {
  dataDir: folder,
  port: 0,
  chains: ['base', 'base-sepolia'] as ['base', 'base-sepolia'],
  fresh: false,
};
try {
  report(await measureParser());
  const first = await startStack(options);
  await first.stop();
  const started = performance.now();
  const stack = await startStack(options);
  try {
    report({
      name: 'start of the whole stack, warm',
      value: round((performance.now() - started) / 1_000),
      unit: 's',
      note: 'goal below 10',
    });
    for (const row of await measureTips(stack)) report(row);
    report(await measureMemory(stack));
  } finally {
    await stack.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

process.stdout.write('\n');
for (const { name, value, unit, baseline, ratio, note } of rows) {
  const compared = baseline === undefined ? '' : `  (baseline ${baseline} ${unit}, ratio ${ratio})`;
  process.stdout.write(
    `${name.padEnd(58)} ${String(value).padStart(10)} ${unit}${compared}${note ? `  ${note}` : ''}\n`,
  );
}
process.exit(0);
