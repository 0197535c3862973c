// What every platform's adapter can do for the rest of the bots: show, change and acknowledge. Outcomes are values, because a refused reply is ordinary.
import type { ChatAddress } from '../src/domain/chat.ts';
import type { Platform } from '../src/domain/command.ts';
import type { Language } from '../src/domain/language.ts';
import type { PressAnswer } from '../src/services/chat/buttons.ts';
import type { DueReply } from '../src/services/outbox/due.ts';
import type { IntentView } from '../src/services/tips/intentView.ts';

/** What rendering needs from the rows, read once for a whole batch: intents by id, and the language of a reply's reader. */
export type Views = { intents: Map<string, IntentView>; languageOf: (reply: DueReply) => Language };

export type Link = { offset: number; length: number; url: string };
export type ButtonView = { label: string; token: string } | { label: string; url: string };
/** Plain text with links (offsets in UTF-16 units) and rows of buttons. */
export type Rendered = {
  text: string;
  links: Link[];
  /** Lines that the platform folds away or shows small, where it can. */
  folded?: { offset: number; length: number };
  buttons: ButtonView[][];
  /** Whom it is for alone, by the platform's user id, where the platform can show it so in the middle of a chat. */
  onlyFor?: string;
};

/** What is posted where nothing can be changed afterwards. `said` is stored, so that it is posted once. */
export type Saying = {
  kind: 'say';
  message: Rendered & {
    /** Ids of people whom the platform would name by itself and who are not spoken to. */
    leaveOut?: string[];
    /** The same in other words, where an answer has to find it and its id was lost with the platform's answer. */
    again?: string;
    /** An address behind the text, as long as the budget allows it. */
    link?: string;
    /** It may be left out when calls have become dear. */
    isCourtesy?: boolean;
    /** Whom it answers, where answers are counted by person. What is not owed is left out when their share of the day is used. */
    answered?: { id: string; isOwed: boolean };
  };
  said: string;
};
/** `nothing`: this version has nothing final enough, or nothing new. `later`: what it depends on is still open. */
export type Composed = Saying | { kind: 'nothing' } | { kind: 'later'; reason: string; retryAfterMs: number };

export type SendOutcome =
  | { kind: 'sent'; messageId: string }
  /** `isUntaken` when the call surely did not reach the platform. */
  | { kind: 'later'; reason: string; retryAfterMs?: number; isUntaken?: boolean }
  /** The message to change is gone, or never was: a new one is sent. */
  | { kind: 'gone' }
  | { kind: 'refused'; reason: string };

export type Adapter = {
  platform: Platform;
  botId: string;
  botUsername: string;
  /** @param key names this reply: where the platform deduplicates by it, a message that is sent twice exists once */
  send(to: ChatAddress, message: Saying['message'], replyTo: string | null, key: string): Promise<SendOutcome>;
  edit(to: ChatAddress, messageId: string, message: Rendered): Promise<SendOutcome>;
  /**
   * Where a repeated call may be another message, and the platform lists messages: the one that a call since then (Unix milliseconds) may have left.
   * @param isFree which of these messages are no other reply's
   */
  find?(
    to: ChatAddress,
    replyTo: string | null,
    since: number,
    isFree: (messageIds: string[]) => Promise<string[]>,
  ): Promise<{ kind: 'found'; messageId: string } | { kind: 'none' } | (SendOutcome & { kind: 'later' })>;
  /** Where it does not: changes a message if it is the bot's own. `gone` when it is not, or answers something else than this. */
  adopt?(to: ChatAddress, messageId: string, message: Rendered, replyTo: string | null): Promise<SendOutcome>;
  /** Shows with an emoji under a message that it was not understood; missing where the platform has none. */
  react?(to: ChatAddress, messageId: string): Promise<SendOutcome>;
  /** Stops the spinner of a pressed button and shows a short text; best effort. */
  acknowledge(callbackId: string, text: string, answer: PressAnswer): Promise<void>;
  /** Set where messages cannot be changed: what to post of a reply now. Elsewhere edits show every version. */
  compose?(reply: DueReply, views: Views): Promise<Composed>;
  /**
   * What an account is called now, read from the platform; null when there is no such account. Missing where a platform has no such call.
   * @throws AppError `provider_unavailable` when it cannot be read
   */
  currentUsername?(userId: string): Promise<string | null>;
  /** A link that opens the direct chat with the bot, where the platform can with a command already typed. */
  directChatUrl(command?: 'connect'): string;
  /** A button that gives a one-time link to the person who presses it, and to no one else: where the platform can, in place. */
  connectButton(label: string): ButtonView;
};
