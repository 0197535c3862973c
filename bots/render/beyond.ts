// The sentences of tips by reaction, of the leaderboard, and of the total under a message.
import type { Language } from '../../src/domain/language.ts';
import type { Leaderboard, LeaderboardOutcome } from '../../src/services/chat/leaderboard.ts';
import type { ReactionOutcome, ReactionSetting } from '../../src/services/chat/reactions.ts';
import type { ThreadTotal } from '../../src/services/tips/threads.ts';
import { say } from './say.ts';

/** What came of a `/react`, and how it stands now. */
export function reactText(
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
  return [reactNews(language, outcome, cap, on), state, say(language, where)].filter((line) => line !== '').join('\n');
}

function reactNews(language: Language, outcome: ReactionOutcome, cap: string, on: string): string {
  if (outcome === 'unclear') return say(language, 'react-unclear', { on });
  if (outcome === 'range') return say(language, 'react-range', { cap: { usd: cap } });
  if (outcome === 'receive_only') return say(language, 'react-receive_only');
  return outcome === 'elsewhere' ? say(language, 'react-elsewhere') : '';
}

/** What came of a `/leaderboard`; the board itself has ten lines at most. */
export function leaderboardText(language: Language, outcome: LeaderboardOutcome, board: Leaderboard): string {
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
export function threadText(language: Language, { names, others, sums }: ThreadTotal): string {
  const told = names.join(', ');
  const more =
    names.length === 0
      ? say(language, 'thread-only', { others: String(others) })
      : say(language, 'thread-more', { names: told, others });
  return say(language, 'thread-total', { sums, people: others === 0 ? told : more });
}
