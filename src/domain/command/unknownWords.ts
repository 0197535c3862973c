/** What a word is called that fits nowhere before a command is whole. */
import { hasFigure } from './amounts.ts';
import { SMUDGE } from './ignored.ts';
import { FOR, isThanks, NEGATIONS } from './noteWords.ts';
import { type ParseRefusal, refuse } from './result.ts';
import { type Token, wordOf } from './tokens.ts';
import { NUMBER_WORDS, OTHER_CURRENCIES, OTHER_TOKENS, PRONOUNS, unitNamed } from './words.ts';

/** Letters of two scripts in one word, or invisible characters: what is shown is not what is read. */
export function isDisguised(word: string): boolean {
  const raw = word.replaceAll(SMUDGE, '');
  if (
    /\u034f|[\p{Cf}\p{Cc}\p{Co}\p{Cn}\p{Cs}\u2800\u3164\u115f\u1160\uffa0]/u.test(
      raw.replace(/\p{Extended_Pictographic}\u200d/gu, ''),
    )
  )
    return true;
  if (/[\u{1d400}-\u{1d7ff}\u2460-\u24ff]/u.test(raw)) return true;
  return (
    /\p{Script=Latin}/u.test(raw) &&
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(raw)
  );
}

type Before = { hasAmount: boolean; hasPayee: boolean; isReply: boolean };

export function refuseWord(token: Token, { hasAmount, hasPayee, isReply }: Before): ParseRefusal {
  const { raw } = token;
  const word = wordOf(token) || raw.toLowerCase().replace(/[.,;:!]+$/, '');
  if (NEGATIONS.has(word)) return refuse('help');
  if (raw.includes(SMUDGE)) return refuse(hasPayee || isReply ? 'amount_missing' : 'recipient_invalid');
  if (isReply && !hasPayee && PRONOUNS.has(word)) return refuse('recipient_pronoun', raw);
  if (hasFigure(token)) return refuse('amount_invalid', raw);
  if (token.plain === undefined && isDisguised(raw)) return refuse('suspicious_unicode', raw);
  if (OTHER_TOKENS.has(word)) return refuse('unsupported_token', raw);
  if (OTHER_CURRENCIES.has(word)) return refuse('unsupported_currency', raw);
  if (/\.eth$/.test(word) && !hasPayee) return refuse('ens_unsupported', raw);
  if (!hasAmount && (NUMBER_WORDS.has(word) || unitNamed(word) !== undefined)) return refuse('amount_invalid', raw);
  if (word === 'me' && !hasPayee) return refuse('recipient_self', raw);
  if (FOR.has(word) || (isReply && !hasPayee && isThanks(word)))
    return refuse(hasPayee || isReply ? 'amount_missing' : 'recipient_missing');
  if (hasPayee && !hasAmount) return refuse(token.plain === undefined ? 'amount_invalid' : 'amount_missing', raw);
  return refuse('recipient_invalid', raw);
}
