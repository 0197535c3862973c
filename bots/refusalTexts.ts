// What a bot says when nothing was sent: which sentence fits, and with which figures.
import type { Language } from '../src/domain/language.ts';
import type { Refusal } from '../src/domain/plan.ts';
import { isWordId, say, sayWith, type WordId } from './words.ts';

export function unconnectedText(language: Language, bot: string): string {
  return say(language, 'not-connected', { chat: chatHint(bot) });
}

/** Names the bot to write to, where that is not said already by where the text stands. */
function chatHint(bot: string): string {
  return bot ? ` (@${bot})` : '';
}

/** One refusal, to the person whose money it was. @param bot username of the bot, for a hint where to go */
export function refusalText(language: Language, refusal: Refusal, bot: string): string {
  switch (refusal.code) {
    case 'sender_not_connected':
      return unconnectedText(language, bot);
    default: {
      // A code without a sentence does not compile.
      const id: WordId = `refusal-${refusal.code}`;
      // An older version may have noted what is no refusal any more.
      return isWordId(id) ? sayWith(language, id, { ...refusal, chat: chatHint(bot) }) : say(language, 'pay-not-sent');
    }
  }
}

type ErrorData = { code: string; [field: string]: unknown };

/** One error, by the code of the parser or of ingest. */
export function errorText(language: Language, data: ErrorData, now: number, bot: string): string {
  if (data.code === 'sender_not_connected') return unconnectedText(language, bot);
  const id = `error-${data.code}`;
  if (!isWordId(id)) return say(language, 'not-understood', { bot });
  // A server's channels, as Discord shows them by name.
  const where = Array.isArray(data['channels']) ? data['channels'].map((channel) => `<#${channel}>`).join(', ') : '';
  return sayWith(language, id, { ...data, bot, where, when: inWords(language, Number(data['retryAt']) - now) });
}

function inWords(language: Language, ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes > 90) return say(language, 'in-hours', { hours: Math.ceil(minutes / 60) });
  return say(language, 'in-minutes', { minutes });
}
