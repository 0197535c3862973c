// Endpoints, deliveries and their figures as the service tells them to their merchant. Times are ISO 8601.
import type { DeliveryFailure, DeliveryStatus, ShownFailure } from '../../../../src/domain/delivery.ts';
import type { EventEnvelope, EventType } from '../../../../src/domain/events.ts';
import type { DisabledReason } from '../../../../src/domain/webhookEndpoint.ts';

export type Endpoint = {
  id: string;
  url: string;
  description: string | null;
  /** `["*"]` for all that there are and will be. */
  enabled_events: string[];
  api_version: string;
  status: 'enabled' | 'disabled';
  disabled_reason: DisabledReason | null;
  disabled_at: string | null;
  /** Since when no attempt succeeded. */
  failing_since: string | null;
  livemode: boolean;
  /** Until then deliveries are signed with the former secret as well. */
  former_secret_until: string | null;
  created_at: string;
};

/** Deliveries that failed. `has_more`: there are at least so many, and the rest was not counted. */
export type FailedCount = { count: number; has_more: boolean };

export type ListedEndpoint = Endpoint & {
  last_24h: { delivered: number; failed_attempts: number };
  failed: FailedCount;
};

/** The secret comes once, with the answer that makes it. */
export type WithSecret = { endpoint: Endpoint; secret: string };

export type Attempt = {
  number: number;
  started_at: string;
  latency_ms: number;
  /** HTTP; null where no answer came. */
  status: number | null;
  failure: ShownFailure | null;
  /** At most its first 2 KB. */
  answer: string | null;
};

export type Delivery = {
  id: string;
  event: string;
  event_type: EventType;
  /** What the event is about: an order's or a tab's id. */
  resource: string;
  endpoint: string;
  status: DeliveryStatus;
  failure: DeliveryFailure | null;
  attempt_count: number;
  next_attempt_at: string | null;
  is_test: boolean;
  created_at: string;
  ended_at: string | null;
  /** The newest first, at most 20. */
  attempts: Attempt[];
};

export type Figures = {
  step_seconds: number;
  /** `time` in Unix seconds, rising, without gaps. */
  buckets: { time: number; succeeded: number; failed: number; p50_ms: number | null; p95_ms: number | null }[];
};

export type EndpointWish = { url: string; enabled_events: string[]; description: string | null };

/** How many of an event's deliveries are in each state; `retrying` are pending and have failed before. */
export type Counts = { pending: number; retrying: number; delivered: number; failed: number };
export type ListedEvent = EventEnvelope & { deliveries: Counts };
export type EventDetail = { event: EventEnvelope; deliveries: Delivery[] };
