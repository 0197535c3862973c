// What is said where many read it, and to who writes too much at once.

export const groups = {
  'help-group': `
    Send dollars (USDC) to anyone here: {$tip}
    Everything else is in our chat.
  `,

  'error-flooded': 'That’s a lot at once. Give me a minute, then try again.',
  'discord-unshown': 'I can’t show the answer here. /history has what happened.',
} as const;
