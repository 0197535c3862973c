// What is said while an account is connected to a handle, and when that ends.

export const links = {
  'link-open': `
    Open this link to connect this account to your Ampersat handle. You sign in with your wallet; if you don’t have a handle yet, you choose one there.

    The link works once, for 15 minutes. It’s for you only, so don’t share it. I’ll ask you here before anything is connected.
  `,
  'link-expired': 'That link has expired. Send /connect for a new one.',
  'link-used': 'That link has been used.',
  'link-sent': 'I’ve sent you a link in our direct chat. It’s for you only.',
  'link-ask': `
    Connect {$account} to {$handle}@ampersat?

    Your link was opened in a browser that’s signed in as {$handle}@ampersat. Money sent to you here will go to that wallet, so press Connect only if it’s yours.
  `,
  'link-account': 'user {$id}',
  'link-confirmed':
    '✅ Connected to {$handle}@ampersat. You can receive money here now. To send, set a spending limit.',
  'link-declined': 'Not connected. If you didn’t open that link, someone else had it. It no longer works.',
  'link-closed': 'Not connected: the question has expired. Send /connect for a new link.',
  'link-connected-already':
    'This account is connected to {$handle}@ampersat. To connect it to another handle, send /disconnect first. That stops all payments from here at once.',
  disconnected:
    'Disconnected. This account can’t send anymore, and money sent to you here waits until you connect again: send /connect in our direct chat.',
  'disconnected-elsewhere': `
    This account was disconnected from {$handle}@ampersat in its settings. It can’t send anymore, and money sent to you here waits until you connect again with /connect.
    If that wasn’t you, sign in there with your wallet and sign out everywhere.
  `,
  'button-connect': 'Connect',
  'button-no': 'No',
  'press-link_confirmed': 'Connected.',
  'press-link_declined': 'Not connected.',
  'press-link_taken': 'This account is already connected.',
} as const;
