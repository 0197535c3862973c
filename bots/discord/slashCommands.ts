// From a command, or what stands for one, to what is stored of it.
import {
  type APIApplicationCommandInteraction,
  type APIChatInputApplicationCommandInteraction,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
} from 'discord.js';
import { type Command, type CommandInput, parseCommand } from '../../src/domain/command.ts';
import { discordInteractionKey } from '../../src/domain/messageKey.ts';
import type { SeenUser } from '../../src/services/accounts/connections.ts';
import { type InteractionState, respond } from './interactionState.ts';
import {
  type Asked,
  type DiscordInteraction,
  interactionInput,
  isDirectChat,
  type Me,
  seen,
  seenAsking,
  timeOf,
  typedWords,
  userOf,
} from './message.ts';
import { privateAddress, publicAddress } from './send.ts';
import { answerSettings, SETTINGS } from './settings.ts';
import type { Arrival } from './store.ts';

/** Commands whose answer everybody sees. */
const PUBLIC: ReadonlySet<string> = new Set(['tip', 'send', 'split', 'order', 'confirm']);

export function isCommand(interaction: DiscordInteraction): interaction is APIApplicationCommandInteraction {
  return interaction.type === InteractionType.ApplicationCommand;
}

function isSlash(interaction: DiscordInteraction): interaction is APIChatInputApplicationCommandInteraction {
  return isCommand(interaction) && interaction.data.type === ApplicationCommandType.ChatInput;
}

export function isSettings(interaction: DiscordInteraction): interaction is APIChatInputApplicationCommandInteraction {
  return isSlash(interaction) && interaction.data.name === SETTINGS;
}

export async function showSettings(
  state: InteractionState,
  interaction: APIChatInputApplicationCommandInteraction,
): Promise<void> {
  const data = await answerSettings(state.ctx, interaction);
  await respond(state, interaction, { type: InteractionResponseType.ChannelMessageWithSource, data });
}

/** Commands that are read word by word, as they are typed elsewhere. */
const WORDED = new Set(['react', 'plan']);

export function takeCommand({ me, intake }: InteractionState, interaction: APIApplicationCommandInteraction): void {
  const { data } = interaction;
  const text = isSlash(interaction) && WORDED.has(data.name) ? typedWords(interaction.data) : '';
  const body = { type: InteractionType.ApplicationCommand, data };
  const input = { ...interactionInput(interaction, body, me), text };
  const users = 'resolved' in data && data.resolved && 'users' in data.resolved ? data.resolved.users : {};
  intake.take(commandArrival(me, interaction, input, { named: Object.values(users ?? {}).map(seen) }));
}

/**
 * What is stored of a command.
 * @param named the users whom it names
 * @param command what it asks for, when that is not parsed from the input
 */
export function commandArrival(
  me: Me,
  interaction: Asked,
  input: CommandInput,
  { named = [], command = parseCommand(input) }: { named?: SeenUser[]; command?: Command } = {},
): Arrival {
  const { id } = interaction;
  const user = userOf(interaction);
  const channelId = interaction.channel?.id ?? interaction.channel_id ?? '';
  const at = timeOf(id);
  const isDirect = isDirectChat(interaction);
  const isMember = isDirect || interaction.authorizing_integration_owners?.['0'] !== undefined;
  const message = {
    platform: 'discord',
    botId: me.id,
    chatId: publicAddress(id),
    messageId: id,
    sentAt: at,
    chatKind: input.ctx.chat,
    ...(isDirect ? {} : { privateChatId: privateAddress(id) }),
    ...serverOf(interaction, channelId),
    sender: { id: user.id, username: user.username },
    input,
  };
  // The bot is seen to think from here on: even what asks for nothing has an answer.
  const asked: Command = command.kind === 'none' ? { kind: 'error', code: 'unknown_command' } : command;
  const key = discordInteractionKey(me.id, id);
  const entry = { key, content: { kind: 'message' as const, message, command: asked }, held: true };
  const place = {
    channelId,
    messageId: id,
    guildId: interaction.guild_id ?? null,
    userId: isDirect ? user.id : null,
    isUsed: true,
  };
  return {
    news: { seen: [seenAsking(interaction), ...named], seenAt: at, entry },
    place: isMember && channelId !== '' ? place : null,
    interaction: {
      ...{ id, botId: me.id, token: interaction.token, channelId, userId: user.id, at },
      isMember,
      isPrivate: !PUBLIC.has(command.kind),
    },
  };
}

/** The server, and the channel with the one above it. */
function serverOf(
  { guild_id: id, channel }: Asked,
  channelId: string,
): { server?: { id: string; channelIds: string[] } } {
  if (!id) return {};
  const above = channel && 'parent_id' in channel ? channel.parent_id : null;
  return { server: { id, channelIds: above ? [channelId, above] : [channelId] } };
}
