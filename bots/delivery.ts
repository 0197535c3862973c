// The last step of every tip: shows what a reply row wants, once, and notes what the platform said.

import type { Ctx } from '../src/context.ts';
import { noteBegun } from '../src/services/outbox/duplicates.ts';
import {
  type DueReply,
  dueReplies,
  repliesSent,
  replyDelayed,
  replyRefused,
  type SentReply,
} from '../src/services/outbox/replies.ts';
import { traceOf } from '../src/services/trace.ts';
import type { Adapter, Rendered, SendOutcome, Views } from './adapter.ts';
import { findEarlier, seekTwins } from './duplicates.ts';
import { gather } from './gather.ts';
import { readViews, render } from './render/render.ts';

/** Replies that are read together and then shown at the same time: few enough that none is old when it is shown. */
const AT_A_TIME = 20;
/** Calls to platforms that may be under way; a slow one holds up the others only when there are this many of it. */
const MOST_UNDER_WAY = 2 * AT_A_TIME;

type NoteSent = (sent: SentReply) => Promise<void>;

/** Consumes the replies of the platforms that this process owns. */
export function consumeReplies(ctx: Ctx, adapters: Map<string, Adapter>): void {
  const deliver = createDelivery(ctx, adapters);
  ctx.queues.consume('replies', ({ replyIds }) => deliver(replyIds), 8);
}

/** One delivery a process: jobs that overlap share what is under way, so that no reply is sent by two of them. */
export function createDelivery(ctx: Ctx, adapters: Map<string, Adapter>): (replyIds: string[]) => Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  const noteSent = gather((sent: SentReply[]) => repliesSent(ctx, sent), AT_A_TIME);
  return async (replyIds) => {
    const ids = [...new Set(replyIds)];
    const started: Promise<void>[] = [];
    for (let from = 0; from < ids.length; from += AT_A_TIME) {
      while (underWay.size >= MOST_UNDER_WAY) await Promise.race(underWay.values()).catch(() => {});
      // Two jobs of one reply may overlap (a job and a sweep). Looked at after the last wait: nothing comes between this and the entry below.
      const chunk = ids.slice(from, from + AT_A_TIME).filter((id) => !underWay.has(id));
      if (chunk.length === 0) continue;
      const shown = showReplies(ctx, adapters, chunk, noteSent);
      for (const id of chunk) {
        const one = shown.then((tasks) => tasks.get(id)).finally(() => underWay.delete(id));
        one.catch(() => {});
        underWay.set(id, one);
        started.push(one);
      }
      await shown.catch(() => {});
    }
    throwFirst(await Promise.allSettled(started));
  };
}

/** A reply of a bot whose token is not here any more is looked at rarely. */
const OTHER_BOT_WAIT_MS = 600_000;

/** Sends or edits those of the replies that are due, all at the same time. */
export async function deliverReplies(ctx: Ctx, adapters: Map<string, Adapter>, replyIds: string[]): Promise<void> {
  const tasks = await showReplies(ctx, adapters, replyIds, (sent) => repliesSent(ctx, [sent]));
  throwFirst(await Promise.allSettled(tasks.values()));
}

function throwFirst(results: PromiseSettledResult<void>[]): void {
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Reads what is due and begins to show it. @returns what is under way, by reply, when everything is read */
async function showReplies(
  ctx: Ctx,
  adapters: Map<string, Adapter>,
  replyIds: string[],
  noteSent: NoteSent,
): Promise<Map<string, Promise<void>>> {
  const replies = await dueReplies(ctx, replyIds);
  const views = await readViews(ctx, replies);
  await noteBegun(
    ctx,
    replies
      .filter((reply) => isTracked(adapters.get(reply.platform), reply) && reply.begunAt === null)
      .map(({ id }) => id),
  );
  return new Map(
    replies.map((reply) => {
      const shown = deliverReply(ctx, adapters.get(reply.platform), reply, views, noteSent);
      // Whoever waits for it hears of a failure; nobody has to.
      shown.catch(() => {});
      return [reply.id, shown];
    }),
  );
}

/** Whether a call that shows it and is repeated may leave a second message behind that can be found. */
function isTracked(adapter: Adapter | undefined, reply: DueReply): boolean {
  if (!adapter || adapter.botId !== reply.botId || reply.kind === 'reaction' || reply.platformMessageId !== null)
    return false;
  return adapter.find !== undefined || adapter.adopt !== undefined;
}

async function deliverReply(
  ctx: Ctx,
  adapter: Adapter | undefined,
  reply: DueReply,
  views: Views,
  noteSent: NoteSent,
): Promise<void> {
  if (!adapter) return;
  if (adapter.botId !== reply.botId)
    return replyDelayed(ctx, reply, 'it belongs to another bot', { retryAfterMs: OTHER_BOT_WAIT_MS });
  let outcome: SendOutcome;
  let said: string | undefined;
  let message: Rendered | null = null;
  try {
    if (reply.kind === 'reaction') outcome = await react(adapter, reply);
    else if (adapter.compose) {
      const composed = await adapter.compose(reply, views);
      if (composed.kind === 'nothing') return noteSent(passedOver(reply));
      said = composed.kind === 'say' ? composed.said : undefined;
      outcome =
        composed.kind === 'say'
          ? await adapter.send(reply, composed.message, reply.replyToMessageId, reply.id)
          : composed;
    } else {
      message = await render(ctx, adapter, reply, views);
      if (reply.sentVersion >= reply.version) return seekTwins(ctx, adapter, reply, message);
      if (message === null) return noteSent(passedOver(reply));
      outcome = await show(ctx, adapter, reply, message);
    }
  } catch (err) {
    ctx.log.error({ err, ...tracedReply(ctx, reply, views) }, 'a reply could not be rendered');
    return replyDelayed(ctx, reply, 'it could not be rendered');
  }
  switch (outcome.kind) {
    case 'sent': {
      const platformMessageId = outcome.messageId || (reply.platformMessageId ?? '');
      const hasTwins = adapter.adopt !== undefined && isTracked(adapter, reply) && reply.begunAt !== null;
      await noteSent({ id: reply.id, version: reply.version, platformMessageId, hasTwins, ...(said ? { said } : {}) });
      const { kind, version } = reply;
      ctx.log.info(
        { ...tracedReply(ctx, reply, views), kind, version, shownAs: platformMessageId },
        'a reply was shown',
      );
      // Now rather than when it is woken: its job may come while this is under way, and is passed over then.
      if (hasTwins)
        await seekTwins(ctx, adapter, { ...reply, platformMessageId, sentAt: new Date(ctx.clock.now()) }, message);
      return;
    }
    case 'later':
      ctx.log.warn({ ...tracedReply(ctx, reply, views), reason: outcome.reason }, 'a reply waits');
      return replyDelayed(ctx, reply, outcome.reason, outcome);
    default:
      return refused(ctx, reply, views, outcome.kind === 'refused' ? outcome.reason : 'the message is gone');
  }
}

async function react(adapter: Adapter, reply: DueReply): Promise<SendOutcome> {
  const passed = { kind: 'sent', messageId: '' } as const;
  if (!adapter.react || reply.replyToMessageId === null) return passed;
  const outcome = await adapter.react(reply, reply.replyToMessageId);
  // A group may allow none: nobody misses it.
  return outcome.kind === 'later' ? outcome : passed;
}

/** A version that has nothing to say. */
function passedOver({ id, version, platformMessageId }: DueReply): SentReply {
  return { id, version, platformMessageId, isSilent: true };
}

async function show(ctx: Ctx, adapter: Adapter, reply: DueReply, message: Rendered): Promise<SendOutcome> {
  const shownAs = reply.platformMessageId || (await findEarlier(ctx, adapter, reply));
  if (typeof shownAs === 'object' && shownAs !== null) return shownAs;
  if (!shownAs) return adapter.send(reply, message, reply.replyToMessageId, reply.id);
  const edited = await adapter.edit(reply, shownAs, message);
  if (edited.kind === 'sent')
    return (await editTwins(adapter, reply, message)) ?? { kind: 'sent', messageId: edited.messageId || shownAs };
  if (edited.kind !== 'gone') return edited;
  return adapter.send(reply, message, reply.replyToMessageId, `${reply.id}-${shownAs}`);
}

/** @returns what to wait for */
async function editTwins(adapter: Adapter, reply: DueReply, message: Rendered): Promise<SendOutcome | null> {
  for (const twin of reply.twins) {
    const edited = await adapter.edit(reply, twin, message);
    if (edited.kind === 'later') return edited;
  }
  return null;
}

async function refused(ctx: Ctx, reply: DueReply, views: Views, reason: string): Promise<void> {
  ctx.log.warn({ ...tracedReply(ctx, reply, views), reason }, 'a reply was refused for good');
  await replyRefused(ctx, reply, reason);
}

/** By what a line about a reply is found: the message that it answers, and who sent that. */
function tracedReply(ctx: Ctx, reply: DueReply, views: Views) {
  const { userId, intentId } = reply.data as { userId?: string; intentId?: string };
  const senderId = userId ?? views.intents.get(intentId ?? '')?.senderId ?? null;
  const { platform, replyToMessageId: messageId } = reply;
  return {
    reply: reply.id,
    ...(intentId ? { intent: intentId } : {}),
    ...traceOf(ctx, { platform, messageId, senderId }),
  };
}
