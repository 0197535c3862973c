// How commands are typed where a text is read: each platform in its own form, in the language of the reader.

import { MAX_RECIPIENTS } from '../../src/domain/command/settle.ts';
import type { Platform } from '../../src/domain/command.ts';
import type { Language } from '../../src/domain/language.ts';
import { say } from './say.ts';

/** What sentences say under these names: `tip` and `send` are commands, `reply` says how to tip an author. */
export function examplesOf(
  language: Language,
  platform: Platform,
): Record<'tip' | 'reply' | 'send' | 'order' | 'help', string> & { most: number } {
  const menu = `“${say(language, 'discord-tip-author')}”`;
  return {
    tip: say(language, `type-tip-${platform}`),
    reply:
      platform === 'discord' ? say(language, 'type-reply-discord', { menu }) : say(language, `type-reply-${platform}`),
    send: say(language, `type-send-${platform}`),
    order: say(language, `type-order-${platform}`),
    help: say(language, `type-help-${platform}`),
    most: MAX_RECIPIENTS[platform],
  };
}
