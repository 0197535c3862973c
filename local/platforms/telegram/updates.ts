/**
 * Hands updates to a bot, by long polling with Telegram's offsets or by webhook, never both. An update stays until an
 * offset above it has been requested, or its webhook has answered well.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { botState, dropOldUpdates, record, type Store, type Webhook } from './store.ts';
import { conflict, type Update, type UpdateContent, type UpdateType } from './wire.ts';

const MAX_POLL_SECONDS = 50;
const MAX_UPDATES = 100;
const DELIVERY_LIMIT_MS = 60_000;
const MAX_RETRY_MS = 60_000;
/** All kinds that this server sends. */
const UPDATE_TYPES: readonly string[] = [
  'message',
  'edited_message',
  'guest_message',
  'callback_query',
  'message_reaction',
] satisfies UpdateType[];

/** Sent only to a bot that names them. */
const ASKED_FOR: readonly string[] = ['message_reaction'] satisfies UpdateType[];

type Poll = { wake(): void; fail(error: Error): void };

export type Delivery = {
  store: Store;
  /** The one long poll that waits, by bot. */
  polls: Map<number, Poll>;
  /** Ends the current webhook loop, by bot. */
  webhooks: Map<number, { abort: AbortController; wake(): void; lastError?: { date: number; message: string } }>;
  /** Pause before a failed webhook is tried again; doubles each time. */
  retryMs: number;
  /** Carries out a method call that a webhook gave as its answer. */
  answer(botId: number, call: Record<string, unknown>): Promise<unknown>;
};

/** Queues something for a bot, if it wants that kind, and wakes its waiting poll. Returns the update's id. */
export function pushUpdate(delivery: Delivery, botId: number, content: UpdateContent): number | undefined {
  const { store } = delivery;
  const bot = botState(store, botId);
  const kind = Object.keys(content)[0] as UpdateType;
  const isWanted = bot.allowedUpdates ? bot.allowedUpdates.includes(kind) : !ASKED_FOR.includes(kind);
  if (!isWanted) return undefined;
  const update: Update = { update_id: bot.nextUpdateId, ...content };
  record(store, { type: 'update', botId, update, atMs: store.nowMs() });
  delivery.polls.get(botId)?.wake();
  delivery.webhooks.get(botId)?.wake();
  return update.update_id;
}

/** Remembers which kinds a bot wants from now on. None named keeps the choice; an empty list means the usual ones. */
export function chooseUpdates(store: Store, botId: number, types: unknown): void {
  if (!Array.isArray(types)) return;
  const wanted = types.filter((type) => UPDATE_TYPES.includes(type));
  const next = types.length === 0 ? null : wanted;
  if (JSON.stringify(next) === JSON.stringify(botState(store, botId).allowedUpdates)) return;
  record(store, { type: 'allowed', botId, types: next });
}

export type PollParams = { offset: number; limit: number; timeout: number };

/**
 * `getUpdates`. Everything below the offset is forgotten for ever; a negative one counts from the end. Waits up to
 * `timeout` seconds when there is nothing. A second poll ends the first with a conflict. `gone` aborts when the client
 * has hung up; what it was sent stays unconfirmed.
 */
export async function pollUpdates(
  delivery: Delivery,
  botId: number,
  params: PollParams,
  gone: AbortSignal,
): Promise<Update[]> {
  const { store, polls } = delivery;
  if (botState(store, botId).webhook) {
    throw conflict(
      "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  }
  polls
    .get(botId)
    ?.fail(conflict('terminated by other getUpdates request; make sure that only one bot instance is running'));
  dropOldUpdates(store, botId);
  confirmBelow(store, botId, params.offset);
  const limit = Math.min(Math.max(params.limit, 1), MAX_UPDATES);
  const read = () =>
    botState(store, botId)
      .pending.slice(0, limit)
      .map(({ update }) => update);
  const seconds = Math.min(Math.max(params.timeout, 0), MAX_POLL_SECONDS);
  const ready = read();
  if (ready.length > 0 || seconds === 0) return ready;
  await waitForUpdate(polls, botId, seconds * 1_000, gone);
  return read();
}

function waitForUpdate(polls: Delivery['polls'], botId: number, waitMs: number, gone: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      gone.removeEventListener('abort', poll.wake);
      if (polls.get(botId) === poll) polls.delete(botId);
      settle();
    };
    const poll: Poll = { wake: () => finish(resolve), fail: (error) => finish(() => reject(error)) };
    const timer = setTimeout(poll.wake, waitMs);
    gone.addEventListener('abort', poll.wake);
    polls.set(botId, poll);
  });
}

function confirmBelow(store: Store, botId: number, offset: number): void {
  const { pending } = botState(store, botId);
  const below = offset < 0 ? (pending.at(offset)?.update.update_id ?? 0) : offset;
  if (pending.some(({ update }) => update.update_id < below)) record(store, { type: 'confirm', botId, below });
}

export function dropPending(store: Store, botId: number): void {
  record(store, { type: 'confirm', botId, below: botState(store, botId).nextUpdateId });
}

/** Sets or (with null) removes the webhook and starts or stops delivering to it. */
export function setWebhook(delivery: Delivery, botId: number, webhook: Webhook | null): void {
  record(delivery.store, { type: 'webhook', botId, webhook });
  delivery.polls.get(botId)?.fail(conflict('terminated by setWebhook request'));
  startWebhook(delivery, botId);
}

/** Delivers a bot's updates to its webhook, one after the other, until the webhook changes. */
export function startWebhook(delivery: Delivery, botId: number): void {
  delivery.webhooks.get(botId)?.abort.abort();
  delivery.webhooks.delete(botId);
  const { webhook } = botState(delivery.store, botId);
  if (!webhook) return;
  const abort = new AbortController();
  let wake = () => {};
  const loop: { abort: AbortController; wake(): void; lastError?: { date: number; message: string } } = {
    abort,
    wake: () => wake(),
  };
  delivery.webhooks.set(botId, loop);
  const nextUpdate = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      abort.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  void (async () => {
    let failures = 0;
    while (!abort.signal.aborted) {
      dropOldUpdates(delivery.store, botId);
      const update = botState(delivery.store, botId).pending[0]?.update;
      if (!update) {
        await nextUpdate();
        continue;
      }
      const problem = await deliver(delivery, botId, webhook, update, abort.signal);
      if (abort.signal.aborted) return;
      if (problem === undefined) {
        failures = 0;
        record(delivery.store, { type: 'confirm', botId, below: update.update_id + 1 });
        continue;
      }
      loop.lastError = { date: Math.floor(delivery.store.nowMs() / 1000), message: problem };
      const pauseMs = Math.min(delivery.retryMs * 2 ** failures++, MAX_RETRY_MS);
      await sleep(pauseMs, undefined, { signal: abort.signal, ref: false }).catch(() => {});
    }
  })();
}

/** Posts one update. Returns why it did not arrive, in Telegram's words, or undefined. */
async function deliver(
  delivery: Delivery,
  botId: number,
  webhook: Webhook,
  update: Update,
  signal: AbortSignal,
): Promise<string | undefined> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (webhook.secretToken) headers['x-telegram-bot-api-secret-token'] = webhook.secretToken;
  try {
    const response = await fetch(webhook.url, {
      method: 'POST',
      headers,
      body: JSON.stringify(update),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_LIMIT_MS)]),
    });
    const body = await response.text();
    if (!response.ok) return `Wrong response from the webhook: ${response.status} ${response.statusText}`;
    const call = readCall(body);
    if (call) await delivery.answer(botId, call).catch(() => {});
    return undefined;
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause?.code;
    return cause === 'ECONNREFUSED' ? 'Connection refused' : 'Read timeout expired';
  }
}

/** A webhook may answer with a method call instead of making one. */
function readCall(body: string): Record<string, unknown> | undefined {
  try {
    const call = JSON.parse(body);
    return typeof call?.method === 'string' ? call : undefined;
  } catch {
    return undefined;
  }
}
