// Subscriptions: the list of a subscriber, notices about a charge that fails and about the end, and the form of a plan.

export const subscriptions = {
  'sub-failing-balance':
    '⚠️ I couldn’t charge {$amount} for {$plan} ({$creator}): your wallet on {$chain} doesn’t have enough USDC. I’ll try again.',
  'sub-failing-allowance':
    '⚠️ I couldn’t charge {$amount} for {$plan} ({$creator}): your allowance on {$chain} is used up. Renew it, and I’ll try again.',
  'sub-failing-last': 'Last reminder: without the charge, the subscription ends on {$date}.',
  'sub-failing-until': 'If it keeps failing, the subscription ends on {$date}.',
  'sub-halted':
    '⛔ Your subscription to {$plan} ({$creator}) has ended because it stayed unpaid. Nothing more is charged.',
  'sub-cancelled': 'Your subscription to {$plan} was cancelled by {$creator}. Nothing more is charged.',
  'sub-low':
    'ℹ️ Your allowance for {$plan} ({$creator}) covers fewer than two more charges of {$amount}. Renew it with one signature.',
  'sub-charged': '✅ {$amount} charged for {$plan} ({$creator}) on {$chain}, charge {$number}.',
  'sub-next': 'The next one is due on {$date}.',
  'sub-price':
    'ℹ️ {$creator} has a new price for {$plan}: {$price}. You keep paying {$amount} unless you switch; what you have paid stays paid.',
  'subs-title': 'Your subscriptions:',
  'subs-line': '{$plan} ({$creator}) on {$chain}: {$amount} next on {$date}',
  'subs-line-failing': '⚠️ {$plan} ({$creator}) on {$chain}: {$amount} couldn’t be charged',
  'subs-more': '… and {$count} more on the page.',
  'subs-none': 'You have no subscriptions.',
  'grant-waits':
    '🎁 {$sponsor} has {$amount} for you ({$campaign}, on {$chain}). Connect an account by {$date} to get it.',
  'grant-paid': '🎁 {$sponsor} paid you {$amount} ({$campaign}, on {$chain}).',
  'grant-over': '{$amount} of {$sponsor} ({$campaign}) can no longer be paid.',
  'plan-form': 'Check the details, then create the plan with your wallet.',
  'button-plan': 'Open the form',
  'button-subscriptions': 'Your subscriptions',
} as const;
