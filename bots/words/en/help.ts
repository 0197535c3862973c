// How the bot is used: the help text and the command menu. The commands themselves are English in every language.

export const help = {
  help: `
    Pay anybody here by name, in dollars that live on-chain (USDC).

    /tip @bob 5: each person named gets 5 USDC
    /tip 5: as a reply, tips the person you answer
    /tip @bob @carol 5 for lunch: 5 each, with a note
    /send @bob 20 on base: one person, on the chain you name
    /send 0x… 20: to an address
    /order 25 for coffee: asks for 25 USDC, with a link that anybody can pay
    /balance, /history, /limits: answered in private
    /react 👍 1: your reaction with that emoji in a group tips the author 1 USDC (off until you set it)
    /leaderboard: who gave and received most here, of those who joined with /leaderboard on
    /pause: stops all your spending at once
    /connect, /disconnect: whether this account belongs to your Ampersat handle

    The fee is 0.05 USD under 5 USD and 0.10 from 5 USD, on top: the other side gets the full amount.
    Above 50 USD I ask first. Somebody’s Ampersat handle is written name@ampersat. Our direct chat: @{$bot}.
  `,

  'menu-tip': 'Tip somebody: /tip @name 5',
  'menu-send': 'Send to a person or an address: /send @name 5',
  'menu-order': 'Ask for money with a link: /order 25 for coffee',
  'menu-balance': 'What you have (answered in private)',
  'menu-history': 'Your last tips (answered in private)',
  'menu-limits': 'What you may spend (answered in private)',
  'menu-leaderboard': 'Who gave and received most here',
  'menu-react': 'React to tip: set it in our direct chat',
  'menu-pause': 'Stop all spending at once',
  'menu-connect': 'Connect this account to your Ampersat handle',
  'menu-disconnect': 'End that connection at once',
  'menu-help': 'How it works',
} as const;
