/** What asks in spite of a unit or an introduction, in any combination; and figures as German and Spanish readers see them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommand } from '../command.ts';
import { message } from './corpus/people.ts';
import { unitNotes } from './corpus/unitNotes.ts';

function parse(text: string) {
  return parseCommand(message('telegram', 'dm', text));
}

/** What each row of the corpus says behind its unit, by what it is asked for. */
function notesAskedFor(because: string): string[] {
  return unitNotes.flatMap(([, text, want]) =>
    want.startsWith(`?${because} `) && !text.endsWith('?')
      ? [text.replace(/^\/tip @bob 5 usdc (?:(?:for|für|por) )?/, '')]
      : [],
  );
}

const ASKED = [
  ...notesAskedFor('conditional'),
  ...notesAskedFor('other_amount'),
  ...notesAskedFor('other_recipient'),
].filter(
  // A name without a sign shows by its capital alone.
  (note) => !/^an? /.test(note),
);
const INTRODUCTIONS = ['', ' usdc', ' eth', ' usdc,', ',', ' -', ' –', ';', ':', '\n', ' 🎉', ' $'];
const PRAISE = ['', 'lunch, ', 'great work ', 'nice 😀 ', 'ok '];

describe('doubt asks', () => {
  it('what is asked behind a unit is asked behind every introduction, in any case', () => {
    const figures = fc.constantFrom('5', '$5', '0.5', '5,50');
    const cases = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
    );
    fc.assert(
      fc.property(
        figures,
        fc.constantFrom(...INTRODUCTIONS),
        fc.constantFrom(...ASKED),
        cases,
        (figure, intro, note, as) => {
          expect(['tip', 'send', 'split']).not.toContain(parse(`/tip @bob ${figure}${intro} ${as(note)}`).kind);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('words of praise in front of a condition hide nothing', () => {
    const conditions =
      'if he wins|unless he loses|as soon as he lands|wenn er gewinnt|sobald er da ist|si gana|cuando llegue|quand il arrive|dès qu’il gagne|à moins qu’il perde|never mind|just kidding|doch nicht|es broma|laisse tomber|make it 10|instead of carol';
    for (const condition of conditions.split('|')) {
      for (const praise of PRAISE) {
        for (const intro of [...INTRODUCTIONS, ' for', ' usdc für', ' por']) {
          const text = `/tip @bob 5${intro} ${praise}${condition}`;
          expect([text, ['tip', 'send', 'split'].includes(parse(text).kind)]).toEqual([text, false]);
        }
      }
    }
  });
});

describe('figures of German and Spanish readers', () => {
  it.each(['de', 'es'])('%s: what is shown can be typed; three decimals alone could be thousands', (locale) => {
    const value = fc.record({
      whole: fc.integer({ min: 0, max: 999_999 }),
      micro: fc.integer({ min: 0, max: 999_999 }),
    });
    fc.assert(
      fc.property(value, ({ whole, micro }) => {
        fc.pre(whole > 0 || micro >= 10_000);
        const fraction = String(micro).padStart(6, '0').replace(/0+$/, '');
        const grouped = new Intl.NumberFormat(locale).format(whole);
        const shown = fraction === '' ? `${whole}` : `${grouped},${fraction.length === 1 ? `${fraction}0` : fraction}`;
        const isAmbiguous = fraction.length === 3 && !grouped.includes('.');
        const amount = fraction === '' ? `${whole}` : `${whole}.${fraction}`;
        const want = isAmbiguous ? { kind: 'error', code: 'amount_ambiguous' } : { kind: 'tip', amount, unit: 'USDC' };
        expect(parse(`/tip @bob ${shown} USDC`)).toMatchObject(want);
      }),
      { numRuns: 2000 },
    );
  });
});
