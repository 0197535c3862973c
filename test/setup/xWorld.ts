// The X of a world: a local server, the real adapter over it, and what people do there.
import type { Adapter } from '../../bots/adapter.ts';
import { handleEntries } from '../../bots/ingest.ts';
import { createX } from '../../bots/x/adapter.ts';
import { type RunningX, startXServer, type XOptions } from '../../local/platforms/x/server.ts';
import { PEOPLE, X_BOT } from '../../local/stack/people.ts';
import type { Ctx } from '../../src/context.ts';
import { pendingInbox } from '../../src/services/chat/inbox.ts';
import { callJson } from './http.ts';

export type XWorldOptions = { rateLimits?: NonNullable<XOptions['rateLimits']>; env?: Record<string, string> } & {
  /** Puts something between the client and the server. */
  through?: (direct: string) => Promise<string>;
};
export type ShownPost = {
  id: string;
  author: { id: string; username: string };
  text: string;
  visible_text: string;
  in_reply_to_post_id: string | null;
  conversation_id: string;
};
type Account = { id: string; username: string };
export type PostOptions = { replyTo?: string; edit?: string; reposts?: string; quotes?: string; pictures?: number };
export type XWorld = Awaited<ReturnType<typeof openXWorld>>;

export async function startXWorldServer(
  clock: () => number,
  { rateLimits, through }: XWorldOptions,
): Promise<RunningX & { env: Record<string, string> }> {
  const server = await startXServer({
    bots: [X_BOT],
    people: PEOPLE.map(({ x }) => ({ ...x, name: x.username })),
    clock,
    ...(rateLimits ? { rateLimits } : {}),
  });
  const env = {
    X_API_ROOT: through ? await through(server.url) : server.url,
    X_CLIENT_ID: X_BOT.clientId,
    X_CLIENT_SECRET: X_BOT.clientSecret,
    X_BOT_REFRESH_TOKEN: X_BOT.refreshToken,
  };
  return { ...server, env };
}

export async function openXWorld(ctx: Ctx, server: RunningX, adapters: Map<string, Adapter>) {
  let adapter = await createX(ctx, X_BOT.refreshToken, () => {});
  adapters.set('x', adapter);

  const user = <T>(path: string, body?: object, method?: string) =>
    callJson<T>(`${server.url}/_user/${path}`, body, method);
  const accountOf = (who: string | Account): Account => {
    if (typeof who !== 'string') return who;
    const found = PEOPLE.find((one) => one.name === who);
    if (!found) throw new Error(`no person is called ${who}`);
    return found.x;
  };
  const world = {
    url: server.url,
    bot: X_BOT,
    get adapter() {
      return adapter;
    },
    user,
    /** A user posts; the post is at X until a poll. @param who a seeded person's name, or any account */
    post: (who: string | Account, text: string, { replyTo, edit, reposts, ...more }: PostOptions = {}) =>
      user<{ id: string; conversation_id: string }>('posts', {
        author: accountOf(who),
        text,
        ...(replyTo === undefined ? {} : { in_reply_to_post_id: replyTo }),
        ...(edit === undefined ? {} : { edit_of: edit }),
        ...(reposts === undefined ? {} : { reposts }),
        ...more,
      }),
    /** Conversations in order. */
    posts: (...conversationIds: string[]) =>
      user<ShownPost[]>(`posts?${conversationIds.map((id) => `conversation_id=${id}`).join('&')}`),
    /** What the bot has posted in conversations, oldest first. */
    botSaid: async (...conversationIds: string[]) =>
      (await world.posts(...conversationIds)).filter((post) => post.author.id === X_BOT.id),
    /** A user sends the bot a direct message. */
    dm: (who: string | Account, text: string) => user<{ id: string }>('dms', { from: accountOf(who), text }),
    /** The direct messages with a user, in order. */
    dms: (who: string | Account) =>
      user<{ id: string; from: Account; text: string }[]>(`dms?user_id=${accountOf(who).id}`),
    /** Makes the next calls of a method fail: mentions, createPost, sendDm, dmEvents, user, me, token or *. */
    fault: (fault: object) => user<object>('faults', fault),
    clearFaults: () => user<object>('faults', undefined, 'DELETE'),
    /** What X charged in a UTC day, today's by default. */
    meter: (day = '') =>
      user<{ micros: number; requests: number; calls: Record<string, { count: number; micros: number }> }>(
        `meter${day ? `?day=${day}` : ''}`,
      ),
    poll: () => adapter.poll(),
    /** The process was killed and came back: what was only in memory is lost. */
    async restart() {
      adapter = await createX(ctx, X_BOT.refreshToken, () => {});
      adapters.set('x', adapter);
    },
    /** Works through the inbox, as the process does: whatever lies there is accepted together. */
    async ingest() {
      for (;;) {
        const pending = await pendingInbox(ctx, 'x', 100);
        if (pending.length === 0) return;
        await handleEntries(ctx, adapter, pending);
      }
    },
  };
  return world;
}
