// What each scope lets a key do, in a few words.
import type { KeyStatus, Scope } from '../../../src/domain/apiKey.ts';
import type { Tone } from '../ui/tone.ts';

export const SCOPE_WORDS: Record<Scope, { name: string; what: string }> = {
  read: { name: 'Read', what: 'reads orders, links and events' },
  orders: { name: 'Orders', what: 'makes, cancels and refunds orders' },
  payment_links: { name: 'Links', what: 'makes and ends payment links' },
  events: { name: 'Events', what: 'replays events' },
  webhooks: { name: 'Webhooks', what: 'changes who is told of events; give it only where that is needed' },
};

export const KEY_STATUS: Record<KeyStatus, { word: string; tone: Tone }> = {
  active: { word: 'Works', tone: 'good' },
  rolled: { word: 'Ends soon', tone: 'busy' },
  expired: { word: 'Over', tone: 'quiet' },
  revoked: { word: 'Revoked', tone: 'quiet' },
};
