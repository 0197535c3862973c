// The processes of a running stack by what they are: this one, ours below it, the chains and the database server. Linux only.
import { readdirSync, readFileSync } from 'node:fs';
import type { Stack } from '../local/stack/stack.ts';

export type Member = { pid: number; part: string };

type Known = { parent: number; command: string };

/** @param extra processes that the stack uses and did not start, such as a Redis */
export function stackProcesses(stack: Stack, extra: Record<string, number> = {}): Member[] {
  const all = new Map<number, Known>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const command = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      all.set(Number(entry), { parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), command });
    } catch {
      // A process that ended while we looked is no part of it.
    }
  }
  const parts = new Map<number, string>([[process.pid, 'local servers and this bench']]);
  for (const [name, child] of Object.entries(stack.children)) parts.set(child.pid(), name);
  for (const [name, pid] of Object.entries(extra)) parts.set(pid, name);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, { parent, command }] of all) {
      const above = parts.get(parent);
      if (parts.has(pid) || above === undefined) continue;
      parts.set(pid, parent === process.pid ? command : above);
      grown = true;
    }
  }
  return [...parts].map(([pid, part]) => ({ pid, part }));
}
