// What a sign-in with a passkey does, said before the press: on the pages, and in the wallet's window.
export const KNOWN_PASSKEY = 'Your passkey signs a short text that is valid for this sign-in only.';
export const NEW_PASSKEY =
  'Makes a passkey on this device, and with it a wallet that is yours alone: Ampersat never has its key. It signs a short text to sign you in; a new passkey confirms twice. Face or screen lock work, too.';
