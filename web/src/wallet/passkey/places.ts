// Where the passkey signs: in the pages themselves, or in a window at an origin of its own (`WALLET_ORIGIN`), which the documents name.

/** What the service wrote into the head of this document, or null. */
function named(name: string): string | null {
  if (typeof document === 'undefined') return null;
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? null;
}

/** In a page: the origin of the wallet's window; null where the page signs by itself. */
export const WALLET_ORIGIN = named('wallet-origin');

/** In the wallet's window: the origin of the pages that it signs for, and answers to. */
export const PAGES_ORIGIN = named('pages-origin');
