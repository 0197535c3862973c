/** The word behind a figure: a unit of ours, another money, a measure, or no unit at all. */
import { type Refusal, refuse } from './result.ts';
import { type Token, wordOf } from './tokens.ts';
import { INTERJECTIONS, MULTIPLIERS, OTHER_CURRENCIES, OTHER_TOKENS, UNITS } from './words.ts';

const KEYWORDS = new Set(['for', 'on', 'to', 'and', 'each']);

export function isUnit(token: Token): boolean {
  const word = wordOf(token);
  return UNITS.has(word) && !MULTIPLIERS.has(word);
}

function isTicker(token: Token): boolean {
  return /^\p{Lu}{2,6}[.,;:!]?$/u.test(token.raw) && !INTERJECTIONS.has(wordOf(token)) && !KEYWORDS.has(token.word);
}

/** A word that looks like a unit and is not written like one: other letters, or signs that nobody sees. */
function isDisguised(token: Token): boolean {
  const { raw } = token;
  if (token.plain !== undefined || !/\p{L}/u.test(raw)) return false;
  const isMixed = /\p{Script=Latin}/u.test(raw) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Cf}]/u.test(raw);
  return isMixed || UNITS.has(raw.normalize('NFKC').toLowerCase());
}

/** Why a word behind a figure spoils it: another money or a measure. Words that shout may be tickers, where no unit was given. */
export function refuseUnitWord(token: Token, hasUnit: boolean): Refusal | undefined {
  const word = wordOf(token);
  if (MULTIPLIERS.has(word)) return refuse('amount_invalid');
  if (OTHER_TOKENS.has(word) || /^\$[a-z]/.test(word)) return refuse('unsupported_token');
  if (isDisguised(token)) return refuse('suspicious_unicode');
  const isCurrency = OTHER_CURRENCIES.has(word || token.raw.toLowerCase()) || /^(?![$¢])\p{Sc}/u.test(token.raw);
  if (isCurrency) return refuse('unsupported_currency');
  return !hasUnit && isTicker(token) ? refuse('unsupported_token') : undefined;
}
