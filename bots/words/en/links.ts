// What is said while an account is connected to a handle, and when that ends.

export const links = {
  'link-open': `
    Open this to connect your account here to your Ampersat handle. You sign in with your wallet; if you have no handle yet, you choose one there.

    It works once, for 15 minutes. It is yours alone, so do not pass it on. I ask you here again before anything is connected.
  `,
  'link-expired': 'That link is over. Send /connect for a new one.',
  'link-used': 'That link was used.',
  'link-sent': 'I sent you a link in our direct chat. It is for you alone, so it is not shown here.',
  'link-ask': `
    Connect {$account} here to the Ampersat handle {$handle}@ampersat?

    Your link was opened in a browser that is signed in as {$handle}@ampersat. What people tip you here will go to that handle’s wallet, so press Connect only if it is yours.
  `,
  'link-account': 'user {$id}',
  'link-confirmed':
    '✅ Connected to {$handle}@ampersat. You can be tipped here from now on. To tip others, let your wallet say what I may spend.',
  'link-declined':
    'Not connected. Nothing has changed. If you did not open that link yourself, somebody else had it; it is void now.',
  'link-closed': 'Not connected: the question is closed. Send /connect for a new link.',
  'link-connected-already':
    'This account is connected to {$handle}@ampersat. To connect it to another handle, send /disconnect first: that ends all tips from here at once.',
  disconnected:
    'Disconnected. From now on no tip leaves from this account, and what people send you here waits until you connect again. Send /connect in our direct chat to connect it again.',
  'disconnected-elsewhere': `
    Disconnected from {$handle}@ampersat, on the settings page. From now on no tip leaves from this account, and what people send you here waits until you connect again. Send me /connect to connect it again.
    If that was not you, somebody else is signed in: sign in there with your wallet, and sign out everywhere.
  `,
  'button-connect': 'Connect',
  'button-no': 'No',
  'press-link_confirmed': 'Connected.',
  'press-link_declined': 'Not connected. Nothing has changed.',
  'press-link_taken': 'This account is connected already.',
} as const;
