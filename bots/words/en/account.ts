// Texts about the user's own account: balance, history, limits, pause.

export const account = {
  paused: '⏸ All spending is off, in every chat. To turn it back on, sign in with your wallet.',

  'balance-title': 'Your balance, {$handle}@ampersat',
  'balance-total': 'In total: {$total}',
  'balance-total-test': 'Test money: {$total}',
  'balance-without': 'Without {$what}',
  'balance-line': '{$chain}: {$amount}',
  'balance-line-wrapped': '{$chain}: {$amount}, wrapped (worth the same; what I send in {$asset} comes from here)',
  'balance-away': '{$chain}: not responding right now. Try again in a minute.',

  'deposit-page': 'Your wallet’s address, its QR code and the networks it takes money on are on your page.',
  'withdraw-page':
    'The money is in your own wallet. Send it to a handle or an address from your page; you confirm it there.',
  'button-deposit': 'Receive money',
  'button-withdraw': 'Send money',

  'me-page': 'Your page: {$url}\n    Anyone can pay you there.',
  'me-off': 'You don’t have a page yet. Switch it on, and anyone can pay @{$handle} with a link.',

  'limits-paused': '⏸ Your spending is off. Only your wallet can turn it back on.',
  'limits-commands': 'Commands: {$open} of {$all} left this hour',
  'limits-caps': 'Limits: {$perCommand} per command, {$perDay} per day ({$spent} used)',
  'limits-line': '{$chain}: {$perTip} per tip, {$left} of {$perDay} left today, allowance: {$allowance}',
  'limits-no-end': 'no limit',
  'limits-chain-paused': '{$chain} (off)',
  'limits-away': '{$chain}: not responding right now',

  'history-none': 'No payments yet. Start with {$tip}.',
  'history-title': 'Your latest payments',
  'history-sent': '→ {$amount} to {$counterparty}',
  'history-received': '← {$amount} from {$counterparty}',
  'history-status-pending': 'on its way',
  'history-status-paid': 'confirming',
  'history-status-waiting': 'not claimed yet',
  'history-status-crossing': 'on its way to another network',
  'history-status-returned': 'returned',
  'history-status-failed': 'not sent',
  'ago-now': 'just now',
  'ago-minutes': '{$minutes} min ago',
  'ago-hours': '{$hours} h ago',
  'ago-days': `{$days ->
    [one] a day ago
   *[other] {$days} days ago
  }`,
} as const;
