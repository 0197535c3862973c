// /settings: what the admins of a server allow in it, answered to them alone.
import {
  type APIChatInputApplicationCommandInteraction,
  MessageFlags,
  ApplicationCommandOptionType as Option,
  PermissionFlagsBits,
} from 'discord.js';
import type { Ctx } from '../../src/context.ts';
import type { Language } from '../../src/domain/language.ts';
import { formatUsd, parseUnits } from '../../src/domain/money.ts';
import { changeServerRules, type RulesChange, type ServerRules, serverRules } from '../../src/services/chat/servers.ts';
import { languageNow } from '../../src/services/outbox/languages.ts';
import { say } from '../render/say.ts';
import { userOf } from './message.ts';

export const SETTINGS = 'settings';
const MANAGE = PermissionFlagsBits.ManageGuild | PermissionFlagsBits.Administrator;

/** Changes what was filled in and shows the rules as they are then. The interaction has Discord's own statement of its user's permissions. */
export async function answerSettings(ctx: Ctx, interaction: APIChatInputApplicationCommandInteraction) {
  return { content: await settle(ctx, interaction), flags: MessageFlags.Ephemeral, allowed_mentions: { parse: [] } };
}

async function settle(ctx: Ctx, interaction: APIChatInputApplicationCommandInteraction): Promise<string> {
  const { guild_id: serverId, member } = interaction;
  const reader = { platform: 'discord', userId: userOf(interaction).id };
  const language = await languageNow(ctx, reader, interaction.locale);
  const isMember = interaction.authorizing_integration_owners?.['0'] !== undefined;
  if (!serverId || !member || !isMember) return say(language, 'discord-server-only');
  if ((BigInt(member.permissions) & MANAGE) === 0n) return say(language, 'discord-admins-only');
  const change = readChange(interaction);
  if (change === null) return say(language, 'discord-bad-cap');
  const server = { platform: 'discord', serverId, by: member.user.id };
  const rules =
    Object.keys(change).length === 0
      ? await serverRules(ctx, server.platform, serverId)
      : await changeServerRules(ctx, server, change);
  return rulesText(language, rules);
}

function rulesText(language: Language, { tipping, channels, commandCap }: ServerRules): string {
  return [
    say(language, tipping ? 'discord-rules-on' : 'discord-rules-off'),
    channels.length === 0
      ? say(language, 'discord-rules-everywhere')
      : say(language, 'discord-rules-where', { channels: channels.map((id) => `<#${id}>`).join(', ') }),
    commandCap === null
      ? say(language, 'discord-rules-no-cap')
      : say(language, 'discord-rules-cap', { cap: { usd: formatUsd(commandCap) } }),
    say(language, 'discord-rules-change'),
  ].join('\n');
}

/** What was filled in, or null when the cap makes no sense. */
function readChange({ data }: APIChatInputApplicationCommandInteraction): RulesChange | null {
  const change: RulesChange = {};
  for (const option of data.options ?? []) {
    if (option.type === Option.Boolean && option.name === 'tipping') change.tipping = option.value;
    if (option.type === Option.Boolean && option.name === 'all_channels' && option.value) change.allChannels = true;
    if (option.type === Option.Channel && option.name === 'add_channel') change.addChannel = option.value;
    if (option.type === Option.Channel && option.name === 'remove_channel') change.removeChannel = option.value;
    if (option.type !== Option.String || option.name !== 'cap') continue;
    const typed = option.value.trim().toLowerCase();
    const cap = typed === 'none' ? null : parseUnits(typed, 6);
    if (cap === null && typed !== 'none') return null;
    change.commandCap = cap;
  }
  return change;
}
