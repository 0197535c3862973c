// Endpoints of a workspace: what one is, how many there may be, which events it may receive, and what a signing secret looks like.
import { EVENT_TYPES, type EventType, isEventType } from './events.ts';

export type EndpointStatus = 'enabled' | 'disabled' | 'deleted';
export type DisabledReason = 'by_owner' | 'gone' | 'failing';

/** Of a workspace, in test and live mode together. */
export const MOST_ENDPOINTS = 16;
/** URLs that a workspace may have us look at: each asks name servers, and an endpoint that is deleted stays as a row. */
export const URLS_LOOKED_AT = { points: 100, windowMs: 3_600_000 } as const;
/** For how long the former secret may be in force after a roll, in hours. */
export const ROLL_HOURS = { least: 0, most: 24, usual: 24 } as const;
/** `whsec_` and the base64 of 32 random bytes. */
export const SECRET_PATTERN = /^whsec_[A-Za-z0-9+/]{43}=$/;
export const URL_LENGTH = 2_048;

/** All types, those that are yet to come too. */
export const ALL_EVENTS = '*';

/**
 * The types that an endpoint subscribes to: exact names, or `*` alone for everything. There are no names of groups: an endpoint with named types
 * receives a new type only once it names it.
 * @returns the types, none of them for all; or a sentence that says what is wrong
 */
export function readEnabledEvents(names: readonly string[]): { types: EventType[] } | { problem: string } {
  if (names.length === 0) return { problem: 'enabled_events can’t be empty. Use * for all events.' };
  if (names.length === 1 && names[0] === ALL_EVENTS) return { types: [] };
  if (names.includes(ALL_EVENTS)) return { problem: '* can’t be combined with other event types.' };
  if (new Set(names).size !== names.length) return { problem: 'enabled_events can’t contain duplicates.' };
  if (names.every(isEventType)) return { types: [...names] };
  return { problem: `enabled_events must be event types (${EVENT_TYPES.join(', ')}), or * for all.` };
}
