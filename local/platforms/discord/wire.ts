/** The parts of Discord's wire format that the local server speaks, its ids and its errors. The shapes are those of the client's own types. */
import type { APIMessage, APIUser } from 'discord.js';

/** Milliseconds since 1970 at which Discord's ids begin to count. */
const EPOCH_MS = 1_420_070_400_000n;

/** Discord's numbers for what this server sends and takes. */
export const CHANNEL = { guildText: 0, dm: 1 } as const;
export const INTERACTION = { ping: 1, command: 2, component: 3, modal: 5 } as const;
export const COMMAND = { slash: 1, user: 2, message: 3 } as const;
export const CALLBACK = { message: 4, deferred: 5, deferredUpdate: 6, update: 7, modal: 9 } as const;
export const FLAG = { ephemeral: 64, loading: 128 } as const;
export const MESSAGE = { plain: 0, reply: 19, command: 20, menu: 23 } as const;

/** A bot that the server knows, with its application; both have the same id, as with Discord's newer ones. */
export type BotAccount = { token: string; id: string; username: string };

export type Message = APIMessage;
export type User = APIUser;

/** A message as it is kept: with who alone sees it, and the nonce that it was sent with. */
export type Kept = { message: Message; visibleTo: string | null; nonce?: string; atMs: number };

/** An error that Discord gives: an HTTP status, and a code of its own. */
export class DiscordError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.name = 'DiscordError';
    this.status = status;
    this.code = code;
  }
}

export const unauthorized = () => new DiscordError(401, 0, '401: Unauthorized');
export const notFound = () => new DiscordError(404, 0, '404: Not Found');
export const unknownChannel = () => new DiscordError(404, 10_003, 'Unknown Channel');
export const unknownMessage = () => new DiscordError(404, 10_008, 'Unknown Message');
export const unknownUser = () => new DiscordError(404, 10_013, 'Unknown User');
export const unknownWebhook = () => new DiscordError(404, 10_015, 'Unknown Webhook');
export const unknownInteraction = () => new DiscordError(404, 10_062, 'Unknown interaction');
export const alreadyAcknowledged = () => new DiscordError(400, 40_060, 'Interaction has already been acknowledged.');
export const missingAccess = () => new DiscordError(403, 50_001, 'Missing Access');
export const foreignAuthor = () => new DiscordError(403, 50_005, 'Cannot edit a message authored by another user');
export const emptyMessage = () => new DiscordError(400, 50_006, 'Cannot send an empty message');
export const closedToBots = () => new DiscordError(403, 50_007, 'Cannot send messages to this user');
export const tokenOver = () => new DiscordError(401, 50_027, 'Invalid Webhook Token');
export const badForm = (why: string) => new DiscordError(400, 50_035, `Invalid Form Body: ${why}`);

/** An id that tells the time, and is greater than the one before it. */
export function snowflakeAfter(last: bigint, nowMs: number): bigint {
  const id = (BigInt(nowMs) - EPOCH_MS) << 22n;
  return id > last ? id : last + 1n;
}

/** The client's types name every flag, and not that there may be none. */
export function noFlags<Flags extends number>(): Flags {
  return 0 as Flags;
}

export function botUser({ id, username }: BotAccount): User {
  return { ...plainUser(id, username), bot: true };
}

export function plainUser(id: string, username: string, { bot = false } = {}): User {
  const shown = { id, username, discriminator: '0', global_name: null, avatar: null, primary_guild: null };
  return { ...shown, flags: noFlags(), public_flags: noFlags(), ...(bot ? { bot: true } : {}) };
}
