// Notifications that a user did not request: something of theirs has changed. And the buttons that lead to pages and chats.

export const notices = {
  'notice-connected':
    'The {$platform} account {$account} is now connected to {$handle}@ampersat. It can receive, pause, and see your balance, history and limits. It can’t spend. If that wasn’t you, disconnect it in your settings and sign out everywhere.',
  'notice-account-named': '@{$username} (ID {$id})',
  'notice-account-nameless': 'with ID {$id}',
  'notice-right-own':
    'This account can spend now: up to {$perCommand} per command and {$perDay} per day, across all your chats. If that wasn’t you, send /pause.',
  'notice-right-other':
    'Another account of yours can spend now: up to {$perCommand} per command and {$perDay} per day, across all your chats. If that wasn’t you, send /pause.',
  'notice-wallet-pending': `
    ⚠️ The payout wallet of {$handle}@ampersat{$place} changes to {$wallet} on {$date}. Your old wallet hasn’t signed this.
    If that wasn’t you, cancel it in your settings now and sign out everywhere.
  `,
  'notice-wallet-changed':
    'The payout wallet of {$handle}@ampersat{$place} is now {$wallet}. Money sent to you goes there. To send again, set a spending limit with the new wallet.',
  'notice-wallet-changed-elsewhere':
    'The payout wallet of {$handle}@ampersat{$place} is now {$wallet}. Money sent to that handle goes there. Your account here isn’t connected to it.',
  'notice-wallet-stays':
    'The payout wallet of {$handle}@ampersat{$place} stays the same. The change to {$wallet} was cancelled.',
  'notice-on-solana': 'on Solana',
  'notice-wallet-adding': `
    ⚠️ {$wallet} becomes the {$family} wallet of {$handle}@ampersat on {$date}. None of your wallets has signed this.
    If that wasn’t you, cancel it in your settings now and sign out everywhere.
  `,
  'notice-wallet-added':
    'A wallet was added: {$wallet} is now the {$family} wallet of {$handle}@ampersat. It can be paid and can sign in. If that wasn’t you, change it in your settings and sign out everywhere.',
  'notice-wallet-not-added':
    'No {$family} wallet was added to {$handle}@ampersat. The request for {$wallet} was cancelled.',
  'notice-endpoint-failing':
    '⚠️ Your webhook at {$host} has failed for five days, so I’ve stopped sending it events. Once it works again, turn it on on your webhooks page and resend what it missed.',
  'notice-endpoint-gone':
    '⚠️ Your webhook at {$host} says it’s gone (410), so I’ve stopped sending it events. If that’s wrong, turn it on on your webhooks page and resend what it missed.',
  'notice-endpoint-test': 'It’s in test mode. Your real orders aren’t affected.',
  'date-utc': '{$day} {$month} {$year}, {$time} UTC',

  'open-chat': 'I can’t message you yet. Open our chat and press Start. Your answer is waiting there.',
  'button-open-chat': 'Open our chat',
  'button-spending': 'Set a spending limit',
  'button-settings': 'Settings',
  'button-webhooks': 'See your webhooks',
} as const;
