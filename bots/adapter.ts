// What every platform's adapter can do for the rest of the bots: show, change and acknowledge. Outcomes are values, because a refused reply is ordinary.
import type { ChatAddress } from '../src/domain/chat.ts';

export type Link = { offset: number; length: number; url: string };
export type ButtonView = { label: string; token: string } | { label: string; url: string };
/** Plain text with links (offsets in UTF-16 units) and rows of buttons. */
export type Rendered = { text: string; links: Link[]; buttons: ButtonView[][] };

export type SendOutcome =
  | { kind: 'sent'; messageId: string }
  | { kind: 'later'; reason: string; retryAfterMs?: number }
  /** The message to change is gone, or never was: it has to be sent anew. */
  | { kind: 'gone' }
  | { kind: 'refused'; reason: string };

export type Adapter = {
  platform: string;
  botId: string;
  botUsername: string;
  send(to: ChatAddress, message: Rendered, replyTo: string | null): Promise<SendOutcome>;
  edit(to: ChatAddress, messageId: string, message: Rendered): Promise<SendOutcome>;
  /** Stops the spinner of a pressed button and shows a short text; best effort. */
  acknowledge(callbackId: string, text: string): Promise<void>;
  /** A link that opens the direct chat with the bot. */
  directChatUrl(): string;
};
