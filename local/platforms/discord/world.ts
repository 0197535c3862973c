/** A local Discord with one bot and a few people, and short ways to act as them and as the bot. */
import { Client, type ClientOptions, Events, GatewayIntentBits } from 'discord.js';
import type { Shown } from './hub.ts';
import { type DiscordOptions, type RunningDiscord, startDiscordServer } from './server.ts';

export const BOT = { id: '119000000000000001', username: 'ampersat', token: 'bG9jYWw.token.of-the-local-server' };
export const ALICE = { id: '110000000000000011', username: 'alice' };
export const BOB = { id: '110000000000000012', username: 'bob' };
export const CHANNEL = '119200000000000001';
export const ELSEWHERE = '119900000000000001';
const GUILD = { id: '119100000000000001', name: 'Friends', ownerId: ALICE.id };

/** One slash command, and one for the menu of a message. */
export const COMMANDS = [
  {
    name: 'tip',
    description: 'Tip a user',
    type: 1,
    options: [
      { type: 6, name: 'to', description: 'Who', required: true },
      { type: 3, name: 'amount', description: 'How much', required: true },
    ],
  },
  { name: 'Tip author', type: 3 },
];

export type Answer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests, which state what they expect.
  body: any;
};
/** An event of the gateway as it came. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type Packet = { t: string; s: number; d: any };

export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld(options: Partial<DiscordOptions> = {}) {
  let offsetMs = 0;
  const clock = () => Date.now() + offsetMs;
  const server = await startDiscordServer({
    bot: BOT,
    guild: GUILD,
    channels: [{ id: CHANNEL, name: 'general' }],
    people: [ALICE, BOB],
    clock,
    ...options,
  });
  const clients: Client[] = [];
  return {
    ...at(server),
    later: (ms: number) => {
      offsetMs += ms;
    },
    /** A bot at the gateway, and everything that it receives. */
    async connect(intents: ClientOptions['intents'] = DEFAULT_INTENTS) {
      const packets: Packet[] = [];
      const client = new Client({ intents, rest: { api: `${server.url}/api`, retries: 0 } });
      clients.push(client);
      client.on(Events.Error, () => {});
      client.on(Events.ShardError, () => {});
      client.on(Events.Raw, (packet: Packet) => packets.push(packet));
      await client.login(BOT.token);
      return { client, packets, told: (type: string) => packets.filter(({ t }) => t === type) };
    },
    async stop() {
      for (const client of clients) await client.destroy();
      await server.close();
    },
  };
}

const DEFAULT_INTENTS = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.DirectMessages];

function at(server: RunningDiscord) {
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  }
  const user = async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
    const answer = await call(method, `/_user/${path}`, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    server,
    call,
    user,
    /** A call of the bot. */
    bot: (method: string, path: string, body?: unknown) =>
      call(method, `/api/v10${path}`, body, { authorization: `Bot ${BOT.token}` }),
    type: (content: string, more: object = {}): Promise<{ message_id: string; channel_id: string }> =>
      user('messages', { channel_id: CHANNEL, author: ALICE, content, ...more }),
    interact: (name: string, more: object = {}): Promise<{ interaction_id: string }> =>
      user('interactions', { name, user: ALICE, channel_id: CHANNEL, ...more }),
    shown: (channel = CHANNEL): Promise<Shown[]> => user(`messages?channel_id=${channel}`),
    gateway: (control: object) => user('gateway', control),
    fail: (fault: object) => user('faults', fault),
  };
}
