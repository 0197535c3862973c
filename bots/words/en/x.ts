// What only X needs: short enough for a post, without links, naming only the account that it answers. Its commands and answers are English.

export const x = {
  'x-ask-one': 'Send {$what}?',
  'x-leg': '{$amount} to {$recipient} (fee {$fee}, on {$chain})',
  'x-leg-across': '{$amount} to {$recipient} on {$to} (fee {$fee}, bridge from {$chain} {$bridge})',
  'x-leg-tab': '{$amount} for {$recipient}, held for {$days} (no fee, on {$chain})',
  'x-how-to-answer': 'Reply yes or no within 10 minutes. This can’t be undone. Ref {$reference}',
  'x-how-to-answer-tabs':
    'Reply yes or no within 10 minutes. You can take it back until it’s claimed. Ref {$reference}',
  'x-asked-again': 'Asking again, in case you missed it.',
  'x-paid-tip': '✅ {$sender} tipped {$who} {$amount} (fee {$fee}).',
  'x-paid-send': '✅ {$sender} sent {$who} {$amount} (fee {$fee}).',
  'x-paid-split': '✅ {$sender} gave {$who} {$amount} (fee {$fee}).',
  'x-paid-each': '✅ {$sender} gave {$who} {$amount} each (fees {$fee}).',
  'x-waits': '🎁 {$amount} for {$who}, from {$sender}.',
  'x-waits-each': '🎁 {$amount} each for {$who}, from {$sender}.',
  'x-how-to-claim': 'Claim it within {$days}: connect X on the page in my profile.',
  'x-not-paid': '{$amount} to {$who} wasn’t sent. You weren’t charged for it.',
  'x-came-back': '↩️ {$amount} didn’t reach {$who} in time and is back in your wallet. The fee isn’t returned.',
  'x-lost': 'Correction: {$amount} didn’t reach {$who}. You weren’t charged.',
  'x-reference': 'Receipt {$code}',
  'x-ref': 'Ref {$code}',
  'x-declined': 'Cancelled.',
  'x-kept':
    'Saved for 24 hours. Connect X on the page in my profile and confirm it there, and it goes out. You haven’t been charged.',
  'x-in-private': 'That didn’t go through and you weren’t charged. I’ve messaged you why.',
  'x-unknown': 'I haven’t met {$label} yet. You can hold it for that name on the page in my profile.',
  'x-more': 'and {$count} more',
  'x-unconnected': 'Connect your wallet first: reply “connect”, or open the page in my profile. It takes a minute.',
  'x-connect-sent': 'I’ve sent you a link in a direct message. It’s for you only.',
  'x-direct-closed': 'I can’t message you here. Open the page in my profile and connect X there.',
  'x-help':
    'Reply to a post with my name and “tip 5”. In your own post, put their name after “tip”. “order 25 for coffee” requests money. More in my profile.',
  'x-edited': 'You edited that post before I read it, so I did nothing. Post it again if you still want it.',
  'x-answer-here': 'Answer yes or no here.',
} as const;
