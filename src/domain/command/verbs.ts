/** Recognises the verb of a command, and a verb that somebody meant to type. */
import type { MoneyVerb, PlainVerb } from './result.ts';
import { MONEY_VERBS, ORDER_VERB, PLAIN_VERBS } from './words.ts';

type Verb = { money: MoneyVerb } | { plain: PlainVerb } | { asks: typeof ORDER_VERB };

/** `start` is what Telegram sends when somebody opens the chat with a bot. */
const ALSO_HELP = new Set(['start']);

export function findVerb(word: string): Verb | undefined {
  if (MONEY_VERBS.has(word)) return { money: word as MoneyVerb };
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

/** Whether a word is a verb with a typing mistake: one in a short verb, two in a long one. Other bots have a command `orders`, so that is none. */
export function isMisspeltVerb(word: string): boolean {
  if (word.length < 2 || word.length > 12) return false;
  return [...MONEY_VERBS, ...PLAIN_VERBS].some((verb) => mistakes(word, verb) <= (verb.length <= 5 ? 1 : 2));
}
