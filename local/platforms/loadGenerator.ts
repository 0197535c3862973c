// A load generator at the local Telegram: many people who type at once, and a reader who records which of them the bot has answered, and how.

import { type Person, person } from '../stack/people.ts';
import { type ChatServer, typeMessage } from './chatUser.ts';

/** People beyond the usual ones. @param name keeps crowds apart; @param number keeps their ids apart, above those of the usual people */
export function crowd(name: string, number: number, count: number): Person[] {
  return Array.from({ length: count }, (_, index) =>
    person(`${name}${index}x`, number + index, { handle: `${name}${index}x`, kind: 'personal', connected: true }),
  );
}

/** What the bot has answered to one message: its messages by id with their newest text, and when the first one that fits came. */
export type Answered = { texts: Map<number, string>; receiptAt: number | null };

export type ChatWatch = {
  answers: Map<number, Answered>;
  /** Waits until each of the messages has its receipt. @throws Error that says how many have and what the last words were */
  receipts(messageIds: number[], withinMs: number): Promise<void>;
  /** Waits until each of the messages has its receipt and none is waiting for confirmations. */
  finalReceipts(messageIds: number[], withinMs: number): Promise<void>;
  close(): void;
};

const RECEIPT = '✅';
const NOT_FINAL = 'confirming';

/** Follows a chat by the server's events, so that watching costs the machine next to nothing. */
export async function watchChat(local: ChatServer, chatId: number): Promise<ChatWatch> {
  const stop = new AbortController();
  const response = await fetch(`${local.platforms.telegram.url}/_user/events`, { signal: stop.signal });
  if (!response.body) throw new Error('the local Telegram server gives no events');
  const bot = local.platforms.telegram.bot.id;
  const answers = new Map<number, Answered>();
  const waiting = new Set<() => void>();
  let lastWords = 'none';

  function take(event: ChatEvent): void {
    const { message } = event;
    const to = message?.reply_to_message?.message_id;
    if (event.chat_id !== chatId || message?.from?.id !== bot || to === undefined) return;
    const known = answers.get(to) ?? { texts: new Map(), receiptAt: null };
    lastWords = message.text;
    known.texts.set(message.message_id, message.text);
    if (message.text.startsWith(RECEIPT)) known.receiptAt ??= performance.now();
    answers.set(to, known);
    for (const look of waiting) look();
  }
  void readEvents(response.body, take).catch(() => {});

  function wait(messageIds: number[], fits: (answer: Answered) => boolean, withinMs: number): Promise<void> {
    const missing = new Set(messageIds);
    return new Promise((resolve, reject) => {
      const look = () => {
        for (const id of missing) {
          const answer = answers.get(id);
          if (!answer || !fits(answer)) return;
          missing.delete(id);
        }
        clearTimeout(timer);
        waiting.delete(look);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(look);
        const done = messageIds.filter((id) => answers.has(id) && fits(answers.get(id) as Answered)).length;
        reject(
          new Error(`${done} of ${messageIds.length} receipts in ${withinMs / 1_000} s; last words: ${lastWords}`),
        );
      }, withinMs);
      waiting.add(look);
      look();
    });
  }
  return {
    answers,
    receipts: (ids, withinMs) => wait(ids, (answer) => answer.receiptAt !== null, withinMs),
    finalReceipts: (ids, withinMs) =>
      wait(
        ids,
        ({ texts }) => [...texts.values()].some((text) => text.startsWith(RECEIPT) && !text.includes(NOT_FINAL)),
        withinMs,
      ),
    close: () => stop.abort(),
  };
}

type ChatEvent = {
  chat_id?: number;
  message?: {
    message_id: number;
    from?: { id: number };
    text: string;
    reply_to_message?: { message_id: number };
  };
};

async function readEvents(body: ReadableStream<Uint8Array>, take: (event: ChatEvent) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) take(JSON.parse(line.slice(6)) as ChatEvent);
  }
}

/** Messages that are typed at the same time. */
const TYPING_AT_ONCE = 50;

/** Everybody types the same, each `times` times. @returns the ids of the messages and when each was typed */
export async function typeAll(
  local: ChatServer,
  people: Person[],
  chatId: number,
  text: string,
  times: number,
): Promise<{ messageId: number; typedAt: number }[]> {
  const turns = Array.from({ length: times }, () => people).flat();
  const typed: { messageId: number; typedAt: number }[] = [];
  await Promise.all(
    Array.from({ length: TYPING_AT_ONCE }, async () => {
      for (let from = turns.pop(); from; from = turns.pop()) {
        const typedAt = performance.now();
        const { message_id } = await typeMessage(local, from.telegram, chatId, text);
        typed.push({ messageId: message_id, typedAt });
      }
    }),
  );
  return typed;
}
