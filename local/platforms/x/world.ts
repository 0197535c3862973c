// A local X of a test's own, with a clock that it moves, people, and the real client over it.
import { Agent } from 'node:http';
import { TwitterApi } from 'twitter-api-v2';
import { X_BOT } from '../../stack/people.ts';
import { startXServer, type XOptions } from './server.ts';

export const ALICE = { id: '201', username: 'alice' };
export const BOB = { id: '202', username: 'bob' };
export const FIELDS = {
  'tweet.fields':
    'author_id,conversation_id,created_at,display_text_range,entities,in_reply_to_user_id,note_tweet,referenced_tweets',
  expansions: 'author_id,referenced_tweets.id,entities.mentions.username',
} as never;

export type TestX = Awaited<ReturnType<typeof openTestX>>;

export async function openTestX(options: Partial<XOptions> = {}) {
  let offsetMs = 0;
  const server = await startXServer({ bots: [X_BOT], clock: () => Date.now() + offsetMs, ...options });
  const agent = new Agent({ keepAlive: true });
  const root = new URL(server.url);
  const settings = {
    httpAgent: agent,
    plugins: [
      {
        onBeforeRequest: ({ computedParams }: { computedParams: { url: URL } }) => {
          Object.assign(computedParams.url, { protocol: root.protocol, hostname: root.hostname, port: root.port });
        },
      },
    ],
  };
  const client = new TwitterApi({ clientId: X_BOT.clientId, clientSecret: X_BOT.clientSecret }, settings);
  return {
    ...server,
    settings,
    client,
    later: (ms: number) => {
      offsetMs += ms;
    },
    /** Logs in with the bot's first refresh token. */
    login: async () => client.refreshOAuth2Token(X_BOT.refreshToken),
    /** Logs in again, however long that is ago. */
    async again() {
      const { refresh_token } = await this.user<{ refresh_token: string }>('tokens', {});
      return (await client.refreshOAuth2Token(refresh_token)).client;
    },
    async user<T = { id: string; conversation_id: string }>(path: string, body?: object): Promise<T> {
      const response = await fetch(`${server.url}/_user/${path}`, {
        ...(body
          ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
          : {}),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
    post(author: { id: string; username: string }, text: string, more: object = {}) {
      return this.user('posts', { author, text, ...more });
    },
    async close() {
      agent.destroy();
      await server.close();
    },
  };
}
