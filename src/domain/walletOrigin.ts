// The wallet's own origin. Passkeys belong to host names: what stands at the wallet's host, or below it, could ask for them, so no page of ours may.

const IP_ADDRESS = /^(\d+\.){3}\d+$|^\[/;

/** Case and the closing dot of a fully qualified name make no other host. */
function hostOf(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}

const isBelow = (host: string, other: string) => host.endsWith(`.${other}`);

/** @param pages addresses of pages, by the name of their variable. @returns what is wrong with it, as the end of a sentence, or null */
export function walletOriginProblem(wallet: string, pages: Record<string, string | undefined>): string | null {
  const { origin, protocol, hostname } = new URL(wallet);
  const own = hostOf(hostname);
  if (wallet !== origin) return 'must be an origin alone, such as https://wallet.example: no path, no slash at the end';
  if (IP_ADDRESS.test(own)) return 'must have a host name: passkeys belong to names, not to IP addresses';
  const isThisMachine = own === 'localhost' || isBelow(own, 'localhost');
  if (protocol !== 'https:' && !(protocol === 'http:' && isThisMachine))
    return 'must begin with https://; http:// works for localhost alone';
  for (const [name, url] of Object.entries(pages)) {
    if (url === undefined) continue;
    const host = hostOf(new URL(url).hostname);
    if (host === own)
      return `has the host of ${name}, whose pages could ask for its passkeys. Give the wallet a host of its own`;
    if (isBelow(host, own) || isBelow(own, host))
      return `and ${name} are one below the other, and passkeys reach down. Use hosts side by side, such as wallet.example.com and pay.example.com`;
  }
  return null;
}

/** Whose request this is, by its Host header. Ports do not tell hosts apart, as passkeys know none. `below`: a name under the wallet's, where nothing is. */
export function walletPlaceOf(wallet: string, hostHeader: string | undefined): 'wallet' | 'below' | 'elsewhere' {
  const own = hostOf(new URL(wallet).hostname);
  const asked = hostOf((hostHeader ?? '').trim().replace(/:\d*$/, ''));
  if (asked === own) return 'wallet';
  return isBelow(asked, own) ? 'below' : 'elsewhere';
}
