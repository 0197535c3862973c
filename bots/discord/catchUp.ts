// Searches the channels in which the bot is used for messages that the gateway missed: after a start, and after a session that could not be resumed.
// It finds no commands of menus: their users have seen those fail.
import { setTimeout as sleep } from 'node:timers/promises';
import { type APIMessage, makeURLSearchParams, type REST, Routes } from 'discord.js';
import type { Ctx } from '../../src/context.ts';
import { forgetChannel, noteMessages, usedChannels } from '../../src/services/chat/channels.ts';
import { isInaccessible, waitOf, wordsOf } from './calls.ts';
import { snowflakeAt } from './message.ts';
import type { Intake } from './store.ts';

const PAGE = 100;
const MOST_PAGES = 10;
/** What is older gets no answer. */
const LOOK_BACK_MS = 24 * 3_600_000;
const RETRY_MS = 2_000;

type Channel = Awaited<ReturnType<typeof usedChannels>>[number];
type Take = (message: APIMessage, channel: { guildId: string | null; userId: string | null }) => void;

/** Runs one search at a time; started again meanwhile, it restarts. @returns a function that starts it */
export function createCatchUp(
  ctx: Ctx,
  rest: REST,
  botId: string,
  { intake, isOver }: { intake: Intake; isOver(): boolean },
  take: Take,
): () => Promise<void> {
  let wanted = 0;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    let done = -1;
    // It ends in the same step in which it sees that no restart is wanted: one between the two would be lost.
    while (done !== wanted && !isOver()) {
      const asked = wanted;
      try {
        await lookThrough();
        done = asked;
        if (done === wanted) await intake.setComplete(true);
      } catch (err) {
        if (isOver()) break;
        ctx.log.warn({ reason: wordsOf(err) }, 'channels could not be looked through; it is tried again');
        await sleep(waitOf(err) ?? RETRY_MS);
      }
    }
    running = null;
  }
  async function lookThrough(): Promise<void> {
    for (const channel of await usedChannels(ctx, botId)) {
      try {
        await lookThroughChannel(channel);
      } catch (error) {
        if (!isInaccessible(error)) throw error;
        await forgetChannel(ctx, channel.id);
      }
    }
  }
  async function lookThroughChannel(channel: Channel): Promise<void> {
    const oldest = snowflakeAt(ctx.clock.now() - LOOK_BACK_MS);
    let after = BigInt(channel.lastMessageId) > BigInt(oldest) ? channel.lastMessageId : oldest;
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = makeURLSearchParams({ after, limit: PAGE });
      const messages = (await rest.get(Routes.channelMessages(channel.id), { query })) as APIMessage[];
      messages.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
      for (const message of messages) take(message, channel);
      const last = messages.at(-1);
      if (!last) return;
      await intake.stored();
      after = last.id;
      const { id: channelId, guildId, userId } = channel;
      await noteMessages(ctx, botId, [{ channelId, messageId: after, guildId, userId, isUsed: true }]);
      if (messages.length < PAGE) return;
    }
    ctx.log.warn({ channel: channel.id }, 'more was written in a channel than is looked through');
  }

  return () => {
    wanted += 1;
    running ??= run();
    return running;
  };
}
