/**
 * Interactions as Discord runs them: three seconds for the first answer, fifteen minutes for everything after it, through a token that stands
 * for the interaction. What follows a deferred answer first becomes that answer, with its visibility.
 */
import type { APIMessageInteractionMetadata } from 'discord.js';
import { z } from 'zod';
import { dropMessage, type Hub, tell } from './hub.ts';
import {
  type Body,
  blankMessage,
  changed,
  editMessage,
  keep,
  numbered,
  readBody,
  removeMessage,
  requireMessage,
  withContent,
} from './messages.ts';
import { type InteractionState, put } from './store.ts';
import {
  alreadyAcknowledged,
  badForm,
  botUser,
  CALLBACK,
  emptyMessage,
  FLAG,
  INTERACTION,
  type Kept,
  MESSAGE,
  type Message,
  plainUser,
  tokenOver,
  unknownInteraction,
  unknownMessage,
  unknownWebhook,
} from './wire.ts';

const FIRST_ANSWER_MS = 3_000;
const TOKEN_LIFE_MS = 15 * 60_000;

const callback = z.looseObject({ type: z.number().int(), data: z.looseObject({}).nullable().optional() });
const modal = z.looseObject({
  custom_id: z.string().min(1).max(100),
  title: z.string().min(1).max(45),
  components: z
    .array(z.looseObject({ type: z.number().int() }))
    .min(1)
    .max(5),
});

function update(hub: Hub, interaction: InteractionState, change: Partial<InteractionState>): InteractionState {
  const next = { ...interaction, ...change };
  put(hub.store, 'interaction', interaction.id, next);
  if (next.answer && next.answer !== interaction.answer)
    tell(hub, { type: 'interaction', id: next.id, answer: next.answer, ...(next.modal ? { modal: next.modal } : {}) });
  return next;
}

/** The first answer. @throws unknown interaction when it comes too late, a conflict when there was one */
export function answerInteraction(hub: Hub, id: string, token: string, value: unknown): void {
  const interaction = hub.store.interactions.get(id);
  if (!interaction || interaction.token !== token) throw unknownInteraction();
  if (interaction.answer !== null) throw alreadyAcknowledged();
  if (hub.store.nowMs() - interaction.createdMs > FIRST_ANSWER_MS) throw unknownInteraction();
  const { type, data } = parse(callback, value);
  switch (type) {
    case CALLBACK.message:
    case CALLBACK.deferred: {
      const body = readBody(data);
      const isDeferred = type === CALLBACK.deferred;
      if (!isDeferred && !body.content) throw emptyMessage();
      const ephemeral = ((body.flags ?? 0) & FLAG.ephemeral) !== 0;
      const message = writeAnswer(
        hub,
        interaction,
        isDeferred ? { ...body, content: '' } : body,
        ephemeral,
        isDeferred,
      );
      update(hub, interaction, { answer: isDeferred ? 'deferred' : 'message', ephemeral, originalId: message.id });
      return;
    }
    case CALLBACK.deferredUpdate:
    case CALLBACK.update: {
      if (interaction.type !== INTERACTION.component || interaction.messageId === null)
        throw badForm('only a component can update its message');
      if (type === CALLBACK.update)
        editMessage(hub, requireMessage(hub, interaction.channelId, interaction.messageId), data);
      update(hub, interaction, { answer: 'update', originalId: interaction.messageId });
      return;
    }
    case CALLBACK.modal:
      if (interaction.type === INTERACTION.modal) throw badForm('a form cannot open a form');
      update(hub, interaction, { answer: 'modal', modal: parse(modal, data) });
      return;
    default:
      throw badForm('this kind of answer is not known');
  }
}

/** What a message says of the interaction that it answers. @param original the first answer, of whatever follows it */
function metadataOf(
  hub: Hub,
  { id, type, userId, messageId, openedBy }: InteractionState,
  original: string | null,
): APIMessageInteractionMetadata {
  const user = hub.store.users.get(userId) ?? plainUser(userId, 'someone');
  const owners = { authorizing_integration_owners: {} };
  const common = { id, user, ...owners, ...(original ? { original_response_message_id: original } : {}) };
  if (type === INTERACTION.component) return { ...common, type, interacted_message_id: messageId ?? '' };
  if (type === INTERACTION.command) return { ...common, type };
  const trigger = { id: openedBy ?? id, type: INTERACTION.command, user, ...owners };
  return { ...common, type: INTERACTION.modal, triggering_interaction_metadata: trigger };
}

function writeAnswer(
  hub: Hub,
  interaction: InteractionState,
  body: Body,
  ephemeral: boolean,
  isLoading: boolean,
  original: string | null = null,
): Message {
  const blank = blankMessage(hub, interaction.channelId, botUser(hub.bot));
  const message: Message = {
    ...withContent(hub, blank, body.content ?? '', body.allowed_mentions?.parse?.length !== 0),
    type: MESSAGE.command,
    application_id: hub.bot.id,
    webhook_id: hub.bot.id,
    components: numbered(body.components),
    flags: ((body.flags ?? 0) & ~FLAG.ephemeral) | (ephemeral ? FLAG.ephemeral : 0) | (isLoading ? FLAG.loading : 0),
    interaction_metadata: metadataOf(hub, interaction, original),
  };
  keep(hub, { message, visibleTo: ephemeral ? interaction.userId : null, atMs: hub.store.nowMs() });
  return message;
}

/** The interaction that a webhook's token stands for. */
function requireToken(hub: Hub, applicationId: string, token: string): InteractionState {
  if (applicationId !== hub.bot.id) throw unknownWebhook();
  const interaction = [...hub.store.interactions.values()].findLast((one) => one.token === token);
  if (!interaction) throw unknownWebhook();
  if (hub.store.nowMs() - interaction.createdMs > TOKEN_LIFE_MS) throw tokenOver();
  if (interaction.answer === null) throw unknownWebhook();
  return interaction;
}

/** A further message. While people see the bot think it becomes that first answer, whatever its own flags say. */
export function followUp(hub: Hub, applicationId: string, token: string, value: unknown): Message {
  const interaction = requireToken(hub, applicationId, token);
  const body = readBody(value);
  if (!body.content) throw emptyMessage();
  const original = interaction.originalId === null ? null : hub.store.messages.get(interaction.originalId);
  if (interaction.answer === 'deferred' && original) return editOriginal(hub, applicationId, token, value);
  const ephemeral = ((body.flags ?? 0) & FLAG.ephemeral) !== 0;
  return writeAnswer(hub, interaction, body, ephemeral, false, interaction.originalId);
}

function requireAnswer(hub: Hub, interaction: InteractionState, messageId: string): Kept {
  const id = messageId === '@original' ? interaction.originalId : messageId;
  const kept = id === null ? undefined : hub.store.messages.get(id);
  if (!kept || kept.message.channel_id !== interaction.channelId) throw unknownMessage();
  return kept;
}

export function readAnswer(hub: Hub, applicationId: string, token: string, messageId: string): Message {
  return requireAnswer(hub, requireToken(hub, applicationId, token), messageId).message;
}

export function editAnswer(hub: Hub, applicationId: string, token: string, messageId: string, value: unknown): Message {
  if (messageId === '@original') return editOriginal(hub, applicationId, token, value);
  const interaction = requireToken(hub, applicationId, token);
  return editMessage(hub, requireAnswer(hub, interaction, messageId), value);
}

function editOriginal(hub: Hub, applicationId: string, token: string, value: unknown): Message {
  const interaction = requireToken(hub, applicationId, token);
  const kept = requireAnswer(hub, interaction, '@original');
  if (interaction.answer === 'deferred') {
    // Refused text leaves it thinking.
    changed(hub, kept.message, readBody(value));
    update(hub, interaction, { answer: 'message' });
  }
  return editMessage(hub, kept, value);
}

export function deleteAnswer(hub: Hub, applicationId: string, token: string, messageId: string): void {
  const interaction = requireToken(hub, applicationId, token);
  const kept = requireAnswer(hub, interaction, messageId);
  if (kept.visibleTo === null) removeMessage(hub, kept);
  else dropMessage(hub, kept);
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw badForm(z.prettifyError(parsed.error));
  return parsed.data;
}
