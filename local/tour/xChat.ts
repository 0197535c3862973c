// The tour's chat on X: posts that mention the bot, its one reply to each, and direct messages for what is private. There are no buttons.
import type { LocalFile } from '../stack/localFile.ts';
import type { Person } from '../stack/people.ts';
import { type Chat, callJson } from './chat.ts';
import { until } from './tour.ts';

type ShownPost = { id: string; author: { id: string }; visible_text: string; in_reply_to_post_id: string | null };
type ShownDirect = { from: { id: string }; text: string };

export function xChat(local: LocalFile): Chat {
  const { url, bot } = local.platforms.x;
  const directly = async ({ x }: Person) =>
    (await callJson<ShownDirect[]>(`${url}/_user/dms?user_id=${x.id}`)).filter(({ from }) => from.id === bot.id);
  const post = async ({ x: { id, username } }: Person, text: string, replyTo?: string) => {
    const reply = replyTo === undefined ? {} : { in_reply_to_post_id: replyTo };
    const body = { author: { id, username }, text, ...reply };
    const made = await callJson<{ id: string; conversation_id: string }>(`${url}/_user/posts`, body);
    return { id: made.id, thread: made.conversation_id };
  };
  return {
    name: 'X',
    command: (text) => `@${bot.username} ${text}`,
    at: ({ x }) => `@${x.username}`,
    write: post,
    async answers({ id, thread }) {
      const posts = await callJson<ShownPost[]>(`${url}/_user/posts?conversation_id=${thread}`);
      return posts
        .filter((one) => one.author.id === bot.id && one.in_reply_to_post_id === id)
        .map((one) => ({ id: one.id, text: one.visible_text, buttons: [] }));
    },
    async agree(who, question) {
      await post(who, 'yes', question.id);
    },
    async askForLink(who) {
      await post(who, `@${bot.username} connect`);
      return until('the link in a direct message', async () =>
        (await directly(who)).map(({ text }) => /https?:\S+#\S+/.exec(text)?.[0]).findLast((found) => found),
      );
    },
    async confirmLink(who) {
      await until('the question in a direct message', async () =>
        (await directly(who)).some(({ text }) => text.includes('Answer yes or no here')),
      );
      const body = { from: { id: who.x.id, username: who.x.username }, text: 'yes' };
      await callJson(`${url}/_user/dms`, body);
      return until(
        'the connection',
        async () => (await directly(who)).find(({ text }) => text.startsWith('✅ Connected'))?.text,
      );
    },
  };
}
