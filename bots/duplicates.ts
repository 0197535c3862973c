// Finds the message that a call without an answer left in a chat, so that the reply is shown once.
import type { Ctx } from '../src/context.ts';
import type { DueReply } from '../src/services/outbox/due.ts';
import {
  duplicateCandidates,
  isAmbiguous,
  recordDuplicates,
  retrySearch,
  unknownMessages,
} from '../src/services/outbox/duplicates.ts';
import type { Adapter, Rendered, SendOutcome } from './adapter.ts';

/** For so long a platform that knows our key takes a repeated call for the same message. */
const SAME_KEY_MS = 60_000;

/** Before a reply is sent again. @returns the platform's id of the message that shows it already, null for none, or what to wait for */
export async function findEarlier(ctx: Ctx, adapter: Adapter, reply: DueReply): Promise<string | null | SendOutcome> {
  const since = reply.begunAt?.getTime();
  if (!adapter.find || since === undefined || ctx.clock.now() - since < SAME_KEY_MS) return null;
  if (await isAmbiguous(ctx, reply)) return null;
  const free = (ids: string[]) => unknownMessages(ctx, reply, ids);
  const answer = await adapter.find(reply, reply.replyToMessageId, since, free);
  if (answer.kind === 'later') return answer;
  return answer.kind === 'found' ? answer.messageId : null;
}

/** After a reply was sent again, where messages cannot be listed: tries the numbers that the first one can have. */
export async function findDuplicates(
  ctx: Ctx,
  adapter: Adapter,
  reply: DueReply,
  message: Rendered | null,
): Promise<void> {
  if (!adapter.adopt || message === null) return recordDuplicates(ctx, reply, reply.twins);
  if (await isAmbiguous(ctx, reply)) return retrySearch(ctx, reply);
  const found = [...reply.twins];
  for (const id of await duplicateCandidates(ctx, reply)) {
    const answer = await adapter.adopt(reply, id, message, reply.replyToMessageId);
    if (answer.kind === 'later') return retrySearch(ctx, reply, answer.retryAfterMs);
    if (answer.kind === 'sent') found.push(id);
  }
  await recordDuplicates(ctx, reply, found);
  ctx.log.info({ reply: reply.id, duplicates: found }, 'a reply that was sent again was looked for');
}
