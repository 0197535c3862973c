// Jobs of the same replies overlap: a job and the sweep that asks again. Whatever they share is shown once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wantReplies } from '../src/services/outbox/replies.ts';
import { until } from '../test/setup/processes.ts';
import { startWorld, type World } from '../test/setup/world.ts';
import type { Adapter } from './adapter.ts';
import { createDelivery, deliverReplies } from './delivery.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** A platform that answers nobody until it is told to, and counts what it was asked to show in each chat. */
function slowPlatform() {
  const shown = new Map<string, number>();
  const asked: (() => void)[] = [];
  let isOpen = false;
  const adapter: Adapter = {
    platform: 'telegram',
    botId: '7',
    botUsername: 'slow_bot',
    async send({ chatId }) {
      shown.set(chatId, (shown.get(chatId) ?? 0) + 1);
      if (!isOpen) await new Promise<void>((resolve) => asked.push(resolve));
      return { kind: 'sent', messageId: String(shown.size) };
    },
    edit: async () => ({ kind: 'gone' }),
    acknowledge: async () => {},
    directChatUrl: () => 'https://t.me/slow_bot',
    connectButton: (label) => ({ label, url: '' }),
    currentUsername: async () => null,
  };
  const open = () => {
    isOpen = true;
    for (const go of asked) go();
  };
  return { adapter, shown, open };
}

test('replies that wait behind a slow platform are shown once, though a second job names them too', async () => {
  const { ctx } = world;
  const { adapter, shown, open } = slowPlatform();
  const chats = Array.from({ length: 90 }, (_, index) => String(5_000 + index));
  const ids = await ctx.db.$transaction((tx) =>
    wantReplies(
      ctx,
      tx,
      chats.map((chatId) => ({
        key: `help:${chatId}`,
        to: { platform: 'telegram', botId: '7', chatId },
        replyTo: null,
        kind: 'help',
        data: {},
      })),
    ),
  );
  const deliver = createDelivery(ctx, new Map([['telegram', adapter]]));
  const jobs = [deliver(ids)];
  // As many are under way as may be; the rest of both jobs waits for them.
  await until(() => shown.size === 40, 'forty are under way');
  jobs.push(deliver(ids), deliver(ids.slice(30)));
  open();
  await Promise.all(jobs);
  expect([...shown.values()]).toEqual(chats.map(() => 1));
  expect(await ctx.db.reply.count({ where: { open: true } })).toBe(0);
});

test('a row of another version waits and holds up no other', async () => {
  const { ctx } = world;
  const { adapter, shown, open } = slowPlatform();
  open();
  const to = (chatId: string) => ({ platform: 'telegram', botId: '7', chatId });
  const ids = await ctx.db.$transaction((tx) =>
    wantReplies(
      ctx,
      tx,
      ['6001', '6002'].map((chatId) => ({
        key: `help:${chatId}`,
        to: to(chatId),
        replyTo: null,
        kind: 'help',
        data: {},
      })),
    ),
  );
  await ctx.db.reply.update({ where: { key: 'help:6001' }, data: { kind: 'a_newer_kind' } });
  await deliverReplies(ctx, new Map([['telegram', adapter]]), ids);
  expect([...shown.keys()]).toEqual(['6002']);
  const {
    open: isOpen,
    attempts,
    failure,
    nextAttemptAt,
  } = await ctx.db.reply.findUniqueOrThrow({
    where: { key: 'help:6001' },
  });
  expect([isOpen, attempts, failure]).toEqual([true, 1, null]);
  expect(nextAttemptAt.getTime()).toBeGreaterThan(ctx.clock.now());
});
