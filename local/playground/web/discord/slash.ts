// What is typed into Discord's box, as the server takes it: names as ids, and `/tip recipients:@bob amount:5` as a command with options.
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

/** @param bot the name under which people mention the bot, and its id */
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

/** Pieces that are named (`amount:5`) go where they belong; the others fill the options from the left, the last one takes the rest. */
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

/** A name behind an @ becomes what Discord writes for it. */
function withIds(text: string, people: Person[], bot: { id: string; names: string[] }): string {
  return text.replace(/(?<![\w<@])@([\w.]+)(?!@)/g, (whole, name: string) => {
    const wanted = name.toLowerCase();
    if (bot.names.includes(wanted)) return `<@${bot.id}>`;
    const person = people.find(({ discord }) => discord.username === wanted);
    return person ? `<@${person.discord.id}>` : whole;
  });
}

/** What the options of the command are that is being typed; null while none is. */
export function optionsHint(text: string, commands: DiscordCommand[]): string | null {
  const name = /^\/([\w-]+)(\s|$)/.exec(text)?.[1];
  const command = commands.find((one) => one.name === name && (one.type ?? SLASH) === SLASH);
  if (!command) return null;
  const options = (command.options ?? []).map((one) => (one.required ? `${one.name}:` : `[${one.name}:]`));
  return [`/${command.name}`, ...options].join(' ');
}
