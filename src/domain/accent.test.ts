// An accent colour can be read on both themes, whatever was chosen, and nothing but a colour passes for one.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accentOf,
  contrastIn,
  contrastOf,
  GROUNDS,
  LEAST_CONTRAST,
  readAccent,
  type Scheme,
  TINT,
  tintOf,
} from './accent.ts';

const colours = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const SCHEMES: Scheme[] = ['light', 'dark'];

describe('a colour', () => {
  test.each([['#0b5d3b'], ['#000000'], ['#ffffff'], ['#FFcc00']])('%s is one', (text) => {
    expect(readAccent(text)).toBe(text.toLowerCase());
  });

  test.each([
    '',
    '#fff',
    '#ffff',
    '#ffffff00',
    '0b5d3b',
    'red',
    ' #0b5d3b',
    '#0b5d3b ',
    '#0b5d3b\n',
    '#0b5d3b;',
    '#0b5d3b;}body{display:none',
    '#0b5d3b}*{background:url(https://evil.example)}',
    'url(https://evil.example/x)',
    'var(--ink)',
    'rgb(0,0,0)',
    'expression(alert(1))',
    '#0b5d3b/**/',
    '#０b5d3b',
    '#0b5d3g',
    '\\23 0b5d3b',
    '</style><script>alert(1)</script>',
  ])('%j is none', (text) => {
    expect(readAccent(text)).toBeNull();
  });
});

describe.each(SCHEMES)('%s pages', (scheme) => {
  test.each(['#ffff00', '#000000', '#ffffff', '#808080', '#0b5d3b', '#ff0000', '#0000ff', '#00ffff', '#777777'])(
    'can be read with %s',
    (chosen) => {
      expect(contrastIn(scheme, accentOf(chosen)[scheme])).toBeGreaterThanOrEqual(LEAST_CONTRAST);
    },
  );

  test('can be read with any colour, which stays a colour and stays as it is where it can', () => {
    fc.assert(
      fc.property(colours, (chosen) => {
        const colour = accentOf(chosen)[scheme];
        expect(readAccent(colour)).toBe(colour);
        expect(contrastIn(scheme, colour)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
        if (contrastIn(scheme, chosen) >= LEAST_CONTRAST) expect(colour).toBe(chosen);
      }),
      { numRuns: 300 },
    );
  });

  test('are measured by the colours that they have', () => {
    const css = readFileSync(new URL('../../web/src/app/theme.css', import.meta.url), 'utf8');
    const at = css.indexOf('prefers-color-scheme: dark');
    const own = scheme === 'light' ? css.slice(0, at) : css.slice(at, css.indexOf('@theme'));
    for (const [name, colour] of Object.entries(GROUNDS[scheme])) expect(own).toContain(`--${name}: ${colour};`);
    expect(css).toContain(`--soft: color-mix(in srgb, var(--accent) ${TINT * 100}%, var(--surface));`);
  });
});

test('the hue stays: yellow becomes a dark yellow, navy a light blue', () => {
  expect(accentOf('#ffd400')).toMatchObject({ chosen: '#ffd400', dark: '#ffd400' });
  const parts = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const [red = 0, green = 0, blue = 0] = parts(accentOf('#ffd400').light);
  expect(red).toBeGreaterThan(blue);
  expect(green).toBeGreaterThan(blue);
  const [navyRed = 0, , navyBlue = 0] = parts(accentOf('#000080').dark);
  expect(navyBlue).toBeGreaterThan(navyRed);
  expect(accentOf('#000080').light).toBe('#000080');
});

test.each([
  ['light', '#1a1c19', '#565c54'],
  ['dark', '#eceee8', '#a5aca2'],
] as const)('text stays readable on a tint of %s pages', (scheme, ...texts) => {
  fc.assert(
    fc.property(colours, (chosen) => {
      const ground = tintOf(scheme, accentOf(chosen)[scheme]);
      for (const text of texts) expect(contrastOf(text, ground)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
    }),
    { numRuns: 100 },
  );
});

test('a tint is a little of the colour on the surface', () => {
  expect(tintOf('light', '#000000')).toBe('#e6e6e6');
});
