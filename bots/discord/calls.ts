// Discord's answers as outcomes. Its errors carry addresses with tokens in them: only their words leave this file.
import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import type { SendOutcome } from '../adapter.ts';

const UNKNOWN = { channel: 10_003, message: 10_008, user: 10_013, webhook: 10_015, interaction: 10_062 };
const ALREADY_ACKNOWLEDGED = 40_060;
const INVALID_TOKEN = 50_027;

export function isUnknownMessage(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.code === UNKNOWN.message;
}

/** The token of an interaction has expired, or never worked. */
export function isTokenOver(error: unknown): boolean {
  if (!(error instanceof DiscordAPIError)) return false;
  return [UNKNOWN.webhook, UNKNOWN.interaction, INVALID_TOKEN].includes(Number(error.code)) || error.status === 401;
}

/** The interaction was answered before: by a call whose own answer was lost. */
export function isAlreadyAcknowledged(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.code === ALREADY_ACKNOWLEDGED;
}

export function isUnknownUser(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.code === UNKNOWN.user;
}

/** What the bot may not see, or what is not there: asking again changes nothing. */
export function isInaccessible(error: unknown): boolean {
  return error instanceof DiscordAPIError && (error.status === 403 || error.status === 404);
}

/** Discord does not show this message in this way: another may be shown. */
export function isRefused(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status === 400;
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof DiscordAPIError ? error.status === 401 : false;
}

/** How long Discord asks to wait, or null when it asked for nothing. */
export function waitOf(error: unknown): number | null {
  return error instanceof RateLimitError ? Math.max(1, Math.ceil(error.retryAfter)) : null;
}

/** The words of a failure, without the address that was called. */
export function wordsOf(error: unknown): string {
  if (error instanceof DiscordAPIError) return `Discord answered ${error.status} (${error.code})`;
  if (error instanceof HTTPError) return `Discord answered ${error.status}`;
  if (error instanceof RateLimitError) return 'Discord asks to wait';
  return 'Discord did not answer';
}

/** Known before the call: the message has no reader. */
export class Refused extends Error {}
/** Known before the call: the message cannot be reached, another one has to be sent. */
export class Gone extends Error {}

/** Turns the client's errors into what the outbox does next. */
export async function outcome(call: () => Promise<string>): Promise<SendOutcome> {
  try {
    return { kind: 'sent', messageId: await call() };
  } catch (error) {
    const wait = waitOf(error);
    if (wait !== null) return { kind: 'later', reason: wordsOf(error), retryAfterMs: wait };
    if (isUnknownMessage(error) || error instanceof Gone) return { kind: 'gone' };
    if (error instanceof Refused) return { kind: 'refused', reason: error.message };
    // A token that was just replaced is the operator's to mend: what people wait for waits for that.
    const isFinal = error instanceof DiscordAPIError && error.status < 500 && error.status !== 401;
    return { kind: isFinal ? 'refused' : 'later', reason: wordsOf(error) };
  }
}
