// What is said of a payment, from the question to the receipt.

export const payments = {
  'pay-under-way': '⏳ {$sender}, on its way…',
  'pay-waits-for-chain':
    '⏳ {$chain} does not answer at the moment. {$sender}, your tip is kept and goes out by itself; nothing was taken yet.',
  'pay-waits':
    '⏳ The chain does not answer at the moment. {$sender}, your tip is kept and goes out by itself; nothing was taken yet.',
  'pay-declined': 'Cancelled by {$sender}. Nothing was taken.',
  'pay-lapsed': '{$sender} did not answer in time. Nothing was taken; type it again to tip.',
  'pay-not-sent': 'That tip was not sent. Nothing was taken.',
  'pay-refused-in-private': '{$sender}, that tip was not sent and nothing was taken. The reason is in our direct chat.',
  'pay-refused-beside': '{$sender}, that tip was not sent and nothing was taken. The reason is for your eyes only.',

  'ask-send': '{$sender}, shall I send this?',
  'ask-leg': '{$amount} {$asset} to {$recipient} (fee {$fee}, on {$chain})',
  'ask-final': 'It cannot be taken back. The question closes in 10 minutes.',
  'ask-why-large_amount': 'I ask because it is more than 50 USD.',
  'ask-why-large_fee': 'I ask because the fee is more than a tenth of it.',
  'ask-why-username_changed': 'Careful: this username belonged to somebody else within the last 30 days.',
  'ask-why-username_stale': 'Careful: I have not seen this username for over a day.',
  'button-send': 'Send',
  'button-cancel': 'Cancel',

  'leg-tip': '{$sender} tipped {$recipient} {$amount} {$asset} (fee {$fee})',
  'leg-tip-on-chain': '{$sender} tipped {$recipient} {$amount} {$asset} (fee {$fee}, on {$chain})',
  'leg-send': '{$sender} sent {$recipient} {$amount} {$asset} (fee {$fee})',
  'leg-send-on-chain': '{$sender} sent {$recipient} {$amount} {$asset} (fee {$fee}, on {$chain})',
  'leg-split': '{$sender} gave {$recipient} {$amount} {$asset} (fee {$fee})',
  'leg-split-on-chain': '{$sender} gave {$recipient} {$amount} {$asset} (fee {$fee}, on {$chain})',
  'leg-under-way': '⏳ {$what}: on its way…',
  'leg-checked': '⏳ {$what}: being checked…',
  'leg-confirming': '✅ {$what}. {$link} · confirming on {$chain}…',
  'leg-done': '✅ {$what}. {$link}',
  'leg-failed': '{$sender}’s {$amount} {$asset} to {$recipient} was not sent; nothing was taken. {$hint}',
  'leg-link': 'View {$hash}',
  'hint-expired': 'It could not be placed within 15 minutes; type it again.',
  'hint-disconnected': 'The account was disconnected before it was signed.',
  'hint-paused': 'Payments are paused for the moment; try later.',
  'hint-check': 'Check /balance and /limits in our direct chat, then type it again.',

  'press-confirmed': 'Got it, checking…',
  'press-declined': 'Cancelled. Nothing was taken.',
  'press-not_yours': 'Only the person who typed this can answer it.',
  'press-too_late': 'This question is closed.',
  'press-too_early': 'One moment, then press again.',

  'pay-chain-slow': '⏳ {$chain} is slow right now. {$sender}, your payment is saved and goes out by itself.',
} as const;
