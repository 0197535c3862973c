// The part of the tour on Solana holds on a stack of its own: a tip from the chat and an order, each paid once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../../test/setup/stack.ts';
import { solana } from './solana.ts';
import { telegramChat } from './telegramChat.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ more: ['solana'] });
}, 180_000);
afterAll(() => stack?.stop());

test('a tip and an order are each paid once', async () => {
  const told: string[] = [];
  const chats = { telegram: telegramChat(stack.local) };
  await solana({ local: stack.local, chats, tell: (story) => told.push(story) });
  expect(told).toEqual([
    expect.stringMatching(/^Solana: Alice tips Bob 5 USDC/),
    expect.stringMatching(/^Shop’s program creates an order of 8 USDC there/),
  ]);
});
