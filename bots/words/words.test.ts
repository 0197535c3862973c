// Every sentence in every language: complete, with the same variables, in plain words; and the few rules of how a sentence is formed.
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language, languageOfTag } from '../../src/domain/language.ts';
import type { Refusal } from '../../src/domain/plan.ts';
import { errorText, refusalText } from '../render/refusals.ts';
import { say, sayLinked, sayWith, type Values, type WordId } from '../render/say.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';

type Sentences = Record<string, string>;
const SENTENCES: Record<Language, Sentences> = { en: flat(en), de: flat(de), es: flat(es) };
const IDS = Object.keys(SENTENCES.en) as WordId[];

function flat(topics: Record<string, Sentences>): Sentences {
  return Object.assign({}, ...Object.values(topics));
}

function pattern(language: Language, id: string): string {
  return SENTENCES[language][id] ?? '';
}

function variables(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\s*\$([a-zA-Z]+)/g)].map(([, name]) => name ?? ''))].sort();
}

/** Every variable of a sentence, numbers for those that choose a plural. */
function sample(text: string): Record<string, string | number> {
  const isCounted = (name: string) => new RegExp(`\\{\\$${name} ->`).test(text);
  return Object.fromEntries(variables(text).map((name) => [name, isCounted(name) ? 3 : `<${name}>`]));
}

describe('the sentences', () => {
  it('have one id each', () => {
    const all = Object.values(en).flatMap((topic) => Object.keys(topic));
    expect(all.length).toBe(new Set(all).size);
    expect(IDS.length).toBeGreaterThan(100);
  });

  it.each(LANGUAGES)('are all there in %s, with the variables of the English ones', (language) => {
    expect(Object.keys(SENTENCES[language]).sort()).toEqual([...IDS].sort());
    for (const id of IDS) expect([id, variables(pattern(language, id))]).toEqual([id, variables(pattern('en', id))]);
  });

  it.each(LANGUAGES)('are formed in %s without a gap, a brace or an invisible mark', (language) => {
    for (const id of IDS) {
      const source = pattern(language, id);
      const values = sample(source);
      const text = sayWith(language, id, values);
      for (const name of variables(source))
        expect([id, text]).toEqual([id, expect.stringContaining(String(values[name]))]);
      expect([id, text]).toEqual([id, expect.not.stringMatching(/[{}\u2066-\u2069\u200e\u200f]|\s{2}$|undefined/u)]);
      // The parser of Fluent ends a sentence at a line that is not indented.
      expect([id, source]).toEqual([id, expect.not.stringMatching(/\n\S/)]);
    }
  });

  it.each(['de', 'es'] as const)('are translated to %s', (language) => {
    const same = IDS.filter((id) => pattern(language, id) === pattern('en', id));
    expect(same.filter((id) => !SAME_EVERYWHERE.has(id) && !SAME_IN[language].has(id))).toEqual([]);
  });

  it.each(LANGUAGES)('speak plain words in %s, with one emoji at most', (language) => {
    for (const id of IDS) {
      const text = pattern(language, id).replaceAll(/\{\$\w+( ->)?/g, '');
      expect([id, text.match(JARGON)?.[0]]).toEqual([id, undefined]);
      expect([id, text.match(FORMAL[language])?.[0]]).toEqual([id, undefined]);
      expect([id, [...text.matchAll(/\p{Extended_Pictographic}/gu)].length <= 1]).toEqual([id, true]);
    }
  });
});

type Told = Exclude<Refusal['code'], 'sender_not_connected'>;
/** What a refusal with this code brings along. */
type Brought<Code> = Refusal extends infer One
  ? One extends { code: infer Codes }
    ? Code extends Codes
      ? keyof One
      : never
    : never
  : never;
/** What sentences name and their refusals do not bring. */
type Lacking = { [Code in Told]: Exclude<keyof Values<`refusal-${Code}`>, Brought<Code> | 'reply'> }[Told];

describe('a sentence that is chosen by a code', () => {
  it('names only what comes with the code', () => {
    const lacking: Lacking[] & ([Lacking] extends [never] ? unknown : never) = [];
    expect(lacking).toEqual([]);
    for (const id of IDS.filter((one) => one.startsWith('error-')))
      expect([id, variables(pattern('en', id)).filter((name) => !OF_ERRORS.has(name))]).toEqual([id, []]);
    for (const id of IDS.filter((one) => /^(ask-why|press)-/.test(one)))
      expect([id, variables(pattern('en', id))]).toEqual([id, []]);
  });
});

/** What every sentence of an error may name. */
const OF_ERRORS = new Set([
  'when',
  'where',
  'word',
  'least',
  'chains',
  'assets',
  'tip',
  'reply',
  'send',
  'help',
  'order',
  'most',
]);

/** Nothing but figures, names and commands stands in them. */
const SAME_EVERYWHERE = new Set<WordId>([
  'balance-line',
  'leaderboard-line',
  'leg-done',
  'notice-account-named',
  'type-react-telegram',
  'type-react-discord',
  'type-react-off-telegram',
  'type-react-off-discord',
  'x-ref',
  'type-send-telegram',
  'type-send-discord',
  'type-help-telegram',
  'type-help-discord',
]);
const SAME_IN: Record<'de' | 'es', Set<WordId>> = {
  de: new Set(['type-tip-telegram', 'type-tip-discord']),
  es: new Set(['button-no', 'date-utc']),
};

const JARGON =
  /\b(tx|txs|txid|transaction|transaktion|transacci[oó]n|mint\w*|calldata|hash\w*|gas|nonce|revert\w*|escrow|rpc|erc-?\d*|slug|undefined|error code|oauth|token id|api)\b/i;
/** People are addressed as friends are: du, tú. */
const FORMAL: Record<Language, RegExp> = {
  en: /\bsir\b|\bmadam\b/i,
  de: /\b(Sie|Ihr|Ihre|Ihnen|Ihrem|Ihren|Ihrer)\b(?= (können|haben|müssen|Konto|Wallet|Guthaben))/,
  es: /\b(usted|ustedes|su cuenta|su billetera|su saldo)\b/i,
};

/** What reads as translated, official or lawyerly. The same in each language, beside what only one of them has. */
const STIFF: Record<Language, RegExp> = {
  en: /nothing was taken|\b(somebody|anybody|nobody|whoever|anew|void)\b|\b(is|are|was) told\b|\b(is|are) over\b|\b(cannot|can not|does not|do not|did not|is not|are not|has not|have not|will not|may not|I am|you are)\b|\bshall\b|\bcoins?\b|\bcaps?\b/i,
  de: /es wurde (noch )?nichts abgebucht|\b(Münzen?|Grenzen?|Obergrenzen?|vorgemerkt|angehalten|unterschrieben war)\b|\b(ist|sind) vorbei\b|\bschließt\b|\bjedermann\b/i,
  es: /no se ha cobrado nada|\b(topes?|nombra otra|terminó|ya no vale|Cero)\b|se cierra\b/i,
};
/** Figures in the form of another language, and fees or limits that are no dollars. */
const FOREIGN: Record<Language, RegExp> = {
  en: /\d,\d{2}\b(?!\d)|\d USD\b|\} USD\b/,
  de: /\d\.\d{2}\b(?!\d)|\d,\d{3}\b|\d USD\b|\} USD\b|\$\d|for coffee/,
  es: /\d\.\d{2}\b(?!\d)|\d,\d{3}\b|\d USD\b|\} USD\b|\$\d|for coffee/,
};

it.each(LANGUAGES)('the sentences are short and warm in %s, with the figures of their language', (language) => {
  const faults = IDS.flatMap((id) => {
    const text = pattern(language, id);
    const words = text.replaceAll(/\{\$\w+( ->)?/g, '');
    // Longer ones are not read.
    const long = text.split(/(?<=[.!?])\s|\n/).filter((one) => one.length >= 200);
    return [words.match(STIFF[language])?.[0], text.match(FOREIGN[language])?.[0], ...long]
      .filter((fault) => fault !== undefined)
      .map((fault) => `${id}: ${fault}`);
  });
  expect(faults).toEqual([]);
});

describe('a sentence', () => {
  it('shows an amount in the figures of its language', () => {
    const given = { have: '1234.50', need: '1250.10', asset: 'USDC', chain: 'Base' };
    for (const language of LANGUAGES) {
      const text = refusalText(language, { code: 'balance_low', ...given }, { platform: 'telegram' });
      expect(text).toContain({ en: '1,234.50 USDC', de: '1.234,50 USDC', es: '1.234,50 USDC' }[language]);
      expect(text).toContain({ en: '1,250.10', de: '1.250,10', es: '1.250,10' }[language]);
    }
  });

  it('counts in the plural of its language', () => {
    const in1 = LANGUAGES.map((language) => say(language, 'in-minutes', { minutes: 1 }));
    expect(in1).toEqual(['in a minute', 'in einer Minute', 'en un minuto']);
    const in5 = LANGUAGES.map((language) => say(language, 'in-minutes', { minutes: 5 }));
    expect(in5).toEqual(['in 5 minutes', 'in 5 Minuten', 'en 5 minutos']);
  });

  it('takes text from strangers as text', () => {
    const label = '@{$chain} { help } "\u{F0000}0\u{F0000}';
    expect(say('en', 'refusal-recipient_bot', { label })).toBe(`${label} is a bot. Bots can’t be tipped.`);
    const link = { text: 'View', url: 'https://receipt.test' };
    // A mark that a stranger types is no link.
    expect(sayLinked('en', 'leg-done', { what: label, link })).toEqual(['✅ @{$chain} { help } "0. ', link]);
  });

  it('places a link where its language wants it', () => {
    const link = { text: say('de', 'leg-link', { hash: '0x12…ef' }), url: 'https://receipt.test' };
    const pieces = sayLinked('de', 'leg-confirming', { what: 'Das', link, chain: 'Base' });
    expect(pieces).toEqual(['✅ Das. ', link, ' · wird auf Base bestätigt …']);
    expect(sayLinked('de', 'leg-done', { what: 'Das', link: '' })).toEqual(['✅ Das. ']);
  });

  it('without one of its values, or unknown, is no sentence', () => {
    expect(() => sayWith('en', 'leg-link', {})).toThrow('hash');
    expect(() => sayWith('en', 'no-such-sentence' as WordId, {})).toThrow('no-such-sentence');
    // @ts-expect-error an id that does not exist
    expect(() => say('en', 'leg-nothing')).toThrow();
    // @ts-expect-error a value is missing
    expect(() => say('en', 'leg-link')).toThrow();
    // @ts-expect-error a value of another name
    expect(() => say('en', 'leg-link', { hush: 'x' })).toThrow();
  });

  it('for a problem without one of its own says what to do', () => {
    const place = { platform: 'telegram', chains: ['Base'], assets: ['USDC', 'ETH'], now: 0 };
    expect(errorText('en', { code: 'unknown_command' }, place)).toBe(
      'Sorry, I didn’t get that. Try /tip @name 5 or /help.',
    );
    expect(errorText('de', { code: 'rate_limited', retryAt: 60_000 }, place)).toContain('in einer Minute');
  });
});

describe('the language of a tag', () => {
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['ES_mx', 'es'],
    ['es-419', 'es'],
    ['en-GB', 'en'],
    ['fr', 'en'],
    ['deu', 'en'],
    ['german', null],
    ['und', null],
    ['', null],
    [undefined, null],
    [7, null],
  ])('%s is %s', (tag, language) => expect(languageOfTag(tag)).toBe(language));
});
