// How the bot is used: the help text and the command menu. The commands themselves are English in every language.

export const help = {
  'help-telegram': `
    Send dollars (USDC) to anyone, right in the chat.

    /tip @name 5 → they get 5 USDC
    /tip 5 → as a reply, tips who you reply to
    /order 25 for coffee → a link that anyone can pay

    You pay a small fee on top: $0.05 under $5, $0.10 from $5, or $0.30 and the bridge’s cost to another network. They get the full amount. Above $50, I ask first.
  `,
  'help-discord': `
    Send dollars (USDC) to anyone, right in the chat.

    /tip to:@name amount:5 → they get 5 USDC
    @{$bot} tip 5 → as a reply, tips who you reply to
    /order amount:25 for:coffee → a link that anyone can pay

    You pay a small fee on top: $0.05 under $5, $0.10 from $5, or $0.30 and the bridge’s cost to another network. They get the full amount. Above $50, I ask first.
  `,

  'menu-tip': 'Tip someone: /tip @name 5',
  'menu-send': 'Send to a person or an address: /send @name 5',
  'menu-order': 'Request money with a link: /order 25 for coffee',
  'menu-me': 'Your own page’s link (answered in private)',
  'menu-balance': 'Your balance (answered in private)',
  'menu-deposit': 'Add money to your wallet (answered in private)',
  'menu-withdraw': 'Send money from your wallet: /withdraw 5',
  'menu-history': 'Your latest payments (answered in private)',
  'menu-limits': 'Your spending limits (answered in private)',
  'menu-subscriptions': 'Your subscriptions (answered in private)',
  'menu-plan': 'A form for a plan: /plan Supporters 5 monthly',
  'menu-leaderboard': 'Who gave and received most here',
  'menu-react': 'React to tip: set it in our direct chat',
  'menu-pause': 'Turn off all spending at once',
  'menu-connect': 'Connect this account to your Ampersat handle',
  'menu-disconnect': 'Disconnect this account at once',
  'menu-help': 'How it works',
} as const;
