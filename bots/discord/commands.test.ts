// What is registered with Discord keeps within its limits in every language: one text that is too long, and it refuses the whole menu.
import { Locale } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, languageOfTag } from '../../src/domain/language.ts';
import { say } from '../render/say.ts';
import { commandsOn } from './commands.ts';
import { TIP_AUTHOR } from './message.ts';

type Localized = Record<string, string>;
type Part = {
  name: string;
  type: number;
  description?: string;
  name_localizations?: Localized;
  description_localizations?: Localized;
  options?: Part[];
  choices?: { name: string; value: string }[];
};
const commands = commandsOn(['base', 'celo']) as Part[];
const described = commands.flatMap((one) => [...(one.type === 1 ? [one] : []), ...(one.options ?? [])]);
const SPOKEN = [Locale.German, Locale.SpanishES, Locale.SpanishLATAM];

describe('the menu of commands', () => {
  test('describes every command and every field in each language, in at most 100 characters', () => {
    expect(described.length).toBeGreaterThan(30);
    for (const { name, description = '', description_localizations: others = {} } of described) {
      expect([name, Object.keys(others).sort()]).toEqual([name, [...SPOKEN].sort()]);
      for (const text of [description, ...Object.values(others)]) {
        expect([name, text.length > 0 && text.length <= 100, text]).toEqual([name, true, text]);
        expect(text).not.toMatch(/[{}\n]/);
      }
      expect(others['de']).not.toBe(description);
      expect(others['es-419']).toBe(others['es-ES']);
    }
  });

  test('offers the chains that are served, and no other', () => {
    const choices = described.filter(({ name }) => name === 'chain').map((one) => one.choices);
    expect(choices.length).toBeGreaterThan(3);
    for (const one of choices)
      expect(one).toEqual([
        { name: 'Base', value: 'base' },
        { name: 'Celo', value: 'celo' },
      ]);
  });

  test('keeps its English names, which are what people type and what arrives', () => {
    for (const { name, name_localizations } of described) {
      expect(name).toMatch(/^[a-z0-9_]{1,32}$/);
      expect(name_localizations).toBeUndefined();
    }
  });

  test('shows the command of a message with a title in each language, in at most 32 characters', () => {
    const menu = commands.filter(({ type }) => type === 3);
    expect(menu).toMatchObject([{ name: TIP_AUTHOR }]);
    expect(menu[0]?.description).toBeUndefined();
    expect(say('en', 'discord-tip-author')).toBe(TIP_AUTHOR);
    const titles = menu[0]?.name_localizations ?? {};
    expect(Object.keys(titles).sort()).toEqual([...SPOKEN].sort());
    for (const [locale, title] of Object.entries(titles)) {
      expect(title).toBe(say(languageOfTag(locale) ?? 'en', 'discord-tip-author'));
      expect([title, title.length > 0 && title.length <= 32]).toEqual([title, true]);
    }
  });

  test.each(LANGUAGES)('and its form have room in %s for the longest name', (language) => {
    const username = 'a'.repeat(32);
    expect(say(language, 'discord-form-title', { username }).length).toBeLessThanOrEqual(45);
    expect(say(language, 'discord-form-amount').length).toBeLessThanOrEqual(45);
    expect(say(language, 'discord-form-hint').length).toBeLessThanOrEqual(100);
  });
});
