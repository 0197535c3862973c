// What each type of event says, in plain words, and which belong together.
import { EVENT_TYPES, type EventType } from '../../../src/domain/events.ts';

/** `isLater`: they fire once Ampersat has what they tell of. */
export type TypeGroup = { name: string; types: readonly EventType[]; isLater: boolean };

const groupOf = (name: string, prefix: string, isLater = false): TypeGroup => ({
  name,
  types: EVENT_TYPES.filter((type) => type.startsWith(`${prefix}.`)),
  isLater,
});

export const TYPE_GROUPS: readonly TypeGroup[] = [
  groupOf('Orders', 'order'),
  groupOf('Tabs', 'escrow'),
  groupOf('Subscriptions', 'subscription', true),
  groupOf('Campaigns', 'campaign', true),
];

export const TYPE_WORDS: Record<EventType, string> = {
  'order.created': 'An order was made.',
  'order.completed': 'An order is paid, for good.',
  'order.cancelled': 'An order was taken back before it was paid.',
  'order.expired': 'The time to pay an order is over.',
  'order.refunded': 'Money of an order went back.',
  'escrow.created': 'A tab is open.',
  'escrow.claimed': 'A tab was claimed.',
  'escrow.refunded': 'A tab went back to its sender.',
  'subscription.plan_created': 'A plan was made.',
  'subscription.started': 'Somebody subscribed.',
  'subscription.charged': 'A period was paid.',
  'subscription.cancelled': 'A subscription was ended.',
  'subscription.halted': 'A subscription stopped because it could not be paid.',
  'campaign.grant_paid': 'A grant was paid out.',
};

const NAMED = 2;

/** Which events an endpoint takes, in a few words. @param chosen types, or `["*"]` for all */
export function takesWords(chosen: readonly string[]): string {
  if (chosen.includes('*')) return 'All events';
  return chosen.length <= NAMED ? chosen.join(', ') : `${chosen.length} kinds of events`;
}

/** Would an endpoint be told of an event like this one? */
export function takes(
  endpoint: { livemode: boolean; enabled_events: readonly string[] },
  event: { livemode: boolean; type: EventType },
): boolean {
  const { livemode, enabled_events: taken } = endpoint;
  return livemode === event.livemode && (taken.includes('*') || taken.includes(event.type));
}

/** The page of what an event is about, or null where there is none. @param resource its id */
export function resourcePath(resource: string): string | null {
  if (resource.startsWith('ord_')) return `/orders/${resource}`;
  return resource.startsWith('esc_') ? `/tabs/${resource}` : null;
}
