/**
 * Decides whether a note may go with its payment unasked. What introduces it decides first: only where its beginning can be nothing but a note.
 * A condition, a retraction, another amount or another recipient inside it asks in any case.
 */
import { looksLikeAmount } from './amounts.ts';
import { isChain } from './chains.ts';
import { SMUDGE } from './ignored.ts';
import {
  ADDITIONS,
  AMOUNT_CHANGERS,
  CONDITIONS,
  CORRECTIONS,
  DAYS,
  EXPLANATIONS,
  FAREWELLS,
  FOR,
  IDIOMS,
  isThanks,
  MULTIPLES,
  NEGATIONS,
  OTHER_PERSON,
  PERIODS,
  RETRACTIONS,
  SEVERAL,
  STATEMENTS,
  TIMES,
  TIMES_ALONE,
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

/** `for 3 hours of work` */
function isWork(tokens: Token[], at: number): boolean {
  return (
    /^(?:min(?:ute)?|h(?:ou)?r|day|week|month|year)s?$/.test(bare(tokens[at + 1])) && bare(tokens[at + 2]) === 'of'
  );
}

/** Behind `for`, a figure before a thing counts the thing: `for 2 beers`. Elsewhere any figure could be the one that was meant. */
function namesOtherAmount(tokens: Token[], said: string, opening: Opening): boolean {
  if (AMOUNT_CHANGERS.test(said) && !(opening === 'for' && !MULTIPLES.test(said))) return true;
  if (MULTIPLES.test(said) || (opening !== 'for' && MULTIPLIERS.has(wordOf(tokens[0])))) return true;
  return tokens.some((token, at) => {
    const isCorrected = CORRECTIONS.test(wordsBefore(tokens, at));
    if (NUMERALS.has(bare(token))) return isCorrected || (opening !== 'for' && at < 2);
    if (!isFigure(token)) return false;
    if (opening === 'for' && !isCorrected && isWork(tokens, at)) return false;
    if (opening !== 'for' || isCorrected || isMoneyFigure(token, tokens[at + 1])) return true;
    const next = bare(tokens[at + 1]);
    return !/^\p{L}/u.test(next) || NO_THINGS.has(next);
  });
}

/** Words that put a day behind them: `on friday`, `am Freitag`. */
const BEFORE_DAYS = new Set(['on', 'by', 'this', 'am', 'bis', 'ab', 'diesen', 'el', 'este', 'hasta', 'le', 'ce']);

/** @param isLed an emoji stands in front: `🍕 friday pizza` */
function isConditional(said: string, tokens: Token[], opening: Opening, isLed: boolean): boolean {
  if (CONDITIONS.test(said)) return true;
  const first = bare(tokens[0]);
  const isDay =
    (DAYS.has(first) && (!isLed || tokens.length === 1)) || (BEFORE_DAYS.has(first) && DAYS.has(bare(tokens[1])));
  return opening === 'for' ? TIMES_ALONE.test(said) : TIMES.test(said) || isDay;
}

function isTakenBack(said: string, tokens: Token[], opening: Opening): boolean {
  if (RETRACTIONS.test(said)) return true;
  const isNegated = NEGATIONS.has(bare(tokens[0])) || NEGATIONS.has(bare(tokens.at(-1)));
  return opening !== 'for' && isNegated && !IDIOMS.test(said);
}

/** `5 usdc via base` */
const VIA = new Set('via over through using auf über en por sur with'.split(' '));
/** `5 usd in eth` */
const IN_OTHER_MONEY = /^(?:worth|in|of|as|wert|als|en|de|à)(?= )/;

/** `5 usdc on the house` is a note; `5 the house` behind a bare figure is anything. */
function isClear(tokens: Token[], opening: Opening, hasUnit: boolean): boolean {
  const first = tokens[0];
  if (first === undefined) return true;
  const plain = tokens.map(bare).filter((word) => word !== '');
  if (TELLING.test(first.raw) && !hasUnit) return false;
  if (hasUnit && opening === 'none' && ADDITIONS.has(first.raw.toLowerCase())) return isThanksNote(tokens.slice(1));
  if (hasUnit && opening === 'none' && IN_OTHER_MONEY.test(plain.join(' ')) && plain.slice(0, 3).some(isMoneyWord))
    return false;
  if (hasUnit && opening === 'none' && VIA.has(plain[0] ?? '') && isChain(plain[1] ?? '')) return false;
  // `5 usdc base thanks`: the network, or the first word of the note.
  if (hasUnit) return opening !== 'none' || plain.length === 1 || !isChain(plain[0] ?? '');
  if (opening === 'for') return !(plain.length === 1 && isMoneyWord(plain[0] ?? ''));
  if (opening === 'mark' || opening === 'line') return !isMoneyWord(plain[0] ?? '');
  if (startsWithEmoji(first)) return !isMoneyWord(plain[0] ?? '');
  return isThanksNote(tokens) || tokens.every((token) => URL.test(token.raw));
}

/** `thanks for the ride after work` */
function thanksFor(tokens: Token[]): boolean {
  const at = tokens.findIndex((token) => FOR.has(token.word || token.raw.toLowerCase()));
  return at > 0 && at < tokens.length - 1 && isThanksNote(tokens.slice(0, at));
}

/** `to carol`, `carol too`; elsewhere the words are common, so a name has to look like one: `an Carol`, `a Carol`, `lieber Carol`. */
function goesTo([first, second, third]: Token[]): boolean {
  const word = bare(first);
  if (word === 'back' && bare(second) === 'to') return /^\p{L}/u.test(third?.raw ?? '');
  if (third === undefined && /^(?:too|also|auch|también|tambien|aussi)$/.test(bare(second)))
    return /^\p{L}+$/u.test(word) && !/^(?:you|u|me|ich|du|dir|dich|mir|mich|tú|tu|yo|ti|toi|moi)$/.test(word);
  if (word === 'to') return /^\p{L}/u.test(second?.raw ?? '');
  return (
    /^(?:an|a|à|al|plutôt|lieber|mejor|actually|rather|no|nein|non|ou|oder|or|wait)$/.test(word) &&
    /^\p{Lu}\p{Ll}+$/u.test(second?.raw ?? '')
  );
}

/** Thanks and nothing more, emoji aside. */
export function isThanksNote(tokens: Token[]): boolean {
  const words = tokens.map(bare).filter((word) => word !== '');
  return isThanks(words.join(' '));
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
    .replace(FAREWELLS, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const kind = thanksFor(tokens) ? 'for' : opening;
  // An emoji in front hides nothing of what is said.
  const spoken = tokens.slice(
    Math.max(
      0,
      tokens.findIndex((token) => bare(token) !== ''),
    ),
  );
  if (tokens.some(namesPerson)) return 'other_recipient';
  if (isConditional(said, spoken, kind, spoken.length < tokens.length)) return 'conditional';
  if (!isThanksNote(spoken) && namesOtherAmount(spoken, said, kind)) return 'other_amount';
  if (opening === 'for' && PERIODS.test(said)) return 'other_amount';
  if (OTHER_PERSON.test(said) || goesTo(spoken) || (opening === 'for' && SEVERAL.test(said))) return 'other_recipient';
  if (isTakenBack(said, spoken, kind) || tokens.some((token) => /[❌🚫⛔👎🛑]/u.test(token.raw))) return 'conditional';
  if (kind !== 'for' && (STATEMENTS.has(bare(spoken[0])) || EXPLANATIONS.test(said))) return 'sentence';
  if (opening === 'for' && /^(?:example|instance)$/.test(said)) return 'sentence';
  if (opening === 'sign') return 'separator';
  if (tokens.some((token) => token.raw.includes(SMUDGE))) return 'note_unclear';
  return isClear(tokens, opening, hasUnit) ? undefined : 'note_unclear';
}
