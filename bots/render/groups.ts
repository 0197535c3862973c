// Renders what concerns a group: tips by reaction, the leaderboard, and the total under a message.
import type { Ctx } from '../../src/context.ts';
import type { Language } from '../../src/domain/language.ts';
import { type Leaderboard, type LeaderboardOutcome, leaderboardOf } from '../../src/services/chat/leaderboard.ts';
import { type ReactionOutcome, type ReactionSetting, reactionSetting } from '../../src/services/chat/reactions.ts';
import type { DueReply } from '../../src/services/outbox/due.ts';
import { type ThreadTotal, threadTotal } from '../../src/services/tips/threads.ts';
import type { Rendered } from '../adapter.ts';
import { plain, type RenderContext, spendingButton } from './message.ts';
import { say } from './say.ts';

export async function renderReact(
  ctx: Ctx,
  reply: DueReply<'react'>,
  { adapter, language }: RenderContext,
): Promise<Rendered> {
  const { userId, outcome, cap = '' } = reply.data;
  const setting = await reactionSetting(ctx, reply.platform, userId);
  const text = reactText(language, outcome, setting, cap, adapter.platform);
  return plain(text, outcome === 'receive_only' ? [[spendingButton(ctx, language)]] : []);
}

export async function renderLeaderboard(
  ctx: Ctx,
  reply: DueReply<'leaderboard'>,
  { language }: RenderContext,
): Promise<Rendered> {
  const board = await leaderboardOf(ctx, reply.platform, reply.chatId);
  return plain(leaderboardText(language, reply.data.outcome, board));
}

export async function renderThreadTotal(
  ctx: Ctx,
  reply: DueReply<'thread_total'>,
  { language }: RenderContext,
): Promise<Rendered> {
  return plain(threadText(language, await threadTotal(ctx, reply.data.thread)));
}

/** The outcome of a `/react`, and the setting as it is now. */
function reactText(
  language: Language,
  outcome: ReactionOutcome,
  setting: ReactionSetting | null,
  cap: string,
  platform: string,
): string {
  const isDiscord = platform === 'discord';
  const on = say(language, isDiscord ? 'type-react-discord' : 'type-react-telegram');
  const off = say(language, isDiscord ? 'type-react-off-discord' : 'type-react-off-telegram');
  const state = setting
    ? say(language, 'react-on', { emoji: setting.emoji, amount: { amount: setting.amount, asset: 'USDC' }, off })
    : say(language, 'react-off', { on });
  const where = isDiscord ? 'discord-react-where' : 'react-where';
  return [outcomeText(language, outcome, cap, on), state, say(language, where)]
    .filter((line) => line !== '')
    .join('\n');
}

function outcomeText(language: Language, outcome: ReactionOutcome, cap: string, on: string): string {
  if (outcome === 'unclear') return say(language, 'react-unclear', { on });
  if (outcome === 'range') return say(language, 'react-range', { cap: { usd: cap } });
  if (outcome === 'receive_only') return say(language, 'react-receive_only');
  return outcome === 'elsewhere' ? say(language, 'react-elsewhere') : '';
}

/** What came of a `/leaderboard`; the board itself has ten lines at most. */
function leaderboardText(language: Language, outcome: LeaderboardOutcome, board: Leaderboard): string {
  if (outcome !== 'shown') return say(language, `leaderboard-${outcome}`);
  const { received, gave, members } = board;
  if (received.length + gave.length === 0)
    return say(language, members === 0 ? 'leaderboard-nobody' : 'leaderboard-nothing');
  const lines = (side: Leaderboard['gave']) =>
    side.map(({ userId, name, usd }) => {
      const person = name ?? say(language, 'link-account', { id: userId });
      return say(language, 'leaderboard-line', { person, usd: { usd } });
    });
  return [
    ...(received.length > 0 ? [say(language, 'leaderboard-received'), ...lines(received)] : []),
    ...(gave.length > 0 ? [say(language, 'leaderboard-gave'), ...lines(gave)] : []),
  ].join('\n');
}

/** What one message was given in all. */
function threadText(language: Language, { names, others, sums }: ThreadTotal): string {
  const named = names.join(', ');
  const more =
    names.length === 0
      ? say(language, 'thread-only', { others: String(others) })
      : say(language, 'thread-more', { names: named, others });
  return say(language, 'thread-total', { sums, people: others === 0 ? named : more });
}
