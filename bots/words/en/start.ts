// The first message of the direct chat, and its buttons.

export const start = {
  start: `
    Hi! I send dollars (USDC) to anyone in your chats.
    Connect once, then type {$tip} in any chat we share.
    You pay a small fee on top, mostly $0.05 or $0.10; they get the full amount.
  `,
  'button-try': 'Try it',
  'button-fees': 'How fees work',
  'menu-split': 'Share an amount: /split 9 @name @name',
} as const;
