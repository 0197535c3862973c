/** What a note begins with: the words and signs that introduce one, and those that only separate. */
import { FOR } from './noteWords.ts';
import type { Token } from './tokens.ts';
import { isMoneyWord } from './unitWords.ts';

/** `mark`: a comma, dash, semicolon or colon. `sign`: any other sign that separates. `none`: nothing introduces it. */
export type Opening = 'for' | 'mark' | 'line' | 'sign' | 'none';

const MARK = /^[,;:\-–—]+$/;
const SIGN = /^(?:[|/\\+=*~>→•·]|[-=]>|=|->)+$/;
/** Joiners, selectors and keycaps only belong to an emoji: alone they are none. */
const EMOJI =
  /^(?=.*(?:[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]|<\/?3))(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\u200d\ufe0e\ufe0f\u20e3]|<\/?3+|[!.…]+)+$/u;
const CUSTOM_EMOJI = /^<a?:(\w{2,32}):\d{1,20}>$/;

export function isMark(token: Token): boolean {
  return token.person === undefined && MARK.test(token.raw);
}

export function isSign(token: Token): boolean {
  return token.person === undefined && SIGN.test(token.raw);
}

/** An emoji and nothing else; one of Discord's own is named by who made it, so its name may not be money. */
export function startsWithEmoji(token: Token): boolean {
  if (token.person !== undefined) return false;
  const name = CUSTOM_EMOJI.exec(token.raw)?.[1]?.toLowerCase();
  if (name !== undefined) return !isMoneyWord(name) && !/[0-9]/.test(name);
  return EMOJI.test(token.raw);
}

export function isCustomEmoji(token: Token): boolean {
  return CUSTOM_EMOJI.test(token.raw);
}

/** How a note opens, and the note without what only opens it. @param isClosed a comma, semicolon or colon ended the word before it */
export function openNote(tokens: Token[], isClosed: boolean): { opening: Opening; note: Token[] } {
  const [first, ...rest] = tokens;
  // French puts a blank before it: `5 !`
  if (first === undefined || (rest.length === 0 && /^(?:!{1,3}|\.)$/.test(first.raw)))
    return { opening: 'none', note: [] };
  const isPlease = first.word === 'por' && rest[0]?.word.startsWith('favor');
  if (!isPlease && FOR.has(first.word || first.raw.toLowerCase())) return { opening: 'for', note: rest };
  if (isMark(first))
    return openNote(rest, true).opening === 'for' ? openNote(rest, true) : { opening: 'mark', note: rest };
  if (isSign(first)) return { opening: 'sign', note: rest };
  if (isClosed || /^[:;,–—-](?![0-9$.,])/.test(first.raw)) return { opening: 'mark', note: tokens };
  return { opening: first.startsLine ? 'line' : 'none', note: tokens };
}
