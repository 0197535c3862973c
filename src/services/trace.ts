// By which fields a complaint is followed through the log: the chat message, and who sent it. Platforms that forbid keeping ids where they are not
// needed get a keyed hash of it; an operator reads that hash on /operations.
import { createHmac } from 'node:crypto';
import type { Ctx } from '../context.ts';

export type Traced = { platform: string; messageId: string | null; senderId: string | null };
export type Trace = { message?: string; sender?: string };

/** Ids of their users stand in logs as they are: there it is what people tell support. */
const PLAIN = new Set(['telegram']);
const LETTERS = 16;

/** What log lines say of a message: `message` is the platform's id, `sender` "telegram:123", or "x:" and 16 hex digits. */
export function traceOf(ctx: Pick<Ctx, 'env'>, { platform, messageId, senderId }: Traced): Trace {
  return {
    ...(messageId === null ? {} : { message: messageId }),
    ...(senderId === null ? {} : { sender: senderTag(ctx, platform, senderId) }),
  };
}

/** The same of several messages in one line: lists, in the same order, where there is more than one. */
export function traceOfMany(
  ctx: Pick<Ctx, 'env'>,
  messages: Traced[],
): Trace | { message: string[]; sender: string[] } {
  const [first] = messages;
  if (!first) return {};
  const traces = messages.map((one) => traceOf(ctx, one));
  if (new Set(traces.map(({ message, sender }) => `${message} ${sender}`)).size === 1) return traceOf(ctx, first);
  return { message: traces.map(({ message = '' }) => message), sender: traces.map(({ sender = '' }) => sender) };
}

/** The same for the same account in every process of a deployment: its key is drawn from the secret that they all have. */
export function senderTag({ env }: Pick<Ctx, 'env'>, platform: string, senderId: string): string {
  if (PLAIN.has(platform)) return `${platform}:${senderId}`;
  const { password, href } = new URL(env.DATABASE_URL);
  const key = createHmac('sha256', password || href)
    .update('log trace')
    .digest();
  return `${platform}:${createHmac('sha256', key).update(`${platform}:${senderId}`).digest('hex').slice(0, LETTERS)}`;
}
