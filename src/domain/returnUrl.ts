// Where a checkout sends its buyer, and whom its window reports to: addresses that a shop names when it makes an order, read strictly, because people follow them.
import { readNote } from './note.ts';
import { parsedUrl } from './parsedUrl.ts';

const RETURN_URL_BYTES = 2_048;
export const EMBED_ORIGINS = 5;
/** Stands for the order's ID in the path, the query or the fragment. */
const PLACEHOLDER = '{ORDER_ID}';
/** As browsers write it: a name, which may be an IPv4 address, or an IPv6 address. */
const HOST = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:]+\])$/;
/** In the placeholder's place while an address is read: an ID that no order has. */
const SAMPLE = `ord_${'0'.repeat(26)}`;

/**
 * @param livemode takes https alone; otherwise http is allowed on this machine
 * @returns the address as a browser writes it, or why it is refused, as the end of a sentence about its parameter
 */
export function readReturnUrl(
  text: string,
  { livemode }: { livemode: boolean },
): { url: string } | { problem: string } {
  if (bytesOf(text) > RETURN_URL_BYTES) return { problem: `must be at most ${RETURN_URL_BYTES} bytes.` };
  if ('problem' in readNote(text, RETURN_URL_BYTES) || /[\s\\]/.test(text))
    return { problem: 'must not contain spaces, backslashes, or hidden or direction-changing characters.' };
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  const url = parsedUrl(text.replaceAll(PLACEHOLDER, SAMPLE));
  if (authority === undefined || !url) return { problem: 'must be a URL that begins with https://.' };
  if (authority.includes('@')) return { problem: 'must not contain a username or password.' };
  if (authority.includes('{') || url.host.includes(SAMPLE))
    return { problem: 'can have {ORDER_ID} only after the host.' };
  if (!HOST.test(url.hostname)) return { problem: 'must name a host such as shop.example.' };
  if (url.protocol !== 'https:') {
    if (livemode) return { problem: 'must begin with https:// in live mode.' };
    if (!isLoopback(url.hostname))
      return { problem: 'must begin with https://; http:// is for localhost in test mode.' };
  }
  const href = url.href.replaceAll(SAMPLE, PLACEHOLDER);
  if (bytesOf(href) > RETURN_URL_BYTES) return { problem: `must be at most ${RETURN_URL_BYTES} bytes.` };
  return { url: href };
}

/** @param url as `readReturnUrl` gives it */
export function withOrderId(url: string, orderId: string): string {
  return url.replaceAll(PLACEHOLDER, orderId);
}

/** A site, without a path. @returns the origin as browsers write it, or why it is refused */
export function readOrigin(text: string, mode: { livemode: boolean }): { origin: string } | { problem: string } {
  const read = readReturnUrl(text, mode);
  if ('problem' in read) return read;
  const origin = originOf(read.url);
  return read.url === `${origin}/` ? { origin } : { problem: 'must be an origin such as https://shop.example.' };
}

/** @param url as `readReturnUrl` gives it */
export function originOf(url: string): string {
  return new URL(url).origin;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
