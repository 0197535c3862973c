// The part of the tour on Solana holds on a stack of its own: a tip from the chat, paid once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../../test/setup/stack.ts';
import { solana } from './solana.ts';
import { telegramChat } from './telegramChat.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ more: ['solana'] });
}, 180_000);
afterAll(() => stack?.stop());

test('a tip is paid once', async () => {
  const told: string[] = [];
  const chats = { telegram: telegramChat(stack.local) };
  await solana({ local: stack.local, chats, tell: (story) => told.push(story) });
  expect(told).toEqual([expect.stringMatching(/^Solana: Alice tips Bob 5 USDC/)]);
});
