// Whether an error or a help text is said: an interaction and a direct chat are always answered, a group stays readable.
import { type ChatMessage, guestQueryOf } from './chat.ts';
import {
  DIRECT_ANSWERS,
  ERROR_REPLIES,
  FLOOD_NOTICES,
  GROUP_NOTICES,
  type RateWindow,
  X_ERROR_REPLIES,
  xErrorsKey,
} from './limits.ts';

/** What a reply is about. A code names an error of the parser or of a service. */
export type ReplyTopic = { kind: 'help' } | { kind: 'error'; code: string };

/** A name under which replies are counted, and how many there may be. */
export type ReplyCounter = { key: string; window: RateWindow };

/**
 * The counters that a reply has to fit under, and what is done in its place when it does not: a reaction to the message, a notice that this is
 * too much (itself under `notice`), or nothing. No counters: it is said in any case.
 */
export type ReplyRule =
  | { counters: [] }
  | { counters: ReplyCounter[]; otherwise: 'silence' }
  | { counters: ReplyCounter[]; otherwise: 'reaction'; reactions: ReplyCounter }
  | { counters: ReplyCounter[]; otherwise: 'notice'; notice: ReplyCounter };

/** Errors that say when something is possible again: each is a kind of its own, because none may be hidden by another. */
const LIMIT_CODES: ReadonlySet<string> = new Set([
  'rate_limited',
  'pending_limited',
  'orders_limited',
  'links_limited',
  'reactions_limited',
]);

/** @param message what the reply answers. @param now Unix milliseconds */
export function replyRule(message: ChatMessage, topic: ReplyTopic, now: number): ReplyRule {
  const { platform, sender, chatId, chatKind } = message;
  const person = `${platform}:${sender.id}`;
  // The platform shows its user that an answer is on its way, until there is one.
  if (message.input.interaction !== undefined) return { counters: [] };
  // Replies cost money there: help and errors of every kind are one.
  if (platform === 'x')
    return { counters: [{ key: xErrorsKey(sender.id, now), window: X_ERROR_REPLIES }], otherwise: 'silence' };
  if (chatKind === 'dm' || guestQueryOf(chatId) !== null) {
    return {
      counters: [{ key: `answers:${person}`, window: DIRECT_ANSWERS }],
      otherwise: 'notice',
      notice: { key: `floods:${person}`, window: FLOOD_NOTICES },
    };
  }
  const kind = kindOf(topic);
  const own = { key: `${kind}:${person}`, window: ERROR_REPLIES };
  // The message under a reaction is another author's: nothing is shown there.
  if (message.byReaction) return { counters: [own], otherwise: 'silence' };
  const shared = { key: `${kind}:${platform}:chat:${chatId}`, window: GROUP_NOTICES };
  return {
    counters: kind === 'typos' || kind === 'helps' ? [own, shared] : [own],
    otherwise: 'reaction',
    reactions: { key: `shrugs:${person}`, window: DIRECT_ANSWERS },
  };
}

function kindOf(topic: ReplyTopic): string {
  if (topic.kind === 'help') return 'helps';
  if (LIMIT_CODES.has(topic.code)) return `limits:${topic.code}`;
  return topic.code === 'unknown_command' ? 'typos' : 'errors';
}
