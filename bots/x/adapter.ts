// The X adapter: twitter-api-v2's client, what is posted and sent directly, and where mentions come in.
import type { TwitterApi, UserV2 } from 'twitter-api-v2';
import type { Ctx } from '../../src/context.ts';
import { AppError, StartError } from '../../src/domain/errors.ts';
import { hasLink, weightedLength } from '../../src/domain/weightedText.ts';
import { X_PRICES } from '../../src/domain/xBudget.ts';
import type { AnsweredAuthor } from '../../src/services/chat/xBudget.ts';
import { knownAccount, noteAccount, seedHashOf } from '../../src/services/chat/xLogin.ts';
import type { Adapter, Saying, SendOutcome } from '../adapter.ts';
import { createXClient, NO_BUDGET, NO_SHARE, type Priced, type XClient, type XOutcome } from './client.ts';
import { composeForX, directUser } from './compose.ts';
import { createXSource, type XSource } from './source.ts';
import { MOST_WEIGHT } from './text.ts';

export type X = Adapter & XSource;

/**
 * Logs in and prepares the adapter.
 * @param seed the refresh token of the configuration
 * @param onStored called after something new lies in the inbox
 * @throws StartError when X refuses the login
 */
export async function createX(ctx: Ctx, seed: string, onStored: () => void): Promise<X> {
  const client = createXClient(ctx, seed);
  ctx.shutdown.onClose('x client', () => client.close());
  const bot = await whoAmI(ctx, client, seed);
  const adapter: Adapter = {
    platform: 'x',
    botId: bot.id,
    botUsername: bot.username,
    send: (to, message, replyTo) => {
      const userId = directUser(to.chatId);
      return userId === null ? post(client, message, replyTo) : sendDirectly(client, userId, message);
    },
    // Nothing on X can be changed; `compose` says once what is final enough.
    edit: async () => ({ kind: 'gone' }),
    acknowledge: async () => {},
    compose: (reply, views) => composeForX(ctx, adapter, reply, views),
    currentUsername: (userId) => currentUsername(client, userId),
    directChatUrl: () => `https://x.com/${bot.username}`,
    connectButton: (label) => ({ label, url: `https://x.com/${bot.username}` }),
  };
  return { ...adapter, ...createXSource(ctx, client, bot, onStored) };
}

async function whoAmI(ctx: Ctx, client: XClient, seed: string): Promise<{ id: string; username: string }> {
  const seedHash = seedHashOf(seed);
  const price = X_PRICES.readUser;
  const me = await client.call('courtesy', (api) => api.v2.me(), { worst: price, cost: () => price });
  if (me.kind === 'done') {
    const { id, username } = me.value.data;
    await noteAccount(ctx, seedHash, { id, username });
    return { id, username };
  }
  const known = await knownAccount(ctx, seedHash);
  if (known) return known;
  throw new StartError(
    `X does not let the bot in (${me.reason}). Check X_CLIENT_ID, X_CLIENT_SECRET and X_BOT_REFRESH_TOKEN.`,
  );
}

/** One reply to the summoning post, which mentions only the author of that post. */
async function post(client: XClient, message: Saying['message'], replyTo: string | null): Promise<SendOutcome> {
  const { text, leaveOut = [], isCourtesy = false, again, link, answered } = message;
  const tweet = (words: string, purpose: 'owed' | 'courtesy', isOwed = answered?.isOwed) => {
    const worst = hasLink(words) ? X_PRICES.createPostWithLink : X_PRICES.createPost;
    return answering(
      client,
      purpose,
      (api) =>
        api.v2.tweet({
          text: words,
          ...(replyTo === null
            ? {}
            : {
                reply: {
                  in_reply_to_tweet_id: replyTo,
                  ...(leaveOut.length > 0 ? { exclude_reply_user_ids: leaveOut } : {}),
                },
              }),
        }),
      { worst, cost: () => worst },
      answered && { ...answered, isOwed: isOwed === true },
    );
  };
  const purpose = isCourtesy ? 'courtesy' : 'owed';
  const first = await tweetLinked();
  // It is posted already: the answer to an earlier call was lost.
  const isThere = first.kind === 'refused' && first.status === 403 && /duplicate content/i.test(first.reason);
  if (isThere && again === undefined) return { kind: 'sent', messageId: '' };
  const outcome = isThere && again !== undefined ? await tweet(again, purpose) : first;
  if (isCourtesy && outcome.kind === 'later' && outcome.reason === NO_BUDGET)
    return { kind: 'refused', reason: NO_BUDGET };
  return sent(outcome, (answer) => answer.data.id);

  /** With its address where that fits and may be paid; the words alone are owed. */
  async function tweetLinked() {
    const linked = link === undefined ? null : `${text}\n${link}`;
    if (linked === null || weightedLength(linked) > MOST_WEIGHT) return tweet(text, purpose);
    const outcome = await tweet(linked, 'courtesy', false);
    const isTooDear = outcome.kind !== 'done' && (outcome.reason === NO_BUDGET || outcome.reason === NO_SHARE);
    return isTooDear ? tweet(text, purpose) : outcome;
  }
}

function answering<T>(
  client: XClient,
  purpose: 'owed' | 'courtesy',
  work: (api: TwitterApi) => Promise<T>,
  priced: Priced<T>,
  answered: AnsweredAuthor | undefined,
): Promise<XOutcome<T>> {
  return answered ? client.answer(purpose, work, priced, answered) : client.call(purpose, work, priced);
}

async function sendDirectly(
  client: XClient,
  userId: string,
  { text, answered }: Saying['message'],
): Promise<SendOutcome> {
  const price = X_PRICES.sendDirectMessage;
  const priced = { worst: price, cost: () => price };
  const outcome = await answering(
    client,
    'owed',
    (api) => api.v2.sendDmToParticipant(userId, { text }),
    priced,
    answered,
  );
  // The library's type has the answer without the envelope that X sends.
  return sent(outcome, (answer) => {
    const { data, dm_event_id: id } = answer as { data?: { dm_event_id: string }; dm_event_id?: string };
    return data?.dm_event_id ?? id ?? '';
  });
}

function sent<T>(outcome: XOutcome<T>, idOf: (value: T) => string): SendOutcome {
  if (outcome.kind === 'done') return { kind: 'sent', messageId: idOf(outcome.value) };
  return outcome.kind === 'later' ? outcome : { kind: 'refused', reason: outcome.reason };
}

async function currentUsername(client: XClient, userId: string): Promise<string | null> {
  const price = X_PRICES.readUser;
  const outcome = await client.call('courtesy', (api) => api.v2.user(userId), {
    worst: price,
    cost: ({ data }) => (data ? price : 0n),
  });
  if (outcome.kind === 'done') return (outcome.value.data as UserV2 | undefined)?.username ?? null;
  if (outcome.kind === 'refused' && outcome.status === 404) return null;
  throw new AppError('provider_unavailable', `X did not say what an account is called: ${outcome.reason}`);
}
