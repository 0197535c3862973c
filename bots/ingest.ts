// From the inbox to a service: what an entry means decides which one verb is called. Several entries run at a time, each exactly once.
import type { Ctx } from '../src/context.ts';
import type { ChatMessage } from '../src/domain/chat.ts';
import type { ErrorCommand } from '../src/domain/command/result.ts';
import type { Command } from '../src/domain/command.ts';
import { AppError } from '../src/domain/errors.ts';
import { MAX_COMMAND_AGE_MS } from '../src/domain/limits.ts';
import { isPayment } from '../src/domain/payment.ts';
import { readMoneyWish, readPlanWish } from '../src/domain/settingWords.ts';
import { RARE_FALLBACK_MS } from '../src/loop.ts';
import { pressButton } from '../src/services/chat/buttons.ts';
import { acceptIntents, answer, ignore, pauseByMessage } from '../src/services/chat/commands.ts';
import { connectByMessage, disconnectByMessage } from '../src/services/chat/connect.ts';
import { answerError } from '../src/services/chat/errorReplies.ts';
import { type InboxEntry, type PendingEntry, pendingInbox } from '../src/services/chat/inbox.ts';
import { leaderboardByMessage } from '../src/services/chat/leaderboard.ts';
import { orderByMessage } from '../src/services/chat/orders.ts';
import { reactByMessage } from '../src/services/chat/reactions.ts';
import type { ReplyData } from '../src/services/outbox/content.ts';
import { languagesOf } from '../src/services/outbox/languages.ts';
import { personOf } from '../src/services/spending/chatAccount.ts';
import type { Payment } from '../src/services/tips/intents.ts';
import { traceOf } from '../src/services/trace.ts';
import type { Adapter } from './adapter.ts';
import { say } from './render/say.ts';

/** What one transaction takes in, and as much as the platform gives at once. */
const PAGE = 100;
const AT_A_TIME = 8;
const RESCAN_MS = 1_000;

export type Ingest = { wake(): void };
type Stored = { key: string; entry: InboxEntry };

/**
 * Works through the inbox of one platform: at once when woken, every second while entries wait for something that is away, and now and then for
 * what a crash left behind.
 */
export function startIngest(ctx: Ctx, adapter: Adapter): Ingest {
  const underWay = new Map<string, Promise<boolean>>();
  const all = repeatable(ctx, scan);
  const urgent = repeatable(ctx, scanUrgent);
  /** Whether each scan left entries, or failed: then the next one follows in a second. */
  const left = { urgent: true, rest: true };
  let scannedAt = 0;

  /** A pause or a disconnect overtakes everything before it, whatever that waits for. */
  async function scanUrgent(): Promise<void> {
    left.urgent = true;
    const pending = await pendingInbox(ctx, adapter.platform, PAGE, { urgent: true });
    left.urgent = pending.length > 0;
    for (const one of pending) if (!underWay.has(one.key)) void start([one]);
  }
  /** Page by page to the end: what waits, in the order in which it came, hides nothing behind it. */
  async function scan(): Promise<void> {
    let after: PendingEntry | undefined;
    let accepts = true;
    let found = 0;
    left.rest = true;
    do {
      const pending = await pendingInbox(ctx, adapter.platform, PAGE, { urgent: false, after });
      found += pending.length;
      accepts = await startPage(pending, accepts);
      after = pending.length === PAGE ? pending.at(-1) : undefined;
    } while (after && !ctx.shutdown.closing());
    left.rest = found > 0;
    scannedAt = performance.now();
  }
  /** @returns whether payments of the next page may be accepted: none overtakes one that waits for something that is away */
  async function startPage(pending: Stored[], accepts: boolean): Promise<boolean> {
    const entries = pending.filter(({ key }) => !underWay.has(key));
    const payments = entries.filter((one) => paymentIn(ctx, one) !== null);
    const accepted = accepts ? start(payments) : Promise.resolve(false);
    for (const one of entries) {
      if (payments.includes(one)) continue;
      while (underWay.size >= AT_A_TIME + payments.length) await Promise.race(underWay.values());
      void start([one]);
    }
    return accepted;
  }
  /** @returns false when something that they need is away */
  async function start(entries: Stored[]): Promise<boolean> {
    if (entries.length === 0) return true;
    const keys = entries.map(({ key }) => key);
    const done = handleEntries(ctx, adapter, entries)
      .then(() => true)
      .catch((err: unknown) => {
        // The call that failed is logged; each entry that waits for it would log it again every second.
        const away = err instanceof AppError && err.code === 'provider_unavailable';
        ctx.log[away ? 'debug' : 'error'](
          { err, key: keys[0], entries: keys.length },
          'entries wait; they are tried again',
        );
        return !away;
      })
      .finally(() => {
        for (const key of keys) underWay.delete(key);
      });
    for (const key of keys) underWay.set(key, done);
    return done;
  }
  function wake(): void {
    urgent.run();
    all.run();
  }
  /** What a process that ended left. */
  async function wakeForAny(): Promise<void> {
    scannedAt = performance.now();
    const any = await pendingInbox(ctx, adapter.platform, 1).catch(() => null);
    // A database that is away is logged by the scan.
    if (any?.length !== 0) wake();
  }
  const timer = setInterval(() => {
    if (left.urgent || left.rest) wake();
    else if (performance.now() - scannedAt >= RARE_FALLBACK_MS) void wakeForAny();
  }, RESCAN_MS);
  ctx.shutdown.onClose('ingest', async () => {
    clearInterval(timer);
    await Promise.all([urgent.ended(), all.ended()]);
    await Promise.allSettled(underWay.values());
  });
  wake();
  return { wake };
}

/** Runs a scan once at a time, and once more when it was requested meanwhile. */
function repeatable(ctx: Ctx, scan: () => Promise<void>): { run(): void; ended(): Promise<void> | undefined } {
  let scanning: Promise<void> | undefined;
  let again = false;
  function run(): void {
    again = true;
    scanning ??= untilDone()
      .catch((err: unknown) => ctx.log.error({ err }, 'the inbox could not be read; it is tried again'))
      .finally(() => {
        scanning = undefined;
        if (again && !ctx.shutdown.closing()) run();
      });
  }
  async function untilDone(): Promise<void> {
    do {
      again = false;
      await scan();
    } while (again && !ctx.shutdown.closing());
  }
  return { run, ended: () => scanning };
}

/** Entries of one platform: what moves money is accepted together, the rest is done one after the other. */
export async function handleEntries(ctx: Ctx, adapter: Adapter, entries: Stored[]): Promise<void> {
  const payments = entries.flatMap((one) => paymentIn(ctx, one) ?? []);
  const keys = new Set(payments.map(({ key }) => key));
  if (payments.length > 0) await acceptIntents(ctx, payments);
  for (const { key, entry } of entries) {
    if (!keys.has(key)) await handleEntry(ctx, adapter, key, entry);
    noteEntry(ctx, entry);
  }
}

/** By which a complaint is found in the log: what a message was read as. Talk that is no command leaves no line. */
function noteEntry(ctx: Ctx, entry: InboxEntry): void {
  if (entry.kind === 'button') {
    const { platform, messageId, userId: senderId } = entry.button;
    ctx.log.info(traceOf(ctx, { platform, messageId, senderId }), 'a button was pressed');
    return;
  }
  const { message, command } = entry;
  if (command.kind === 'none') return;
  const { platform, messageId, sender } = message;
  const trace = traceOf(ctx, { platform, messageId, senderId: sender.id });
  ctx.log.info(
    { ...trace, command: command.kind, ...(command.code ? { code: command.code } : {}) },
    'a message was read',
  );
}

/** The payment that an entry asks for, unless it was typed too long ago. */
function paymentIn(ctx: Ctx, { key, entry }: Stored): Payment | null {
  if (entry.kind !== 'message') return null;
  const asked = askedIn(entry.message, entry.command);
  const late = ctx.clock.now() - entry.message.sentAt > MAX_COMMAND_AGE_MS;
  return late || asked === null ? null : { key, message: entry.message, ...asked };
}

/** What may be sent of a command, and why it asks first. On X an error costs its author's one answer of the day, so it offers nothing there. */
function askedIn(message: ChatMessage, command: Command): Pick<Payment, 'command' | 'doubt'> | null {
  if (isPayment(command)) return { command, doubt: null };
  if (command.kind === 'confirm') return { command: command.intent, doubt: command.because };
  const offered = command.kind === 'error' && message.platform !== 'x' ? command.suggestion : undefined;
  return offered === undefined ? null : { command: offered, doubt: 'suggestion' };
}

/** One entry that moves no money, start to end. */
async function handleEntry(ctx: Ctx, adapter: Adapter, key: string, entry: InboxEntry): Promise<void> {
  if (entry.kind === 'button') {
    const result = await pressButton(ctx, key, entry.button);
    const languageOf = await languagesOf(ctx, [entry.button]);
    await adapter.acknowledge(entry.button.callbackId, say(languageOf(entry.button), `press-${result}`), result);
    return;
  }
  await handleCommand(ctx, adapter, key, entry.message, entry.command);
}

async function handleCommand(
  ctx: Ctx,
  adapter: Adapter,
  key: string,
  message: ChatMessage,
  command: Command,
): Promise<void> {
  switch (command.kind) {
    case 'none':
      return ignore(ctx, key, 'none');
    case 'tip':
    case 'send':
    case 'split':
    case 'confirm':
      // In time, it would have been accepted as a payment.
      return answerError(ctx, key, message, { code: 'too_old' });
    case 'order':
      return orderByMessage(ctx, key, message, command);
    case 'help':
      return answer(ctx, key, message, { kind: 'help', data: helpData(message) });
    case 'balance':
    case 'history':
    case 'limits':
    case 'subscriptions':
    case 'me':
    case 'deposit':
    case 'withdraw':
    case 'plan': {
      const person = await personOf(ctx, message.platform, message.sender.id);
      if (!person) return answerError(ctx, key, message, { code: 'sender_not_connected' });
      const userId = message.sender.id;
      if (command.kind === 'plan')
        return answer(ctx, key, message, {
          kind: 'plan',
          data: { userId, ...readPlanWish(message.input.text ?? '') },
        });
      if (command.kind === 'deposit' || command.kind === 'withdraw')
        return answer(ctx, key, message, {
          kind: command.kind,
          data: { userId, ...readMoneyWish(message.input.text ?? '', command.kind, message.platform) },
        });
      return answer(ctx, key, message, { kind: command.kind, data: { userId } });
    }
    case 'react':
      return reactByMessage(ctx, key, message);
    case 'leaderboard':
      return leaderboardByMessage(ctx, key, message);
    case 'pause':
      return pauseByMessage(ctx, key, message);
    case 'connect':
      return connectByMessage(ctx, key, message, adapter.botUsername);
    case 'disconnect':
      return disconnectByMessage(ctx, key, message);
    case 'error':
      return answerError(ctx, key, message, errorData(command));
  }
}

/** A group reads where to look; a command that its sender alone sees is answered in full. */
function helpData(message: ChatMessage): ReplyData<'help'> {
  const inGroup = message.chatKind === 'group' && message.input.interaction === undefined;
  return {
    ...(isStart(message) ? { isStart: true } : {}),
    ...(inGroup ? { inGroup } : {}),
    userId: message.sender.id,
  };
}

/** The command that Telegram sends when a person opens the chat with the bot. */
function isStart({ chatKind, input }: ChatMessage): boolean {
  return chatKind === 'dm' && /^\/start(?:@\w+)?(?:\s|$)/i.test(input.text ?? '');
}

/** What the sentence of an error names: the word at which reading stopped, and a chain that was typed with it. */
function errorData({ code, word, chain }: ErrorCommand): { code: string; word?: string; chain?: string } {
  return { code, ...(word === undefined ? {} : { word }), ...(chain === undefined ? {} : { chain }) };
}
