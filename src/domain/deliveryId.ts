// A delivery’s public id: it has none of its own, it is one event on its way to one endpoint. As text it sorts by event, then by endpoint.
import { isId } from './ids.ts';

type Key = { eventId: string; endpointId: string };

/** The 26 characters of each id. */
const BARE = 26;

export function deliveryId({ eventId, endpointId }: Key): string {
  return `dlv_${eventId.slice(-BARE)}${endpointId.slice(-BARE)}`;
}

/** @returns null for what is none */
export function readDeliveryId(id: string): Key | null {
  const key = { eventId: `evt_${id.slice(4, 4 + BARE)}`, endpointId: `whs_${id.slice(4 + BARE)}` };
  return id.startsWith('dlv_') && isId('evt', key.eventId) && isId('whs', key.endpointId) ? key : null;
}
