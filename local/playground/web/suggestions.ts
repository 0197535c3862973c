// Suggested commands for Telegram.
import type { Place } from './ChatTabs.tsx';
import type { Suggestion } from './Composer.tsx';
import type { Person } from './localApi.ts';

const IN_GROUP = ['/balance', '/help'];
const IN_PRIVATE = ['/balance', '/history', '/limits', '/pause', '/disconnect', '/help'];
/** Includes the other commands: the speaker may connect on another page meanwhile. */
const FIRST_CONNECT = ['/connect', ...IN_PRIVATE];

/** The command of a merchant who requests a payment. */
export const ASK = 'order 25 for coffee';

export function suggestionsFor(speaker: Person, people: Person[], place: Place, canAnswer: boolean): Suggestion[] {
  const ask = speaker.connected ? [`/${ASK}`] : [];
  if (place === 'direct')
    return [...ask, ...(speaker.connected ? IN_PRIVATE : FIRST_CONNECT)].map((text) => ({ text }));
  const friend = people.find((person) => person.connected && person.name !== speaker.name);
  const tips = friend ? [`/tip @${friend.telegram.username} 5 usdc`, `/tip @${friend.telegram.username} 60`] : [];
  const answer = canAnswer ? [{ text: '/tip 3', asReply: true }] : [];
  // A shop's first suggestion is to request a payment.
  const begins = isBusiness(speaker) ? [...ask, ...tips] : [...tips, ...ask];
  return [...begins.map((text) => ({ text })), ...answer, ...IN_GROUP.map((text) => ({ text }))];
}

export function isBusiness({ kind }: Person): boolean {
  return kind === 'business';
}
