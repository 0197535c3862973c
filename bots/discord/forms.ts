// The menu of a message has no amount: a form asks for it. Nothing is stored of the menu, since nothing moves before the form comes back.
import {
  type APIMessageApplicationCommandInteraction,
  type APIModalSubmitInteraction,
  ApplicationCommandType,
  ComponentType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  TextInputStyle,
} from 'discord.js';
import type { Language } from '../../src/domain/language.ts';
import { languageNow } from '../../src/services/outbox/languages.ts';
import { say } from '../render/say.ts';
import { type InteractionState, respond } from './interactionState.ts';
import {
  type DiscordInteraction,
  formName,
  formTarget,
  formValue,
  interactionInput,
  menuWithAmount,
  seen,
  seenAsking,
  timeOf,
  userOf,
} from './message.ts';
import { commandArrival } from './slashCommands.ts';

/** Longer titles are refused, and with them the form. */
const MOST_TITLE = 45;

export function isMessageMenu(interaction: DiscordInteraction): interaction is APIMessageApplicationCommandInteraction {
  return (
    interaction.type === InteractionType.ApplicationCommand && interaction.data.type === ApplicationCommandType.Message
  );
}

export async function openForm(
  state: InteractionState,
  interaction: APIMessageApplicationCommandInteraction,
): Promise<void> {
  const message = interaction.data.resolved.messages[interaction.data.target_id];
  const reader = { platform: 'discord', userId: userOf(interaction).id };
  const language = await languageNow(state.ctx, reader, interaction.locale);
  if (!message || message.author.bot || message.webhook_id) return respond(state, interaction, authorIsBot(language));
  state.intake.take({
    news: { seen: [seenAsking(interaction), seen(message.author)], seenAt: timeOf(interaction.id), entry: null },
    place: null,
    interaction: null,
  });
  await respond(state, interaction, amountForm(language, message.author));
}

function authorIsBot(language: Language): object {
  return {
    type: InteractionResponseType.ChannelMessageWithSource,
    data: {
      content: say(language, 'discord-author-is-bot'),
      flags: MessageFlags.Ephemeral,
      allowed_mentions: { parse: [] },
    },
  };
}

function amountForm(language: Language, { id, username }: { id: string; username: string }): object {
  const field = {
    type: ComponentType.TextInput,
    custom_id: 'amount',
    style: TextInputStyle.Short,
    ...{ min_length: 1, max_length: 40, required: true },
  };
  return {
    type: InteractionResponseType.Modal,
    data: {
      custom_id: formName(id),
      title: say(language, 'discord-form-title', { username }).slice(0, MOST_TITLE),
      components: [
        {
          type: ComponentType.Label,
          label: say(language, 'discord-form-amount'),
          description: say(language, 'discord-form-hint'),
          component: field,
        },
      ],
    },
  };
}

export function isForm(interaction: DiscordInteraction): interaction is APIModalSubmitInteraction {
  return interaction.type === InteractionType.ModalSubmit;
}

export function takeForm({ me, intake }: InteractionState, interaction: APIModalSubmitInteraction): void {
  const author = formTarget(interaction);
  if (author === null) return;
  const input = interactionInput(interaction, menuWithAmount(author, formValue(interaction, 'amount')), me);
  intake.take(commandArrival(me, interaction, input));
}
