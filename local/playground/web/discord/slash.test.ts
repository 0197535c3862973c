// Text typed in Discord's composer becomes what Discord would send: names as IDs, commands with their options.
import { describe, expect, it } from 'vitest';
import type { Person } from '../localApi.ts';
import type { DiscordCommand } from './discordApi.ts';
import { optionsHint, readTyped } from './slash.ts';

const COMMANDS: DiscordCommand[] = [
  {
    name: 'tip',
    type: 1,
    options: [
      { name: 'to', description: '', type: 3, required: true },
      { name: 'amount', description: '', type: 3, required: true },
      { name: 'note', description: '', type: 3 },
    ],
  },
  {
    name: 'cap',
    options: [
      { name: 'who', description: '', type: 6 },
      { name: 'usd', description: '', type: 10 },
    ],
  },
  { name: 'balance', type: 1 },
  { name: 'Tip author', type: 3 },
];
const BOT = { id: '99', names: ['ampersat'] };
const PEOPLE = [{ name: 'bob', discord: { id: '42', username: 'bob' } }] as Person[];
const read = (text: string) => readTyped(text, COMMANDS, PEOPLE, BOT);

describe('what is typed on Discord', () => {
  it('writes names as ids, and leaves the names of nobody and of Ampersat alone', () => {
    expect(read('@Ampersat tip @bob and @nobody 5')).toEqual({
      kind: 'text',
      content: '<@99> tip <@42> and @nobody 5',
    });
    expect(read('pay bob@ampersat')).toEqual({ kind: 'text', content: 'pay bob@ampersat' });
  });

  it('reads options by name, in any order, and from the left where they are not named', () => {
    const wanted = [
      { name: 'to', value: '<@42>' },
      { name: 'amount', value: '5' },
      { name: 'note', value: 'for the long lunch' },
    ];
    expect(read('/tip to:@bob amount:5 note:for the long lunch')).toEqual({
      kind: 'command',
      name: 'tip',
      options: wanted,
    });
    expect(read('/tip @bob 5 for the long lunch')).toEqual({ kind: 'command', name: 'tip', options: wanted });
    expect(read('/tip @bob amount: 5')).toMatchObject({ options: wanted.slice(0, 2) });
    expect(read('/balance')).toEqual({ kind: 'command', name: 'balance', options: [] });
  });

  it('reads people and numbers as what they are', () => {
    expect(read('/cap @bob 12.5')).toMatchObject({ options: [{ value: '42' }, { value: 12.5 }] });
    expect(read('/cap who:somebody')).toEqual({ kind: 'wrong', why: '“somebody” isn’t valid for who.' });
  });

  it('says what is missing or not there', () => {
    expect(read('/tip to:@bob')).toEqual({ kind: 'wrong', why: '/tip needs amount.' });
    expect(read('/nothing 5')).toEqual({ kind: 'wrong', why: 'The bot has no command /nothing.' });
    expect(read('/Tip author')).toMatchObject({ kind: 'wrong' });
  });

  it('tells the options of the command that is being typed', () => {
    expect(optionsHint('/tip @b', COMMANDS)).toBe('/tip to: amount: [note:]');
    expect(optionsHint('hello', COMMANDS)).toBeNull();
  });
});
