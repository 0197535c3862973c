// Memory of the whole stack, by part. Linux only.
import { readFileSync } from 'node:fs';
import type { Stack } from '../local/stack/stack.ts';
import type { Row } from './main.ts';
import { stackProcesses } from './processes.ts';

export function measureMemory(stack: Stack): Row {
  const parts = new Map<string, number>();
  for (const { pid, part } of stackProcesses(stack)) {
    try {
      // Proportional set size counts shared pages once, which PostgreSQL has many of.
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      parts.set(part, (parts.get(part) ?? 0) + Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0));
    } catch {
      // A process that ended while we looked has no memory.
    }
  }
  const megabytes = (kilobytes: number) => Math.round(kilobytes / 1_024);
  return {
    name: 'memory of the whole stack',
    value: megabytes([...parts.values()].reduce((sum, kilobytes) => sum + kilobytes, 0)),
    unit: 'MB',
    note: `goal below 1,500; ${[...parts].map(([part, kilobytes]) => `${part} ${megabytes(kilobytes)}`).join(', ')}`,
  };
}
