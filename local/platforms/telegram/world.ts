/** A local Telegram with one bot and a few people, and short ways to act as them. */
import { Bot } from 'grammy';
import { vi } from 'vitest';
import { type RunningTelegram, startTelegramServer, type TelegramOptions } from './server.ts';
import type { Message } from './wire.ts';

export const BOT = { id: 7_100, username: 'ampersat_bot', first_name: 'Ampersat', token: '7100:local_token' };
export const ALICE = { id: 11, username: 'alice' };
export const BOB = { id: 12, username: 'bob' };
export const GROUP = -1_001;

export type Answer = {
  ok: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests, which state what they expect.
  result?: any;
  error_code?: number;
  description?: string;
  parameters?: { retry_after?: number };
};
export type Shown = Message & { edited: boolean; reactions: unknown[] };
export type Options = Partial<TelegramOptions>;

export type World = {
  server: RunningTelegram;
  /** Calls a method with a JSON body. */
  call(method: string, params?: Record<string, unknown>): Promise<Answer>;
  /** Writes as Alice unless told otherwise. */
  write(message: Record<string, unknown>): Promise<{ message_id: number; update_id: number }>;
  press(message: Record<string, unknown>): Promise<{ callback_query_id: string; update_id: number }>;
  fail(fault: Record<string, unknown>): Promise<void>;
  shown(chatId: number): Promise<Shown[]>;
  bot(): Bot;
};

export async function startWorld(options: Options = {}): Promise<World> {
  const server = await startTelegramServer({ bots: [BOT], ...options });
  return worldAt(server);
}

export function worldAt(server: RunningTelegram): World {
  const post = (path: string, body: unknown) => postJson(`${server.url}${path}`, body);
  const act = async (path: string, body: unknown) => {
    const answer = await post(path, body);
    if (answer.ok === false) throw new Error(answer.description);
    return answer;
  };
  return {
    server,
    call: (method, params = {}) => post(`/bot${BOT.token}/${method}`, params),
    write: (message) => act('/_user/messages', { from: ALICE, chat_id: ALICE.id, ...message }),
    press: (press) => act('/_user/callbacks', { from: ALICE, chat_id: ALICE.id, ...press }),
    fail: (fault) => act('/_user/faults', fault),
    shown: async (chatId) => (await fetch(`${server.url}/_user/messages?chat_id=${chatId}`)).json() as Promise<Shown[]>,
    bot: () => new Bot(BOT.token, { client: { apiRoot: server.url } }),
  };
}

/** Waits until what is claimed holds; generously, because other work may share the machine. */
export function eventually(claim: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(claim, { timeout: 10_000, interval: 10 });
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests, which state what they expect.
async function postJson(url: string, body: unknown): Promise<any> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}
