// Processor time of the stack by part: what a tip costs, whatever else this machine does meanwhile. Linux only.
import { readFileSync } from 'node:fs';
import type { Stack } from '../local/stack/stack.ts';
import { stackProcesses } from './processes.ts';

/** Milliseconds by part. */
export type CpuTimes = Record<string, number>;

const MS_PER_TICK = 10;

export function cpuTimes(stack: Stack, extra: Record<string, number> = {}): CpuTimes {
  const times: CpuTimes = {};
  for (const { pid, part } of stackProcesses(stack, extra)) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      times[part] = (times[part] ?? 0) + (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
    } catch {
      // It ended.
    }
  }
  return times;
}

export function cpuSince(before: CpuTimes, stack: Stack, extra: Record<string, number> = {}): CpuTimes {
  return Object.fromEntries(
    Object.entries(cpuTimes(stack, extra)).map(([part, ms]) => [part, ms - (before[part] ?? 0)]),
  );
}
