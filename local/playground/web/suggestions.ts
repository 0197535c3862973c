// What to try next, for whoever speaks and wherever.
import type { Place } from './ChatTabs.tsx';
import type { Suggestion } from './Composer.tsx';
import type { Person } from './localApi.ts';

const IN_GROUP = ['/balance', '/help'];
const IN_PRIVATE = ['/balance', '/history', '/limits', '/pause', '/disconnect', '/help'];
/** Whoever was not connected at the start may have done so since; the rest stays within reach. */
const FIRST_CONNECT = ['/connect', ...IN_PRIVATE];

/** What a merchant says to be paid: beside the tips for those who sell, and for everybody in private. */
export const ASK = 'order 25 for coffee';

export function suggestionsFor(speaker: Person, people: Person[], place: Place, canAnswer: boolean): Suggestion[] {
  const ask = speaker.connected ? [`/${ASK}`] : [];
  if (place === 'direct')
    return [...ask, ...(speaker.connected ? IN_PRIVATE : FIRST_CONNECT)].map((text) => ({ text }));
  const friend = people.find((person) => person.connected && person.name !== speaker.name);
  const tips = friend ? [`/tip @${friend.telegram.username} 5 usdc`, `/tip @${friend.telegram.username} 60`] : [];
  const answer = canAnswer ? [{ text: '/tip 3', asReply: true }] : [];
  // A shop begins with what it is there for.
  const begins = isBusiness(speaker) ? [...ask, ...tips] : [...tips, ...ask];
  return [...begins.map((text) => ({ text })), ...answer, ...IN_GROUP.map((text) => ({ text }))];
}

export function isBusiness({ kind }: Person): boolean {
  return kind === 'business';
}
