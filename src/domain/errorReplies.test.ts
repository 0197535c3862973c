// What is said of errors and help where: interactions and direct chats are never left without an answer, groups and X are kept quiet.
import { expect, test } from 'vitest';
import type { ChatMessage } from './chat.ts';
import { type ReplyTopic, replyRule } from './errorReplies.ts';

const error = (code: string): ReplyTopic => ({ kind: 'error', code });
function message(more: Partial<ChatMessage> = {}, platform = 'telegram'): ChatMessage {
  const input = { platform, text: '', ctx: {} } as never as ChatMessage['input'];
  const sender = { id: '7', username: 'alice' };
  return { platform, botId: '1', chatId: '-5', messageId: '9', sentAt: 0, chatKind: 'group', sender, input, ...more };
}
const NOON = Date.UTC(2026, 10, 23, 12);
const keys = (of: ChatMessage, topic: ReplyTopic) => replyRule(of, topic, NOON).counters.map(({ key }) => key);

const TOPICS = [{ kind: 'help' } as const, ...['unknown_command', 'amount_invalid', 'rate_limited'].map(error)];

test('an interaction is answered whatever it is about', () => {
  const interaction = message({ input: { platform: 'discord', interaction: {} } as never }, 'discord');
  for (const topic of TOPICS) expect(replyRule(interaction, topic, NOON)).toEqual({ counters: [] });
});

test('a direct chat and a summons share one count for all topics, and are told when it is full', () => {
  for (const one of [message({ chatKind: 'dm', chatId: '7' }), message({ chatId: 'guest:12' })]) {
    for (const topic of TOPICS) expect(keys(one, topic)).toEqual(['answers:telegram:7']);
    expect(replyRule(one, error('amount_invalid'), NOON)).toMatchObject({ otherwise: 'notice' });
  }
});

test('a group counts every kind by itself; help and typos also for all its people together', () => {
  expect(TOPICS.map((topic) => keys(message(), topic))).toEqual([
    ['helps:telegram:7', 'helps:telegram:chat:-5'],
    ['typos:telegram:7', 'typos:telegram:chat:-5'],
    ['errors:telegram:7'],
    ['limits:rate_limited:telegram:7'],
  ]);
  for (const topic of TOPICS) expect(replyRule(message(), topic, NOON)).toMatchObject({ otherwise: 'reaction' });
  expect(keys(message(), error('pending_limited'))).not.toEqual(keys(message(), error('rate_limited')));
});

test('nothing is shown under a message that somebody only reacted to', () => {
  expect(replyRule(message({ byReaction: true }), error('amount_invalid'), NOON)).toMatchObject({
    otherwise: 'silence',
  });
});

test('on X an author has one reply a day for all of it', () => {
  for (const topic of TOPICS) {
    const rule = replyRule(message({ chatKind: 'public' }, 'x'), topic, NOON);
    expect(rule).toMatchObject({
      counters: [{ key: 'errors:x:7:2026-11-23', window: { points: 1, windowMs: 86_400_000 } }],
    });
    expect(rule).toMatchObject({ otherwise: 'silence' });
  }
});
