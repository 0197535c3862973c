// Sentences by their id, in the language of their reader. They are in bots/words, one file a topic and language.
import { FluentBundle, FluentResource } from '@fluent/bundle';
import type { Language } from '../../src/domain/language.ts';
import { de } from '../words/de.ts';
import { en } from '../words/en.ts';
import { es } from '../words/es.ts';
import { isMoney, type Money, showList, showMoney } from './amounts.ts';

type Topics = typeof en;
/** Every English sentence by its id: where the compiler reads ids and variables from. */
type Sentences = { [T in keyof Topics]: (keys: Topics[T]) => void }[keyof Topics] extends (keys: infer All) => void
  ? All
  : never;
export type WordId = Extract<keyof Sentences, string>;
/** Words are shown as they are; a number chooses the plural. */
export type Value = string | number;
/** The variables that hold money. They take no text: no figure is shown but in the form of its language. */
type MoneyName =
  | (
      | 'amount'
      | 'sums'
      | 'fee'
      | 'bridge'
      | 'fees'
      | 'have'
      | 'need'
      | 'limit'
      | 'cap'
      | 'total'
      | 'left'
      | 'least'
      | 'usd'
    )
  | ('received' | 'due' | 'stray' | 'perCommand' | 'spent' | 'perTip' | 'perDay' | 'price');
/** One sum, or what is listed as “1.00 USDC and 0.5 ETH”. */
type MoneyValue = Money | readonly Money[];
/** What is paid or charged is never shown as less than it is, and what is left never as more. */
const CHARGED: ReadonlySet<string> = new Set(['fee', 'fees', 'need', 'total', 'due', 'spent']);

/** The names in `{$name}` and `{$name -> …}`. */
type Variables<Pattern> = Pattern extends `${string}{$${infer Rest}` ? FirstName<Rest> | Variables<Rest> : never;
type FirstName<Text> = Text extends `${infer Inside}}${string}` ? FirstWord<Inside> : FirstWord<Text>;
type FirstWord<Text> = Text extends `${infer Word} ${string}` ? Word : Text;
/** The values that a sentence takes, by name. */
export type Values<Id extends WordId, V = Value> = {
  [Name in Variables<Sentences[Id]>]: Name extends MoneyName ? MoneyValue : V;
};
type Given<Id extends WordId, V> = [Variables<Sentences[Id]>] extends [never] ? [] : [values: Values<Id, V>];

/** A part of a text, linked or not. */
export type Piece = string | { text: string; url: string };

const BUNDLES: Record<Language, FluentBundle> = {
  en: bundleOf('en', en),
  de: bundleOf('de', de),
  es: bundleOf('es', es),
};

function bundleOf(language: Language, topics: Record<string, Record<string, string>>): FluentBundle {
  // Isolation marks would be invisible in what people copy.
  const bundle = new FluentBundle(language, { useIsolating: false });
  for (const [topic, sentences] of Object.entries(topics)) {
    const source = Object.entries(sentences).map(([id, pattern]) => `${id} = ${pattern}\n`);
    const errors = bundle.addResource(new FluentResource(source.join('')));
    // The parser of Fluent leaves out what it cannot read, without a word.
    const missing = Object.keys(sentences).filter((id) => !bundle.getMessage(id)?.value);
    if (errors.length > 0 || missing.length > 0)
      throw new Error(`${language}/${topic} has sentences that cannot be read: ${[...errors, ...missing].join(', ')}`);
  }
  return bundle;
}

/** One sentence. @param given its variables by name, when it has any */
export function say<Id extends WordId>(language: Language, id: Id, ...given: Given<Id, Value>): string {
  return sayWith(language, id, given[0] ?? {});
}

/** The same for an id that is known only at run time: surplus values are ignored. @throws ReferenceError when a variable has no value */
export function sayWith(language: Language, id: WordId, values: Record<string, unknown>): string {
  const pattern = BUNDLES[language].getMessage(id)?.value;
  if (!pattern) throw new Error(`there is no sentence ${id} in ${language}`);
  const known = Object.entries(values).flatMap(([name, value]) => {
    const shown = shownValue(language, name, value);
    return shown === null ? [] : [[name, shown]];
  });
  return BUNDLES[language].formatPattern(pattern, Object.fromEntries(known) as Record<string, Value>);
}

function shownValue(language: Language, name: string, value: unknown): Value | null {
  if (typeof value === 'string' || typeof value === 'number') return value;
  const rounding = CHARGED.has(name) ? 'up' : 'down';
  if (isMoney(value)) return showMoney(language, value, rounding);
  if (!Array.isArray(value) || !value.every(isMoney)) return null;
  return showList(
    language,
    value.map((one) => showMoney(language, one, rounding)),
  );
}

/** Marks a linked piece while a sentence is formed. It is on no keyboard, and is removed from values. */
const MARK = '\u{F0000}';

/** A sentence with links: a value `{ text, url }` becomes a link in its place. */
export function sayLinked<Id extends WordId>(language: Language, id: Id, ...given: Given<Id, Value | Piece>): Piece[] {
  const links: Piece[] = [];
  const values = Object.entries((given[0] ?? {}) as Record<string, Value | MoneyValue | Piece>).map(([name, value]) => {
    if (isLink(value)) return [name, `${MARK}${links.push(value) - 1}${MARK}`];
    return [name, typeof value === 'string' ? value.replaceAll(MARK, '') : value];
  });
  const parts = sayWith(language, id, Object.fromEntries(values)).split(MARK);
  // Every second part is the number of a link.
  return parts
    .flatMap((part, index) => (index % 2 === 0 ? part : (links[Number(part)] ?? '')))
    .filter((part) => part !== '');
}

function isLink(value: unknown): value is { text: string; url: string } {
  return typeof value === 'object' && value !== null && 'url' in value;
}

export function isWordId(id: string): id is WordId {
  return BUNDLES.en.hasMessage(id);
}
