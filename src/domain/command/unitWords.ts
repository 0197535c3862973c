/** The word beside a figure: a unit of ours, another money, a measure, or no unit at all. */
import { type ParseRefusal, refuse } from './result.ts';
import { type Token, wordOf } from './tokens.ts';
import { MULTIPLIERS, OTHER_CURRENCIES, OTHER_TOKENS, UNITS, unitNamed } from './words.ts';

export function isUnit(token: Token): boolean {
  const word = wordOf(token);
  return unitNamed(word) !== undefined && !MULTIPLIERS.has(word);
}

/** A unit that may stand before its figure: `USDC 5`, `$ 5`. */
export function isLeadingUnit(token: Token): boolean {
  return isUnit(token) && !/^(?:dollars?|bucks?|cents?|[c¢])$/.test(wordOf(token));
}

/** Any word that names money, a coin or a measure. */
export function isMoneyWord(word: string): boolean {
  return unitNamed(word) !== undefined || OTHER_TOKENS.has(word) || OTHER_CURRENCIES.has(word) || MULTIPLIERS.has(word);
}

/** A word that looks like a unit and is not written like one: other letters, or invisible characters. */
function isDisguised(token: Token): boolean {
  const { raw } = token;
  if (token.plain !== undefined || !/\p{L}/u.test(raw)) return false;
  const isMixed = /\p{Script=Latin}/u.test(raw) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Cf}]/u.test(raw);
  return isMixed || UNITS.has(raw.normalize('NFKC').toLowerCase());
}

/** Why a word behind a figure spoils it: another money or a measure. */
export function refuseUnitWord(token: Token): ParseRefusal | undefined {
  const word = wordOf(token);
  if (MULTIPLIERS.has(word)) return refuse('amount_invalid', token.raw);
  if (OTHER_TOKENS.has(word) || /^\$[a-z]/.test(word)) return refuse('unsupported_token', token.raw);
  if (isDisguised(token)) return refuse('suspicious_unicode', token.raw);
  const isCurrency = OTHER_CURRENCIES.has(word || token.raw.toLowerCase()) || /^(?![$¢])\p{Sc}/u.test(token.raw);
  return isCurrency ? refuse('unsupported_currency', token.raw) : undefined;
}
