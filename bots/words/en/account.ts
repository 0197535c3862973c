// What a person is told of their own account: balance, history, limits, pause.

export const account = {
  paused:
    '⏸ Paused. From now on no tip leaves your wallet from any chat. The chains are being told as well, so only your wallet can resume.',

  'balance-title': '@{$handle}, you have',
  'balance-line': '{$chain}: {$amount} {$asset}',
  'balance-line-wrapped':
    '{$chain}: {$amount} wrapped {$asset} (a token worth the same; tips in {$asset} come out of it)',
  'balance-away': '{$chain}: does not answer right now, try again in a minute',

  'limits-paused': '⏸ Your spending is paused. Only your wallet can resume it.',
  'limits-commands': 'Commands: {$left} of {$all} left this hour',
  'limits-caps': 'Caps: {$command} USD a command, {$day} USD in 24 hours ({$spent} spent)',
  'limits-line': '{$chain}: {$perTip} a tip, {$left} of {$perDay} {$asset} left in 24 hours, allowance {$allowance}',
  'limits-no-end': 'without limit',
  'limits-chain-paused': '{$chain} (paused)',
  'limits-away': '{$chain}: does not answer right now',

  'history-none': 'No tips yet. Start with “/tip @name 1”.',
  'history-title': 'Your last tips',
  'history-sent': '→ {$amount} {$asset} to {$counterparty}',
  'history-received': '← {$amount} {$asset} from {$counterparty}',
  'history-status-pending': 'on its way',
  'history-status-paid': 'confirming',
  'history-status-waiting': 'waiting to be claimed',
  'history-status-returned': 'came back',
  'history-status-failed': 'not sent',
  'ago-now': 'just now',
  'ago-minutes': '{$minutes} min ago',
  'ago-hours': '{$hours} h ago',
  'ago-days': `{$days ->
    [one] a day ago
   *[other] {$days} days ago
  }`,
} as const;
