// The words behind `/react` and `/leaderboard`: settings of one's own, read literally. What is not exactly one of the few forms changes nothing.
import { type MicroUsd, parseUnits } from './money.ts';

export type ReactionWish = { kind: 'show' | 'off' | 'unclear' } | { kind: 'set'; emoji: string; micros: MicroUsd };
export type LeaderboardWish = 'show' | 'on' | 'off' | 'unclear';

/** `/react`, `/react off`, `/react 👍 1`: the emoji first, then an amount in USDC with a point and without a sign. */
export function readReactionWish(text: string): ReactionWish {
  const words = wordsBehind(text, 'react');
  if (words === null) return { kind: 'unclear' };
  if (words.length === 0) return { kind: 'show' };
  if (words.length === 1 && words[0]?.toLowerCase() === 'off') return { kind: 'off' };
  const [shown = '', figure = '', unit, ...more] = words;
  const emoji = plainEmoji(shown);
  const typed = /^\$?(\d{1,4}(?:\.\d{1,6})?)$/.exec(figure)?.[1];
  const isUnit = unit === undefined || (!figure.startsWith('$') && /^(?:usdc|usd)$/i.test(unit));
  const micros = parseUnits(typed ?? '', 6);
  if (emoji === null || micros === null || !isUnit || more.length > 0) return { kind: 'unclear' };
  return { kind: 'set', emoji, micros };
}

/** `/leaderboard`, `/leaderboard on`, `/leaderboard off`. */
export function readLeaderboardWish(text: string): LeaderboardWish {
  const words = wordsBehind(text, 'leaderboard')?.map((word) => word.toLowerCase());
  if (words === undefined || words.length > 1) return 'unclear';
  const [word = 'show'] = words;
  return word === 'show' || word === 'on' || word === 'off' ? word : 'unclear';
}

/** One emoji without the marks that only change how it looks (its style, a skin tone): platforms leave them out. Null for anything else. */
export function plainEmoji(text: string): string | null {
  const plain = text.replaceAll(/[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu, '');
  const [first, second] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(plain);
  const isOne = first !== undefined && second === undefined && plain.length <= 16;
  return isOne && /\p{Extended_Pictographic}/u.test(plain) ? plain : null;
}

/** What follows the one slash command of that name; empty when it was meant without a slash, null when it stands there twice. */
function wordsBehind(text: string, verb: string): string[] | null {
  const words = text.trim().split(/\s+/u);
  const isVerb = (word: string) => new RegExp(`^/${verb}(?:@\\w+)?$`, 'i').test(word);
  const at = words.findIndex(isVerb);
  if (at === -1) return [];
  return words.findLastIndex(isVerb) === at ? words.slice(at + 1) : null;
}
