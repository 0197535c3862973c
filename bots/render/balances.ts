// Renders what connected people ask about their own account: balances, limits, history, their page.
import type { Ctx } from '../../src/context.ts';
import type { Platform } from '../../src/domain/command.ts';
import type { Language } from '../../src/domain/language.ts';
import { ownPageUrl } from '../../src/services/orders/handlePages/address.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import { type LimitsView, limitsOf, personOf } from '../../src/services/spending/chatAccount.ts';
import { type ChainHoldings, type Holdings, holdingsOf, type Total } from '../../src/services/spending/holdings.ts';
import { type HistoryLine, listHistory } from '../../src/services/tips/history.ts';
import type { Rendered } from '../adapter.ts';
import { showList, showMoney } from './amounts.ts';
import { ago } from './dates.ts';
import { examplesOf } from './examples.ts';
import { pageUrl, plain, type RenderContext } from './message.ts';
import { unconnectedText } from './refusals.ts';
import { remediesOf } from './remedies.ts';
import { say } from './say.ts';

const HISTORY_LINES = 10;

type Personal = DueReply<'balance' | 'history' | 'limits' | 'connected' | 'me' | 'deposit' | 'withdraw'>;
type Person = NonNullable<Awaited<ReturnType<typeof personOf>>>;

/** Renders for a connected account, and tells others how to connect. */
function personal(
  textOf: (ctx: Ctx, person: Person, context: RenderContext, reply: Personal) => Promise<string | Rendered>,
) {
  return async (ctx: Ctx, reply: Personal, context: RenderContext): Promise<Rendered> => {
    const { adapter, language } = context;
    const person = await personOf(ctx, reply.platform, reply.data.userId);
    if (person) {
      const answer = await textOf(ctx, person, context, reply);
      return typeof answer === 'string' ? plain(answer) : answer;
    }
    return plain(unconnectedText(language), remediesOf(ctx, adapter, language, { code: 'sender_not_connected' }));
  };
}

export const renderConnected = personal(async (_, { slug }, { language }) =>
  say(language, 'link-connected-already', { handle: slug }),
);

/** The address as text, so that it can be sent on, or where the page is switched on. */
export const renderMe = personal(async (ctx, person, { language }) => {
  const url = await ownPageUrl(ctx, person);
  if (url !== null) return say(language, 'me-page', { url });
  const button = { label: say(language, 'button-page'), url: pageUrl(ctx, '/settings/page') };
  return plain(say(language, 'me-off', { handle: person.slug }), [[button]]);
});

export const renderDeposit = moneyPage('/receive', 'deposit');
export const renderWithdraw = moneyPage('/send', 'withdraw');

/** The page on which it happens, with its form filled by what was typed. */
function moneyPage(path: string, verb: 'deposit' | 'withdraw') {
  return personal(async (ctx, _person, { language }, { data }) => {
    const url = new URL(pageUrl(ctx, path));
    for (const name of ['to', 'amount'] as const) {
      const value = name in data ? (data as Record<string, unknown>)[name] : undefined;
      if (typeof value === 'string') url.searchParams.set(name, value);
    }
    return plain(say(language, `${verb}-page`), [[{ label: say(language, `button-${verb}`), url: url.href }]]);
  });
}

export const renderBalance = personal(async (ctx, person, { language }) =>
  balanceText(language, person.slug, await holdingsOf(ctx, person.places)),
);

export const renderLimits = personal(async (ctx, person, { language }, reply) =>
  limitsText(language, await limitsOf(ctx, person, reply.platform, reply.data.userId)),
);

export const renderHistory = personal(async (ctx, { handleId }, { adapter, language }) => {
  const { lines } = await listHistory(ctx, handleId, {}, { limit: HISTORY_LINES });
  return historyText(language, lines, ctx.clock.now(), adapter.platform as Platform);
});

function balanceText(language: Language, handle: string, { live, test, chains }: Holdings): string {
  return [
    say(language, 'balance-title', { handle }),
    ...(live ? totalLines(language, 'balance-total', live) : []),
    ...(test ? totalLines(language, live ? 'balance-total-test' : 'balance-total', test) : []),
    ...chains.flatMap((chain) => chainLines(language, chain)),
  ].join('\n');
}

function totalLines(language: Language, key: 'balance-total' | 'balance-total-test', total: Total): string[] {
  const missing = [...total.unreachable, ...total.unpriced];
  const sum = say(language, key, { total: { usd: total.total_usd } });
  return missing.length === 0 ? [sum] : [sum, say(language, 'balance-without', { what: showList(language, missing) })];
}

function chainLines(language: Language, { label: chain, unreachable, holdings }: ChainHoldings): string[] {
  if (unreachable) return [say(language, 'balance-away', { chain })];
  return holdings.map(({ kind, amount, asset }) => {
    const held = { chain, amount: { amount, asset } };
    return kind === 'wrapped'
      ? say(language, 'balance-line-wrapped', { ...held, asset })
      : say(language, 'balance-line', held);
  });
}

function limitsText(language: Language, view: LimitsView): string {
  return [
    ...(view.paused_at === null ? [] : [say(language, 'limits-paused')]),
    say(language, 'limits-commands', { open: view.tips_left_this_hour, all: view.tips_per_hour }),
    say(language, 'limits-caps', {
      perCommand: { usd: view.command_cap },
      perDay: { usd: view.day_cap },
      spent: { usd: view.spent_24h_usd },
    }),
    ...view.chains.flatMap((chain) => limitLines(language, chain)),
  ].join('\n');
}

function limitLines(language: Language, chain: LimitsView['chains'][number]): string[] {
  if (chain.unreachable) return [say(language, 'limits-away', { chain: chain.label })];
  const name = chain.paused ? say(language, 'limits-chain-paused', { chain: chain.label }) : chain.label;
  return chain.tokens.map(({ asset, ...token }) => {
    const sum = (amount: string) => ({ amount, asset });
    return say(language, 'limits-line', {
      chain: name,
      perTip: sum(token.per_tip),
      left: sum(token.left_24h),
      perDay: sum(token.per_day),
      allowance: token.allowance === null ? say(language, 'limits-no-end') : showMoney(language, sum(token.allowance)),
    });
  });
}

function historyText(language: Language, lines: HistoryLine[], now: number, platform: Platform): string {
  if (lines.length === 0) return say(language, 'history-none', { tip: examplesOf(language, platform).tip });
  return [say(language, 'history-title'), ...lines.map((line) => historyLine(language, line, now))].join('\n');
}

function historyLine(language: Language, line: HistoryLine, now: number): string {
  const { direction, amount, asset, counterparty, status } = line;
  return [
    say(language, `history-${direction}`, { amount: { amount, asset }, counterparty }),
    ago(language, now - Date.parse(line.at)),
    ...(status === 'final' ? [] : [say(language, `history-status-${status}`)]),
  ].join(' · ');
}
