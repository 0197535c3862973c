/** The parts of Telegram's wire format that the local server speaks, and its errors. */

export type User = {
  id: number;
  is_bot: boolean;
  first_name: string;
  username?: string;
  language_code?: string;
};

export type Chat = {
  id: number;
  type: 'private' | 'supergroup';
  title?: string;
  username?: string;
  first_name?: string;
};

/** `offset` and `length` count UTF-16 units. */
export type Entity = {
  type: string;
  offset: number;
  length: number;
  url?: string;
  user?: User;
  language?: string;
  custom_emoji_id?: string;
};

export type Button = { text: string; url?: string; callback_data?: string; [kind: string]: unknown };
export type Markup = { inline_keyboard: Button[][] };

export type Message = {
  message_id: number;
  /** Seconds since 1970. */
  date: number;
  chat: Chat;
  from?: User;
  text?: string;
  entities?: Entity[];
  caption?: string;
  caption_entities?: Entity[];
  photo?: Record<string, unknown>[];
  video?: Record<string, unknown>;
  /** Of a message that one person alone sees; its `message_id` is 0. */
  receiver_user?: User;
  ephemeral_message_id?: number;
  edit_date?: number;
  reply_to_message?: Message;
  reply_markup?: Markup;
  forward_origin?: Record<string, unknown>;
  guest_query_id?: string;
  guest_bot_caller_user?: User | undefined;
  link_preview_options?: Record<string, unknown>;
  has_protected_content?: true;
};

export type CallbackQuery = { id: string; from: User; message: Message; chat_instance: string; data: string };

/** A person's reactions to a message, before and after. */
export type MessageReaction = {
  chat: Chat;
  message_id: number;
  user?: User;
  actor_chat?: Chat;
  date: number;
  old_reaction: unknown[];
  new_reaction: unknown[];
};

export type Update = { update_id: number } & UpdateContent;
export type UpdateContent = {
  message?: Message;
  edited_message?: Message;
  guest_message?: Message;
  callback_query?: CallbackQuery;
  message_reaction?: MessageReaction;
};
export type UpdateType = keyof UpdateContent;

export type BotCommand = { command: string; description: string };

/** A bot that the server knows. Its id stands in front of the token, as with Telegram's own. */
export type BotAccount = { token: string; id: number; username: string; first_name: string };

/** An answer that Telegram gives with `ok: false`. */
export class BotApiError extends Error {
  readonly status: number;

  constructor(status: number, description: string) {
    super(description);
    this.name = 'BotApiError';
    this.status = status;
  }
}

export function badRequest(description: string): BotApiError {
  return new BotApiError(400, `Bad Request: ${description}`);
}

export function forbidden(description: string): BotApiError {
  return new BotApiError(403, `Forbidden: ${description}`);
}

export function conflict(description: string): BotApiError {
  return new BotApiError(409, `Conflict: ${description}`);
}

export function userOf(bot: BotAccount): User {
  return { id: bot.id, is_bot: true, first_name: bot.first_name, username: bot.username };
}
