// Discord's part of a world: the local server, the real client connected to its gateway, and what people do there.
import type { Adapter } from '../../bots/adapter.ts';
import { createDiscord, type Discord } from '../../bots/discord/adapter.ts';
import type { Shown } from '../../local/platforms/discord/hub.ts';
import { type RunningDiscord, startDiscordServer } from '../../local/platforms/discord/server.ts';
import { DISCORD_BOT, DISCORD_CHANNEL, DISCORD_CHANNELS, DISCORD_GUILD, PEOPLE } from '../../local/stack/people.ts';
import type { Ctx } from '../../src/context.ts';
import { callJson } from './http.ts';

export const OWN_CHAT = '@me';

/**
 * Longer than any test. {@link DiscordSide.settled} has the client send heartbeats, and one of its own that falls between such a question and its
 * answer takes the line for dead: half a second in which nothing is heard. Heartbeats by the clock have their own tests (local/discord/gateway).
 */
const HEARTBEAT_MS = 24 * 3_600_000;

export function startLocalDiscord(clock: () => number): Promise<RunningDiscord> {
  return startDiscordServer({
    heartbeatMs: HEARTBEAT_MS,
    bot: DISCORD_BOT,
    guild: DISCORD_GUILD,
    channels: DISCORD_CHANNELS,
    people: PEOPLE.map(({ discord }) => discord),
    clock,
  });
}

/** `through` puts something between the client and the server's REST part. */
export type DiscordOptions = { through?: (direct: string) => Promise<string> };

export async function discordEnv(
  server: RunningDiscord,
  options: DiscordOptions = {},
): Promise<Record<string, string>> {
  const url = options.through ? await options.through(server.url) : server.url;
  return { DISCORD_BOT_TOKEN: DISCORD_BOT.token, DISCORD_API_ROOT: `${url}/api` };
}

type Written = { message_id: string; channel_id: string };
type Asked = { interaction_id: string; channel_id: string };
type Value = string | number | boolean;
export type Interacted = {
  channel?: string;
  installed?: 'guild' | 'user';
  target?: string;
  permissions?: string;
  locale?: string;
};

export type DiscordSide = Awaited<ReturnType<typeof startDiscordSide>>;

/** Connects the bot and adds it to the adapters of the world. */
export async function startDiscordSide(ctx: Ctx, server: RunningDiscord, adapters: Map<string, Adapter>) {
  const create = async (): Promise<Discord> => {
    const adapter = await createDiscord(ctx, DISCORD_BOT.token, () => {});
    adapters.set('discord', adapter);
    await adapter.start();
    return adapter;
  };
  let adapter = await create();

  const user = <T>(path: string, body?: object, method?: string) =>
    callJson<T>(`${server.url}/_user/${path}`, body, method);
  const idOf = (name: string) => {
    const found = PEOPLE.find((one) => one.name === name);
    if (!found) throw new Error(`no person is called ${name}`);
    return found.discord;
  };
  const messages = (channel = DISCORD_CHANNEL, name?: string): Promise<Shown[]> =>
    user(`messages?channel_id=${channel}${name ? `&user=${idOf(name).id}` : ''}`);

  return {
    url: server.url,
    channel: DISCORD_CHANNEL,
    guild: DISCORD_GUILD.id,
    bot: DISCORD_BOT.id,
    user,
    messages,
    /** The mention of a seeded person, or of the bot. */
    at: (name: string) => `<@${name === 'bot' ? DISCORD_BOT.id : idOf(name).id}>`,
    adapter: () => adapter,
    /** A user types; with {@link OWN_CHAT} in their direct chat with the bot. */
    type: (name: string, content: string, { channel = DISCORD_CHANNEL, replyTo = '', extra = {} } = {}) =>
      user<Written>('messages', {
        channel_id: channel,
        author: idOf(name),
        content,
        ...(replyTo ? { message_reference: { message_id: replyTo } } : {}),
        extra,
      }),
    /** A user runs a slash command, or with a target a context menu. */
    interact: (name: string, command: string, options: Record<string, Value> = {}, more: Interacted = {}) =>
      user<Asked>('interactions', {
        name: command,
        user: idOf(name),
        channel_id: more.channel ?? DISCORD_CHANNEL,
        options: Object.entries(options).map(([option, value]) => ({ name: option, value })),
        ...(more.target ? { target_id: more.target } : {}),
        ...(more.installed ? { installed: more.installed } : {}),
        ...(more.permissions ? { permissions: more.permissions } : {}),
        ...(more.locale ? { locale: more.locale } : {}),
      }),
    press: (name: string, message: Pick<Shown, 'id' | 'channel_id'>, token: string, more: { locale?: string } = {}) =>
      user<Asked>('components', {
        message_id: message.id,
        channel_id: message.channel_id,
        user: idOf(name),
        custom_id: token,
        ...more,
      }),
    /** Sends in the form that an interaction opened. */
    fill: (name: string, interaction: string, values: Record<string, string>) =>
      user<Asked>('components', { interaction_id: interaction, user: idOf(name), values }),
    gateway: (control: Record<string, unknown>) => user<object>('gateway', control),
    fail: (fault: Record<string, unknown>) => user<object>('faults', fault),
    /** What the bot has said in a channel, oldest first, private answers included. */
    botSaid: async (channel = DISCORD_CHANNEL, name?: string): Promise<Shown[]> =>
      (await messages(channel, name)).filter((message) => message.author.id === DISCORD_BOT.id),
    /** Waits until the client has heard everything and all of it is stored. */
    async settled() {
      await user('gateway', { sync: true });
      await adapter.settled();
    },
    /** The bots process ends; what is typed from here on is lost. */
    stop: () => adapter.stop(),
    /** It is there again, with a client that knows nothing of the one before. */
    async start() {
      adapter = await create();
    },
  };
}
