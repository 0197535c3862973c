// What each scope lets a key do, in a few words.
import type { KeyStatus, Scope } from '../../../../src/domain/apiKey.ts';
import type { Tone } from '../../ui/tone.ts';

export const SCOPE_WORDS: Record<Scope, { name: string; what: string }> = {
  read: { name: 'Read', what: 'View orders, links and events' },
  orders: { name: 'Orders', what: 'Create, cancel and refund orders' },
  payment_links: { name: 'Links', what: 'Create and deactivate payment links' },
  events: { name: 'Events', what: 'Resend events' },
  campaigns: { name: 'Campaigns', what: 'Pay people from open campaigns; grant only if needed' },
  webhooks: { name: 'Webhooks', what: 'Manage webhook endpoints; grant only if needed' },
};

export const KEY_STATUS: Record<KeyStatus, { word: string; tone: Tone }> = {
  active: { word: 'Active', tone: 'good' },
  rolled: { word: 'Expiring soon', tone: 'busy' },
  expired: { word: 'Expired', tone: 'quiet' },
  revoked: { word: 'Revoked', tone: 'quiet' },
};
