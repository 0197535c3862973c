/** What holds for every message, not only for those that somebody thought of. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Command, type CommandInput, type Platform, parseCommand } from '../command.ts';
import { discord } from './corpus/discord.ts';
import { ALICE, BOT, type Extra, entitiesOf, message } from './corpus/people.ts';
import { telegram } from './corpus/telegram.ts';
import { x } from './corpus/x.ts';

const ROWS = [
  ...telegram.map((row) => ['telegram', ...row] as const),
  ...discord.map((row) => ['discord', ...row] as const),
  ...x.map((row) => ['x', ...row] as const),
];
const PLATFORMS: Platform[] = ['telegram', 'discord', 'x'];
const platforms = fc.constantFrom(...PLATFORMS);

function parse(platform: Platform, text: string, extra: Extra = {}, chat = 'dm'): Command {
  return parseCommand(message(platform, chat, text, extra));
}

function isPayment(command: Command): boolean {
  return command.kind === 'tip' || command.kind === 'send' || command.kind === 'split';
}

/** A person as each platform writes one; Discord by mention, the others by name. */
function personText(platform: Platform, name: string, id: string): string {
  return platform === 'discord' ? `<@${id}>` : `@${name}`;
}

const people = fc.uniqueArray(fc.constantFrom(['bob', '202'], ['carol', '303'], ['dave', '404']), {
  minLength: 1,
  selector: ([name]) => name,
});
const micro = fc.bigInt({ min: 10_000n, max: 1_000_000_000n });

function decimal(units: bigint): string {
  const digits = units.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

describe('totality', () => {
  it('answers every JSON value with a known kind', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseCommand(value as unknown as CommandInput)).toEqual({ kind: 'error', code: 'input_invalid' });
      }),
    );
  });

  it('answers a message with any JSON in any of its fields, and never pays for junk in the entities', () => {
    const field = fc.constantFrom('text', 'entities', 'interaction', 'platform');
    fc.assert(
      fc.property(fc.constantFrom(...ROWS), field, fc.jsonValue(), ([platform, chat, text, , extra], name, junk) => {
        const input = message(platform, chat, text, extra);
        expect(parseCommand({ ...input, [name]: junk } as CommandInput).kind).toEqual(expect.any(String));
      }),
    );
  });

  it('answers a message with any JSON in any field of its context', () => {
    const names = ['chat', 'bot', 'sender', 'reply_to', 'display_text_range', 'edited', 'guest', 'sender_chat'];
    fc.assert(
      fc.property(fc.constantFrom(...ROWS), fc.constantFrom(...names), fc.jsonValue(), (row, name, junk) => {
        const [platform, chat, text, , extra] = row;
        expect(parseCommand(message(platform, chat, text, { ...extra, [name]: junk })).kind).toEqual(
          expect.any(String),
        );
      }),
    );
  });

  it('survives entities with any numbers', () => {
    const entity = fc.record({
      type: fc.constantFrom('code', 'mention', 'text_mention', 'text_link', 'blockquote', 'bold'),
      offset: fc.oneof(fc.integer({ min: -2, max: 30 }), fc.double()),
      length: fc.oneof(fc.integer({ min: -2, max: 30 }), fc.double()),
      user: fc.record({ id: fc.integer({ min: 1, max: 9999 }), is_bot: fc.boolean() }),
    });
    fc.assert(
      fc.property(fc.array(entity), (entities) => {
        const command = parse('telegram', '/tip @bob 5 for @carol 7', { entities });
        if (command.kind !== 'tip') return;
        // Code may take words away from the end; it never makes another figure or another person by name.
        expect(command.amount).toBe('5');
        expect(command.recipients).toHaveLength(1);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('no false pay', () => {
  it('no random text pays, in any chat', () => {
    fc.assert(
      fc.property(platforms, fc.string({ unit: 'grapheme', maxLength: 80 }), (platform, text) => {
        expect(isPayment(parse(platform, text))).toBe(false);
        expect(isPayment(parse(platform, text, {}, 'group'))).toBe(false);
        expect(isPayment(parse(platform, `@ampersat_bot ${text}`, {}, 'public'))).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  it('no words in a group pay unless the bot is spoken to', () => {
    const words = fc.constantFrom(
      'tip',
      'send',
      'split',
      '@bob',
      '@carol',
      '5',
      '$5',
      'usdc',
      'on',
      'base',
      'for',
      'to',
      'and',
      '10',
    );
    fc.assert(
      fc.property(platforms, fc.array(words, { maxLength: 8 }), (platform, typed) => {
        expect(parse(platform, typed.join(' '), {}, 'group')).toEqual({ kind: 'none' });
      }),
    );
  });

  it('a word in front of the verb, a question mark or an override behind it stops every payment', () => {
    const paying = ROWS.filter(
      ([platform, chat, text, want]) =>
        platform !== 'discord' &&
        chat === 'dm' &&
        !text.includes('\n') &&
        /^(?:tip|send|split) /.test(want) &&
        /^\w/.test(text),
    );
    const before = fc.stringMatching(/^[a-z]{1,8}$/).filter((word) => !['tip', 'send', 'split'].includes(word));
    fc.assert(
      fc.property(fc.constantFrom(...paying), before, ([platform, chat, text], word) => {
        expect(isPayment(parse(platform, `${word} ${text}`, {}, chat))).toBe(false);
        expect(['help', 'confirm']).toContain(parse(platform, `${text}?`, {}, chat).kind);
        expect(isPayment(parse(platform, `${text} \u202e`, {}, chat))).toBe(false);
      }),
    );
  });

  it.each(['edited', 'edit_of', 'forwarded', 'via_bot', 'webhook', 'retweet', 'sender_chat'])(
    '%s silences the whole corpus',
    (flag) => {
      for (const [platform, chat, text, , extra] of ROWS) {
        if (extra?.interaction !== undefined && flag === 'x') continue;
        expect(parse(platform, text, { ...extra, [flag]: true }, chat)).toEqual({ kind: 'none' });
      }
    },
  );

  it('a bot is never answered', () => {
    for (const [platform, chat, text, , extra] of ROWS) {
      expect(parse(platform, text, { ...extra, sender: { ...ALICE, is_bot: true } }, chat)).toEqual({ kind: 'none' });
    }
  });
});

describe('doubt asks', () => {
  const word = fc.oneof(
    fc.stringMatching(/^[a-z]{1,10}$/),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((one) => /^\S+$/.test(one)),
    fc.constantFrom(
      ...'kr tenge wld only if he wins by friday make that 50 already paid upvotes cookies i mean no worries of course too kind'.split(
        ' ',
      ),
      ...'usdt stars $PEPE € k million wenn er gewinnt morgen si gana mañana quand demain x2 10 $10 -5 lunch nice and or to @carol'.split(
        ' ',
      ),
    ),
  );
  /** What may stand behind a bare figure without a question: an introduced note, an emoji, thanks. */
  const INTRODUCED =
    /^(?:for|für|fuer|por|pour|[,;:–—-]|[!.…]*[\p{Extended_Pictographic}\p{Emoji_Modifier}]|<\/?3|each$|apiece$|on$|[.!…]+$|(?:many |so |ok |okay |oh |wow |big |huge |much |cool |nice |great |yay |awesome )?(?:th|ty|tn|cheers|appreciat|dank|merci|grac|grax))/iu;

  /** Behind its unit, a figure is not bare. */
  const UNIT = /^(?:usdc?|\$|dollars?|bucks?|cents?|[c¢]|eth|bnb|celo|sol|us)[.,;:!]*$/i;

  /** The words that a reader of the chat sees: fullwidth and mathematical forms are plain signs, and what shows nothing says nothing. */
  function seen(typed: string[]): string[] {
    return typed
      .join(' ')
      .replace(/[\uff01-\uff5e\uffe0\u{1d400}-\u{1d7ff}]/gu, (sign) => sign.normalize('NFKC'))
      .split(/[\s\u0085]+/)
      .map((one) => one.replace(/^\p{Default_Ignorable_Code_Point}+|\p{Default_Ignorable_Code_Point}+$/gu, ''))
      .filter((one) => !/^\ufffc*$/.test(one));
  }

  it('random words behind a bare figure never pay', () => {
    fc.assert(
      fc.property(platforms, fc.array(word, { minLength: 1, maxLength: 6 }), (platform, typed) => {
        const person = personText(platform, 'bob', '202');
        const words = seen(typed);
        const said = words.join(' ');
        // Two backticks make code of what is between them, which nobody says.
        fc.pre(words.length > 0 && !(platform === 'discord' && /`.*`/.test(said)));
        fc.pre(
          !INTRODUCED.test(said) &&
            // Another name may complete the command; what stands behind it may introduce a note as well.
            !INTRODUCED.test(said.replace(/^(?:(?:@\S+|and|to|on|base)\s+)+/, '')) &&
            !UNIT.test(words[0] ?? ''),
        );
        for (const text of [`tip ${person} 5 ${typed.join(' ')}`, `tip 5 ${person} ${typed.join(' ')}`]) {
          const command = parse(platform, text);
          if (isPayment(command)) {
            // Names and figures that complete the command differently are no note.
            expect(words.every((one) => /^[@<\d$€.,]|^(?:and|to|or|on|base)$/.test(one))).toBe(true);
          }
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('what it asks about is the command without the note, and the note', () => {
    fc.assert(
      fc.property(platforms, micro, fc.stringMatching(/^[a-z]{3,10}$/), (platform, units, note) => {
        fc.pre(!UNIT.test(note));
        const figure = decimal(units);
        const command = parse(platform, `tip ${personText(platform, 'bob', '202')} ${figure} ${note}`);
        if (command.kind !== 'confirm') {
          expect(command.kind === 'error' || INTRODUCED.test(note) || !isPayment(command)).toBe(true);
          return;
        }
        expect(command.intent).toMatchObject({ kind: 'tip', amount: figure, unit: 'USDC', memo: note });
      }),
    );
  });
});

describe('no wrong pay', () => {
  it('pays exactly the figure and the people that were typed', () => {
    fc.assert(
      fc.property(platforms, people, micro, fc.boolean(), (platform, some, units, isFirst) => {
        const names = some.map(([name = '', id = '']) => personText(platform, name, id)).join(' ');
        const figure = decimal(units);
        const command = parse(platform, isFirst ? `tip ${figure} ${names}` : `tip ${names} ${figure}`);
        if (command.kind !== 'tip') {
          expect(command).toEqual({ kind: 'error', code: expect.any(String) });
          return;
        }
        expect(command.amount).toBe(figure);
        expect(command.recipients.map(({ value }) => value)).toEqual(
          some.map(([name, id]) => (platform === 'telegram' ? name : id)),
        );
      }),
    );
  });

  it('never pays the sender or the bot, by id or by name, whatever else is typed', () => {
    const token = fc.constantFrom(
      '@alice',
      '@ALICE',
      '@bob',
      '@ampersat_bot',
      '5',
      'usdc',
      'and',
      'to',
      'each',
      'for',
      '<@101>',
      '<@999>',
      '<@202>',
      '10%',
      '90%',
    );
    const verb = fc.constantFrom('tip', 'send', 'split', '@bob', '5');
    fc.assert(
      fc.property(platforms, verb, fc.array(token, { maxLength: 9 }), (platform, first, rest) => {
        const command = parse(platform, [first, ...rest].join(' '));
        if (command.kind !== 'tip' && command.kind !== 'send' && command.kind !== 'split') return;
        for (const { value } of command.recipients) {
          expect([ALICE.id, ALICE.username, BOT.id, BOT.username]).not.toContain(value);
        }
        expect(new Set(command.recipients.map(({ value }) => value)).size).toBe(command.recipients.length);
      }),
      { numRuns: 5000 },
    );
  });

  it('a sign glued to the figure, or one put into it, never makes another figure', () => {
    const junk = fc.constantFrom(
      '+',
      '-',
      '−',
      '%',
      'e3',
      'x',
      '/2',
      '²',
      '½',
      '٥',
      '\u200b',
      '\u202e',
      "'",
      '_',
      '*',
      '!',
      '..',
      '🎉',
      ' ',
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), junk, fc.integer({ min: 0, max: 3 }), (figure, sign, at) => {
        const digits = String(figure);
        const place = Math.min(at, digits.length);
        const command = parse('telegram', `/tip @bob ${digits.slice(0, place)}${sign}${digits.slice(place)}`);
        // Only what ends a sentence, or nobody sees, may stand at the end of the figure.
        const isEnd = place === digits.length && (sign === '!' || sign === '\u200b');
        const isGone = sign.trim() === '' || sign === '\u200b' || isEnd;
        if (command.kind === 'tip') expect([command.amount, isGone]).toEqual([digits, true]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('money is conserved', () => {
  it('even parts add up to the total and differ by a millionth at most, the larger first', () => {
    fc.assert(
      fc.property(platforms, micro, fc.integer({ min: 2, max: 10 }), (platform, units, count) => {
        const names = Array.from({ length: count }, (_, n) => `@user${n}x`).join(' ');
        const command = parse(platform, `split ${decimal(units)} ${names}`);
        if (command.kind !== 'split') {
          expect(command).toEqual({ kind: 'error', code: 'amount_too_small' });
          return;
        }
        const shares = command.shares_micro.map(BigInt);
        expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(units);
        expect(command.total).toBe(decimal(units));
        expect(shares).toEqual(shares.toSorted((a, b) => Number(b - a)));
        expect(Number((shares[0] ?? 0n) - (shares.at(-1) ?? 0n))).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('percentages that add up to 100 divide the total without a rest, each within a millionth per person', () => {
    fc.assert(
      fc.property(micro, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }), (units, some) => {
        const percents = [...some, 100 - some.reduce((sum, one) => sum + one, 0)];
        const text = percents.map((percent, n) => `@user${n}x ${percent}%`).join(' ');
        const command = parse('telegram', `/split ${decimal(units)} ${text}`);
        if (command.kind !== 'split') {
          expect(command.kind).toBe('error');
          return;
        }
        const shares = command.shares_micro.map(BigInt);
        expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(units);
        for (const [index, share] of shares.entries()) {
          const off = share * 100n - units * BigInt(percents[index] ?? 0);
          expect(off > -100n && off <= 100n).toBe(true);
        }
      }),
    );
  });

  it('given amounts are paid as given, and only when they add up to a given total', () => {
    fc.assert(
      fc.property(fc.array(micro, { minLength: 2, maxLength: 5 }), fc.bigInt({ min: -1n, max: 1n }), (parts, off) => {
        const sum = parts.reduce((all, one) => all + one, 0n);
        const text = parts.map((units, n) => `@user${n}x ${decimal(units)}`).join(' ');
        const command = parse('telegram', `/split ${decimal(sum + off)} ${text}`);
        if (off !== 0n) expect(command).toEqual({ kind: 'error', code: 'split_mismatch' });
        else expect(command).toMatchObject({ shares_micro: parts.map(Number), total: decimal(sum), mode: 'custom' });
        expect(parse('telegram', `/tip ${text}`)).toMatchObject({ kind: 'split', shares_micro: parts.map(Number) });
      }),
    );
  });
});

describe('stability', () => {
  const plain = ROWS.filter(([platform, , text, want, extra]) => {
    const isOffsetFree =
      extra?.entities === undefined && extra?.interaction === undefined && extra?.['display_text_range'] === undefined;
    return isOffsetFree && !/[`>\n]/.test(text) && want !== 'none' && platform !== undefined;
  });
  const gap = fc.array(
    fc.constantFrom(' ', '\u00a0', '\u2009', '\u3000', '\t', ' \u200b ', '\u200e ', ' \ufeff', '\u2060 '),
    {
      minLength: 1,
      maxLength: 4,
    },
  );

  it('added blanks and zero-width characters between the words change nothing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...plain),
        fc.array(gap, { minLength: 12, maxLength: 12 }),
        ([platform, chat, text, , extra], gaps) => {
          const words = text.split(/\s+/);
          const spaced = words
            .map((word, index) => `${word}${index < words.length - 1 ? gaps[index % 12]?.join('') : ''}`)
            .join('');
          expect(parse(platform, spaced, extra, chat)).toEqual(parse(platform, words.join(' '), extra, chat));
          expect(parse(platform, ` \u200b ${spaced}\u200f \n`, extra, chat)).toEqual(
            parse(platform, words.join(' '), extra, chat),
          );
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('the case of the verb, the unit and the names changes nothing', () => {
    const verbs = fc.constantFrom('tip', 'send').chain((verb) => fc.mixedCase(fc.constant(verb)));
    const units = fc.constantFrom('usdc', 'eth', 'dollars').chain((unit) => fc.mixedCase(fc.constant(unit)));
    fc.assert(
      fc.property(platforms, verbs, units, fc.mixedCase(fc.constant('bob')), (platform, verb, unit, name) => {
        const command = parse(platform, `${verb} @${name} 5 ${unit} on base`);
        expect(command).toEqual(parse(platform, `${verb.toLowerCase()} @bob 5 ${unit.toLowerCase()} on base`));
        expect(isPayment(command)).toBe(true);
      }),
    );
  });

  it('astral characters in front move Telegram offsets by UTF-16 units and X offsets by code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('😀', '🧵', 'é', 'a'), minLength: 1, maxLength: 9 }), (name) => {
        const offset = '/tip '.length;
        const entities = [{ type: 'text_mention', offset, length: name.length, user: { id: 202 } }];
        expect(parse('telegram', `/tip ${name} 5`, { entities })).toMatchObject({
          recipients: [{ by: 'id', value: '202' }],
          amount: '5',
        });
        const post = `@ampersat_bot tip 5 for ${name} and @dave`;
        expect(
          parse(
            'x',
            `@bob ${post}`,
            { reply_to: { id: '202', username: 'bob' }, display_text_range: [5, 9] },
            'public',
          ),
        ).toMatchObject({ kind: 'confirm', intent: { recipients: [{ by: 'reply', value: '202' }] } });
        expect(parse('x', `@ampersat_bot tip @bob 5 for ${name} @dave`)).toMatchObject({
          kind: 'confirm',
          intent: { recipients: [{ by: 'id', value: '202' }] },
        });
        const { mentions } = entitiesOf('x', `@ampersat_bot ${name} @dave`) as { mentions: { start: number }[] };
        expect(mentions[1]?.start).toBe([...`@ampersat_bot ${name} `].length);
      }),
    );
  });
});

describe('cost', () => {
  const nasty = [
    '`',
    '``` ',
    '> \n',
    '@a ',
    '@ampersat_bot ',
    'tip ',
    '5 ',
    '(',
    '<@1> ',
    '&amp;',
    '\u200b',
    '. ',
    '😀',
  ];
  /** Milliseconds on the processor: what other tests do beside it does not count, and the least of three runs is the calmest. */
  function costOf(platform: Platform, piece: string, length: number): number {
    const inputs = ['tip @bob 5 ', ''].map((start) =>
      message(platform, 'dm', start + piece.repeat(Math.floor(length / piece.length)), { entities: null }),
    );
    const runs = [1, 2, 3].map(() => {
      const started = process.cpuUsage();
      for (const input of inputs) parseCommand(input);
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1_000;
    });
    return Math.min(...runs);
  }
  it.each(nasty)('a long text of %j is read in linear time', (piece) => {
    for (const platform of PLATFORMS) {
      const long = costOf(platform, piece, 90_000);
      // A machine of a tenth of the usual speed takes longer: there, three times the text must not cost nine times as much.
      if (long >= 1_000) expect(long / costOf(platform, piece, 30_000)).toBeLessThan(6);
    }
  });
});
