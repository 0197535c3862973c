// From the inbox to a service: what an entry means decides which one verb is called. Several entries run at a time, each exactly once.
import type { Ctx } from '../src/context.ts';
import type { ChatMessage } from '../src/domain/chat.ts';
import type { Command } from '../src/domain/command.ts';
import { MAX_COMMAND_AGE_MS } from '../src/domain/limits.ts';
import { personOf } from '../src/services/accounts.ts';
import { connectByMessage, disconnectByMessage } from '../src/services/connectCommands.ts';
import { type InboxEntry, pendingInbox } from '../src/services/inbox.ts';
import { acceptIntent, answer, answerError, ignore, pauseByMessage, pressButton } from '../src/services/intents.ts';
import type { Adapter } from './adapter.ts';
import { PRESS_WORDS } from './texts.ts';

const AT_A_TIME = 8;
const RESCAN_MS = 1_000;

export type Ingest = { wake(): void };

/** Works through the inbox of one platform: at once when woken, and every second for what a crash left behind. */
export function startIngest(ctx: Ctx, adapter: Adapter): Ingest {
  const underWay = new Map<string, Promise<void>>();
  let scanning: Promise<void> | undefined;
  let again = false;

  async function scan(): Promise<void> {
    do {
      again = false;
      const entries = await pendingInbox(ctx, adapter.platform, AT_A_TIME * 4);
      for (const { key, entry } of entries) {
        if (underWay.has(key)) continue;
        while (underWay.size >= AT_A_TIME) await Promise.race(underWay.values());
        underWay.set(key, handle(key, entry));
      }
    } while (again && !ctx.shutdown.closing());
  }
  async function handle(key: string, entry: InboxEntry): Promise<void> {
    try {
      await handleEntry(ctx, adapter, key, entry);
    } catch (err) {
      ctx.log.error({ err, key }, 'an inbox entry failed; it is tried again');
    } finally {
      underWay.delete(key);
    }
  }
  function wake(): void {
    again = true;
    scanning ??= scan()
      .catch((err: unknown) => ctx.log.error({ err }, 'the inbox could not be read; it is tried again'))
      .finally(() => {
        scanning = undefined;
        if (again && !ctx.shutdown.closing()) wake();
      });
  }
  const timer = setInterval(wake, RESCAN_MS);
  ctx.shutdown.onClose('ingest', async () => {
    clearInterval(timer);
    await scanning;
    await Promise.allSettled(underWay.values());
  });
  wake();
  return { wake };
}

/** One entry, start to end. */
export async function handleEntry(ctx: Ctx, adapter: Adapter, key: string, entry: InboxEntry): Promise<void> {
  if (entry.kind === 'button') {
    const result = await pressButton(ctx, key, entry.button);
    await adapter.acknowledge(entry.button.callbackId, PRESS_WORDS[result]);
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
    case 'send': {
      const late = ctx.clock.now() - message.sentAt > MAX_COMMAND_AGE_MS;
      return late ? answerError(ctx, key, message, { code: 'too_old' }) : acceptIntent(ctx, key, message, command);
    }
    case 'help':
      return answer(ctx, key, message, 'help', {});
    case 'balance':
    case 'history':
    case 'limits': {
      const person = await personOf(ctx, message.platform, message.sender.id);
      if (!person) return answerError(ctx, key, message, { code: 'sender_not_connected' });
      return answer(ctx, key, message, command.kind, { userId: message.sender.id });
    }
    case 'pause':
      return pauseByMessage(ctx, key, message);
    case 'connect':
      return connectByMessage(ctx, key, message, adapter.botUsername);
    case 'disconnect':
      return disconnectByMessage(ctx, key, message);
    case 'split':
      return answerError(ctx, key, message, { code: 'not_available', kind: command.kind });
    case 'error':
      return answerError(ctx, key, message, { code: command.code });
  }
}
