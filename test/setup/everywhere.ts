// One way to drive the three platforms from their users' side: say, answer, hear what the bot said, and have the platform tell it all again.

import { storeUpdates } from '../../bots/telegram/store.ts';
import { createX } from '../../bots/x/adapter.ts';
import { PEOPLE, TELEGRAM_BOT, X_BOT } from '../../local/stack/people.ts';
import { OWN_CHAT } from './discord.ts';
import { localPerson, type Shown as TelegramShown, type World } from './world.ts';

export const PLATFORMS = ['telegram', 'discord', 'x'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** A message. */
export type Line = { id: string };
/** `own`: in the direct chat with the bot; on X, where no commands are read there, in public. */
export type Manner = { replyTo?: Line; own?: boolean };
/** What the bot said: `isPublic` for all to see, `reader` otherwise. An edit keeps the id. */
export type Saying = {
  id: string;
  text: string;
  urls: string[];
  /** Of its buttons that answer, in order: yes, no. */
  tokens: string[];
  isPublic: boolean;
  reader: string | null;
};

export type Chat = {
  platform: Platform;
  /** Gives a command to the bot: `@alice` names a seeded person as people do there, `@bot` the bot. */
  say(name: string, text: string, manner?: Manner): Promise<Line>;
  /** Talks to the others; the bot is not meant. */
  chatter(name: string, text: string): Promise<Line>;
  /** Answers a question as the platform has it: by button, or in words. */
  answer(name: string, question: Saying, yes: boolean): Promise<void>;
  /** All that the bot has said so far, as it reads now. */
  heard(): Promise<Saying[]>;
  /** From here on {@link Chat.redeliver} tells again. */
  mark(): Promise<void>;
  /** The platform tells what was said since the mark once more, as each may: the same updates, the same events, polls that overlap. */
  redeliver(): Promise<void>;
};

export async function chatsOf(world: World): Promise<Record<Platform, Chat>> {
  return { telegram: telegramChat(world), discord: discordChat(world), x: await xChat(world) };
}

type Button = { text: string; token?: string | undefined; url?: string | undefined };
const urlsOf = (buttons: Button[]) => buttons.flatMap(({ url }) => (url ? [url] : []));
const tokensOf = (buttons: Button[]) => buttons.flatMap(({ token }) => (token ? [token] : []));

function telegramChat(world: World): Chat {
  const me = { id: String(TELEGRAM_BOT.id), username: TELEGRAM_BOT.username };
  let told: Awaited<ReturnType<World['fetchUpdates']>> = [];
  const fetch = async () => {
    told.push(...(await world.fetchUpdates()));
  };
  const chatOf = (reader: string | null) => (reader === null ? world.group : localPerson(reader).telegram.id);
  const buttonsOf = (message: TelegramShown): Button[] =>
    (message.reply_markup?.inline_keyboard.flat() ?? []).map(({ text, callback_data: token, url }) => ({
      text,
      token,
      url,
    }));
  const shown = async (reader: string | null) => world.botSaid(chatOf(reader));
  return {
    platform: 'telegram',
    async say(name, text, { replyTo, own = false } = {}) {
      const { message_id } = await world.type(name, `/${text.replaceAll('@bot', `@${TELEGRAM_BOT.username}`)}`, {
        chat: chatOf(own ? name : null),
        ...(replyTo ? { replyTo: Number(replyTo.id) } : {}),
      });
      await fetch();
      return { id: String(message_id) };
    },
    async chatter(name, text) {
      const { message_id } = await world.type(name, text);
      return { id: String(message_id) };
    },
    async answer(name, { id, reader, tokens }, yes) {
      const message = (await shown(reader)).find((one) => String(one.message_id) === id.split(':')[1]);
      if (!message) throw new Error('there is no such question');
      await world.press(name, message, tokens[yes ? 0 : 1] ?? '', chatOf(reader));
      await fetch();
    },
    async heard() {
      const readers = [null, ...PEOPLE.map(({ name }) => name)];
      const all = await Promise.all(
        readers.map(async (reader) =>
          (await shown(reader)).map((message) => ({
            id: `${reader}:${message.message_id}`,
            text: message.text,
            urls: urlsOf(buttonsOf(message)),
            tokens: tokensOf(buttonsOf(message)),
            isPublic: reader === null,
            reader,
          })),
        ),
      );
      return all.flat();
    },
    async mark() {
      await fetch();
      told = [];
    },
    async redeliver() {
      await fetch();
      for (const update of [...told, ...told]) await storeUpdates(world.ctx, [update], me);
    },
  };
}

/** More events than any test makes. */
const EVENTS = 40;

function discordChat(world: World): Chat {
  const { discord } = world;
  type Shown = Awaited<ReturnType<typeof discord.botSaid>>[number];
  type Component = { label?: string; custom_id?: string; url?: string };
  const buttonsOf = (message: Shown): Button[] =>
    (message.components ?? [])
      .flatMap((row) => ('components' in row ? (row.components as Component[]) : []))
      .map(({ label = '', custom_id: token, url }) => ({ text: label, token, url }));
  const shown = (reader: string | null) =>
    reader === null ? discord.botSaid() : discord.botSaid(OWN_CHAT, reader).catch(() => []);
  const written = (text: string) =>
    text.replace(/@(\w+)(?![\w@])/g, (whole, name: string) =>
      name === 'bot' || PEOPLE.some((one) => one.name === name) ? discord.at(name) : whole,
    );
  return {
    platform: 'discord',
    async say(name, text, { replyTo, own = false } = {}) {
      const { message_id } = await discord.type(name, `${own ? '' : `${discord.at('bot')} `}${written(text)}`, {
        ...(own ? { channel: OWN_CHAT } : {}),
        ...(replyTo ? { replyTo: replyTo.id } : {}),
      });
      return { id: message_id };
    },
    chatter: async (name, text) => ({ id: (await discord.type(name, text)).message_id }),
    async answer(name, { id, reader, tokens }, yes) {
      const message = (await shown(reader)).find((one) => one.id === id);
      if (!message) throw new Error('there is no such question');
      await discord.press(name, message, tokens[yes ? 0 : 1] ?? '');
    },
    async heard() {
      const readers = [null, ...PEOPLE.map(({ name }) => name)];
      const all = await Promise.all(
        readers.map(async (reader) =>
          (await shown(reader)).map((message) => ({
            id: message.id,
            // As people see it.
            text: message.content.replace(/\\(\W|_)/g, '$1'),
            urls: urlsOf(buttonsOf(message)),
            tokens: tokensOf(buttonsOf(message)),
            isPublic: reader === null && message.visible_to === null,
            reader,
          })),
        ),
      );
      return all.flat();
    },
    mark: async () => {},
    async redeliver() {
      for (let i = 0; i < 2; i++) await discord.gateway({ repeat: EVENTS });
      await discord.settled();
    },
  };
}

async function xChat(world: World): Promise<Chat> {
  const { x } = world;
  const other = await createX(world.ctx, X_BOT.refreshToken, () => {});
  const conversations = new Set<string>();
  const place = { platform: 'x', feed: 'mentions' };
  let since: string | null = null;
  return {
    platform: 'x',
    async say(name, text, { replyTo } = {}) {
      const post = await x.post(name, `@${X_BOT.username} ${text.replaceAll('@bot', `@${X_BOT.username}`)}`, {
        ...(replyTo ? { replyTo: replyTo.id } : {}),
      });
      conversations.add(post.conversation_id);
      return { id: post.id };
    },
    chatter: (name, text) => x.post(name, text),
    async answer(name, { id, reader }, yes) {
      const words = yes ? 'yes' : 'no';
      if (reader === null) await x.post(name, words, { replyTo: id });
      else await x.dm(name, words);
    },
    async heard() {
      const posts = conversations.size > 0 ? await x.botSaid(...conversations) : [];
      const direct = await Promise.all(
        PEOPLE.map(async ({ name }) =>
          (await x.dms(name))
            .filter(({ from }) => from.id === X_BOT.id)
            .map(({ id, text }) => ({ id, text, isPublic: false, reader: name })),
        ),
      );
      const all = [
        ...posts.map(({ id, visible_text: text }) => ({ id, text, isPublic: true, reader: null })),
        ...direct.flat(),
      ];
      return all.map((one) => ({ ...one, urls: one.text.match(/https?:\S+/g) ?? [], tokens: [] }));
    },
    async mark() {
      await x.poll();
      since = (await world.ctx.db.cursor.findFirst({ where: place }))?.value ?? null;
    },
    async redeliver() {
      if (since === null) await world.ctx.db.cursor.deleteMany({ where: place });
      else await world.ctx.db.cursor.updateMany({ where: place, data: { value: since } });
      await Promise.all([x.poll(), other.poll()]);
    },
  };
}
