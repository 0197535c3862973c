// What the three verbs that move money have in common: some recipients, and what each of them gets.
import type { Command, SplitCommand, TransferCommand } from './command.ts';

export type PaymentCommand = TransferCommand | SplitCommand;

export function isPayment(command: Command): command is PaymentCommand {
  return command.kind === 'tip' || command.kind === 'send' || command.kind === 'split';
}

const MICRO = 1_000_000;

/** What the recipient at a place gets, as a decimal string in the command's unit. The parts of a split add up to its total exactly. */
export function shareOf(command: PaymentCommand, place: number): string {
  if (command.kind !== 'split') return command.amount;
  const micro = command.shares_micro[place];
  if (micro === undefined) throw new RangeError(`a split has no part number ${place}`);
  return `${Math.floor(micro / MICRO)}.${String(micro % MICRO).padStart(6, '0')}`;
}

const DAY_MS = 24 * 3_600_000;

/** Whole days between two times in Unix milliseconds, one at least: for how long money is kept. */
export function daysBetween(from: number, to: number): number {
  return Math.max(1, Math.round((to - from) / DAY_MS));
}
