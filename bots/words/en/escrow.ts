// Money that waits: in tabs for people without an account, and in commands of senders who have to connect first.

export const escrow = {
  'ask-tab': '{$amount} for {$recipient}, held for {$days} (no fee, on {$chain})',
  'ask-final-tabs': 'You can take it back until it’s claimed. Expires in 10 minutes.',
  'ask-final-mixed':
    'Payments to a wallet can’t be undone. What I hold, you can take back until it’s claimed. Expires in 10 minutes.',
  'tab-waits': '🎁 {$amount} for {$recipient}, from {$sender}. Claim it within {$days}. {$link}',
  'tab-waits-short': '🎁 {$amount} for {$recipient}. {$link}',
  'tabs-how': 'Claim yours within {$days}. Until then, {$sender} can take it back.',
  'tab-confirming': '· confirming on {$chain}…',
  'tab-under-way': '⏳ {$amount} from {$sender} for {$recipient}: on its way…',
  'tab-checked': '⏳ {$amount} from {$sender} for {$recipient}: checking…',
  'tab-claimed': '✅ {$recipient} claimed {$amount} from {$sender}. {$link}',
  'tab-went-back': '↩️ {$amount} went back to {$sender}. {$recipient} hadn’t claimed it. {$link}',

  'button-claim': 'Connect to claim',
  'button-take-back': 'Take it back',
  'button-your-tabs': 'What you sent',
  'button-see-tab': 'See it',
  'button-waiting': 'See what’s waiting',
  'button-keep-for': 'Hold it for {$label}',

  'tab-told-claimed': '✅ {$recipient} claimed the {$amount} you sent them.',
  'tab-told-back': '↩️ {$amount} is back in your wallet. {$recipient} hadn’t claimed it.',
  'tab-reminds-recipient': '⏰ {$sender} sent you {$amount}. Claim it by {$date}, or it may go back.',
  'tab-reminds-sender': '⏰ {$recipient} hasn’t claimed your {$amount} yet. It comes back to you on {$date}.',
  'tab-name-hold':
    'Someone now called {$recipient} wants to claim your {$amount}. Usernames can change hands, so I’m holding it until {$date}. If it’s not the person you meant, take it back before then.',

  'pay-kept': '{$sender}, saved for 24 hours. Connect and confirm, and it goes out. You haven’t been charged.',
  'button-connect-first': 'Connect',
  'waits-tabs': '🎁 Waiting for you: {$list}. Claim it on your page.',
  'waits-tips':
    'You typed a payment before you connected. Confirm it on your page and it goes out. You haven’t been charged.',
  'waits-nothing': 'There’s nothing waiting for you.',
  days: `{$days ->
    [one] one day
   *[other] {$days} days
  }`,
} as const;
