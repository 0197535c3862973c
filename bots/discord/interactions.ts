// Interactions: commands, pressed buttons and forms. Each is stored first; Discord is told within its three seconds; only then is it worked on.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type APIApplicationCommandInteraction,
  type APIChatInputApplicationCommandInteraction,
  type APIMessageApplicationCommandInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ApplicationCommandType,
  ComponentType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  type REST,
  Routes,
  TextInputStyle,
} from 'discord.js';
import type { Ctx } from '../../src/context.ts';
import { type Command, parseCommand } from '../../src/domain/command.ts';
import { discordInteractionKey } from '../../src/domain/messageKey.ts';
import { dropHeldEntry, releaseEntry } from '../../src/services/chat/inbox.ts';
import {
  findInteraction,
  heldCommands,
  messageOfButton,
  type NewInteraction,
  noteAcknowledged,
  renewToken,
} from '../../src/services/chat/interactions.ts';
import { languageNow } from '../../src/services/outbox/languages.ts';
import { say } from '../render/say.ts';
import { isAlreadyAcknowledged, isTokenOver, waitOf, wordsOf } from './calls.ts';
import {
  formName,
  formTarget,
  formValue,
  type Interaction,
  interactionInput,
  isDirectChat,
  type Me,
  menuWithAmount,
  seen,
  seenAsking,
  timeOf,
  typedWords,
  userOf,
} from './message.ts';
import { privateAddress, publicAddress } from './send.ts';
import { answerSettings, SETTINGS } from './settings.ts';
import type { Arrival, Intake } from './store.ts';

/** Carried by every button that connects: each person who presses it gets a link of their own, which they alone see. */
export const CONNECT_PRESS = 'connect';
/** What our other buttons carry; a client can send anything else. */
const BUTTON_TOKEN = /^[\w-]{1,64}$/;
const ANSWER_TIMEOUT_MS = 2_000;
const RETRY_MS = 300;
/** By then Discord has long said that it is over, if it can be reached at all. */
const MOST_TRIES = 40;
/** Longer titles are refused, and with them the form. */
const MOST_TITLE = 45;

/** Commands whose answer everybody sees. */
const PUBLIC: ReadonlySet<string> = new Set(['tip', 'send', 'split', 'order', 'confirm']);

export type Interactions = {
  handle(interaction: Interaction): Promise<void>;
  /** Gives the first sign of life for what is stored, and lets it be worked on. */
  acknowledge(interaction: Acknowledged, key: string): Promise<void>;
  /** The same for what a killed process left between the two. */
  recover(): Promise<void>;
};
type Acknowledged = Pick<NewInteraction, 'id' | 'token' | 'isPrivate'>;

export function createInteractions(
  ctx: Ctx,
  rest: REST,
  me: Me,
  intake: Intake,
  { onStored, isOver }: { onStored(): void; isOver(): boolean },
): Interactions {
  /** Presses under way, with what they need once Discord has heard of them. */
  const presses = new Map<string, () => Promise<void>>();
  const beingAcknowledged = new Set<string>();

  async function respond(id: string, token: string, body: object): Promise<void> {
    await rest.post(Routes.interactionCallback(id, token), {
      body,
      auth: false,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
  }

  /** @returns whether Discord has taken the sign of life; null when it cannot be known, because Discord is away */
  async function signOfLife({ id, token, isPrivate }: Acknowledged): Promise<boolean | null> {
    // Commands and forms show that the bot thinks; a pressed button only stops its spinner.
    const isPress = presses.has(id);
    const type = isPress
      ? InteractionResponseType.DeferredMessageUpdate
      : InteractionResponseType.DeferredChannelMessageWithSource;
    const data = !isPress && isPrivate ? { data: { flags: MessageFlags.Ephemeral } } : {};
    for (let tries = 0; tries < MOST_TRIES && !isOver(); tries++) {
      try {
        await respond(id, token, { type, ...data });
        return true;
      } catch (error) {
        if (isAlreadyAcknowledged(error)) return true;
        if (isTokenOver(error)) return false;
        ctx.log.warn({ interaction: id, reason: wordsOf(error) }, 'an interaction could not be answered yet');
        await sleep(waitOf(error) ?? RETRY_MS);
      }
    }
    return null;
  }

  /** One at a time for an interaction: of two, one can hear that the token is over after the other has heard that all is well. */
  async function acknowledge(interaction: Acknowledged, key: string): Promise<void> {
    if (beingAcknowledged.has(interaction.id)) return;
    beingAcknowledged.add(interaction.id);
    await acknowledgeOnce(interaction, key).finally(() => beingAcknowledged.delete(interaction.id));
  }

  async function acknowledgeOnce(interaction: Acknowledged, key: string): Promise<void> {
    const { id } = interaction;
    const taken = await signOfLife(interaction);
    const press = presses.get(id);
    presses.delete(id);
    if (taken) await noteAcknowledged(ctx, id);
    if (press) return taken ? press() : undefined;
    // Whoever saw it fail types it again: then the first one must not pay as well.
    if (taken === false) await dropHeldEntry(ctx, key, 'unanswered');
    if (!taken) return;
    await releaseEntry(ctx, key);
    onStored();
  }

  async function handle(interaction: Interaction): Promise<void> {
    switch (interaction.type) {
      case InteractionType.ApplicationCommand:
        return handleCommand(interaction);
      case InteractionType.MessageComponent:
        return handlePress(interaction);
      case InteractionType.ModalSubmit:
        return handleForm(interaction);
      default:
        return;
    }
  }

  async function handleCommand(interaction: APIApplicationCommandInteraction): Promise<void> {
    const { type, name } = interaction.data;
    if (type === ApplicationCommandType.Message)
      return openForm(interaction as APIMessageApplicationCommandInteraction);
    if (type === ApplicationCommandType.ChatInput && name === SETTINGS) {
      const data = await answerSettings(ctx, interaction as APIChatInputApplicationCommandInteraction);
      return respond(interaction.id, interaction.token, {
        type: InteractionResponseType.ChannelMessageWithSource,
        data,
      });
    }
    const body = { type: InteractionType.ApplicationCommand, data: interaction.data };
    const isOwnWords = type === ApplicationCommandType.ChatInput && name === 'react';
    const text = isOwnWords ? typedWords((interaction as APIChatInputApplicationCommandInteraction).data) : '';
    const input = { ...interactionInput(interaction, body, me), text };
    const resolved = 'resolved' in interaction.data ? interaction.data.resolved : undefined;
    const named = resolved && 'users' in resolved ? Object.values(resolved.users ?? {}) : [];
    intake.take(commandArrival(interaction, input, parseCommand(input), named.map(seen)));
  }

  /** The context menu has no amount: a form asks for it. Nothing is stored, since nothing moves before the form comes back. */
  async function openForm(interaction: APIMessageApplicationCommandInteraction): Promise<void> {
    const message = interaction.data.resolved.messages[interaction.data.target_id];
    const reader = { platform: 'discord', userId: userOf(interaction).id };
    const language = await languageNow(ctx, reader, interaction.locale);
    if (!message || message.author.bot || message.webhook_id) {
      return respond(interaction.id, interaction.token, {
        type: InteractionResponseType.ChannelMessageWithSource,
        data: {
          content: say(language, 'discord-author-is-bot'),
          flags: MessageFlags.Ephemeral,
          allowed_mentions: { parse: [] },
        },
      });
    }
    intake.take({
      news: { seen: [seenAsking(interaction), seen(message.author)], seenAt: timeOf(interaction.id), entry: null },
      place: null,
      interaction: null,
    });
    await respond(interaction.id, interaction.token, {
      type: InteractionResponseType.Modal,
      data: {
        custom_id: formName(message.author.id),
        title: say(language, 'discord-form-title', { username: message.author.username }).slice(0, MOST_TITLE),
        components: [
          {
            type: ComponentType.Label,
            label: say(language, 'discord-form-amount'),
            description: say(language, 'discord-form-hint'),
            component: {
              type: ComponentType.TextInput,
              custom_id: 'amount',
              style: TextInputStyle.Short,
              min_length: 1,
              max_length: 40,
              required: true,
            },
          },
        ],
      },
    });
  }

  async function handleForm(interaction: APIModalSubmitInteraction): Promise<void> {
    const author = formTarget(interaction);
    if (author === null) return;
    const input = interactionInput(interaction, menuWithAmount(author, formValue(interaction, 'amount')), me);
    intake.take(commandArrival(interaction, input, parseCommand(input), []));
  }

  function commandArrival(
    interaction: Exclude<Interaction, { type: InteractionType.Ping }>,
    input: ReturnType<typeof interactionInput>,
    command: Command,
    named: ReturnType<typeof seen>[],
  ): Arrival {
    const { id, guild_id: guildId } = interaction;
    const user = userOf(interaction);
    const channelId = interaction.channel?.id ?? interaction.channel_id ?? '';
    const at = timeOf(id);
    const isPublic = PUBLIC.has(command.kind);
    const isDirect = isDirectChat(interaction);
    const above = interaction.channel && 'parent_id' in interaction.channel ? interaction.channel.parent_id : null;
    const isMember = isDirect || interaction.authorizing_integration_owners?.['0'] !== undefined;
    const message = {
      platform: 'discord',
      botId: me.id,
      chatId: publicAddress(id),
      messageId: id,
      sentAt: at,
      chatKind: input.ctx.chat,
      ...(isDirect ? {} : { privateChatId: privateAddress(id) }),
      ...(guildId ? { server: { id: guildId, channelIds: above ? [channelId, above] : [channelId] } } : {}),
      sender: { id: user.id, username: user.username },
      input,
    };
    // The bot is seen to think from here on: even what asks for nothing has an answer.
    const asked: Command = command.kind === 'none' ? { kind: 'error', code: 'unknown_command' } : command;
    const entry = {
      key: discordInteractionKey(me.id, id),
      content: { kind: 'message' as const, message, command: asked },
      held: true,
    };
    const place = {
      channelId,
      messageId: id,
      guildId: guildId ?? null,
      userId: isDirect ? user.id : null,
      isUsed: true,
    };
    return {
      news: { seen: [seenAsking(interaction), ...named], seenAt: at, entry },
      place: isMember && channelId !== '' ? place : null,
      interaction: {
        id,
        botId: me.id,
        token: interaction.token,
        channelId,
        userId: user.id,
        isMember,
        isPrivate: !isPublic,
        at,
      },
    };
  }

  async function handlePress(interaction: APIMessageComponentInteraction): Promise<void> {
    const { id, token: secret, message } = interaction;
    const token = interaction.data.custom_id;
    if (token === CONNECT_PRESS) {
      const asked = {
        type: InteractionType.ApplicationCommand,
        data: { name: 'connect', type: ApplicationCommandType.ChatInput },
      };
      const input = interactionInput(interaction, asked, me);
      intake.take(commandArrival(interaction, input, { kind: 'connect' }, []));
      return;
    }
    if (!BUTTON_TOKEN.test(token)) return;
    const user = userOf(interaction);
    const at = timeOf(id);
    const parent = message.interaction_metadata?.id;
    const shown = (await messageOfButton(ctx, token, { channelId: message.channel_id, id: message.id })) ?? {
      chatId: parent ? publicAddress(parent) : message.channel_id,
      messageId: message.id,
    };
    const button = {
      platform: 'discord',
      botId: me.id,
      ...shown,
      userId: user.id,
      username: user.username,
      token,
      callbackId: id,
    };
    presses.set(id, async () => {
      if (parent) await renewToken(ctx, parent, { userId: user.id, token: secret, at });
    });
    intake.take({
      news: {
        seen: [seenAsking(interaction)],
        seenAt: at,
        entry: { key: discordInteractionKey(me.id, id), content: { kind: 'button', button } },
      },
      place: null,
      interaction: {
        id,
        botId: me.id,
        token: secret,
        channelId: message.channel_id,
        userId: user.id,
        isMember: true,
        isPrivate: true,
        at,
      },
    });
  }

  async function recover(): Promise<void> {
    for (const key of await heldCommands(ctx)) {
      const left = await findInteraction(ctx, key.split(':').at(-1) ?? '');
      if (left?.botId !== me.id) continue;
      if (left.token !== null) await acknowledge({ ...left, token: left.token }, key);
      // By now it is too late to pay. Whether its user was shown that it was taken is not known, so they are told.
      else if (left.expiresAt.getTime() <= ctx.clock.now()) await releaseEntry(ctx, key);
      else await dropHeldEntry(ctx, key, 'unanswered');
    }
  }

  return { handle, acknowledge, recover };
}
