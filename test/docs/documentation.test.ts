// docs/operations.md against the code: every variable, metric, alert and command that there is, and none that is not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALERTS } from '../../src/domain/alerts.ts';
import { ENV_NAMES } from '../../src/env.ts';
import { COUNTED, FIGURES } from '../../src/metrics.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const found = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();

test('it has every variable, and none that is not read', () => {
  const rows = text
    .split('\n')
    .filter((line) => /^\| `[A-Z]/.test(line))
    .map((line) => line.split('|')[1] ?? '');
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([A-Z_<>]+)`/g)].map(([, name = '']) => name)).sort();
  expect(named).toEqual([...ENV_NAMES, 'RPC_URL_<CHAIN>', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD'].sort());
});

test('it has every metric as the code has it', () => {
  for (const [name, { type, labels, help }] of Object.entries({ ...FIGURES, ...COUNTED })) {
    const cells = labels.map((label) => `\`${label}\``).join(', ') || '–';
    expect(text).toContain(`| \`${name}\` | ${type} | ${cells} | ${help} |`);
  }
  const known = new Set([...Object.keys(FIGURES), ...Object.keys(COUNTED)]);
  const used = found(/\b(ampersat_[a-z_]+)/g).map((name) => name.replace(/_(bucket|sum|count)$/, ''));
  for (const name of used) expect(known, name).toContain(name);
});

test('it has every alert with the advice that the page gives', () => {
  expect(found(/^### `([a-z_]+)`/gm)).toEqual(Object.keys(ALERTS).sort());
  for (const [kind, { title, advice }] of Object.entries(ALERTS))
    expect(text).toContain(`### \`${kind}\`: ${title}\n${advice}`);
});
