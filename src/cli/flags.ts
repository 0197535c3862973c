// What several commands read from their flags. A value that cannot be meant is wrong usage, before anything is called.
import { InvalidArgumentError, Option } from 'commander';
import type { Order } from '../../sdk/index.ts';
import { canonicalChain } from '../domain/chains.ts';

const STATUSES = [
  'awaiting_payment',
  'processing',
  'completed',
  'expired',
  'cancelled',
] as const satisfies Order['status'][];
const CHAINS = ['base', 'bsc', 'ink', 'celo', 'solana', 'base-sepolia'] as const satisfies Order['chain'][];

/** An ID, in full or as tables show it. */
export function idFlag(text: string): string {
  if (!/^\w{1,100}$/.test(text)) throw new InvalidArgumentError('Not a valid ID.');
  return text;
}

export function readHash(text: string): string {
  if (!/^(0x[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/i.test(text))
    throw new InvalidArgumentError('Must be a transaction hash: 0x and 64 digits, or a signature of Solana.');
  return text;
}

export function amountFlag(text: string): string {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('Must be a decimal number, such as 25.00.');
  return text;
}

export function wholeNumber({ least, most }: { least: number; most: number }) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`);
    return value;
  };
}

/** Collects `key=value`, as often as it is given. */
export function readPair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Must be key=value.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

export function readList(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** Each page of a list has at most a hundred. */
export const limitOption = (what = 'results') =>
  new Option('--limit <count>', `Maximum number of ${what}`)
    .default(20)
    .argParser(wholeNumber({ least: 1, most: 10_000 }));

export const metadataOption = (about = 'Key-value pair to attach; repeat for more') =>
  new Option('--metadata <key=value>', about).argParser(readPair);

export const chainOption = (about = 'Network') =>
  new Option('--chain <name>', about).choices(CHAINS).argParser(readChain);

function readChain(text: string): string {
  const name = canonicalChain(text);
  if (!CHAINS.some((known) => known === name))
    throw new InvalidArgumentError(`Allowed choices are ${CHAINS.join(', ')}.`);
  return name;
}

export const statusOption = () => new Option('--status <status>', 'Only orders in this status').choices(STATUSES);

export const idempotencyOption = (what: string) =>
  new Option('--idempotency-key <key>', `Safe retry key: repeating the command won’t create a second ${what}`);

/** The first ones of a list that may go on for long. */
export async function firstOf<T>(all: AsyncIterable<T>, count: number): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) {
    found.push(one);
    if (found.length >= count) break;
  }
  return found;
}
