// The notice about received money, its switch, and the receipt of many recipients.

export const received = {
  'received-paid': 'You received {$sums} from {$from}.',
  'received-waiting': '🎁 {$sums} from {$from} for you. Claim it by {$date}.',
  'received-daily': `🎁 {$count ->
    [one] One small gift today: {$sums}. Claim it by {$date}.
   *[other] {$count} small gifts today: {$sums}. Claim them by {$date}.
  }`,
  'received-people': `{$people ->
    [one] one person
   *[other] {$people} people
  }`,
  'received-times': `{$count ->
    [one] {$name}
   *[other] {$name} ({$count} payments)
  }`,
  'received-elsewhere': '{$name} on {$platform}',
  'received-note': '“{$note}”',
  'received-confirming': '· confirming on {$chain}…',
  'received-undone': '⏳ {$sums} from {$from}: the network took it back. It’s on its way again.',
  'received-returned': '↩️ {$sums} from {$from} didn’t arrive or went back.',
  'received-is-off': 'Notices like this are off.',
  'received-see': 'See it',
  'received-turn-off': 'Turn off',
  'received-turn-on': 'Turn on',
  'press-notices_off': 'Off. Your money still arrives.',
  'press-notices_on': 'On again.',

  'fold-paid': '✅ {$sender} tipped {$people} people {$sums} in all (fees {$fees}).',
  'fold-x-paid': '✅ {$sender} gave {$who} (fees {$fees}).',
  'fold-under-way': '⏳ {$sender} tips {$people} people {$sums} in all: on its way…',
  'fold-confirming': '· confirming on {$chain}…',
  'fold-leg': '{$recipient} {$amount} · {$link}',
  'fold-leg-waits': '🎁 {$recipient} {$amount}, waiting · {$link}',
  'fold-leg-back': '↩️ {$recipient} {$amount}, went back · {$link}',
  'fold-leg-under-way': '⏳ {$recipient} {$amount}',
} as const;
