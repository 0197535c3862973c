// What people are told without having asked: that something of theirs has changed. And the buttons that lead to pages and chats.

export const notices = {
  'notice-connected':
    'The {$platform} account {$account} is connected to {$handle}@ampersat now. It can be tipped, see your balances, history and limits, and pause; it cannot spend. If that was not you, sign in on the settings page, disconnect it there, and sign out everywhere.',
  'notice-account-named': '@{$username} (id {$id})',
  'notice-account-nameless': 'with the id {$id}',
  'notice-right-own':
    'Your wallet lets this account spend now: {$command} USD a command and {$day} USD in 24 hours at most, over all your chats. If that was not you, send /pause.',
  'notice-right-other':
    'Your wallet lets another connected account of yours spend now: {$command} USD a command and {$day} USD in 24 hours at most, over all your chats. If that was not you, send /pause.',
  'notice-wallet-pending': `
    ⚠️ The payout wallet of {$handle}@ampersat is to change to {$wallet}, from {$date} on. The old wallet has not signed this.
    If that was not you, sign in on the settings page now, cancel it there, and sign out everywhere.
  `,
  'notice-wallet-changed':
    'The payout wallet of {$handle}@ampersat is {$wallet} now. What people tip you goes there. You can receive here, and spend again once the new wallet has said what I may spend.',
  'notice-wallet-changed-elsewhere':
    'The payout wallet of {$handle}@ampersat is {$wallet} now. What people tip that handle goes there. Your account here is not connected to it.',
  'notice-wallet-stays':
    'The payout wallet of {$handle}@ampersat stays as it is: the change to {$wallet} was cancelled.',
  'notice-endpoint-failing':
    '⚠️ I stopped sending events to your webhook at {$host}: it took none for five days. Once it works again, enable it on the page of your webhooks and replay what it missed.',
  'notice-endpoint-gone':
    '⚠️ I stopped sending events to your webhook at {$host}: it answered that it is gone (410). If it is not, enable it on the page of your webhooks and replay what it missed.',
  'notice-endpoint-test': 'It is one of your test mode: your real orders are not affected.',
  'date-utc': '{$day} {$month} {$year}, {$time} UTC',

  'open-chat': 'I may not write to you yet. Open our chat and press Start: the answer waits for you there.',
  'button-open-chat': 'Open our chat',
  'button-spending': 'Choose what I may spend',
  'button-settings': 'Settings',
  'button-webhooks': 'See your webhooks',
} as const;
