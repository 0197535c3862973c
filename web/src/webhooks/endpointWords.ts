// How an endpoint stands: in one or two words, and in a sentence that says what follows from it.
import { FAILING_DAYS } from '../../../src/domain/delivery.ts';
import type { Tone } from '../ui/tone.ts';
import type { Endpoint } from './shapes.ts';

export type Standing = { word: string; tone: Tone; sentence: string };

export function standingOf(endpoint: Pick<Endpoint, 'status' | 'disabled_reason' | 'failing_since'>): Standing {
  if (endpoint.status === 'disabled') return disabledStanding(endpoint.disabled_reason);
  if (endpoint.failing_since)
    return {
      word: 'Failing',
      tone: 'busy',
      sentence: `We go on trying. After ${FAILING_DAYS} days without one success it is disabled.`,
    };
  return { word: 'Enabled', tone: 'good', sentence: '' };
}

function disabledStanding(reason: Endpoint['disabled_reason']): Standing {
  if (reason === 'gone')
    return {
      word: 'Disabled: gone',
      tone: 'bad',
      sentence: 'We disabled it: it answered 410, which says that nobody listens there any more.',
    };
  if (reason === 'failing')
    return {
      word: 'Disabled: failing',
      tone: 'bad',
      sentence: `We disabled it: nothing went well at it for ${FAILING_DAYS} days.`,
    };
  return { word: 'Disabled', tone: 'quiet', sentence: 'Nothing is sent to it until you enable it.' };
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

/** Where deliveries go, by the id of their endpoint. @param endpoints undefined while nobody knows them: then nothing is said to be deleted */
export function addressesOf(
  endpoints: readonly Pick<Endpoint, 'id' | 'url'>[] | undefined,
): (endpoint: string) => string {
  const addresses = new Map(endpoints?.map(({ id, url }) => [id, shortUrl(url)]));
  return (id) => addresses.get(id) ?? (endpoints ? 'A webhook that was deleted' : '…');
}

/** What is wrong with a URL before it is sent, or null. */
export function urlProblem(typed: string, livemode: boolean): string | null {
  const text = typed.trim();
  if (text === '') return null;
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'A whole address, like https://shop.example/webhooks.';
  return livemode && url.protocol !== 'https:' ? 'For real money only https://.' : null;
}
