/**
 * Cuts a text into tokens. Blanks separate; zero-width and direction marks at the edge of a token fall away, inside one they
 * stay and make it suspicious. Each token is normalised for itself, and only where one sign becomes one plain sign.
 */
import type { Entities } from './entities.ts';
import { BLOT } from './ignored.ts';
import type { Person } from './input.ts';

export type Token = {
  /** As typed, without marks at its edges. */
  raw: string;
  /** Where it stands in the readable text, UTF-16 units. */
  start: number;
  /** Fullwidth forms as ASCII; undefined when it holds any other character outside ASCII. */
  plain: string | undefined;
  /** `plain` in lower case, or an empty string: what keywords are compared with. */
  word: string;
  /** Telegram: the person behind a name that is no username, and what is glued to the name. */
  person?: Person;
  tail?: string;
  /** The first token of a line that is not the first. */
  startsLine?: true;
};

/** Zero-width characters and direction marks (not overrides): dropped between tokens. */
const MARKS = '\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2060-\\u2064\\ufeff';
const EDGE_MARKS = new RegExp(`^[${MARKS}]+|[${MARKS}]+$`, 'g');
/** Without an emoji before it, a variation selector shows nothing either. */
const UNSEEN = new RegExp(`^[${MARKS}\\ufe0e\\ufe0f]*$`);
/** White space, save U+FEFF, which JavaScript counts among it though it is invisible. */
const BLANK = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const TOKEN = new RegExp(`[^${BLANK}]+`, 'g');
const NEXT_BLANK = new RegExp(`[${BLANK}]`);
const SEPARATES = new RegExp(`[${BLANK}${MARKS}]`);
const PLAIN = /^[\x21-\x7e¢]*$/;
/** Embeddings, overrides and isolates turn the order of what is seen, so that what is shown is not what is read. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/;
const ASCII = /^[\x21-\x7e]*$/;
/**
 * The compatibility forms that are one sign for one sign and look like it: fullwidth forms, mathematical letters and digits,
 * and the fullwidth cent. Superscripts, circled numbers, ligatures and fractions are not among them: `5²` must not become 52.
 */
const ONE_TO_ONE = /^[\x21-\x7e\uff01-\uff5e\uffe0\u{1d400}-\u{1d7ff}¢]+$/u;

/** `5️⃣` and `1️⃣0️⃣`: digits in their emoji form. */
const KEYCAPS = /^(?:[0-9]\ufe0f?\u20e3)+$/;

export function hasOverrides(text: string): boolean {
  return OVERRIDES.test(text);
}

export function isBlot(token: Token): boolean {
  return token.raw.startsWith(BLOT) && token.raw.replaceAll(BLOT, '') === '';
}

function toPlain(raw: string): string | undefined {
  if (ASCII.test(raw)) return raw;
  if (KEYCAPS.test(raw)) return raw.replace(/[\ufe0f\u20e3]/g, '');
  if (!ONE_TO_ONE.test(raw)) return undefined;
  const plain = raw.normalize('NFKC');
  return PLAIN.test(plain) ? plain : undefined;
}

function makeToken(raw: string, start: number): Token {
  const plain = toPlain(raw);
  return { raw, start, plain, word: plain?.toLowerCase() ?? '' };
}

function cut(text: string, from: number, to: number, into: Token[]): void {
  let readTo = from;
  for (const match of text.slice(from, to).matchAll(TOKEN)) {
    const raw = match[0].replace(EDGE_MARKS, '');
    const lead = match[0].indexOf(raw);
    if (UNSEEN.test(raw)) continue;
    const token = makeToken(raw, from + match.index + lead);
    const isLater = into.length > 0 && text.slice(readTo, from + match.index).includes('\n');
    into.push(isLater ? { ...token, startsLine: true } : token);
    readTo = from + match.index + match[0].length;
  }
}

/** Where the glued rest behind a mention ends: at the next blank. */
function endOfTail(text: string, from: number): number {
  const blank = text.slice(from).search(NEXT_BLANK);
  return blank === -1 ? text.length : from + blank;
}

/** All tokens of a masked text, in order. A Telegram text mention is one token, whatever blanks the shown name has. */
export function tokenize(text: string, entities: Entities): Token[] {
  const tokens: Token[] = [];
  let readTo = 0;
  for (const { start, end, person } of entities.people) {
    if (start < readTo || text.slice(start, end).includes(BLOT)) continue;
    cut(text, readTo, start, tokens);
    const isGlued = start > 0 && !SEPARATES.test(text[start - 1] ?? ' ');
    const stop = endOfTail(text, end);
    const tail = (isGlued ? '(' : '') + text.slice(end, stop).replace(EDGE_MARKS, '');
    const raw = text.slice(start, end).trim();
    tokens.push({ raw, start, plain: undefined, word: '', person, tail });
    readTo = stop;
  }
  cut(text, readTo, text.length, tokens);
  return tokens;
}

/** A token made of an option's words, outside any text. */
export function tokenizeWords(text: string): Token[] {
  const tokens: Token[] = [];
  cut(text, 0, text.length, tokens);
  return tokens;
}

/** The keyword of a token, without the punctuation at its end. */
export function wordOf(token: Token | undefined): string {
  return token?.word.replace(/(?:[.,;:]|!{1,3})$/, '') ?? '';
}
