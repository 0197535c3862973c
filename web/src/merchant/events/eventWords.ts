// The deliveries of an event together, in one or two words.
import type { Tone } from '../../ui/tone.ts';
import type { Counts } from '../webhooks/shapes.ts';

/** Null where no endpoint was to receive it. */
export function countsWords({ pending, retrying, delivered, failed }: Counts): { word: string; tone: Tone } | null {
  if (failed > 0)
    return { word: failed + delivered + pending + retrying === 1 ? 'Failed' : `${failed} failed`, tone: 'bad' };
  if (retrying > 0) return { word: 'Retrying', tone: 'busy' };
  if (pending > 0) return { word: 'Pending', tone: 'busy' };
  if (delivered > 0) return { word: 'Delivered', tone: 'good' };
  return null;
}

/** Id of what an event is about; null where its object is of no kind that has one. */
export function resourceOf({ data: { object } }: { data: { object: Record<string, unknown> } }): string | null {
  const [resource] = Object.values(object);
  if (typeof resource !== 'object' || resource === null || !('id' in resource)) return null;
  return typeof resource.id === 'string' ? resource.id : null;
}
