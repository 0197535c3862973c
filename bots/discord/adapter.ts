// The Discord adapter: discord.js's client and gateway, how we show and change messages, and where events come in.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type APIApplication,
  type APIMessage,
  type APIUser,
  Client,
  Events,
  GatewayDispatchEvents,
  GatewayIntentBits,
  type GatewayMessageCreateDispatchData,
  type GatewayMessageReactionAddDispatchData,
  MessageFlags,
  Options,
  REST,
  Routes,
} from 'discord.js';
import type { Ctx } from '../../src/context.ts';
import { directChatId } from '../../src/domain/chat.ts';
import { parseCommand } from '../../src/domain/command.ts';
import { StartError } from '../../src/domain/errors.ts';
import { discordMessageKey } from '../../src/domain/messageKey.ts';
import { findInteraction, liveToken } from '../../src/services/chat/interactions.ts';
import type { Adapter } from '../adapter.ts';
import { isUnauthorized, isUnknownUser, wordsOf } from './calls.ts';
import { createCatchUp } from './catchUp.ts';
import { commandsOn } from './commands.ts';
import { createInteractions } from './interactions.ts';
import { type DiscordInteraction, isTyped, type Me, messageInput, peopleIn } from './message.ts';
import { CONNECT_PRESS } from './presses.ts';
import { addedReaction, writtenIn } from './reaction.ts';
import { createPost } from './send.ts';
import { createIntake } from './store.ts';

const CALL_TIMEOUT_MS = 10_000;
const CONNECT_RETRY_MS = 5_000;
const RECOVER_EVERY_MS = 60_000;
/** No privileged intent: what names the bot, answers it or is written to it alone comes with its text. */
const INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.DirectMessages,
];

export type Discord = Adapter & {
  /** Registers the commands and connects to the gateway, for as long as the process lives. */
  start(): Promise<void>;
  /** Resolves when everything that came so far is stored, and every channel that had to be was searched. */
  settled(): Promise<void>;
  /** Leaves the gateway; what came is stored first. */
  stop(): Promise<void>;
};

/**
 * Logs in and prepares the adapter.
 * @param onStored called after something new lies in the inbox
 * @throws StartError when Discord refuses the token, or it is another application's
 */
export async function createDiscord(ctx: Ctx, token: string, onStored: () => void): Promise<Discord> {
  const options = restOptions(ctx.env.DISCORD_API_ROOT);
  const rest = new REST(options).setToken(token);
  ctx.shutdown.onClose('discord calls', () => {
    rest.clearHashSweeper();
    rest.clearHandlerSweeper();
  });
  const me = await identify(rest, ctx.env.DISCORD_APPLICATION_ID);
  const post = createPost(ctx, rest, me);
  const underWay = new Set<Promise<void>>();
  let left = false;
  const isOver = () => left || ctx.shutdown.closing();
  const intake = createIntake(ctx, me.id, {
    onStored,
    onInteraction: (interaction, key) => track(interactions.acknowledge(interaction, key)),
    onLoss: () => catchUpSoon(),
  });
  const interactions = createInteractions(ctx, rest, me, intake, { onStored, isOver });
  const catchUp = createCatchUp(ctx, rest, me.id, { intake, isOver }, (message, channel) =>
    takeMessage(message, channel.guildId),
  );
  let client: Client | null = null;

  /** Runs work that has no caller: a failure is logged, and ends nothing. */
  function track(work: Promise<unknown>): void {
    const done = work
      .then(() => {})
      .catch((err: unknown) => ctx.log.warn({ reason: wordsOf(err) }, 'an event of Discord could not be handled'))
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }
  function catchUpSoon(): void {
    void intake.setComplete(false);
    track(catchUp());
  }

  /** The channel, and for a thread the one above it. */
  function channelsOf(channelId: string): string[] {
    const channel = client?.channels.cache.get(channelId);
    const above = channel && 'parentId' in channel && channel.isThread() ? channel.parentId : null;
    return above ? [channelId, above] : [channelId];
  }

  function takeMessage(message: APIMessage, guildId: string | null): void {
    if (!isTyped(message)) return;
    const isDirect = guildId === null;
    const { author } = message;
    if (isDirect && !author.bot) post.noteDirectChat(author.id, message.channel_id);
    const input = messageInput(message, isDirect, me);
    const command = parseCommand(input);
    const sentAt = Date.parse(message.timestamp);
    const chatMessage = {
      platform: 'discord',
      botId: me.id,
      // A direct chat is known by its person, so that notices find it.
      chatId: isDirect ? directChatId('discord', author.id) : message.channel_id,
      messageId: message.id,
      sentAt,
      chatKind: input.ctx.chat,
      ...(message.message_reference?.message_id ? { answers: message.message_reference.message_id } : {}),
      ...(guildId ? { server: { id: guildId, channelIds: channelsOf(message.channel_id) } } : {}),
      sender: { id: author.id, username: author.username },
      input,
    };
    const isOurs = command.kind !== 'none';
    const content = { kind: 'message' as const, message: chatMessage, command };
    const entry = isOurs ? { key: discordMessageKey(me.id, message.id), content } : null;
    intake.take({
      news: { seen: peopleIn(message), seenAt: sentAt, entry },
      place: {
        channelId: message.channel_id,
        messageId: message.id,
        guildId,
        userId: isDirect && !author.bot ? author.id : null,
        isUsed: isOurs,
      },
      interaction: null,
      ...(isDirect ? {} : { written: writtenIn(message) }),
    });
  }

  function takeReaction(event: GatewayMessageReactionAddDispatchData): void {
    const reaction = addedReaction(event, me.id, channelsOf(event.channel_id), ctx.clock.now());
    if (!reaction) return;
    intake.take({
      news: { seen: [], seenAt: reaction.at, entry: null },
      place: null,
      interaction: null,
      reaction,
    });
  }

  function listen(to: Client): void {
    to.on(Events.Error, (err) => ctx.log.error({ reason: wordsOf(err) }, 'the client of Discord reports an error'));
    to.on(Events.ShardError, () => ctx.log.warn('the gateway of Discord cannot be reached; it is tried again'));
    to.on(Events.ShardDisconnect, ({ code }) =>
      ctx.shutdown.fail(
        `Discord closed the gateway permanently (${code}). Check DISCORD_BOT_TOKEN and the bot’s settings.`,
      ),
    );
    to.ws.on(GatewayDispatchEvents.Ready, catchUpSoon);
    to.ws.on(GatewayDispatchEvents.MessageCreate, (message: GatewayMessageCreateDispatchData) =>
      takeMessage(message, message.guild_id ?? null),
    );
    to.ws.on(GatewayDispatchEvents.MessageReactionAdd, takeReaction);
    to.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: DiscordInteraction) =>
      track(interactions.handle(interaction)),
    );
  }

  /** The client resumes and reconnects by itself; only the very first connection is tried again here. */
  async function connect(): Promise<void> {
    while (!isOver()) {
      const next = new Client({ intents: INTENTS, rest: options, makeCache: SMALL_CACHE });
      listen(next);
      client = next;
      try {
        await next.login(token);
        return;
      } catch (err) {
        await next.destroy().catch(() => {});
        ctx.log.error({ reason: wordsOf(err) }, 'the gateway of Discord cannot be reached; it is tried again');
        await sleep(CONNECT_RETRY_MS, undefined, { ref: false });
      }
    }
  }

  async function settled(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
    await intake.stored();
    if (underWay.size > 0) await settled();
  }

  let recovering: NodeJS.Timeout | undefined;
  async function stop(): Promise<void> {
    left = true;
    clearInterval(recovering);
    await client?.destroy();
    client = null;
    await settled();
  }

  return {
    platform: 'discord',
    botId: me.id,
    botUsername: me.username,
    send: post.send,
    edit: post.edit,
    react: post.react,
    find: post.find,
    // The message itself shows the outcome; what it cannot show is posted to the presser alone.
    acknowledge: async (callbackId, text, answer) => {
      if (answer !== 'not_yours' && answer !== 'too_late' && answer !== 'too_early') return;
      const interaction = await findInteraction(ctx, callbackId);
      const live = interaction ? liveToken(ctx, interaction) : null;
      if (live === null) return;
      const body = { content: text, flags: MessageFlags.Ephemeral, allowed_mentions: { parse: [] } };
      await rest
        .post(Routes.webhook(me.id, live), { body, auth: false })
        .catch((err: unknown) => ctx.log.debug({ reason: wordsOf(err) }, 'a press could not be answered'));
    },
    directChatUrl: () => `https://discord.com/users/${me.userId}`,
    connectButton: (label) => ({ label, token: CONNECT_PRESS }),
    currentUsername: async (userId) => {
      try {
        return ((await rest.get(Routes.user(userId))) as APIUser).username;
      } catch (error) {
        if (isUnknownUser(error)) return null;
        throw error;
      }
    },
    settled,
    stop,
    start: async () => {
      await rest
        .put(Routes.applicationCommands(me.id), { body: commandsOn(Object.keys(ctx.chains)) })
        .catch((err: unknown) => ctx.log.warn({ reason: wordsOf(err) }, 'the commands could not be registered'));
      recovering = setInterval(() => track(interactions.recover()), RECOVER_EVERY_MS);
      ctx.shutdown.onClose('discord gateway', stop);
      track(interactions.recover());
      await connect();
    },
  };
}

/** Nothing waits inside the client: our own outbox knows better what is worth a second try, and when. */
function restOptions(api: string) {
  return { api, timeout: CALL_TIMEOUT_MS, retries: 0, rejectOnRateLimit: () => true };
}

/** We keep what we need in the database. */
const SMALL_CACHE = Options.cacheWithLimits({
  ...Options.DefaultMakeCacheSettings,
  MessageManager: 0,
  GuildMemberManager: 0,
  PresenceManager: 0,
  ReactionManager: 0,
  VoiceStateManager: 0,
});

/** Who the bot is. @throws StartError */
async function identify(rest: REST, expected: string | undefined): Promise<Me> {
  try {
    const application = (await rest.get(Routes.currentApplication())) as APIApplication;
    const user = (await rest.get(Routes.user())) as APIUser;
    if (expected !== undefined && expected !== application.id)
      throw new StartError('DISCORD_APPLICATION_ID is not the application of DISCORD_BOT_TOKEN. Correct one of them.');
    return { id: application.id, userId: user.id, username: user.username };
  } catch (cause) {
    if (isUnauthorized(cause))
      throw new StartError('Discord refuses DISCORD_BOT_TOKEN. Copy the token of your bot from its settings again.');
    if (cause instanceof StartError) throw cause;
    throw new Error(`Discord cannot be reached: ${wordsOf(cause)}`);
  }
}
