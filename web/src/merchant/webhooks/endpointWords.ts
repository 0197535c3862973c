// The status of an endpoint: in one or two words, and in a sentence that says what follows from it.
import { FAILING_DAYS } from '../../../../src/domain/delivery.ts';
import type { Tone } from '../../ui/tone.ts';
import type { Endpoint } from './shapes.ts';

export type Standing = { word: string; tone: Tone; sentence: string };

export function standingOf(endpoint: Pick<Endpoint, 'status' | 'disabled_reason' | 'failing_since'>): Standing {
  if (endpoint.status === 'disabled') return disabledStanding(endpoint.disabled_reason);
  if (endpoint.failing_since)
    return {
      word: 'Failing',
      tone: 'busy',
      sentence: `Retries continue. After ${FAILING_DAYS} days without a successful delivery, the endpoint is disabled.`,
    };
  return { word: 'Enabled', tone: 'good', sentence: '' };
}

function disabledStanding(reason: Endpoint['disabled_reason']): Standing {
  if (reason === 'gone')
    return {
      word: 'Disabled: gone',
      tone: 'bad',
      sentence: 'Disabled because it returned 410 Gone.',
    };
  if (reason === 'failing')
    return {
      word: 'Disabled: failing',
      tone: 'bad',
      sentence: `Disabled after ${FAILING_DAYS} days without a successful delivery.`,
    };
  return { word: 'Disabled', tone: 'quiet', sentence: 'It receives no events until you enable it.' };
}

/** Disabled by us, not by its owner. */
export function isDisabledByUs({ status, disabled_reason }: Pick<Endpoint, 'status' | 'disabled_reason'>): boolean {
  return status === 'disabled' && disabled_reason !== 'by_owner';
}

const LONG = 80;
/** How much of the end of a long address is shown: it tells one from others as the beginning does. */
const END = 20;

/** `shop.example/hooks`: an address without what all of them have, and without the middle of a long one. */
export function shortUrl(url: string): string {
  const short = url.replace(/^https?:\/\//, '').replace(/\/$/, '');
  return short.length <= LONG ? short : `${short.slice(0, LONG - END - 1)}…${short.slice(-END)}`;
}

/** Where deliveries go, by the ID of their endpoint. @param endpoints undefined while they load: then nothing is said to be deleted */
export function addressesOf(
  endpoints: readonly Pick<Endpoint, 'id' | 'url'>[] | undefined,
): (endpoint: string) => string {
  const addresses = new Map(endpoints?.map(({ id, url }) => [id, shortUrl(url)]));
  return (id) => addresses.get(id) ?? (endpoints ? 'Deleted endpoint' : '…');
}

/** What is wrong with a URL before it is sent, or null. */
export function urlProblem(typed: string, livemode: boolean): string | null {
  const text = typed.trim();
  if (text === '') return null;
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'Enter a full URL, like https://shop.example/webhooks.';
  return livemode && url.protocol !== 'https:' ? 'Live endpoints must use https://.' : null;
}
