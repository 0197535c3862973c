// The texts of refusals and errors: which sentence fits, with which figures, and how to type the command instead.
import { findChain } from '../../src/domain/chains.ts';
import type { Platform } from '../../src/domain/command.ts';
import type { Language } from '../../src/domain/language.ts';
import { MIN_TIP } from '../../src/domain/limits.ts';
import { formatUsd } from '../../src/domain/money.ts';
import type { Refusal } from '../../src/domain/plan.ts';
import type { ErrorData } from '../../src/services/chat/errorReplies.ts';
import { showList } from './amounts.ts';
import { inWords } from './dates.ts';
import { examplesOf } from './examples.ts';
import { isWordId, say, sayWith, type WordId } from './say.ts';

/** Where a text is read. */
export type RefusalPlace = { platform: string };
/** The same with what this deployment serves, as people read it, and the time in Unix milliseconds. */
export type ErrorPlace = RefusalPlace & { chains: string[]; assets: string[]; now: number };

export function unconnectedText(language: Language): string {
  return say(language, 'not-connected');
}

/** One refusal, to the person whose money it was. */
export function refusalText(language: Language, refusal: Refusal, { platform }: RefusalPlace): string {
  switch (refusal.code) {
    case 'sender_not_connected':
      return unconnectedText(language);
    default: {
      // A code without a sentence does not compile.
      const known: WordId = `refusal-${refusal.code}`;
      const id = refusal.code === 'recipient_unknown' && refusal.create ? 'recipient-unknown-hold' : known;
      // An older version may have stored a code that has no sentence today.
      if (!isWordId(id)) return say(language, 'pay-not-sent');
      return sayWith(language, id, { ...examplesOf(language, platform as Platform), ...readable(language, refusal) });
    }
  }
}

/** One error, by the code of the parser or of ingest. */
export function errorText(language: Language, data: ErrorData, place: ErrorPlace): string {
  if (data.code === 'sender_not_connected') return unconnectedText(language);
  const values = {
    ...readable(language, { least: formatUsd(MIN_TIP), chains: place.chains, assets: place.assets }),
    ...examplesOf(language, place.platform as Platform),
  };
  const word = shownWord(data.word);
  if (data.code === 'use_page') return pageText(language, word, place.platform);
  const chain = findChain(data.chain ?? '')?.label;
  if (data.code === 'unsupported_token' && chain)
    return say(language, 'refusal-asset_not_on_chain', { chain, asset: word.toUpperCase() });
  const id = sentenceOf(data.code, word, place.platform);
  if (id === null) return sayWith(language, 'not-understood', values);
  // A server's channels, as Discord shows them by name.
  const where = (data.channels ?? []).map((channel) => `<#${channel}>`).join(', ');
  const when = inWords(language, (data.retryAt ?? place.now) - place.now);
  return sayWith(language, id, { ...values, word, where, when });
}

/** The sentence that says most: with the word at which reading stopped, or in the form of the platform. */
function sentenceOf(code: string, word: string, platform: string): WordId | null {
  const ids = [...(word ? [`error-${code}-word`] : []), `error-${code}-${platform}`, `error-${code}`];
  return ids.find(isWordId) ?? null;
}

const PAGES = ['resume', 'refund', 'settings'] as const;

function pageText(language: Language, word: string, platform: string): string {
  const page = PAGES.find((one) => one === word) ?? 'settings';
  return say(language, `page-${page}`, { there: say(language, platform === 'x' ? 'there-profile' : 'there-button') });
}

const MOST_WORD = 40;

/** What was typed, without signs that are not seen or would turn the text around them. */
function shownWord(word = ''): string {
  const signs = [...word.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()];
  return signs.length <= MOST_WORD ? signs.join('') : `${signs.slice(0, MOST_WORD).join('')}…`;
}

const DOLLARS = new Set(['cap', 'total', 'left', 'least']);
const AMOUNTS = new Set(['have', 'need', 'limit']);

/** Canonical figures as money, and lists in the form of a language. */
function readable(language: Language, values: object): Record<string, unknown> {
  const asset = 'asset' in values ? values.asset : '';
  const form = (name: string, value: unknown) => {
    if (Array.isArray(value)) return showList(language, value.map(String));
    if (DOLLARS.has(name)) return { usd: value };
    return AMOUNTS.has(name) ? { amount: value, asset } : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, form(name, value)]));
}
