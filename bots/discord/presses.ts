// Pressed buttons: those that connect, which stand for a command, and those that carry a token.
import { type APIMessageComponentInteraction, ApplicationCommandType, InteractionType } from 'discord.js';
import { discordInteractionKey } from '../../src/domain/messageKey.ts';
import { messageOfButton } from '../../src/services/chat/interactions.ts';
import type { InteractionState } from './interactionState.ts';
import { type DiscordInteraction, interactionInput, seenAsking, timeOf, userOf } from './message.ts';
import { publicAddress } from './send.ts';
import { commandArrival } from './slashCommands.ts';

/** Carried by every button that connects: each person who presses it gets a link of their own, which they alone see. */
export const CONNECT_PRESS = 'connect';
/** What our other buttons carry; a client can send anything else. */
const BUTTON_TOKEN = /^[\w-]{1,64}$/;

function isPress(interaction: DiscordInteraction): interaction is APIMessageComponentInteraction {
  return interaction.type === InteractionType.MessageComponent;
}

export function isConnectPress(interaction: DiscordInteraction): interaction is APIMessageComponentInteraction {
  return isPress(interaction) && interaction.data.custom_id === CONNECT_PRESS;
}

/** The command that the button stands for. */
export function takeConnect({ me, intake }: InteractionState, interaction: APIMessageComponentInteraction): void {
  const body = {
    type: InteractionType.ApplicationCommand,
    data: { name: 'connect', type: ApplicationCommandType.ChatInput },
  };
  const input = interactionInput(interaction, body, me);
  intake.take(commandArrival(me, interaction, input, { command: { kind: 'connect' } }));
}

export function isTokenPress(interaction: DiscordInteraction): interaction is APIMessageComponentInteraction {
  return isPress(interaction) && BUTTON_TOKEN.test(interaction.data.custom_id);
}

export async function takePress(state: InteractionState, interaction: APIMessageComponentInteraction): Promise<void> {
  const { me, intake, presses } = state;
  const { id, token, message } = interaction;
  const user = userOf(interaction);
  const at = timeOf(id);
  const answered = message.interaction_metadata?.id;
  const button = {
    ...{ platform: 'discord', botId: me.id, ...(await shownMessage(state, interaction)) },
    ...{ userId: user.id, username: user.username, token: interaction.data.custom_id, callbackId: id },
  };
  presses.set(id, { answered, userId: user.id, token, at });
  const key = discordInteractionKey(me.id, id);
  intake.take({
    news: { seen: [seenAsking(interaction)], seenAt: at, entry: { key, content: { kind: 'button', button } } },
    place: null,
    interaction: {
      ...{ id, botId: me.id, token, channelId: message.channel_id, userId: user.id, at },
      ...{ isMember: true, isPrivate: true },
    },
  });
}

/** The message under which a button was pressed, as the outbox knows it. */
async function shownMessage(
  { ctx }: InteractionState,
  { data, message }: APIMessageComponentInteraction,
): Promise<{ chatId: string; messageId: string }> {
  const { id, channel_id: channelId } = message;
  const known = await messageOfButton(ctx, data.custom_id, { channelId, id });
  const answered = message.interaction_metadata?.id;
  return known ?? { chatId: answered ? publicAddress(answered) : channelId, messageId: id };
}
