// The commands that Discord offers: one list, registered as a whole at each start, for servers and for people who bring the bot along.
import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelType,
  InteractionContextType,
  ApplicationCommandOptionType as Option,
  PermissionFlagsBits,
} from 'discord.js';
import { CHAINS, type ChainName } from '../../src/domain/chains.ts';
import { say, type WordId } from '../render/say.ts';
import { TIP_AUTHOR } from './message.ts';

const EVERYWHERE = {
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
};
/** Discord's names of our languages. Users of another one see the English texts. */
const TRANSLATED = { de: 'de', 'es-ES': 'es', 'es-419': 'es' } as const;
type Slash = WordId extends infer Id ? (Id extends `discord-menu-${infer Name}` ? Name : never) : never;
type Plain = Extract<WordId, `discord-menu-${string}` | `discord-field-${string}` | 'discord-tip-author'>;

const MOST_AMOUNT = 40;
const MOST_TEXT = 1_000;

function translations(id: Plain): Record<string, string> {
  return Object.fromEntries(Object.entries(TRANSLATED).map(([locale, language]) => [locale, say(language, id)]));
}

/** The description of a command or a field. The names of both are English everywhere. */
function described(id: Plain) {
  return { description: say('en', id), description_localizations: translations(id) };
}

const amount = {
  type: Option.String,
  name: 'amount',
  ...described('discord-field-amount'),
  required: true,
  max_length: MOST_AMOUNT,
};
const note = { type: Option.String, name: 'note', ...described('discord-field-note'), max_length: 280 };
const user = (name: string, id: Plain, required = false) => ({
  type: Option.User,
  name,
  ...described(id),
  ...(required ? { required } : {}),
});

function slash(name: Slash, options: object[] = []) {
  const command = { name, ...described(`discord-menu-${name}`), type: ApplicationCommandType.ChatInput };
  return { ...command, ...EVERYWHERE, ...(options.length > 0 ? { options } : {}) };
}

/** What is registered with Discord. @param chains those that this deployment serves */
export function commandsOn(chains: readonly string[]) {
  const chain = {
    type: Option.String,
    name: 'chain',
    ...described('discord-field-chain'),
    choices: chains.map((value) => ({ name: CHAINS[value as ChainName].label, value })),
  };
  return [
    slash('tip', [
      user('to', 'discord-field-to', true),
      amount,
      ...[2, 3, 4, 5].map((number) => user(`user${number}`, 'discord-field-more')),
      chain,
      note,
    ]),
    slash('send', [
      { type: Option.String, name: 'to', ...described('discord-field-to-anybody'), required: true, max_length: 200 },
      amount,
      chain,
      note,
    ]),
    slash('split', [
      {
        type: Option.String,
        name: 'total',
        ...described('discord-field-total'),
        required: true,
        max_length: MOST_AMOUNT,
      },
      {
        type: Option.String,
        name: 'recipients',
        ...described('discord-field-recipients'),
        required: true,
        max_length: MOST_TEXT,
      },
      chain,
      note,
    ]),
    slash('order', [
      amount,
      { type: Option.String, name: 'for', ...described('discord-field-for'), max_length: 280 },
      chain,
    ]),
    slash('connect'),
    slash('disconnect'),
    slash('me'),
    slash('balance'),
    slash('deposit'),
    slash('withdraw'),
    slash('history'),
    slash('limits'),
    slash('subscriptions'),
    slash('plan', [
      { type: Option.String, name: 'name', ...described('discord-field-plan-name'), max_length: 80 },
      { type: Option.String, name: 'amount', ...described('discord-field-plan-amount'), max_length: 20 },
      { type: Option.String, name: 'period', ...described('discord-field-plan-period'), max_length: 20 },
    ]),
    slash('react', [
      { type: Option.String, name: 'emoji', ...described('discord-field-emoji'), max_length: 20 },
      { type: Option.String, name: 'amount', ...described('discord-field-react-amount'), max_length: 20 },
    ]),
    slash('pause'),
    slash('help'),
    {
      name: 'settings',
      ...described('discord-menu-settings'),
      type: ApplicationCommandType.ChatInput,
      integration_types: [ApplicationIntegrationType.GuildInstall],
      contexts: [InteractionContextType.Guild],
      default_member_permissions: Number(PermissionFlagsBits.ManageGuild),
      options: [
        { type: Option.Boolean, name: 'tipping', ...described('discord-field-tipping') },
        { type: Option.String, name: 'cap', ...described('discord-field-cap'), max_length: 20 },
        {
          type: Option.Channel,
          name: 'add_channel',
          ...described('discord-field-add-channel'),
          channel_types: [ChannelType.GuildText],
        },
        { type: Option.Channel, name: 'remove_channel', ...described('discord-field-remove-channel') },
        { type: Option.Boolean, name: 'all_channels', ...described('discord-field-all-channels') },
      ],
    },
    {
      name: TIP_AUTHOR,
      name_localizations: translations('discord-tip-author'),
      type: ApplicationCommandType.Message,
      ...EVERYWHERE,
    },
  ];
}
