/**
 * Reads the words of a payment, left to right: recipients, amounts with their units, `on` a chain, then a memo. It keeps their order
 * and settles nothing: which amount is whose is decided by the whole sequence, elsewhere.
 */
import { isBotMention } from './addressing.ts';
import { type Amount, hasFigure, looksLikeAmount, readAmount, withUnit } from './amounts.ts';
import { isChain, isNetworkWord, isTestNetworkWord } from './chains.ts';
import { refuseTail, type Tail } from './memo.ts';
import { looksLikeRecipient, type Payee, readRecipient } from './recipients.ts';
import { isRefusal, type MoneyVerb, type Refusal, refuse } from './result.ts';
import type { Scene } from './scene.ts';
import { isBlot, type Token, wordOf } from './tokens.ts';
import { isUnit, refuseUnitWord } from './unitWords.ts';
import { MULTIPLIERS, NEGATIONS, NUMBER_WORDS, OTHER_CURRENCIES, OTHER_TOKENS, UNITS } from './words.ts';

type Item = { payee: Payee; amount?: undefined } | { amount: Amount; payee?: undefined };

export type Sequence = {
  items: Item[];
  chain: string | undefined;
  tail: Tail;
  /** The bot was named right behind the whole command. */
  endsOnBot: boolean;
  isEven: boolean;
  isEach: boolean;
};

type Reader = {
  scene: Scene;
  verb: MoneyVerb;
  tokens: Token[];
  at: number;
  /** Somebody is paid even if nobody is named: the author of the replied-to message. */
  isReply: boolean;
  hasBlot: boolean;
} & Sequence;

const JOINERS = new Set(['and', '&', ',']);
/** More words than any command has: beyond it nothing is worth reading. */
const MAX_ITEMS = 100;
const LINKS = new Set([...JOINERS, 'to']);
const BETWEEN = new Set(['between', 'among', 'amongst']);

function hasPayee(reader: Reader): boolean {
  return reader.items.some((item) => item.payee !== undefined);
}

function hasAmount(reader: Reader): boolean {
  return reader.items.some((item) => item.amount !== undefined);
}

function isComplete(reader: Reader): boolean {
  return hasAmount(reader) && (hasPayee(reader) || reader.isReply);
}

function isNextPayee(reader: Reader, offset: number): boolean {
  const next = reader.tokens[reader.at + offset];
  return next !== undefined && looksLikeRecipient(next);
}

/** Adds the unit behind an amount. A word there that is another money, or a measure, spoils it. */
function readUnit(reader: Reader, amount: Amount): Amount | Refusal {
  const token = reader.tokens[reader.at];
  if (token === undefined || token.person !== undefined) return amount;
  if (isUnit(token)) {
    reader.at += 1;
    return withUnit(amount, wordOf(token));
  }
  return refuseUnitWord(token, amount.unit !== undefined) ?? amount;
}

function takeAmount(reader: Reader, token: Token): Refusal | undefined {
  const next = reader.tokens[reader.at + 1];
  const isListed = next !== undefined && (looksLikeRecipient(next) || JOINERS.has(next.word));
  const figure = readAmount(token, isListed);
  if (isRefusal(figure)) return figure;
  reader.at += 1;
  const amount = readUnit(reader, figure);
  if (isRefusal(amount)) return amount;
  reader.items.push({ amount });
  const word = wordOf(reader.tokens[reader.at]);
  const isMoneyWord = UNITS.has(word) || OTHER_TOKENS.has(word) || OTHER_CURRENCIES.has(word) || MULTIPLIERS.has(word);
  if (isMoneyWord) return refuse('amount_ambiguous');
  if (word === 'each' || word === 'apiece') {
    reader.isEach = true;
    reader.at += 1;
  }
  return undefined;
}

function takePayee(reader: Reader, token: Token): Refusal | undefined {
  const isBehindAmount =
    reader.items.at(-1)?.amount !== undefined && !LINKS.has(reader.tokens[reader.at - 1]?.word ?? '');
  if (isBotMention(reader.scene, token) && isBehindAmount && hasPayee(reader)) {
    // Behind `and` or among the names it would be one of those to be paid.
    reader.endsOnBot = reader.tokens.slice(reader.at + 1).every(isBlot);
    reader.at = reader.tokens.length;
    return reader.endsOnBot ? undefined : refuse('recipient_bot');
  }
  const payee = readRecipient(reader.scene, token);
  if (isRefusal(payee)) return payee;
  if (payee.recipient.by === 'address' && reader.verb !== 'send') return refuse('recipient_invalid');
  reader.items.push({ payee });
  reader.at += 1;
  return undefined;
}

function takeChain(reader: Reader): Refusal | undefined {
  const name = wordOf(reader.tokens[reader.at + 1]);
  if (reader.chain !== undefined || !isChain(name)) return refuse('unsupported_chain');
  reader.chain = name;
  reader.at += 2;
  const word = wordOf(reader.tokens[reader.at]);
  if (isTestNetworkWord(word)) return refuse('unsupported_chain');
  if (isNetworkWord(word)) reader.at += 1;
  return undefined;
}

/** What to call a word that fits nowhere before the command is whole. */
function refuseWord(reader: Reader, token: Token): Refusal {
  const word = wordOf(token);
  if (NEGATIONS.has(word)) return refuse('help');
  if (hasFigure(token)) return refuse('amount_invalid');
  if (token.plain === undefined && /\p{L}|\p{Cf}/u.test(token.raw)) return refuse('suspicious_unicode');
  if (OTHER_TOKENS.has(word)) return refuse('unsupported_token');
  if (OTHER_CURRENCIES.has(word)) return refuse('unsupported_currency');
  if (!hasAmount(reader) && (NUMBER_WORDS.has(word) || UNITS.has(word))) return refuse('amount_invalid');
  if (hasPayee(reader) || reader.isReply) return refuse('amount_missing');
  return refuse(word === 'for' ? 'recipient_missing' : 'recipient_invalid');
}

function takeWord(reader: Reader, token: Token): Refusal | undefined {
  const { word } = token;
  if (word === 'on') return takeChain(reader);
  if (word === 'to' && isNextPayee(reader, 1)) {
    // `@bob to @carol`: whether one of them or both are meant is not said.
    if (hasPayee(reader)) return refuse('amount_ambiguous');
    reader.at += 1;
    return undefined;
  }
  if (BETWEEN.has(word) && reader.verb === 'split' && !hasPayee(reader) && isNextPayee(reader, 1)) {
    reader.at += 1;
    return undefined;
  }
  if ((word === 'evenly' || word === 'equally') && reader.verb === 'split') {
    reader.isEven = true;
    reader.at += 1;
    return undefined;
  }
  const isEach =
    (word === 'each' || word === 'apiece') && reader.verb === 'tip' && hasPayee(reader) && isComplete(reader);
  if (isEach && !reader.isEach && !isNextPayee(reader, 1)) {
    reader.isEach = true;
    reader.at += 1;
    return undefined;
  }
  if (JOINERS.has(word) && hasPayee(reader) && isNextPayee(reader, 1)) {
    reader.at += 1;
    return undefined;
  }
  if (!isComplete(reader)) return refuseWord(reader, token);
  reader.tail = { tokens: reader.tokens.slice(reader.at + (word === 'for' ? 1 : 0)), isIntroduced: word === 'for' };
  reader.at = reader.tokens.length;
  return undefined;
}

function step(reader: Reader, token: Token): Refusal | undefined {
  if (isBlot(token)) {
    reader.hasBlot ||= !isComplete(reader);
    reader.at += 1;
    return undefined;
  }
  if (looksLikeRecipient(token)) return takePayee(reader, token);
  if (looksLikeAmount(token) || /^0x/i.test(token.raw)) return takeAmount(reader, token);
  return takeWord(reader, token);
}

function checkTail(reader: Reader): Refusal | undefined {
  return refuseTail(reader.tail, {
    verb: reader.verb,
    hasExplicitRecipients: hasPayee(reader),
    hasAddress: reader.items.some((item) => item.payee?.recipient.by === 'address'),
    hasUnit: reader.items.some((item) => item.amount?.unit !== undefined),
    endsOnName: reader.items.at(-1)?.payee !== undefined,
  });
}

/** The sequence of a payment's words, or the first reason why it is none. */
export function readSequence(scene: Scene, verb: MoneyVerb, tokens: Token[], isReply: boolean): Sequence | Refusal {
  const reader: Reader = {
    scene,
    verb,
    tokens,
    at: 0,
    isReply,
    hasBlot: false,
    items: [],
    chain: undefined,
    tail: { tokens: [], isIntroduced: false },
    endsOnBot: false,
    isEven: false,
    isEach: false,
  };
  for (let token = tokens[0]; token !== undefined; token = tokens[reader.at]) {
    const refusal = step(reader, token);
    if (refusal !== undefined) return refusal;
    if (reader.items.length > MAX_ITEMS) return refuse('too_many_recipients');
  }
  if (!hasAmount(reader)) return refuse(hasPayee(reader) || reader.isReply ? 'amount_missing' : 'recipient_missing');
  if (!isComplete(reader)) return refuse('recipient_missing');
  // Something stood between the words that is not the sender's own: what it would have said is unknown.
  return reader.hasBlot ? refuse('help') : (checkTail(reader) ?? reader);
}
