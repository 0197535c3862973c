// The last step of every tip: shows what a reply row wants, once, and notes what the platform said.
import type { Ctx } from '../src/context.ts';
import { type DueReply, dueReply, replyDelayed, replyRefused, replySent } from '../src/services/replies.ts';
import type { Adapter } from './adapter.ts';
import { render } from './render.ts';

/** Consumes the replies of the platforms that this process owns. */
export function consumeReplies(ctx: Ctx, adapters: Map<string, Adapter>): void {
  const underWay = new Set<string>();
  ctx.queues.consume(
    'replies',
    async ({ replyId }) => {
      // Two jobs of one reply may overlap (a job and a sweep); the second finds nothing to do afterwards.
      if (underWay.has(replyId)) return;
      underWay.add(replyId);
      try {
        await deliverReply(ctx, adapters, replyId);
      } finally {
        underWay.delete(replyId);
      }
    },
    8,
  );
}

/** Sends or edits one reply when it is due. */
export async function deliverReply(ctx: Ctx, adapters: Map<string, Adapter>, replyId: string): Promise<void> {
  const reply = await dueReply(ctx, replyId);
  const adapter = reply && adapters.get(reply.platform);
  if (!reply || !adapter || adapter.botId !== reply.botId) return;
  const message = await render(ctx, adapter, reply);
  let outcome = reply.platformMessageId
    ? await adapter.edit(reply, reply.platformMessageId, message)
    : await adapter.send(reply, message, reply.replyToMessageId);
  if (outcome.kind === 'gone') outcome = await adapter.send(reply, message, reply.replyToMessageId);
  switch (outcome.kind) {
    case 'sent':
      return replySent(ctx, reply, outcome.messageId || (reply.platformMessageId ?? ''));
    case 'later':
      ctx.log.warn({ reply: reply.id, reason: outcome.reason }, 'a reply waits');
      return replyDelayed(ctx, reply, outcome.reason, outcome.retryAfterMs);
    default:
      return refused(ctx, reply, outcome.kind === 'refused' ? outcome.reason : 'the message is gone');
  }
}

async function refused(ctx: Ctx, reply: DueReply, reason: string): Promise<void> {
  ctx.log.warn({ reply: reply.id, reason }, 'a reply was refused for good');
  await replyRefused(ctx, reply, reason);
}
