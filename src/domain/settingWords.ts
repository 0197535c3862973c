// The words behind `/react`, `/leaderboard`, `/plan`, `/deposit` and `/withdraw`: settings and forms of one's own. What is not exactly one of the few forms changes nothing.
import type { MoneyPage } from './command/words.ts';
import { type MicroUsd, parseUnits } from './money.ts';

export type ReactionWish = { kind: 'show' | 'off' | 'unclear' } | { kind: 'set'; emoji: string; micros: MicroUsd };
export type LeaderboardWish = 'show' | 'on' | 'off' | 'unclear';

/** `/react`, `/react off`, `/react 👍 1`: the emoji first, then an amount in USDC with a point and without a sign. */
export function readReactionWish(text: string): ReactionWish {
  const words = wordsBehind(text, 'react');
  if (words === null) return { kind: 'unclear' };
  if (words.length === 0) return { kind: 'show' };
  if (words.length === 1 && words[0]?.toLowerCase() === 'off') return { kind: 'off' };
  const [shown = '', figure = '', unit, ...more] = words;
  const emoji = plainEmoji(shown);
  const typed = /^\$?(\d{1,4}(?:\.\d{1,6})?)$/.exec(figure)?.[1];
  const isUnit = unit === undefined || (!figure.startsWith('$') && /^(?:usdc|usd)$/i.test(unit));
  const micros = parseUnits(typed ?? '', 6);
  if (emoji === null || micros === null || !isUnit || more.length > 0) return { kind: 'unclear' };
  return { kind: 'set', emoji, micros };
}

/** `/leaderboard`, `/leaderboard on`, `/leaderboard off`. */
export function readLeaderboardWish(text: string): LeaderboardWish {
  const words = wordsBehind(text, 'leaderboard')?.map((word) => word.toLowerCase());
  if (words === undefined || words.length > 1) return 'unclear';
  const [word = 'show'] = words;
  return word === 'show' || word === 'on' || word === 'off' ? word : 'unclear';
}

/** What a form of a plan is filled with; amount in USDC, period in seconds. */
export type PlanWish = { name?: string; amount?: string; period?: number };

const DAY_S = 86_400;
const PERIOD_WORDS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ day: 1, days: 1, daily: 1, tag: 1, täglich: 1, día: 1, diario: 1 },
    ...{ week: 7, weeks: 7, weekly: 7, woche: 7, wöchentlich: 7, semana: 7, semanal: 7 },
    ...{ month: 30, months: 30, monthly: 30, monat: 30, monatlich: 30, mes: 30, mensual: 30 },
    ...{ quarter: 91, quarterly: 91, quartal: 91, trimestre: 91 },
    ...{ year: 365, years: 365, yearly: 365, annually: 365, jahr: 365, jährlich: 365, año: 365, anual: 365 },
  }).map(([word, days]) => [word, days * DAY_S]),
);
const BETWEEN = new Set([
  'per',
  'every',
  'each',
  'a',
  'an',
  'usdc',
  'usd',
  'pro',
  'jede',
  'jeden',
  'im',
  'al',
  'por',
  'cada',
  '/',
]);
const PLAN_NAME_MOST = 80;

/** `/plan Supporters 5 monthly`: a name, then an amount, then how often. It fills a form, so what is missing is left to that. */
export function readPlanWish(text: string): PlanWish {
  const words = (wordsBehind(text, 'plan') ?? []).flatMap((word) => word.split('/').filter((part) => part !== ''));
  let end = words.length;
  const wish: PlanWish = {};
  const period = PERIOD_WORDS.get(words[end - 1]?.toLowerCase() ?? '');
  if (period !== undefined) {
    wish.period = period;
    end -= 1;
  }
  while (end > 0 && BETWEEN.has(words[end - 1]?.toLowerCase() ?? '')) end -= 1;
  const amount = /^\$?(\d{1,7}(?:[.,]\d{1,6})?)$/.exec(words[end - 1] ?? '')?.[1];
  if (amount !== undefined) {
    wish.amount = amount.replace(',', '.');
    end -= 1;
  } else if (period === undefined) end = words.length;
  const name = Array.from(words.slice(0, end).join(' ')).slice(0, PLAN_NAME_MOST).join('').trim();
  if (name !== '') wish.name = name;
  return wish;
}

/** What the form behind `/deposit` and `/withdraw` is filled with; `to` as the page reads it: a handle, an address, or `telegram:name`. */
export type MoneyWish = { amount?: string; to?: string };

/** `/withdraw 5 @bob`, `/withdraw 0x… 20`, `/deposit 10`. It fills a form, so what is not understood is left to that. */
export function readMoneyWish(text: string, verb: MoneyPage, platform: string): MoneyWish {
  const wish: MoneyWish = {};
  for (const word of wordsBehind(text, verb) ?? []) {
    const amount = /^\$?(\d{1,7}(?:[.,]\d{1,6})?)$/.exec(word)?.[1];
    const to = recipientIn(word, platform);
    if (amount !== undefined) wish.amount ??= amount.replace(',', '.');
    else if (to !== null) wish.to ??= to;
  }
  return wish;
}

/** A name with @ alone is one of the platform where it was typed, never a handle. */
function recipientIn(word: string, platform: string): string | null {
  if (/^0x[0-9a-f]{40}$/i.test(word)) return word;
  const handle = /^@?([a-z0-9_]{3,30})@ampersat$/i.exec(word)?.[1];
  if (handle !== undefined) return handle.toLowerCase();
  const name = /^@([a-z0-9_.]{1,32})$/i.exec(word)?.[1];
  return name === undefined ? null : `${platform}:${name.toLowerCase()}`;
}

/** One emoji without the marks that only change how it looks (its style, a skin tone): platforms leave them out. Null for anything else. */
export function plainEmoji(text: string): string | null {
  const plain = text.replaceAll(/[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu, '');
  const [first, second] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(plain);
  const isOne = first !== undefined && second === undefined && plain.length <= 16;
  return isOne && /\p{Extended_Pictographic}/u.test(plain) ? plain : null;
}

/** What follows the one slash command of that name; empty when it was meant without a slash, null when it stands there twice. */
function wordsBehind(text: string, verb: string): string[] | null {
  const words = text.trim().split(/\s+/u);
  const isVerb = (word: string) => new RegExp(`^/${verb}(?:@\\w+)?$`, 'i').test(word);
  const at = words.findIndex(isVerb);
  if (at === -1) return [];
  return words.findLastIndex(isVerb) === at ? words.slice(at + 1) : null;
}
