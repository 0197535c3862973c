// Suggested commands for Discord: the slash commands that the bot has registered, and a mention.
import type { Suggestion } from '../Composer.tsx';
import type { Person } from '../localApi.ts';
import { isBusiness } from '../suggestions.ts';
import type { DiscordCommand } from './discordApi.ts';

const SLASH = 1;
const PLAIN = ['connect', 'balance', 'history', 'limits', 'pause', 'help'];

export function suggestionsFor(
  speaker: Person,
  people: Person[],
  commands: DiscordCommand[],
  canAnswer: boolean,
): Suggestion[] {
  const has = (name: string) => commands.some((one) => one.name === name && (one.type ?? SLASH) === SLASH);
  const friend = people.find((person) => person.connected && person.name !== speaker.name)?.discord.username;
  const tip = commands.find((one) => one.name === 'tip');
  const ask = speaker.connected && has('order') ? [{ text: '/order amount:25 for:coffee' }] : [];
  const tips = [
    ...(friend && tip ? [{ text: `/tip ${exampleOf(tip, friend)}` }] : []),
    ...(friend ? [{ text: `@Ampersat tip @${friend} 5` }] : []),
    ...(canAnswer ? [{ text: '@Ampersat tip 3', asReply: true }] : []),
  ];
  const begins = isBusiness(speaker) ? [...ask, ...tips] : [...tips, ...ask];
  return [...begins, ...PLAIN.filter(has).map((name) => ({ text: `/${name}` }))];
}

const USER = 6;
/** All required options with an example value. */
function exampleOf({ options = [] }: DiscordCommand, friend: string): string {
  return options
    .filter(({ required }) => required)
    .map(({ name, type }) => `${name}:${type === USER || /to|user|recipient|who/.test(name) ? `@${friend}` : '5'}`)
    .join(' ');
}
