// What to try next, for whoever speaks and wherever.
import type { Place } from './ChatTabs.tsx';
import type { Suggestion } from './Composer.tsx';
import type { Person } from './localApi.ts';

const IN_GROUP = ['/balance', '/help'];
const IN_PRIVATE = ['/balance', '/history', '/limits', '/pause', '/help'];

export function suggestionsFor(speaker: Person, people: Person[], place: Place, canAnswer: boolean): Suggestion[] {
  if (place === 'direct') return IN_PRIVATE.map((text) => ({ text }));
  const friend = people.find((person) => person.connected && person.name !== speaker.name);
  const tips = friend ? [`/tip @${friend.telegram.username} 5 usdc`, `/tip @${friend.telegram.username} 60`] : [];
  const answer = canAnswer ? [{ text: '/tip 3', asReply: true }] : [];
  return [...tips.map((text) => ({ text })), ...answer, ...IN_GROUP.map((text) => ({ text }))];
}
