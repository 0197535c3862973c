// Whether a wallet can be made of a passkey here, found out before anything is made.

import { WALLET_ORIGIN } from './places.ts';

/** `address`: passkeys belong to names, and this page is at an IP address. */
export type Support = 'yes' | 'none' | 'no_prf' | 'address';

const IP_ADDRESS = /^(\d+\.){3}\d+$|^\[/;

/** What can be known at once; null where only the browser can say it. */
export function supportAtOnce(): Support | null {
  if (!('PublicKeyCredential' in globalThis) || !globalThis.isSecureContext) return 'none';
  return WALLET_ORIGIN === null && IP_ADDRESS.test(location.hostname) ? 'address' : null;
}

/** A browser that cannot say so is tried: what it makes says whether it can. */
export async function readSupport(): Promise<Support> {
  const known = supportAtOnce();
  if (known) return known;
  const { getClientCapabilities } = PublicKeyCredential as typeof PublicKeyCredential & {
    getClientCapabilities?: () => Promise<Record<string, boolean>>;
  };
  const capabilities = await getClientCapabilities?.call(PublicKeyCredential).catch(() => undefined);
  return capabilities?.['extension:prf'] === false ? 'no_prf' : 'yes';
}
