// From Discord's messages and interactions to the platform-neutral input of the parser; pure.
import {
  type APIChatInputApplicationCommandInteractionData,
  type APIMessage,
  type APIModalSubmitInteraction,
  type APIPingInteraction,
  type APIUser,
  ApplicationCommandType,
  type GatewayInteractionCreateDispatchData,
  InteractionContextType,
  MessageReferenceType,
  MessageType,
} from 'discord.js';
import type { CommandInput } from '../../src/domain/command.ts';
import type { SeenUser } from '../../src/services/accounts/connections.ts';

/** The bot: its application, and the account that people mention. */
export type Me = { id: string; userId: string; username: string };

/** The name of the command in the menu of a message; people read its title in their language. */
export const TIP_AUTHOR = 'Tip author';

/** Milliseconds since 1970 at which Discord's ids begin to count. */
const EPOCH_MS = 1_420_070_400_000n;
/** What people type is one of these; everything else is Discord's own notice. */
const TYPED: ReadonlySet<number> = new Set([MessageType.Default, MessageType.Reply]);

/** Unix milliseconds at which an id was given out. */
export function timeOf(id: string): number {
  return Number((BigInt(id) >> 22n) + EPOCH_MS);
}

/** The lowest id of a time in Unix milliseconds. */
export function snowflakeAt(ms: number): string {
  return String((BigInt(Math.floor(ms)) - EPOCH_MS) << 22n);
}

export function isTyped(message: APIMessage): boolean {
  return TYPED.has(message.type);
}

export function messageInput(message: APIMessage, isDirect: boolean, me: Me): CommandInput {
  const replied = message.type === MessageType.Reply ? message.referenced_message : undefined;
  return {
    platform: 'discord',
    text: message.content,
    entities: {
      mentions: message.mentions.map(({ id, username, bot = false }) => ({ id, username, bot })),
      mention_roles: message.mention_roles,
      mention_everyone: message.mention_everyone,
    },
    ctx: {
      chat: isDirect ? 'dm' : 'group',
      bot: { id: me.userId, username: me.username },
      sender: person(message.author, message),
      ...(replied ? { reply_to: person(replied.author, replied) } : {}),
      ...(message.webhook_id ? { webhook: true } : {}),
      ...(message.edited_timestamp ? { edited: true } : {}),
      ...(isForward(message) ? { forwarded: true } : {}),
    },
  };
}

function person({ id, username, bot = false, system = false }: APIUser, { webhook_id }: APIMessage) {
  return { id, username, is_bot: bot || system || webhook_id !== undefined };
}

function isForward(message: APIMessage): boolean {
  return message.message_reference?.type === MessageReferenceType.Forward || message.message_snapshots !== undefined;
}

export type DiscordInteraction = GatewayInteractionCreateDispatchData;
/** Everything but Discord's own check that an endpoint answers. */
export type Asked = Exclude<DiscordInteraction, APIPingInteraction>;

export function userOf(interaction: DiscordInteraction): APIUser {
  const user = interaction.member?.user ?? interaction.user;
  if (!user) throw new Error('an interaction without a user');
  return user;
}

export function isDirectChat(interaction: DiscordInteraction): boolean {
  return interaction.context === InteractionContextType.BotDM;
}

/** What is left of an interaction for the parser: no token, nothing that is not read. */
export function interactionInput(interaction: Asked, data: object, me: Me): CommandInput {
  const user = userOf(interaction);
  return {
    platform: 'discord',
    text: '',
    ctx: {
      chat: isDirectChat(interaction) ? 'dm' : 'group',
      bot: { id: me.userId, username: me.username },
      sender: { id: user.id, username: user.username, is_bot: user.bot ?? false },
      lang: interaction.locale,
    },
    interaction: data,
  };
}

/** A slash command that is parsed from its words, as a person would type it. */
export function typedWords({ name, options = [] }: APIChatInputApplicationCommandInteractionData): string {
  const words = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
  return [`/${name}`, ...words].join(' ');
}

const FORM = /^tip:(\d{1,20})$/;

/** The form's name carries the recipient, who was checked before it was opened. */
export function formName(authorId: string): string {
  return `tip:${authorId}`;
}

export function formTarget(interaction: APIModalSubmitInteraction): string | null {
  return FORM.exec(interaction.data.custom_id)?.[1] ?? null;
}

/** What was typed into the field of this name. */
export function formValue(interaction: APIModalSubmitInteraction, name: string): string {
  const fields = interaction.data.components.flatMap((row): unknown[] =>
    'components' in row ? row.components : 'component' in row ? [row.component] : [],
  ) as { custom_id?: string; value?: string }[];
  return fields.find((field) => field.custom_id === name)?.value ?? '';
}

/** The form as the context menu with an amount that it stands for. */
export function menuWithAmount(authorId: string, amount: string): object {
  return {
    type: ApplicationCommandType.Message,
    name: TIP_AUTHOR,
    target: { author: { id: authorId, bot: false } },
    options: [{ name: 'amount', type: 3, value: amount }],
  };
}

/** All accounts that a message shows, so that names lead to ids later. Webhooks have none. */
export function peopleIn(message: APIMessage): SeenUser[] {
  const replied = message.referenced_message;
  return [
    ...(message.webhook_id ? [] : [message.author]),
    ...(replied && !replied.webhook_id ? [replied.author] : []),
    ...message.mentions,
  ].map(seen);
}

export function seen({ id, username, bot = false }: APIUser): SeenUser {
  return { id, username, isBot: bot };
}

/** The user of a command, a button or a form: only these have a language at Discord. */
export function seenAsking(interaction: Asked): SeenUser {
  return { ...seen(userOf(interaction)), language: interaction.locale };
}
