// Resident memory of the stack: this process, ours below it, the chains and the database server. Linux only.
import { readdirSync, readFileSync } from 'node:fs';
import type { Stack } from '../local/stack.ts';
import type { Row } from './main.ts';

export async function measureMemory(stack: Stack): Promise<Row> {
  const parents = new Map<number, { parent: number; pages: number }>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      // Proportional set size counts shared pages once, which PostgreSQL has many of.
      const rollup = readFileSync(`/proc/${entry}/smaps_rollup`, 'utf8');
      parents.set(Number(entry), { parent, pages: Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) });
    } catch {
      // A process that ended while we looked has no memory.
    }
  }
  const ours = new Set([process.pid, ...Object.values(stack.children).map((child) => child.pid())]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, { parent }] of parents) {
      if (ours.has(pid) || !ours.has(parent)) continue;
      ours.add(pid);
      grown = true;
    }
  }
  const kilobytes = [...ours].reduce((sum, pid) => sum + (parents.get(pid)?.pages ?? 0), 0);
  return {
    name: 'memory of the whole stack',
    value: Math.round(kilobytes / 1_024),
    unit: 'MB',
    note: 'goal below 1,500',
  };
}
