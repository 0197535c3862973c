/**
 * Reads one untrusted JSON value into a message. Nothing here throws: a field of a wrong type reads as absent,
 * and whatever could hide a reason to stay silent (edited, forwarded, automated) counts as soon as it is set to anything.
 */
import type { Platform } from './result.ts';

/** What an adapter hands over: the shapes are each platform's own, so the parser checks them itself. */
export type CommandInput = {
  platform: Platform;
  text?: string | null;
  entities?: unknown;
  ctx: {
    chat: 'group' | 'dm' | 'public';
    bot: { id: string | number; username?: string | null };
    sender: { id: string | number; username?: string | null; is_bot?: boolean };
    reply_to?: { id: string | number; username?: string | null; is_bot?: boolean; sender_chat?: unknown } | null;
    display_text_range?: [number, number] | null;
    edited?: unknown;
    edit_of?: unknown;
    forwarded?: unknown;
    via_bot?: unknown;
    guest?: unknown;
    webhook?: unknown;
    retweet?: unknown;
    sender_chat?: unknown;
    lang?: unknown;
  };
  interaction?: unknown;
};

export type Person = {
  id: string | undefined;
  username: string | undefined;
  isBot: boolean;
  /** A channel, or an administrator who writes in the name of the group: the author is unknown. */
  isChannel?: true;
};

export type Message = {
  platform: Platform;
  text: string;
  entities: unknown;
  interaction: unknown;
  isDirect: boolean;
  isGuest: boolean;
  isIgnored: boolean;
  bot: Person;
  sender: Person;
  replyTo: Person | undefined;
  /** Code points before the visible text of an X reply; `invalid` when the platform's range makes no sense. */
  visibleFrom: number | undefined | 'invalid';
};

/** Telegram's own accounts: service notices, anonymous administrators and channels speak through them. */
const TELEGRAM_SERVICE_IDS = new Set(['777000', '1087968824', '136817688']);

const SILENCING = ['edited', 'edit_of', 'forwarded', 'via_bot', 'webhook', 'retweet', 'sender_chat', 'automated'];

const MAX_TEXT = 100_000;

/** An own property of a plain JSON object, or undefined. */
export function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}

export function readId(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  return /^[\w-]{1,64}$/.test(value) ? value : undefined;
}

export function readUsername(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.replace(/^@/, '').toLowerCase();
  return /^[a-z0-9_.]{1,64}$/.test(name) ? name : undefined;
}

export function readPerson(value: unknown, platform: Platform): Person {
  const id = readId(field(value, 'id'));
  const flags = ['is_bot', 'bot', 'automated', 'sender_chat', 'webhook'];
  const isService = platform === 'telegram' && id !== undefined && TELEGRAM_SERVICE_IDS.has(id);
  return {
    id,
    username: readUsername(field(value, 'username')),
    isBot: isService || flags.some((flag) => isSet(field(value, flag))),
    ...(isService || isSet(field(value, 'sender_chat')) ? { isChannel: true as const } : {}),
  };
}

function readVisibleFrom(value: unknown): number | undefined | 'invalid' {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.length !== 2) return 'invalid';
  const [from, to] = value as unknown[];
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return 'invalid';
  return (from as number) >= 0 && (from as number) <= (to as number) ? (from as number) : 'invalid';
}

function readReplyTo(value: unknown, platform: Platform): Person | undefined {
  return isSet(value) ? readPerson(value, platform) : undefined;
}

/** The message, or undefined when the value is not one (no object, no known platform, no context, text of a wrong type). */
export function readMessage(input: unknown): Message | undefined {
  const platform = field(input, 'platform');
  const ctx = field(input, 'ctx');
  const text = field(input, 'text') ?? '';
  if (platform !== 'telegram' && platform !== 'discord' && platform !== 'x') return undefined;
  if (typeof ctx !== 'object' || ctx === null || Array.isArray(ctx)) return undefined;
  if (typeof text !== 'string' || text.length > MAX_TEXT) return undefined;
  const bot = readPerson(field(ctx, 'bot'), platform);
  const sender = readPerson(field(ctx, 'sender'), platform);
  const isOwn = sender.id !== undefined && sender.id === bot.id;
  return {
    platform,
    text,
    entities: field(input, 'entities'),
    interaction: field(input, 'interaction') ?? undefined,
    isDirect: field(ctx, 'chat') === 'dm',
    isGuest: platform === 'telegram' && isSet(field(ctx, 'guest')),
    isIgnored: sender.isBot || isOwn || SILENCING.some((flag) => isSet(field(ctx, flag))),
    bot,
    sender,
    replyTo: readReplyTo(field(ctx, 'reply_to'), platform),
    visibleFrom: platform === 'x' ? readVisibleFrom(field(ctx, 'display_text_range')) : undefined,
  };
}
