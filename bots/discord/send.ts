// Sends and edits on Discord: in a channel, a direct chat, or an interaction, through its token while that lasts and as an ordinary message
// afterwards. What is for one person alone is never shown to others, whatever has ended meanwhile.
import { createHash } from 'node:crypto';
import { type APIMessage, makeURLSearchParams, type REST, Routes } from 'discord.js';
import type { Ctx } from '../../src/context.ts';
import type { ChatAddress } from '../../src/domain/chat.ts';
import {
  claimAnswer,
  findInteraction,
  type Interaction,
  liveToken,
  noteAnswered,
  noteTokenOver,
} from '../../src/services/chat/interactions.ts';
import { languagesOf } from '../../src/services/outbox/languages.ts';
import type { Adapter, Rendered, SendOutcome } from '../adapter.ts';
import { say } from '../render/say.ts';
import {
  Gone,
  isInaccessible,
  isRefused,
  isTokenOver,
  isUnknownMessage,
  outcome,
  Refused,
  waitOf,
  wordsOf,
} from './calls.ts';
import { type Me, snowflakeAt } from './message.ts';
import { messageBody } from './render.ts';

const MOST_DIRECT_CHATS = 10_000;
const ORIGINAL = '@original';
const PAGE = 100;
/** Ids of messages carry Discord's clock. */
const CLOCKS_DIFFER_MS = 10_000;
const NOT_UNDERSTOOD = '🤔';

/** Addresses: a channel's id; `user:<id>`; `interaction:<id>` for its public side, `private:<id>` for what its user alone sees. */
export function publicAddress(interactionId: string): string {
  return `interaction:${interactionId}`;
}
export function privateAddress(interactionId: string): string {
  return `private:${interactionId}`;
}

type Place = { kind: 'channel' | 'user' | 'interaction' | 'private'; id: string };

function placeOf({ chatId }: ChatAddress): Place {
  const match = /^(user|interaction|private):(\d{1,20})$/.exec(chatId);
  return match ? { kind: match[1] as Place['kind'], id: match[2] ?? '' } : { kind: 'channel', id: chatId };
}

export type Post = {
  send(to: ChatAddress, message: Rendered, replyTo: string | null, key: string): Promise<SendOutcome>;
  edit(to: ChatAddress, messageId: string, message: Rendered): Promise<SendOutcome>;
  react(to: ChatAddress, messageId: string): Promise<SendOutcome>;
  find: NonNullable<Adapter['find']>;
  /** Notes the channel of a direct chat. */
  noteDirectChat(userId: string, channelId: string): void;
};

type IsFree = Parameters<Post['find']>[3];
type Found = Awaited<ReturnType<Post['find']>>;

/** @param me the author; the application's id is a part of its webhooks' addresses */
export function createPost(ctx: Ctx, rest: REST, me: Me): Post {
  const appId = me.id;
  const directChats = new Map<string, string>();
  const inOrder = createLine();

  function noteDirectChat(userId: string, channelId: string): void {
    directChats.delete(userId);
    directChats.set(userId, channelId);
    for (const oldest of directChats.keys()) {
      if (directChats.size <= MOST_DIRECT_CHATS) break;
      directChats.delete(oldest);
    }
  }
  async function directChat(userId: string): Promise<string> {
    const known = directChats.get(userId);
    if (known) return known;
    const { id } = (await rest.post(Routes.userChannels(), { body: { recipient_id: userId } })) as { id: string };
    noteDirectChat(userId, id);
    return id;
  }

  /** An ordinary message. The nonce makes a repeated call the same message, which shows the words that it was first sent with. */
  async function sendTo(channelId: string, message: Rendered, replyTo: string | null, key: string): Promise<string> {
    const reply = replyTo ? { message_reference: { message_id: replyTo, fail_if_not_exists: false } } : {};
    const body = { ...messageBody(message), ...reply, nonce: nonceOf(key), enforce_nonce: true };
    const sent = (await rest.post(Routes.channelMessages(channelId), { body })) as APIMessage;
    if (sent.content !== body.content) await editMessage(channelId, sent.id, message);
    return sent.id;
  }

  /** What was written for this reply since then and no reply knows of: Discord forgets a nonce after a few minutes. */
  async function findMessage(channelId: string, replyTo: string | null, since: number, isFree: IsFree): Promise<Found> {
    const query = makeURLSearchParams({ after: snowflakeAt(since - CLOCKS_DIFFER_MS), limit: PAGE });
    const messages = (await rest.get(Routes.channelMessages(channelId), { query })) as APIMessage[];
    const own = messages.filter(
      (message) =>
        message.author.id === me.userId &&
        !message.interaction_metadata &&
        (message.message_reference?.message_id ?? null) === replyTo,
    );
    const [messageId] = await isFree(own.map(({ id }) => id).reverse());
    return messageId === undefined ? { kind: 'none' } : { kind: 'found', messageId };
  }
  async function sendDirect(userId: string, message: Rendered, replyTo: string | null, key: string): Promise<string> {
    return sendTo(await directChat(userId), message, replyTo, key);
  }

  async function editOriginal(token: string, message: Rendered): Promise<string> {
    const body = messageBody(message);
    const route = Routes.webhookMessage(appId, token, ORIGINAL);
    return ((await rest.patch(route, { body, auth: false })) as APIMessage).id;
  }
  async function followUp(token: string, message: Rendered, ephemeral: boolean): Promise<string> {
    const body = messageBody(message, { ephemeral });
    return ((await rest.post(Routes.webhook(appId, token), { body, auth: false })) as APIMessage).id;
  }
  /** The chat sees the bot think, and the answer is for one person alone. */
  async function deleteOriginal(token: string): Promise<void> {
    await rest.delete(Routes.webhookMessage(appId, token, ORIGINAL), { auth: false }).catch((error: unknown) => {
      if (!isUnknownMessage(error)) throw error;
    });
  }

  /** Holds the place of a public answer that follows in a moment. */
  async function onItsWay(userId: string): Promise<string> {
    const reader = { platform: 'discord', userId };
    return say((await languagesOf(ctx, [reader]))(reader), 'discord-on-its-way');
  }

  async function unshown(userId: string): Promise<string> {
    const reader = { platform: 'discord', userId };
    return say((await languagesOf(ctx, [reader]))(reader), 'discord-unshown');
  }

  /** A follow-up before the first answer would become that answer, in public. */
  async function answer(
    interaction: Interaction,
    token: string,
    message: Rendered,
    isPrivate: boolean,
    key: string,
  ): Promise<string> {
    const { id } = interaction;
    const fits = interaction.isPrivate || !isPrivate;
    if (fits && (await claimAnswer(ctx, id, key))) {
      const messageId = await editOriginal(token, message);
      await noteAnswered(ctx, id);
      return messageId;
    }
    if (interaction.answeredAt === null) {
      // Public and private parts of one outcome come in any order: only a private answer without a public one deletes that.
      const standsAlone = message.onlyFor !== undefined && (await claimAnswer(ctx, id, key));
      if (standsAlone) await deleteOriginal(token);
      else await editOriginal(token, { text: await onItsWay(interaction.userId), links: [], buttons: [] });
      await noteAnswered(ctx, id);
    }
    return followUp(token, message, isPrivate);
  }

  async function sendToInteraction(place: Place, message: Rendered, key: string): Promise<string> {
    const interaction = await findInteraction(ctx, place.id);
    if (!interaction) throw new Refused('the interaction is long over');
    const isPrivate = place.kind === 'private' || interaction.isPrivate || message.onlyFor !== undefined;
    const token = liveToken(ctx, interaction);
    if (token !== null) {
      try {
        return await plainly(interaction, message, (shown) => answer(interaction, token, shown, isPrivate, key));
      } catch (error) {
        if (!isTokenOver(error) && !isRefused(error) && !isInaccessible(error)) throw error;
        if (isTokenOver(error)) await noteTokenOver(ctx, interaction.id);
      }
    }
    const write = async (channelId: string) =>
      plainly(interaction, message, async (shown) => standIn(channelId, await sendTo(channelId, shown, null, key)));
    if (!isPrivate && interaction.isMember) {
      try {
        return await write(interaction.channelId);
      } catch (error) {
        if (!isInaccessible(error)) throw error;
      }
    }
    return write(await directChat(interaction.userId));
  }

  /** What Discord refuses as it is, it may take in plainer words: no user is left with a bot that thinks. @throws the last refusal */
  async function plainly(
    { userId }: Interaction,
    message: Rendered,
    show: (shown: Rendered) => Promise<string>,
  ): Promise<string> {
    for (const shown of [message, bare(message, message.text)]) {
      try {
        return await show(shown);
      } catch (error) {
        if (!isRefused(error)) throw error;
      }
    }
    return show(bare(message, await unshown(userId)));
  }

  async function editMessage(channelId: string, messageId: string, message: Rendered): Promise<string> {
    await rest.patch(Routes.channelMessage(channelId, messageId), { body: messageBody(message) });
    return messageId;
  }

  async function editOfInteraction(place: Place, messageId: string, message: Rendered): Promise<string> {
    const ordinary = readStandIn(messageId);
    if (ordinary) {
      await editMessage(ordinary.channelId, ordinary.messageId, message);
      return messageId;
    }
    const interaction = await findInteraction(ctx, place.id);
    if (!interaction) throw new Refused('the interaction is long over');
    const token = liveToken(ctx, interaction);
    if (token !== null) {
      try {
        const body = messageBody(message);
        await rest.patch(Routes.webhookMessage(appId, token, messageId), { body, auth: false });
        return messageId;
      } catch (error) {
        if (!isTokenOver(error)) throw error;
        await noteTokenOver(ctx, interaction.id);
      }
    }
    // What only one person sees can be changed through the token alone. When that is over, it stays as it is.
    if (place.kind === 'private' || interaction.isPrivate) return messageId;
    if (!interaction.isMember) throw new Gone();
    return editMessage(interaction.channelId, messageId, message);
  }

  return {
    noteDirectChat,
    send: (to, message, replyTo, key) =>
      outcome(async () => {
        const place = placeOf(to);
        if (place.kind === 'channel') return sendTo(place.id, message, replyTo, key);
        if (place.kind === 'user') return sendDirect(place.id, message, replyTo, key);
        return inOrder(place.id, () => sendToInteraction(place, message, key));
      }),
    react: (to, messageId) =>
      outcome(async () => {
        const emoji = encodeURIComponent(NOT_UNDERSTOOD);
        await rest.put(Routes.channelMessageOwnReaction(to.chatId, messageId, emoji));
        return messageId;
      }),
    find: async (to, replyTo, since, isFree) => {
      const place = placeOf(to);
      if (place.kind === 'interaction' || place.kind === 'private') return { kind: 'none' };
      try {
        const channelId = place.kind === 'user' ? await directChat(place.id) : place.id;
        return await findMessage(channelId, replyTo, since, isFree);
      } catch (error) {
        // What it may not read it may still write.
        if (isInaccessible(error)) return { kind: 'none' };
        const wait = waitOf(error);
        return { kind: 'later', reason: wordsOf(error), ...(wait === null ? {} : { retryAfterMs: wait }) };
      }
    },
    edit: (to, messageId, message) => {
      const place = placeOf(to);
      if (place.kind === 'channel') return outcome(() => editMessage(place.id, messageId, message));
      if (place.kind === 'user') {
        return outcome(async () => editMessage(await directChat(place.id), messageId, message));
      }
      return outcome(() => inOrder(place.id, () => editOfInteraction(place, messageId, message)));
    },
  };
}

function bare({ onlyFor }: Rendered, text: string): Rendered {
  return { text, links: [], buttons: [], ...(onlyFor === undefined ? {} : { onlyFor }) };
}

/** An ordinary message in place of an answer, as the outbox stores it: with its channel, which may be any. */
function standIn(channelId: string, messageId: string): string {
  return `${channelId}/${messageId}`;
}
function readStandIn(shown: string): { channelId: string; messageId: string } | null {
  const [channelId = '', messageId] = shown.split('/');
  return messageId === undefined ? null : { channelId, messageId };
}

/** Answers to one interaction go out one after the other: which one is the first decides who sees what. */
function createLine(): <T>(id: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (id, work) => {
    const done = (last.get(id) ?? Promise.resolve()).then(work, work);
    const settled = done
      .catch(() => {})
      .then(() => {
        if (last.get(id) === settled) last.delete(id);
      });
    last.set(id, settled);
    return done;
  };
}

/** At most 25 characters that name a reply. */
function nonceOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 25);
}
