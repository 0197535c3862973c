/**
 * Decides whether a note may go with its payment unasked. What introduces it decides first: only where its beginning can be nothing but a note.
 * A condition, a retraction, another amount or another recipient inside it asks in any case.
 */
import { looksLikeAmount } from './amounts.ts';
import { isChain } from './chains.ts';
import { SMUDGE } from './ignored.ts';
import {
  AMOUNT_CHANGERS,
  CONDITIONS,
  CORRECTIONS,
  DAYS,
  IDIOMS,
  isThanks,
  MULTIPLES,
  NEGATIONS,
  OTHER_PERSON,
  RETRACTIONS,
  STATEMENTS,
  TIMES,
} from './noteWords.ts';
import { type Opening, startsWithEmoji } from './openings.ts';
import { looksLikeRecipient } from './recipients.ts';
import type { ConfirmReason } from './result.ts';
import { isBlot, type Token, wordOf } from './tokens.ts';
import { isMoneyWord } from './unitWords.ts';
import { MULTIPLIERS, NUMERALS } from './words.ts';

/** Emoji that stand for money, a figure, a no, or a time. */
const TELLING = /[⭐🌟💫🪙💎💵💶💷💴💲💰💳🏧💯🔟❌🚫⛔👎🛑✖➕➖➗✋⏳⌛⏰🕐-🕧🎲🔄🔁🇦-🇿]|[0-9]\ufe0f?\u20e3/u;
const URL = /^https?:\/\/\S+$/i;

function bare(token: Token | undefined): string {
  const word = token === undefined ? '' : token.word || token.raw.toLowerCase();
  return word.replace(/^[^\p{L}\p{N}$€£¥¢%]+|[^\p{L}\p{N}$€£¥¢%]+$/gu, '');
}

/** A token that names a person or an address; a link does not. */
function namesPerson(token: Token): boolean {
  return looksLikeRecipient(token) && !URL.test(token.raw);
}

function isFigure(token: Token): boolean {
  if (token.person !== undefined || URL.test(token.raw)) return false;
  return looksLikeAmount(token) || (/^x?\p{N}/u.test(bare(token)) && !/^<\/?3+$/.test(token.word));
}

function isMoneyFigure(token: Token, next: Token | undefined): boolean {
  if (!isFigure(token)) return false;
  return /[\p{Sc}%]|[0-9](?:k|m|usdc?|eur|c)$/iu.test(bare(token)) || isMoneyWord(bare(next));
}

function wordsBefore(tokens: Token[], at: number): string {
  return `${tokens
    .slice(Math.max(0, at - 3), at)
    .map((token) => token.word || token.raw.toLowerCase())
    .join(' ')} `;
}

/** No thing can be counted by these: `lunch and 10 for dinner`. */
const NO_THINGS = new Set(
  'for für fuer por pour to on and or in at is as by from with of extra more instead rather please pls total each und oder y o et ou statt mehr más'.split(
    ' ',
  ),
);

/** Behind `for`, a figure before a thing counts the thing: `for 2 beers`. Elsewhere any figure could be the one that was meant. */
function namesOtherAmount(tokens: Token[], said: string, opening: Opening): boolean {
  if (AMOUNT_CHANGERS.test(said) && !(opening === 'for' && !MULTIPLES.test(said))) return true;
  if (MULTIPLES.test(said) || (opening !== 'for' && MULTIPLIERS.has(wordOf(tokens[0])))) return true;
  return tokens.some((token, at) => {
    const isCorrected = CORRECTIONS.test(wordsBefore(tokens, at));
    if (NUMERALS.has(bare(token))) return isCorrected || (opening !== 'for' && at < 2);
    if (!isFigure(token)) return false;
    if (opening !== 'for' || isCorrected || isMoneyFigure(token, tokens[at + 1])) return true;
    const next = bare(tokens[at + 1]);
    return !/^\p{L}/u.test(next) || NO_THINGS.has(next);
  });
}

/** Words that put a day behind them: `on friday`, `am Freitag`. */
const BEFORE_DAYS = new Set(['on', 'by', 'am', 'bis', 'el', 'hasta', 'le']);

function isConditional(said: string, tokens: Token[], opening: Opening): boolean {
  if (CONDITIONS.test(said)) return true;
  const first = bare(tokens[0]);
  const isDay = DAYS.has(first) || (BEFORE_DAYS.has(first) && DAYS.has(bare(tokens[1])));
  return opening !== 'for' && (TIMES.test(said) || isDay);
}

function isTakenBack(said: string, tokens: Token[], opening: Opening): boolean {
  if (RETRACTIONS.test(said) || tokens.some((token) => /[❌🚫⛔👎🛑]/u.test(token.raw))) return true;
  const isNegated = NEGATIONS.has(bare(tokens[0])) || NEGATIONS.has(bare(tokens.at(-1)));
  return opening !== 'for' && isNegated && !IDIOMS.test(said);
}

/** `5 usdc on the house` is a note; `5 the house` behind a bare figure is anything. */
function isClear(tokens: Token[], opening: Opening, hasUnit: boolean): boolean {
  const first = tokens[0];
  if (first === undefined) return true;
  const plain = tokens.map(bare).filter((word) => word !== '');
  if (TELLING.test(first.raw) && !hasUnit) return false;
  // `5 usdc base thanks`: the network, or the first word of the note.
  if (hasUnit) return opening !== 'none' || plain.length === 1 || !isChain(plain[0] ?? '');
  if (opening === 'for') return !(plain.length === 1 && isMoneyWord(plain[0] ?? ''));
  if (opening === 'mark' || opening === 'line') return !isMoneyWord(plain[0] ?? '');
  if (startsWithEmoji(first)) return !isMoneyWord(plain[0] ?? '');
  return isThanks(plain.join(' ')) || tokens.every((token) => URL.test(token.raw));
}

/** Why a note has to be shown before it goes out with its payment; undefined when nothing in it is in doubt. */
export function doubtAbout(note: Token[], opening: Opening, hasUnit: boolean): ConfirmReason | undefined {
  const tokens = note.filter((token) => !isBlot(token));
  if (tokens.length === 0) return opening === 'sign' ? 'separator' : undefined;
  const said = tokens
    .map((token) => token.word || token.raw.toLowerCase())
    .join(' ')
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}\s'/$€£%.-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (tokens.some(namesPerson)) return 'other_recipient';
  if (isConditional(said, tokens, opening)) return 'conditional';
  if (namesOtherAmount(tokens, said, opening)) return 'other_amount';
  if (OTHER_PERSON.test(said) || /^to \p{L}/u.test(said)) return 'other_recipient';
  if (isTakenBack(said, tokens, opening)) return 'conditional';
  if (opening !== 'for' && STATEMENTS.has(bare(tokens[0]))) return 'sentence';
  if (opening === 'sign') return 'separator';
  if (tokens.some((token) => token.raw.includes(SMUDGE))) return 'note_unclear';
  return isClear(tokens, opening, hasUnit) ? undefined : 'note_unclear';
}
