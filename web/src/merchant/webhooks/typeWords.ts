// What each type of event says, in plain words, and which belong together.
import { EVENT_TYPES, type EventType } from '../../../../src/domain/events.ts';

export type TypeGroup = { name: string; types: readonly EventType[] };

const groupOf = (name: string, prefix: string): TypeGroup => ({
  name,
  types: EVENT_TYPES.filter((type) => type.startsWith(`${prefix}.`)),
});

export const TYPE_GROUPS: readonly TypeGroup[] = [
  groupOf('Orders', 'order'),
  groupOf('Tabs', 'escrow'),
  groupOf('Subscriptions', 'subscription'),
  groupOf('Campaigns', 'campaign'),
];

export const TYPE_WORDS: Record<EventType, string> = {
  'order.created': 'An order was created.',
  'order.completed': 'An order was paid.',
  'order.cancelled': 'An order was cancelled before it was paid.',
  'order.expired': 'An order expired.',
  'order.refunded': 'An order was refunded, fully or partially.',
  'escrow.created': 'A tab was created.',
  'escrow.claimed': 'A tab was claimed.',
  'escrow.refunded': 'A tab was refunded to its sender.',
  'subscription.plan_created': 'A plan was created on-chain.',
  'subscription.started': 'A wallet subscribed to a plan.',
  'subscription.charged': 'A subscription was charged.',
  'subscription.cancelled': 'A subscription was cancelled.',
  'subscription.halted': 'A subscription ended because it stayed unpaid.',
  'campaign.grant_paid': 'A grant of a campaign was paid.',
};

const NAMED = 2;

/** Which events an endpoint takes, in a few words. @param chosen types, or `["*"]` for all */
export function takesWords(chosen: readonly string[]): string {
  if (chosen.includes('*')) return 'All events';
  return chosen.length <= NAMED ? chosen.join(', ') : `${chosen.length} event types`;
}

/** Does an endpoint receive events like this one? */
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
  if (resource.startsWith('plan_')) return `/plans/${resource}`;
  if (resource.startsWith('cgr_')) return `/campaigns/${resource}`;
  return resource.startsWith('esc_') ? `/tabs/${resource}` : null;
}
