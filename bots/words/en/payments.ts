// What is said of a payment, from the question to the receipt.

export const payments = {
  'pay-under-way': '⏳ {$sender}, on its way…',
  'pay-waits-for-chain':
    '⏳ {$chain} is slow right now. {$sender}, your payment is saved and goes out by itself. You haven’t been charged yet.',
  'pay-waits':
    '⏳ The network is slow right now. {$sender}, your payment is saved and goes out by itself. You haven’t been charged yet.',
  'pay-declined': 'Cancelled by {$sender}.',
  'pay-lapsed': '{$sender} didn’t answer in time, so this wasn’t sent. Type it again to send it.',
  'pay-not-sent': 'That didn’t go through. You weren’t charged.',
  'pay-refused-in-private': '{$sender}, that didn’t go through and you weren’t charged. I’ve messaged you why.',
  'pay-refused-beside': '{$sender}, that didn’t go through and you weren’t charged. Only you can see why.',

  'ask-send': '{$sender}, send this?',
  'ask-leg': '{$amount} to {$recipient} (fee {$fee}, on {$chain})',
  'ask-leg-across': '{$amount} to {$recipient} on {$to} (fee {$fee}, plus {$bridge} for the bridge from {$chain})',
  'ask-final': 'This can’t be undone. Expires in 10 minutes.',
  'ask-why-large_amount': 'I always ask above $50.',
  'ask-why-large_fee': 'The fee is more than a tenth of the amount.',
  'ask-why-username_changed': 'Careful: this username belonged to someone else in the last 30 days.',
  'ask-why-username_stale': 'Careful: I haven’t seen this username for over a day.',
  'button-send': 'Send',
  'button-cancel': 'Cancel',

  'leg-tip': '{$sender} tipped {$recipient} {$amount} (fee {$fee})',
  'leg-tip-on-chain': '{$sender} tipped {$recipient} {$amount} (fee {$fee}, on {$chain})',
  'leg-tip-across': '{$sender} tipped {$recipient} {$amount} (fee {$fee}, plus {$bridge} for the bridge from {$chain})',
  'leg-send': '{$sender} sent {$recipient} {$amount} (fee {$fee})',
  'leg-send-on-chain': '{$sender} sent {$recipient} {$amount} (fee {$fee}, on {$chain})',
  'leg-send-across': '{$sender} sent {$recipient} {$amount} (fee {$fee}, plus {$bridge} for the bridge from {$chain})',
  'leg-split': '{$sender} gave {$recipient} {$amount} (fee {$fee})',
  'leg-split-on-chain': '{$sender} gave {$recipient} {$amount} (fee {$fee}, on {$chain})',
  'leg-split-across': '{$sender} gave {$recipient} {$amount} (fee {$fee}, plus {$bridge} for the bridge from {$chain})',
  'leg-under-way': '⏳ {$what}: on its way…',
  'leg-checked': '⏳ {$what}: checking…',
  'leg-confirming': '✅ {$what}. {$link} · confirming on {$chain}…',
  'leg-done': '✅ {$what}. {$link}',
  'leg-crossing': '⏳ {$what}: on its way to {$to}. {$link}',
  'leg-arrived': '✅ {$what}: arrived on {$to}. {$link}',
  'plus-bridge': 'Plus {$bridge} for the bridge.',
  'leg-came-back':
    '↩️ {$amount} for {$recipient} couldn’t be delivered on {$to} in time, so it’s back in {$sender}’s wallet. The fee isn’t returned. {$link}',
  'leg-failed': '{$amount} from {$sender} to {$recipient} didn’t go through. {$sender} wasn’t charged. {$hint}',
  'leg-link': 'View {$hash}',
  'hint-expired': 'It took more than 15 minutes. Type it again.',
  'hint-disconnected': 'The account was disconnected first.',
  'hint-paused': 'Payments are paused right now. Try again later.',
  'hint-check': 'Check /balance and /limits in our chat, then type it again.',

  'press-confirmed': 'Got it, checking…',
  'press-declined': 'Cancelled. You weren’t charged.',
  'press-not_yours': 'Only the person who typed this can answer.',
  'press-too_late': 'This question has expired.',
  'press-too_early': 'One moment, then press again.',

  'pay-chain-slow': '⏳ {$chain} is slow right now. {$sender}, your payment is saved and goes out by itself.',
} as const;
