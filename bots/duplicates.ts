// Finds the message that a call without an answer left in a chat, so that it reaches its end as well.
import type { Ctx } from '../src/context.ts';
import {
  isAmbiguous,
  noteTwins,
  seekLater,
  twinCandidates,
  unknownMessages,
} from '../src/services/outbox/duplicates.ts';
import type { DueReply } from '../src/services/outbox/replies.ts';
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

/** After a reply was sent again, where messages cannot be listed: tries the numbers at which the first one can be. */
export async function seekTwins(ctx: Ctx, adapter: Adapter, reply: DueReply, message: Rendered | null): Promise<void> {
  if (!adapter.adopt || message === null) return noteTwins(ctx, reply, reply.twins);
  if (await isAmbiguous(ctx, reply)) return seekLater(ctx, reply);
  const found = [...reply.twins];
  for (const id of await twinCandidates(ctx, reply)) {
    const answer = await adapter.adopt(reply, id, message, reply.replyToMessageId);
    if (answer.kind === 'later') return seekLater(ctx, reply, answer.retryAfterMs);
    if (answer.kind === 'sent') found.push(id);
  }
  await noteTwins(ctx, reply, found);
  ctx.log.info({ reply: reply.id, twins: found }, 'a reply that was sent again was looked for');
}
