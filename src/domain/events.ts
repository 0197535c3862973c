// The events of the interface: their names, and the version in which they are written.

export const API_VERSION = '2026-11-20';

/** All of the interface. */
export const EVENT_TYPES = [
  'order.created',
  'order.completed',
  'order.cancelled',
  'order.expired',
  'order.refunded',
  'escrow.created',
  'escrow.claimed',
  'escrow.refunded',
  'subscription.plan_created',
  'subscription.started',
  'subscription.charged',
  'subscription.cancelled',
  'subscription.halted',
  'campaign.grant_paid',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
export type OrderEvent = Extract<EventType, `order.${string}`>;
export type EscrowEvent = Extract<EventType, `escrow.${string}`>;
export type CampaignEvent = Extract<EventType, `campaign.${string}`>;
export type SubscriptionEvent = Extract<EventType, `subscription.${string}`>;

export function isEventType(text: string): text is EventType {
  return (EVENT_TYPES as readonly string[]).includes(text);
}

/** The types that a filter means: one by its name, or a group of them (`order.*`). @returns null when there are none */
export function typesOfFilter(filter: string): EventType[] | null {
  const prefix = filter.endsWith('.*') ? filter.slice(0, -1) : null;
  const types = EVENT_TYPES.filter((type) => (prefix === null ? type === filter : type.startsWith(prefix)));
  return types.length > 0 ? types : null;
}

/** What is sent and what GET /v1/events/{id} answers (interface, Events). `created` are Unix seconds, `created_at` the same in ISO 8601. */
export type EventEnvelope = {
  id: string;
  object: 'event';
  api_version: string;
  type: EventType;
  created: number;
  created_at: string;
  livemode: boolean;
  /** Endpoints that have not taken it yet, at the moment of writing. */
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  /** `object` is keyed by the resource's kind; `previous_attributes` are there where something changed. */
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> };
};
