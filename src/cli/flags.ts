// What several commands read from their flags. A value that cannot be meant is wrong usage, before anything is called.
import { InvalidArgumentError, Option } from 'commander';

/** An id, as it stands in an address. */
export function readId(text: string): string {
  if (!/^\w{1,100}$/.test(text)) throw new InvalidArgumentError('It is no id.');
  return text;
}

export function wholeNumber({ least, most }: { least: number; most: number }) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
    return value;
  };
}

/** Collects `key=value`, as often as it is given. */
export function readPair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It is key=value.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

export function readList(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** How many of a list are asked for; each page has at most a hundred of them. */
export const limitOption = () =>
  new Option('--limit <count>', 'how many at most, newest first')
    .default(20)
    .argParser(wholeNumber({ least: 1, most: 10_000 }));

export const metadataOption = () =>
  new Option('--metadata <key=value>', 'your own note on it; may be given several times').argParser(readPair);

/** The first ones of a list that may go on for long. */
export async function firstOf<T>(all: AsyncIterable<T>, count: number): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) {
    found.push(one);
    if (found.length >= count) break;
  }
  return found;
}
