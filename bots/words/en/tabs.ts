// Money that waits: in tabs for people without an account, and in commands of senders who have to connect first.

export const tabs = {
  'ask-tab': '{$amount} {$asset} for {$recipient}, kept for them for {$days} (no fee, on {$chain})',
  'ask-final-tabs':
    'What is kept for somebody you can take back until they claim it. The question closes in 10 minutes.',
  'ask-final-mixed':
    'What goes to a wallet cannot be taken back; what is kept for somebody can, until they claim it. The question closes in 10 minutes.',
  'tab-waits':
    '🎁 {$amount} {$asset} is waiting for {$recipient} for {$days}. {$recipient}: connect to claim it. {$sender} can take it back any time until then. {$link}',
  'tab-waits-short': '🎁 {$amount} {$asset} is waiting for {$recipient}. {$link}',
  'tabs-how': 'They wait for {$days}: connect to claim yours. {$sender} can take them back any time until then.',
  'tab-confirming': '· confirming on {$chain}…',
  'tab-under-way': '⏳ {$amount} {$asset} from {$sender} for {$recipient}: on its way…',
  'tab-checked': '⏳ {$amount} {$asset} from {$sender} for {$recipient}: being checked…',
  'tab-claimed': '✅ {$recipient} claimed {$amount} {$asset} from {$sender}. {$link}',
  'tab-went-back': '↩️ {$amount} {$asset} went back to {$sender}; {$recipient} had not claimed it. {$link}',

  'button-claim': 'Connect to claim',
  'button-take-back': 'Take it back',
  'button-your-tabs': 'What you sent',
  'button-see-tab': 'See it',
  'button-waiting': 'See what waits for you',
  'button-keep-for': 'Keep it for {$label}',

  'tab-told-claimed': '✅ {$recipient} claimed the {$amount} {$asset} that you kept for them.',
  'tab-told-back': '↩️ {$amount} {$asset} are back in your wallet; {$recipient} had not claimed them.',
  'tab-reminds-recipient':
    '⏰ {$amount} {$asset} from {$sender} wait for you only until {$date}. After that they can go back. Open the page to claim them.',
  'tab-reminds-sender':
    '⏰ {$recipient} has not claimed your {$amount} {$asset} yet. On {$date} they go back to you by themselves.',
  'tab-name-hold':
    'Somebody who carries the name {$recipient} now claims your {$amount} {$asset}. A name can change hands, so I wait until {$date}. If that is not whom you meant, take it back before.',

  'pay-kept':
    '{$sender}, I keep this for 24 hours. Connect in our direct chat and confirm it on your page; nothing is taken before that.',
  'button-connect-first': 'Connect',
  'waits-tabs': '🎁 Waiting for you: {$sums}. Claim it on your page.',
  'waits-tips':
    'You typed a payment before you were connected. Confirm it on your page, then it goes out; nothing was taken yet.',
  'waits-nothing': 'Nothing waits for you any more.',
  days: `{$days ->
    [one] one day
   *[other] {$days} days
  }`,
} as const;
