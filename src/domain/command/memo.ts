/**
 * The words behind a command. They are kept as the note of the payment, unless they say that it was no order, or another one:
 * a condition, a change of mind, a second command, an amount or a name that could belong to the first.
 */
import { hasFigure, looksLikeAmount } from './amounts.ts';
import { isChain } from './chains.ts';
import { BLOT, SMUDGE } from './ignored.ts';
import { looksLikeRecipient } from './recipients.ts';
import { type MoneyVerb, type Refusal, refuse } from './result.ts';
import { isBlot, type Token } from './tokens.ts';
import { isUnit, refuseUnitWord } from './unitWords.ts';
import {
  AMOUNT_CHANGERS,
  MONEY_VERBS,
  NEGATIONS,
  ORDER_VERB,
  OTHER_CURRENCIES,
  PLAIN_VERBS,
  RETRACTIONS,
  SENTENCE_WORDS,
  UNITS,
} from './words.ts';

const MAX_MEMO = 280;
const NEAR_WORDS = 3;
const MARKS = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]|[\p{Cc}\p{Cs}]/gu;

export type Tail = { tokens: Token[]; isIntroduced: boolean };

type Before = {
  verb: MoneyVerb;
  hasExplicitRecipients: boolean;
  hasAddress: boolean;
  hasUnit: boolean;
  endsOnName: boolean;
};

function bare(token: Token | undefined): string {
  return (token?.word ?? '').replace(/^["'“”‘’(*_-]+|["'“”‘’)*_.,;:!-]+$/g, '');
}

function isSlashVerb(word: string): boolean {
  const name = /^\/([a-z]+)(?:@\w+)?$/.exec(word)?.[1];
  return name !== undefined && (MONEY_VERBS.has(name) || PLAIN_VERBS.has(name) || name === ORDER_VERB);
}

function isSecondCommand(tokens: Token[]): boolean {
  const lastPayable = tokens.findLastIndex((token) => looksLikeRecipient(token) || hasFigure(token));
  return tokens.some((token, index) => {
    const word = bare(token);
    return isSlashVerb(word) || (index < lastPayable && MONEY_VERBS.has(word));
  });
}

/** `5 canadian dollars`: a unit near the figure that is not right behind it. */
function namesUnitNearby(tokens: Token[]): boolean {
  const stop = tokens.findIndex((token) => bare(token) === 'for');
  const near = tokens.slice(0, stop === -1 ? NEAR_WORDS : Math.min(stop, NEAR_WORDS));
  return near.some((token) => {
    const word = bare(token);
    return word.length > 1 && (UNITS.has(word) || (OTHER_CURRENCIES.has(word) && word.length > 3));
  });
}

function refuseFree(tokens: Token[], before: Before): Refusal | undefined {
  const first = bare(tokens[0]);
  const last = bare(tokens.at(-1));
  if (NEGATIONS.has(first) || NEGATIONS.has(last) || SENTENCE_WORDS.has(first)) return refuse('help');
  if (AMOUNT_CHANGERS.has(first) || AMOUNT_CHANGERS.has(tokens[0]?.word ?? '')) return refuse('amount_ambiguous');
  // `5 @bob eth`: the unit of the figure, only later.
  const unit = tokens[0];
  if (before.endsOnName && unit !== undefined && unit.person === undefined) {
    const refusal = isUnit(unit) ? refuse('amount_ambiguous') : refuseUnitWord(unit, before.hasUnit);
    if (refusal !== undefined) return refusal;
  }
  if (first === 'to' && tokens.length === 1) return refuse('recipient_missing');
  if (before.verb === 'split' && first === 'with') return refuse('amount_ambiguous');
  if (first === 'a' && /^(?:day|week|month|year|hour|minute|piece|head|person)$/.test(bare(tokens[1]))) {
    return refuse('amount_ambiguous');
  }
  if (/^[=<>/*+~|\\^→]+$/.test(tokens[0]?.raw ?? '') || /^x[0-9]/.test(first)) return refuse('amount_ambiguous');
  if (first === 'to' && !before.hasExplicitRecipients) return refuse('recipient_invalid');
  // `5 - 2`, `5 sorry 50`: a second figure this near could be the one that was meant.
  const near = tokens[0]?.word === 'for' ? [] : tokens.slice(0, first === 'thanks' ? 1 : 2);
  if (near.some((token) => looksLikeAmount(token))) return refuse('amount_ambiguous');
  return before.hasUnit || !namesUnitNearby(tokens) ? undefined : refuse('amount_ambiguous');
}

/** Why the words behind a command forbid it, if they do. */
export function refuseTail({ tokens, isIntroduced }: Tail, before: Before): Refusal | undefined {
  const words = tokens.filter((token) => !isBlot(token));
  if (words.length === 0) return undefined;
  const said = words.map((token) => token.word || token.raw.toLowerCase()).join(' ');
  if (RETRACTIONS.test(said.replaceAll('’', "'"))) return refuse('help');
  if (isSecondCommand(words)) return refuse('multiple_commands');
  if (!before.hasExplicitRecipients && words.some(looksLikeRecipient)) return refuse('recipient_invalid');
  const chain = bare(words.at(-1));
  const endsOnChain = isChain(chain) && bare(words.at(-2)) === 'on';
  if (before.hasAddress && endsOnChain) return refuse('unsupported_chain');
  return isIntroduced ? undefined : refuseFree(words, before);
}

/** Plain text of at most 280 signs, without code, quotations, control characters and direction marks. */
function cleanMemo(text: string): string | undefined {
  const plain = text.replaceAll(BLOT, ' ').replaceAll(SMUDGE, ' ').replace(MARKS, ' ').replace(/\s+/g, ' ').trim();
  const memo = plain.length > MAX_MEMO ? Array.from(plain).slice(0, MAX_MEMO).join('').trim() : plain;
  return memo === '' ? undefined : memo;
}

export function memoOf(tokens: Token[]): string | undefined {
  const words = tokens.filter((token) => !isBlot(token)).map((token) => token.raw + (token.tail ?? ''));
  return cleanMemo(words.join(' ').replace(/^[-–—:]+ /, ''));
}
