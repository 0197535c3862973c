// What to try next, for whoever speaks and wherever.
import type { Place } from './ChatTabs.tsx';
import type { Suggestion } from './Composer.tsx';
import type { Person } from './localApi.ts';

const IN_GROUP = ['/balance', '/help'];
const IN_PRIVATE = ['/balance', '/history', '/limits', '/pause', '/disconnect', '/help'];
/** Whoever was not connected at the start may have done so since; the rest stays within reach. */
const FIRST_CONNECT = ['/connect', ...IN_PRIVATE];

export function suggestionsFor(speaker: Person, people: Person[], place: Place, canAnswer: boolean): Suggestion[] {
  if (place === 'direct') return (speaker.connected ? IN_PRIVATE : FIRST_CONNECT).map((text) => ({ text }));
  const friend = people.find((person) => person.connected && person.name !== speaker.name);
  const tips = friend ? [`/tip @${friend.telegram.username} 5 usdc`, `/tip @${friend.telegram.username} 60`] : [];
  const answer = canAnswer ? [{ text: '/tip 3', asReply: true }] : [];
  return [...tips.map((text) => ({ text })), ...answer, ...IN_GROUP.map((text) => ({ text }))];
}
