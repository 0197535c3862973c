// What may stand in the URL of an endpoint: its scheme, its name and its port. What the name leads to is judged by services/webhookAddresses.
import { isIP } from 'node:net';
import { parsedUrl } from '../../../domain/parsedUrl.ts';
import { URL_LENGTH } from '../../../domain/webhookEndpoint.ts';

/** `hostname` has neither brackets nor a trailing dot; `host` is what caps count by: name and port. */
export type WebhookUrl = { url: URL; hostname: string; host: string };

/** `private_address` has the same words for every name, inside or nowhere, so that names inside stay unknown. */
export type UrlProblem = {
  code: 'parameter_invalid' | 'url_not_allowed' | 'private_address';
  words?: string | undefined;
};

/** Names without an owner on the internet: reserved, or usual within networks (RFC 2606, 6761, 6762, 7686, 8375, 9476, ICANN's .internal). */
const PRIVATE_ENDINGS = [
  'alt',
  'arpa',
  'corp',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'mail',
  'onion',
  'private',
  'test',
];

/**
 * Below 1024 only the ports of the web. Above, not those that browsers block (the Fetch standard's list: what listens there takes lines of text for commands),
 * and not where databases, caches and the control of clusters listen: an address may be public and yet be ours, from inside.
 */
const WEB_PORTS = [80, 443];
const LEAST_FREE_PORT = 1_024;
const BLOCKED_PORTS = [
  ...[
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  ],
  ...[1433, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900, 5984, 6379, 8500, 9042, 9092, 9200, 9300],
  ...[10250, 10255, 11211, 27017, 28015],
];

/**
 * Reads a URL as browsers do, so that every spelling of an address is one address before it is judged. What comes after # is dropped.
 * @param livemode takes https alone
 * @param allowLoopback lets the name localhost through, which is refused otherwise
 */
export function readWebhookUrl(
  text: string,
  { livemode, allowLoopback }: { livemode: boolean; allowLoopback: boolean },
): WebhookUrl | UrlProblem {
  if (text.length > URL_LENGTH) return invalid(`url must be at most ${URL_LENGTH} characters.`);
  const url = parsedUrl(text);
  if (!url) return invalid('url must be a URL such as https://shop.com/webhooks.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('url must begin with https://.');
  if (livemode && url.protocol !== 'https:') return refused('url must begin with https:// in live mode.');
  if (url.username || url.password) return refused('url must not contain a username or password.');
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  if (url.href.length > URL_LENGTH) return invalid(`url must be at most ${URL_LENGTH} characters.`);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(hostname) === 0 && !(allowLoopback && hostname === 'localhost') && !isPublicName(hostname))
    return { code: 'private_address' };
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (!WEB_PORTS.includes(port) && (port < LEAST_FREE_PORT || BLOCKED_PORTS.includes(port)))
    return refused('This port isn’t allowed. Use 443 or an unreserved port above 1023.');
  return { url, hostname, host: `${url.hostname}:${port}` };
}

function isPublicName(hostname: string): boolean {
  const labels = hostname.split('.');
  return labels.length > 1 && labels.every((label) => label) && !PRIVATE_ENDINGS.includes(labels.at(-1) ?? '');
}

function invalid(words: string): UrlProblem {
  return { code: 'parameter_invalid', words };
}

function refused(words: string): UrlProblem {
  return { code: 'url_not_allowed', words };
}
