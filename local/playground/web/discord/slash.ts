// Parses text typed in Discord's composer: names become IDs, and `/tip recipients:@bob amount:5` a command with options.
import type { Person } from '../localApi.ts';
import type { CommandOption, DiscordCommand, OptionValue } from './discordApi.ts';

const USER = 6;
const INTEGER = 4;
const NUMBER = 10;
const BOOLEAN = 5;
const SLASH = 1;

export type Typed =
  | { kind: 'text'; content: string }
  | { kind: 'command'; name: string; options: OptionValue[] }
  | { kind: 'wrong'; why: string };

/** @param bot its ID, and the names by which people mention it */
export function readTyped(
  text: string,
  commands: DiscordCommand[],
  people: Person[],
  bot: { id: string; names: string[] },
): Typed {
  const match = /^\/([\w-]+)(?:\s+(.*))?$/s.exec(text);
  if (!match) return { kind: 'text', content: withIds(text, people, bot) };
  const command = commands.find((one) => one.name === match[1] && (one.type ?? SLASH) === SLASH);
  if (!command) return { kind: 'wrong', why: `The bot has no command /${match[1]}.` };
  const known = command.options ?? [];
  const given = splitOptions(match[2] ?? '', known);
  const missing = known.find((option) => option.required && !given.some(({ name }) => name === option.name));
  if (missing) return { kind: 'wrong', why: `/${command.name} needs ${missing.name}.` };
  const options: OptionValue[] = [];
  for (const { name, text: value } of given) {
    const option = known.find((one) => one.name === name);
    const read = option && readValue(option, value, people, bot);
    if (read === undefined) return { kind: 'wrong', why: `“${value}” isn’t valid for ${name}.` };
    options.push({ name, value: read });
  }
  return { kind: 'command', name: command.name, options };
}

/** Named pieces (`amount:5`) set their option; the others fill the open options from the left, and the last one takes the rest. */
function splitOptions(text: string, known: CommandOption[]): { name: string; text: string }[] {
  if (text.trim() === '') return [];
  const names = known.map(({ name }) => name);
  const named = new RegExp(`(?:^|\\s)(${names.join('|') || '(?!)'}):\\s*`, 'g');
  const marks = [...text.matchAll(named)];
  const pieces = marks.map((mark, index) => ({
    name: mark[1] ?? '',
    text: text.slice((mark.index ?? 0) + mark[0].length, marks[index + 1]?.index ?? text.length).trim(),
  }));
  const free = text.slice(0, marks[0]?.index ?? text.length).trim();
  if (free === '') return pieces;
  const open = names.filter((name) => !pieces.some((piece) => piece.name === name));
  const words = free.split(/\s+/);
  const filled = open.slice(0, words.length).map((name, index) => ({
    name,
    text: index === open.length - 1 ? words.slice(index).join(' ') : (words[index] ?? ''),
  }));
  return [...filled, ...pieces];
}

function readValue(
  { type }: CommandOption,
  text: string,
  people: Person[],
  bot: { id: string; names: string[] },
): OptionValue['value'] | undefined {
  switch (type) {
    case USER:
      return /^<@!?(\d+)>$/.exec(withIds(text, people, bot))?.[1];
    case INTEGER:
    case NUMBER:
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
    case BOOLEAN:
      return /^(true|false|yes|no)$/i.test(text) ? /^(true|yes)$/i.test(text) : undefined;
    default:
      return withIds(text, people, bot);
  }
}

/** Replaces `@name` with Discord's markup for a mention. */
function withIds(text: string, people: Person[], bot: { id: string; names: string[] }): string {
  return text.replace(/(?<![\w<@])@([\w.]+)(?!@)/g, (whole, name: string) => {
    const wanted = name.toLowerCase();
    if (bot.names.includes(wanted)) return `<@${bot.id}>`;
    const person = people.find(({ discord }) => discord.username === wanted);
    return person ? `<@${person.discord.id}>` : whole;
  });
}

/** The options of the command that is being typed, or null. */
export function optionsHint(text: string, commands: DiscordCommand[]): string | null {
  const name = /^\/([\w-]+)(\s|$)/.exec(text)?.[1];
  const command = commands.find((one) => one.name === name && (one.type ?? SLASH) === SLASH);
  if (!command) return null;
  const options = (command.options ?? []).map((one) => (one.required ? `${one.name}:` : `[${one.name}:]`));
  return [`/${command.name}`, ...options].join(' ');
}
