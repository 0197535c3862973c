/**
 * Reads the words of a payment, left to right: recipients, amounts with their units, `on` a chain, then a note. It keeps their order
 * and settles nothing: which amount is whose is decided by the whole sequence, elsewhere.
 */
import { isBotMention } from './addressing.ts';
import { type Amount, looksLikeAmount, readAmount, withUnit } from './amounts.ts';
import { chainNamed, isChain, isNetworkWord, isTestNetworkWord } from './chains.ts';
import { doubtAbout, isThanksNote } from './doubts.ts';
import { refuseTail } from './memo.ts';
import { DAYS, OTHER_NETWORKS } from './noteWords.ts';
import { isCustomEmoji, isMark, isSign, type Opening, openNote, startsWithEmoji } from './openings.ts';
import { looksLikeRecipient, type ParsedPayee, readRecipient } from './recipients.ts';
import { type ConfirmReason, isRefusal, type MoneyVerb, type ParseRefusal, refuse } from './result.ts';
import type { Scene } from './scene.ts';
import { isBlot, type Token, wordOf } from './tokens.ts';
import { isLeadingUnit, isMoneyWord, isUnit, refuseUnitWord } from './unitWords.ts';
import { refuseWord } from './unknownWords.ts';
import { MULTIPLIERS } from './words.ts';

type Item = { payee: ParsedPayee; amount?: undefined } | { amount: Amount; payee?: undefined };

export type Sequence = {
  items: Item[];
  chain: string | undefined;
  note: Token[];
  opening: Opening;
  /** Why it has to be shown before it is sent. */
  doubt: ConfirmReason | undefined;
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
  /** The default recipient is the author of the replied-to message. */
  isReply: boolean;
  hasBlot: boolean;
  /** A comma, semicolon or colon ended the word before. */
  isClosed: boolean;
} & Sequence;

const JOINERS = new Set(['and', '&', ',']);
/** More words than any command has: beyond it nothing is worth reading. */
const MAX_ITEMS = 100;
const LINKS = new Set([...JOINERS, 'to']);
/** Behind these `on` names no network: `on the house`, `on me`. */
const NO_NETWORK = new Set([
  'the',
  'my',
  'me',
  'your',
  'his',
  'her',
  'our',
  'us',
  'this',
  'that',
  'behalf',
  'it',
  'a',
  'top',
  'time',
  'condition',
  'second',
  'hold',
  'purpose',
  'delivery',
  'completion',
  'arrival',
  'success',
  'receipt',
  'acceptance',
]);
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

/** `5 usdc celo`: the last word of all names the network, where it is exactly its name. */
function endsOnChain({ tokens, at, chain }: Reader, amount: Amount): boolean {
  const isLast = tokens.slice(at + 1).every(isBlot);
  return amount.unit !== undefined && !amount.isClosed && isLast && chain === undefined && isChain(wordOf(tokens[at]));
}

/** Adds the unit behind an amount. A word there that is another money, or a measure, spoils it. */
function readUnit(reader: Reader, amount: Amount): Amount | ParseRefusal {
  const token = reader.tokens[reader.at];
  if (token === undefined || token.person !== undefined || amount.isClosed || endsOnChain(reader, amount))
    return amount;
  const isUsDollar = token.word === 'us' && /^dollars?$/.test(wordOf(reader.tokens[reader.at + 1]));
  if (isUsDollar || isUnit(token)) {
    reader.at += isUsDollar ? 2 : 1;
    const unit = withUnit(amount, isUsDollar ? 'usd' : wordOf(token));
    return isRefusal(unit) || !/[,;:]$/.test(token.raw) ? unit : { ...unit, isClosed: true };
  }
  return refuseUnitWord(token) ?? amount;
}

/** `1 000`: a thousand, or one and a note. */
function isGroupedByBlank(token: Token, next: Token | undefined): boolean {
  return /^\$?[1-9][0-9]{0,2}$/.test(token.word) && /^[0-9]{3}(?![0-9])/.test(next?.word ?? '');
}

/** `5 each`; `5 each week` is another amount. */
function isEachWord({ tokens, at }: Reader): boolean {
  const word = wordOf(tokens[at]);
  if (word !== 'each' && word !== 'apiece') return false;
  const next = tokens[at + 1];
  if (next === undefined || isBlot(next) || /[,;:]$/.test(tokens[at]?.raw ?? '')) return true;
  return (
    looksLikeRecipient(next) ||
    next.word === 'on' ||
    next.word === 'to' ||
    next.word === 'between' ||
    openNote([next], false).opening !== 'none' ||
    startsWithEmoji(next) ||
    isThanksNote(tokens.slice(at + 1))
  );
}

/** @param leading the unit word that stood before the figure */
function takeAmount(reader: Reader, token: Token, leading?: Token): ParseRefusal | undefined {
  const next = reader.tokens[reader.at + 1];
  if (isGroupedByBlank(token, next)) return refuse('amount_invalid', `${token.raw} ${next?.raw ?? ''}`);
  if (/^\$[a-z]/.test(token.word) && next !== undefined && looksLikeAmount(next))
    return refuse('unsupported_token', token.raw);
  const figure = readAmount(token);
  if (isRefusal(figure)) return figure;
  reader.at += 1;
  const led = leading === undefined ? figure : withUnit(figure, wordOf(leading));
  const amount = isRefusal(led) ? led : readUnit(reader, led);
  if (isRefusal(amount)) return amount;
  reader.items.push({ amount });
  reader.isClosed = amount.isClosed === true;
  const rest = reader.tokens[reader.at];
  const word = wordOf(rest);
  if (endsOnChain(reader, amount)) {
    reader.chain = word;
    reader.at += 1;
    return undefined;
  }
  // Behind its unit a figure may still be multiplied, which the note asks about; other money contradicts it.
  if (!reader.isClosed && isMoneyWord(word) && !MULTIPLIERS.has(word)) return refuse('amount_ambiguous', rest?.raw);
  if (isEachWord(reader)) {
    reader.isEach = true;
    reader.at += 1;
  }
  return undefined;
}

function takePayee(reader: Reader, token: Token): ParseRefusal | undefined {
  const isBehindAmount =
    reader.items.at(-1)?.amount !== undefined && !LINKS.has(reader.tokens[reader.at - 1]?.word ?? '');
  if (isBotMention(reader.scene, token) && isBehindAmount && hasPayee(reader)) {
    // Behind `and` or among the names it would be one of those to be paid.
    reader.endsOnBot = reader.tokens.slice(reader.at + 1).every(isBlot);
    reader.at = reader.tokens.length;
    return reader.endsOnBot ? undefined : refuse('recipient_bot', token.raw);
  }
  const payee = readRecipient(reader.scene, token);
  if (isRefusal(payee)) return payee;
  if (payee.recipient.by === 'address' && reader.verb !== 'send') return refuse('address_in_tip', token.raw);
  reader.items.push({ payee });
  reader.isClosed = /[,;:]$/.test(token.tail ?? token.raw);
  reader.at += 1;
  return undefined;
}

function takeChain(reader: Reader): ParseRefusal | undefined {
  const token = reader.tokens[reader.at + 1];
  const typed = wordOf(token);
  const name = chainNamed(typed);
  if (
    name === undefined &&
    isComplete(reader) &&
    !OTHER_NETWORKS.has(typed) &&
    (NO_NETWORK.has(typed) || DAYS.has(typed))
  ) {
    takeNote(reader);
    return undefined;
  }
  if (reader.chain !== undefined || name === undefined) return refuse('unsupported_chain', token?.raw ?? 'on');
  reader.chain = name;
  reader.isClosed = /[,;:]$/.test(token?.raw ?? '');
  reader.at += 2;
  for (let next = reader.tokens[reader.at]; next !== undefined && !reader.isClosed; next = reader.tokens[reader.at]) {
    if (isTestNetworkWord(wordOf(next))) return refuse('unsupported_chain', `${typed} ${next.raw}`);
    if (!isNetworkWord(wordOf(next))) break;
    reader.isClosed = /[,;:]$/.test(next.raw);
    reader.at += 1;
  }
  return undefined;
}

/** All that is left is the note. */
function takeNote(reader: Reader): void {
  Object.assign(reader, openNote(reader.tokens.slice(reader.at), reader.isClosed));
  reader.at = reader.tokens.length;
}

function takeWord(reader: Reader, token: Token): ParseRefusal | undefined {
  const { word } = token;
  if (word === 'on') return takeChain(reader);
  if (word === 'to' && isNextPayee(reader, 1)) {
    // `@bob to @carol`: whether one of them or both are meant is not said.
    if (hasPayee(reader)) return refuse('amount_ambiguous', token.raw);
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
  const isEach = isEachWord(reader) && reader.verb === 'tip' && hasPayee(reader) && isComplete(reader);
  if (isEach && !reader.isEach && !isNextPayee(reader, 1)) {
    reader.isEach = true;
    reader.at += 1;
    return undefined;
  }
  if (JOINERS.has(word) && hasPayee(reader) && isNextPayee(reader, 1)) {
    reader.at += 1;
    return undefined;
  }
  if (isComplete(reader)) {
    takeNote(reader);
    return undefined;
  }
  // `tip @bob - 5`: what a sign between the words separates is clear only to who typed it.
  const isNoise = isMark(token) || isSign(token) || startsWithEmoji(token);
  if (!isNoise) {
    const next = reader.tokens[reader.at + 1];
    // `send 5 to bob`: the name is what cannot be read.
    const unread = word === 'to' && next !== undefined && !looksLikeAmount(next) && !isBlot(next) ? next : token;
    return refuseWord(unread, { hasAmount: hasAmount(reader), hasPayee: hasPayee(reader), isReply: reader.isReply });
  }
  reader.doubt ??= startsWithEmoji(token) ? 'note_unclear' : 'separator';
  reader.at += 1;
  return undefined;
}

/** A second figure right behind a whole command belongs to its note: `5 10`, `5 usdc 3`. */
function isSecondFigure(reader: Reader): boolean {
  return reader.verb !== 'split' && isComplete(reader) && reader.items.at(-1)?.amount !== undefined;
}

function step(reader: Reader, token: Token): ParseRefusal | undefined {
  if (isBlot(token)) {
    reader.hasBlot ||= !isComplete(reader);
    reader.at += 1;
    return undefined;
  }
  if (isMark(token) || isSign(token) || isCustomEmoji(token)) return takeWord(reader, token);
  if (looksLikeRecipient(token)) return takePayee(reader, token);
  const next = reader.tokens[reader.at + 1];
  if (isLeadingUnit(token) && next !== undefined && looksLikeAmount(next) && !isSecondFigure(reader)) {
    reader.at += 1;
    return takeAmount(reader, next, token);
  }
  const isFigure = looksLikeAmount(token) || /^0x/i.test(token.raw);
  if (isFigure && isSecondFigure(reader)) {
    takeNote(reader);
    return undefined;
  }
  return isFigure ? takeAmount(reader, token) : takeWord(reader, token);
}

/** Why the note forbids the command, or asks about it. */
function checkNote(reader: Reader): ParseRefusal | undefined {
  const hasUnit = reader.items.some((item) => item.amount?.unit !== undefined);
  const refusal = refuseTail(reader.note, {
    endsOnName: reader.items.at(-1)?.payee !== undefined && reader.opening === 'none',
  });
  if (refusal !== undefined) return refusal;
  const spoken = reader.note.filter((token) => !isBotMention(reader.scene, token));
  const addressed = reader.items.some((item) => item.payee?.recipient.by === 'address');
  // `with carol` would be one more to share with.
  const sharesWith =
    reader.verb === 'split' && /^(?:with|mit|con|avec)$/.test(wordOf(spoken[0])) ? 'note_unclear' : undefined;
  reader.doubt ??=
    doubtAbout(spoken, reader.opening, hasUnit) ?? sharesWith ?? (addressed ? chainInNote(spoken) : undefined);
  return undefined;
}

/** `0x… 5 for rent on base`: an address is paid on a chain, and this one stands inside the note. */
function chainInNote(note: Token[]): ConfirmReason | undefined {
  const isNamed = note.some((token, at) => token.word === 'on' && chainNamed(wordOf(note[at + 1])) !== undefined);
  return isNamed ? 'note_unclear' : undefined;
}

/** The sequence of a payment's words, or the first reason why it is none. */
export function readSequence(
  scene: Scene,
  verb: MoneyVerb,
  tokens: Token[],
  isReply: boolean,
): Sequence | ParseRefusal {
  const reader: Reader = {
    scene,
    verb,
    tokens,
    at: 0,
    isReply,
    hasBlot: false,
    isClosed: false,
    items: [],
    chain: undefined,
    note: [],
    opening: 'none',
    doubt: undefined,
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
  return reader.hasBlot ? refuse('help') : (checkNote(reader) ?? reader);
}
