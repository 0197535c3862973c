// What only X needs: short enough for a post, without links, naming nobody but the one who is answered. Its commands and answers are English.

export const x = {
  'x-ask-one': 'Shall I send {$what}?',
  'x-ask-many': 'Shall I send this?',
  'x-leg': '{$amount} {$asset} to {$recipient} (fee {$fee}, on {$chain})',
  'x-leg-tab': '{$amount} {$asset} for {$recipient}, kept {$days} (no fee, on {$chain})',
  'x-how-to-answer': 'Reply yes or no within 10 minutes. It cannot be taken back. ({$reference})',
  'x-how-to-answer-tabs': 'Reply yes or no within 10 minutes. You can take it back until it is claimed. ({$reference})',
  'x-asked-again': 'I ask again, the first time may not have reached you.',
  'x-paid-tip': '✅ {$sender} tipped {$who} {$amount} (fee {$fee}).',
  'x-paid-send': '✅ {$sender} sent {$who} {$amount} (fee {$fee}).',
  'x-paid-split': '✅ {$sender} gave {$who} {$amount} (fee {$fee}).',
  'x-paid-each': '✅ {$sender} gave {$who} {$amount} each (fees {$fee}).',
  'x-waits': '🎁 {$amount} from {$sender} waits for {$who}.',
  'x-waits-each': '🎁 {$amount} each from {$sender} waits for {$who}.',
  'x-how-to-claim': 'Claim it within {$days}: connect X on the page in my profile.',
  'x-not-paid': '{$amount} to {$who} was not sent; nothing was taken for it.',
  'x-lost': 'I was wrong: {$amount} to {$who} did not arrive, and nothing was taken.',
  'x-reference': 'Receipt {$code}',
  'x-declined': 'Cancelled. Nothing was taken.',
  'x-kept':
    'I keep this for 24 hours. Connect X on the page in my profile and confirm it there; nothing is taken before that.',
  'x-in-private': 'That was not sent and nothing was taken. The reason is in our direct messages.',
  'x-unknown': 'I do not know {$label} yet. You can keep it for that name on the page in my profile.',
  'x-more': 'and {$count} more',
  'x-unconnected':
    'Your account here is not connected to Ampersat yet. Reply “connect” to me, or open the page in my profile: a wallet is all it takes.',
  'x-connect-sent': 'I sent you a link in a direct message. It is for you alone, so it is not shown here.',
  'x-direct-closed': 'I cannot write to you directly. Open the page in my profile and connect X there.',
  'x-help':
    'Mention me with “tip @name 5”, or answer a post with “tip 5”. “send 0x… 20 on base” pays an address, “order 25 for coffee” asks for money. More in my profile.',
  'x-edited': 'That post was changed before I read it, so I did nothing. Post it anew if you still want it.',
  'x-answer-here': 'Answer yes or no here.',
} as const;
