// The last step of every tip: shows what a reply row wants, once, and notes what the platform said.
import type { Ctx } from '../src/context.ts';
import { type DueReply, dueReply, replyDelayed, replyRefused, replySent } from '../src/services/replies.ts';
import type { Adapter, Rendered, SendOutcome } from './adapter.ts';
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

/** A reply of a bot whose token is not here any more is looked at rarely. */
const OTHER_BOT_WAIT_MS = 600_000;

/** Sends or edits one reply when it is due. */
export async function deliverReply(ctx: Ctx, adapters: Map<string, Adapter>, replyId: string): Promise<void> {
  const reply = await dueReply(ctx, replyId);
  const adapter = reply && adapters.get(reply.platform);
  if (!reply || !adapter) return;
  if (adapter.botId !== reply.botId) return replyDelayed(ctx, reply, 'it belongs to another bot', OTHER_BOT_WAIT_MS);
  let outcome: SendOutcome;
  try {
    outcome = await show(adapter, reply, await render(ctx, adapter, reply));
  } catch (err) {
    ctx.log.error({ err, reply: reply.id }, 'a reply could not be rendered');
    return replyDelayed(ctx, reply, 'it could not be rendered');
  }
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

async function show(adapter: Adapter, reply: DueReply, message: Rendered): Promise<SendOutcome> {
  if (reply.platformMessageId) {
    const edited = await adapter.edit(reply, reply.platformMessageId, message);
    if (edited.kind !== 'gone') return edited;
  }
  return adapter.send(reply, message, reply.replyToMessageId);
}

async function refused(ctx: Ctx, reply: DueReply, reason: string): Promise<void> {
  ctx.log.warn({ reply: reply.id, reason }, 'a reply was refused for good');
  await replyRefused(ctx, reply, reason);
}
