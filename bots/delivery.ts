// Shows what a reply's row wants in its chat, once, and records what the platform answered: the last step of every command.
import type { Ctx } from '../src/context.ts';
import { type DueReply, dueReplies, type UnreadableReply } from '../src/services/outbox/due.ts';
import {
  recordBegun,
  recordDelay,
  recordRefusal,
  recordShown,
  type ShownReply,
} from '../src/services/outbox/outcomes.ts';
import { traceOf } from '../src/services/trace.ts';
import type { Adapter, Rendered, SendOutcome, Views } from './adapter.ts';
import { findDuplicates, findEarlier } from './duplicates.ts';
import { gather } from './gather.ts';
import { addresseeOf, readViews, render } from './render/render.ts';

/** Replies that are read together and then shown at the same time: few enough that none is old when it is shown. */
const AT_A_TIME = 20;
/** Calls to platforms that may be under way; a slow one holds up the others only when there are this many of it. */
const MOST_UNDER_WAY = 2 * AT_A_TIME;
/** A reply of a bot whose token is no longer here is retried rarely. */
const OTHER_BOT_WAIT_MS = 600_000;

/** `record` takes single replies and may gather them. */
type Delivery = { ctx: Ctx; adapters: ReadonlyMap<string, Adapter>; record(shown: ShownReply): Promise<void> };

/** Consumes the replies of the platforms that this process owns. */
export function consumeReplies(ctx: Ctx, adapters: Map<string, Adapter>): void {
  const deliver = createDelivery(ctx, adapters);
  ctx.queues.consume('replies', ({ replyIds }) => deliver(replyIds), 8);
}

/** One delivery a process: jobs that overlap share what is under way, so that no reply is sent by two of them. */
export function createDelivery(ctx: Ctx, adapters: Map<string, Adapter>): (replyIds: string[]) => Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  const delivery = { ctx, adapters, record: gather((shown: ShownReply[]) => recordShown(ctx, shown), AT_A_TIME) };
  return async (replyIds) => {
    const ids = [...new Set(replyIds)];
    const started: Promise<void>[] = [];
    for (let from = 0; from < ids.length; from += AT_A_TIME) {
      while (underWay.size >= MOST_UNDER_WAY) await Promise.race(underWay.values()).catch(() => {});
      // Two jobs of one reply may overlap (a job and a sweep). Read after the last wait: nothing comes between this and the entry below.
      const chunk = ids.slice(from, from + AT_A_TIME).filter((id) => !underWay.has(id));
      if (chunk.length === 0) continue;
      const shown = showReplies(delivery, chunk);
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

/** Sends or edits those of the replies that are due, all at the same time. */
export async function deliverReplies(ctx: Ctx, adapters: Map<string, Adapter>, replyIds: string[]): Promise<void> {
  const tasks = await showReplies({ ctx, adapters, record: (shown) => recordShown(ctx, [shown]) }, replyIds);
  throwFirst(await Promise.allSettled(tasks.values()));
}

function throwFirst(results: PromiseSettledResult<void>[]): void {
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Reads what is due and begins to show it. @returns what is under way, by reply, when everything is read */
async function showReplies(delivery: Delivery, replyIds: string[]): Promise<Map<string, Promise<void>>> {
  const { ctx, adapters } = delivery;
  const { due, unreadable } = await dueReplies(ctx, replyIds);
  const views = await readViews(ctx, due);
  await recordBegun(
    ctx,
    due.filter((reply) => isTracked(adapters.get(reply.platform), reply) && reply.begunAt === null).map(({ id }) => id),
  );
  const tasks = [
    ...due.map((reply) => [reply.id, deliverReply(delivery, reply, views)] as const),
    ...unreadable.map((row) => [row.id, delayUnreadable(delivery, row)] as const),
  ];
  // The caller sees a failure when it waits for it, and need not wait.
  for (const [, task] of tasks) task.catch(() => {});
  return new Map(tasks);
}

/** A row of a newer version is shown by the process that wrote it, or by this one after its update. */
async function delayUnreadable({ ctx, adapters }: Delivery, row: UnreadableReply): Promise<void> {
  if (!adapters.has(row.platform)) return;
  ctx.log.error({ reply: row.id, kind: row.kind }, 'a reply has data that this version cannot read');
  await recordDelay(ctx, row, 'it could not be rendered');
}

/** Whether a call that shows it and is repeated may leave a second message behind that can be found. */
function isTracked(adapter: Adapter | undefined, reply: DueReply): boolean {
  if (!adapter || adapter.botId !== reply.botId || reply.kind === 'reaction' || reply.platformMessageId !== null)
    return false;
  return adapter.find !== undefined || adapter.adopt !== undefined;
}

async function deliverReply(delivery: Delivery, reply: DueReply, views: Views): Promise<void> {
  const { ctx } = delivery;
  const adapter = delivery.adapters.get(reply.platform);
  if (!adapter) return;
  if (adapter.botId !== reply.botId)
    return recordDelay(ctx, reply, 'it belongs to another bot', { retryAfterMs: OTHER_BOT_WAIT_MS });
  let attempt: Attempt;
  try {
    attempt = await tryToShow(ctx, adapter, reply, views);
  } catch (err) {
    ctx.log.error({ err, ...tracedReply(ctx, reply, views) }, 'a reply could not be rendered');
    return recordDelay(ctx, reply, 'it could not be rendered');
  }
  switch (attempt.kind) {
    case 'silent': {
      const { id, version, platformMessageId } = reply;
      return delivery.record({ id, version, platformMessageId, isSilent: true });
    }
    case 'up_to_date':
      return findDuplicates(ctx, adapter, reply, attempt.message);
    case 'called':
      return recordOutcome(delivery, adapter, reply, views, attempt);
  }
}

/** `silent`: this version has nothing to show. `up_to_date`: only duplicates of its message are to be found. */
type Attempt = { kind: 'silent' } | { kind: 'up_to_date'; message: Rendered | null } | Called;
/** `said` where messages cannot be changed. */
type Called = { kind: 'called'; outcome: SendOutcome; message: Rendered | null; said?: string };

async function tryToShow(ctx: Ctx, adapter: Adapter, reply: DueReply, views: Views): Promise<Attempt> {
  if (reply.kind === 'reaction') return { kind: 'called', outcome: await react(adapter, reply), message: null };
  if (adapter.compose) {
    const composed = await adapter.compose(reply, views);
    if (composed.kind === 'nothing') return { kind: 'silent' };
    if (composed.kind === 'later') return { kind: 'called', outcome: composed, message: null };
    const outcome = await adapter.send(reply, composed.message, reply.replyToMessageId, reply.id);
    return { kind: 'called', outcome, message: null, said: composed.said };
  }
  const message = await render(ctx, adapter, reply, views);
  if (reply.sentVersion >= reply.version) return { kind: 'up_to_date', message };
  if (message === null) return { kind: 'silent' };
  return { kind: 'called', outcome: await show(ctx, adapter, reply, message), message };
}

async function recordOutcome(
  { ctx, record }: Delivery,
  adapter: Adapter,
  reply: DueReply,
  views: Views,
  { outcome, message, said }: Called,
): Promise<void> {
  const trace = tracedReply(ctx, reply, views);
  switch (outcome.kind) {
    case 'sent': {
      const { id, kind, version } = reply;
      const platformMessageId = outcome.messageId || (reply.platformMessageId ?? '');
      const hasDuplicates = adapter.adopt !== undefined && isTracked(adapter, reply) && reply.begunAt !== null;
      await record({ id, version, platformMessageId, hasDuplicates, ...(said ? { said } : {}) });
      ctx.log.info({ ...trace, kind, version, shownAs: platformMessageId }, 'a reply was shown');
      // Now rather than when it is woken: its job may come while this is under way, and is passed over then.
      if (!hasDuplicates) return;
      const shown = { ...reply, platformMessageId, sentAt: new Date(ctx.clock.now()) };
      return findDuplicates(ctx, adapter, shown, message);
    }
    case 'later':
      ctx.log.warn({ ...trace, reason: outcome.reason }, 'a reply waits');
      return recordDelay(ctx, reply, outcome.reason, outcome);
    default: {
      const reason = outcome.kind === 'refused' ? outcome.reason : 'the message is gone';
      ctx.log.warn({ ...trace, reason }, 'a reply was refused permanently');
      return recordRefusal(ctx, reply, reason, addresseeOf(reply, views));
    }
  }
}

async function react(adapter: Adapter, reply: DueReply): Promise<SendOutcome> {
  const passed = { kind: 'sent', messageId: '' } as const;
  if (!adapter.react || reply.replyToMessageId === null) return passed;
  const outcome = await adapter.react(reply, reply.replyToMessageId);
  // A group may allow no reactions: then there is none.
  return outcome.kind === 'later' ? outcome : passed;
}

async function show(ctx: Ctx, adapter: Adapter, reply: DueReply, message: Rendered): Promise<SendOutcome> {
  const shownAs = reply.platformMessageId || (await findEarlier(ctx, adapter, reply));
  if (typeof shownAs === 'object' && shownAs !== null) return shownAs;
  if (!shownAs) return adapter.send(reply, message, reply.replyToMessageId, reply.id);
  const edited = await adapter.edit(reply, shownAs, message);
  if (edited.kind === 'sent')
    return (await editDuplicates(adapter, reply, message)) ?? { kind: 'sent', messageId: edited.messageId || shownAs };
  if (edited.kind !== 'gone') return edited;
  return adapter.send(reply, message, reply.replyToMessageId, `${reply.id}-${shownAs}`);
}

/** @returns what to wait for */
async function editDuplicates(adapter: Adapter, reply: DueReply, message: Rendered): Promise<SendOutcome | null> {
  for (const duplicate of reply.twins) {
    const edited = await adapter.edit(reply, duplicate, message);
    if (edited.kind === 'later') return edited;
  }
  return null;
}

/** By what a line about a reply is found: the message that it answers, and its sender. */
function tracedReply(ctx: Ctx, reply: DueReply, views: Views) {
  const { id, data, platform, replyToMessageId: messageId } = reply;
  return {
    reply: id,
    ...('intentId' in data ? { intent: data.intentId } : {}),
    ...traceOf(ctx, { platform, messageId, senderId: addresseeOf(reply, views) }),
  };
}
