/** Recognises the verb of a command, and its typos. */
import type { MoneyVerb, PlainVerb } from './result.ts';
import { MONEY_VERBS, ORDER_VERB, PLAIN_VERBS, SEND_VERBS } from './words.ts';

type Verb = { money: MoneyVerb } | { plain: PlainVerb } | { asks: typeof ORDER_VERB };

/** `start` is what Telegram sends when a user opens the chat with a bot. */
const ALSO_HELP = new Set(['start']);

export function findVerb(word: string): Verb | undefined {
  if (MONEY_VERBS.has(word)) return { money: word as MoneyVerb };
  if (SEND_VERBS.has(word)) return { money: 'send' };
  if (word === ORDER_VERB) return { asks: ORDER_VERB };
  if (PLAIN_VERBS.has(word)) return { plain: word as PlainVerb };
  return ALSO_HELP.has(word) ? { plain: 'help' } : undefined;
}

/** Typing mistakes between two words: letters added, lost, changed, or swapped with their neighbour. */
function mistakes(one: string, other: string): number {
  const rows: number[][] = Array.from({ length: one.length + 1 }, (_, row) => [row]);
  for (let column = 1; column <= other.length; column += 1) rows[0]?.push(column);
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row += 1) {
    for (let column = 1; column <= other.length; column += 1) {
      const isChanged = one[row - 1] !== other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const edits = [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (isChanged ? 1 : 0)];
      if (isSwapped) edits.push(at(row - 2, column - 2) + 1);
      rows[row]?.push(Math.min(...edits));
    }
  }
  return at(one.length, other.length);
}

/** Words of their own that are a letter away from a verb: other bots have commands of these names. */
const OTHER_WORDS = new Set(
  'top ip trip end tap zip rip dip lip hip vip sip tim tie tin tips lend bend mend spend sand seed sell seen self spin spit spot'.split(
    ' ',
  ),
);

/** One mistake in a short verb, two in a long one. */
function isNear(word: string, verb: string): boolean {
  return /^[a-z]{2,12}$/.test(word) && mistakes(word, verb) <= (verb.length <= 5 ? 1 : 2);
}

/** The verb that moves money and was probably meant. @param isCertain other bots may have been meant as well, so real words do not count */
export function nearestMoneyVerb(word: string, isCertain: boolean): MoneyVerb | undefined {
  if (isCertain && OTHER_WORDS.has(word)) return undefined;
  return [...MONEY_VERBS].find((verb) => isNear(word, verb)) as MoneyVerb | undefined;
}

/** Whether a word is a verb that moves no money, with a typing mistake. */
export function isMisspeltVerb(word: string): boolean {
  return [...PLAIN_VERBS].some((verb) => isNear(word, verb));
}
