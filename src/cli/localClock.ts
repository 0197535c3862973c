// `ampersat clock`: read or move the clock of the local stack: its chains and processes together.
import type { Command } from 'commander';
import { withApi } from './api.ts';
import { onlyLocal } from './connection.ts';
import { type LocalPeople, localPersonOf } from './localPeople.ts';
import { type Shell, writeResult } from './shell.ts';

type Clock = { object: 'clock'; now: string };

export function addClock(program: Command, shell: Shell): void {
  program
    .command('clock')
    .description('Show or move the clock of the local stack, for subscriptions and deadlines')
    .option('--advance <time>', 'Move it forward: 31d, 12h, 90m; it never moves back')
    .addHelpText(
      'after',
      `
Chains, processes and local platforms move together, and what becomes due is done at once.

Examples:
  ampersat clock
  ampersat clock --advance 31d`,
    )
    .action(({ advance }: { advance?: string }, command: Command) =>
      withApi(shell, command, async ({ connection: { local } }) => {
        const { file, account } = onlyLocal('clock', local);
        const clock = await callClock(file, account, advance);
        writeResult(shell, clock, ({ now }) => now);
      }),
    );
}

/** Moves the clock of a local stack by a time such as `31d`, or reads it. @throws AmpersatError with the stack's error */
export function callClock(people: LocalPeople, account: string, advance?: string): Promise<Clock> {
  const person = localPersonOf(people, account);
  return advance === undefined
    ? person.call<Clock>('GET', '/_local/clock')
    : person.call<Clock>('POST', '/_local/clock', { advance });
}
