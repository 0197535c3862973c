/** Every line of the corpus gets exactly the answer written beside it. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CommandInput, type Platform, parseCommand } from '../command.ts';
import { discord } from './corpus/discord.ts';
import { notes } from './corpus/notes.ts';
import { type Extra, message } from './corpus/people.ts';
import { type CorpusRow, telegram } from './corpus/telegram.ts';
import { unitNotes } from './corpus/unitNotes.ts';
import { essence, wanted } from './corpus/wanted.ts';
import { x } from './corpus/x.ts';

const KEYS = [
  'kind',
  'recipients',
  'amount',
  'unit',
  'mode',
  'chain',
  'memo',
  'total',
  'shares_micro',
  'skipped',
  'code',
  'intent',
  'because',
];

describe.each([
  ['telegram', telegram],
  ['discord', discord],
  ['x', x],
  ['notes', notes],
  ['notes behind a unit', unitNotes],
] as const)('%s', (name, rows: CorpusRow[]) => {
  const platform: Platform = name === 'discord' || name === 'x' ? name : 'telegram';
  it.each(rows)('%s: %s → %s', (chat, text, want, extra) => {
    const answer = essence(parseCommand(message(platform, chat, text, extra)));
    expect(answer).toEqual(wanted(want));
    const places = Object.keys(answer).map((key) => KEYS.indexOf(key));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

type Line = { platform: Platform; chat: string; text: string; want: string; extra?: Extra };

describe('lines written to break the rules', () => {
  const lines = readFileSync(new URL('./corpus/hostile.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  it.each(lines.map((line) => JSON.parse(line) as Line))('$platform $chat: $text → $want', (line) => {
    const answer = essence(parseCommand(message(line.platform, line.chat, line.text, line.extra)));
    expect(answer).toEqual(wanted(line.want));
  });
});

describe('a value that is no message', () => {
  const whole = message('telegram', 'dm', '/tip @bob 5');
  it.each([
    null,
    5,
    'tip',
    [],
    {},
    { ...whole, platform: 'signal' },
    { ...whole, ctx: null },
    { ...whole, text: 5 },
    { ...whole, ctx: { ...whole.ctx, sender: undefined } },
    { ...whole, ctx: { ...whole.ctx, bot: undefined } },
    { ...whole, ctx: { ...whole.ctx, sender: { id: {} } } },
    { ...whole, interaction: { name: 'tip' } },
  ])('%j is invalid input', (value) => {
    expect(parseCommand(value as unknown as CommandInput)).toEqual({ kind: 'error', code: 'input_invalid' });
  });
});
