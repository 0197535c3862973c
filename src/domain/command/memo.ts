/** The words behind a command as the note of its payment: what forbids the payment in them, and the note as it is kept. */
import { hasFigure } from './amounts.ts';
import { BLOT, SMUDGE } from './ignored.ts';
import { looksLikeRecipient } from './recipients.ts';
import { type ParseRefusal, refuse } from './result.ts';
import { isBlot, type Token } from './tokens.ts';
import { isUnit, refuseUnitWord } from './unitWords.ts';
import { MONEY_VERBS, ORDER_VERB, PLAIN_VERBS } from './words.ts';

const MAX_MEMO = 280;
const MARKS = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]|[\p{Cc}\p{Cs}]/gu;

function bare(token: Token): string {
  return token.word.replace(/^["'“”‘’(*_-]+|["'“”‘’)*_.,;:!-]+$/g, '');
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

/** Why the words behind a command forbid it, if they do. @param endsOnName the figure stood before the names: `5 @bob eth` */
export function refuseTail(note: Token[], { endsOnName }: { endsOnName: boolean }): ParseRefusal | undefined {
  const words = note.filter((token) => !isBlot(token));
  const [first] = words;
  if (first === undefined) return undefined;
  if (isSecondCommand(words)) return refuse('multiple_commands');
  if (!endsOnName || first.person !== undefined) return undefined;
  return isUnit(first) ? refuse('amount_ambiguous', first.raw) : refuseUnitWord(first);
}

/** Plain text of at most 280 signs, without code, quotations, control characters and direction marks. */
function cleanMemo(text: string): string | undefined {
  const plain = text.replaceAll(BLOT, ' ').replaceAll(SMUDGE, ' ').replace(MARKS, ' ').replace(/\s+/g, ' ').trim();
  const memo = plain.length > MAX_MEMO ? Array.from(plain).slice(0, MAX_MEMO).join('').trim() : plain;
  return memo === '' ? undefined : memo;
}

export function memoOf(tokens: Token[]): string | undefined {
  const words = tokens.filter((token) => !isBlot(token)).map((token) => token.raw + (token.tail ?? ''));
  return cleanMemo(words.join(' ').replace(/^[-–—:;,]+(?=\s|\p{L}{2})(?!\w+:)\s*/u, ''));
}
