// The colours of the pages: whoever changes one must keep every used pair readable, in light and in dark.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const CSS = read('web/src/app/theme.css');
const WINDOWS_CSS = read('local/playground/web/playground.css');
const LIGHT = coloursIn(CSS.slice(0, CSS.indexOf('prefers-color-scheme: dark')));
const DARK = coloursIn(CSS.slice(CSS.indexOf('prefers-color-scheme: dark'), CSS.indexOf('@theme')));

/** Text over ground, as the components combine them. */
const TEXTS: [text: string, grounds: string[]][] = [
  ['ink', ['paper', 'surface', 'sunken', 'own', 'soft']],
  ['muted', ['paper', 'surface', 'sunken', 'own', 'soft']],
  ['accent', ['paper', 'surface', 'sunken', 'own', 'soft']],
  ['on-accent', ['accent']],
  ['paper', ['ink']],
  ['ink', ['amber-soft']],
  ['amber', ['amber-soft', 'surface', 'paper']],
  ['brick', ['brick-soft', 'surface', 'paper']],
];

/** The windows of the playground change some of the colours. */
const WINDOWS = ['telegram', 'discord', 'x'].flatMap((name) => {
  const [light, dark] = [...WINDOWS_CSS.matchAll(new RegExp(`\\.look-${name} \\{([^}]*)\\}`, 'g'))].map(
    ([, css = '']) => coloursIn(css),
  );
  if (!light || !dark) throw new Error(`the window of ${name} has no colours`);
  return [
    { scheme: `${name}, light`, colours: new Map([...LIGHT, ...light]) },
    { scheme: `${name}, dark`, colours: new Map([...DARK, ...light, ...dark]) },
  ];
});

const SCHEMES = [{ scheme: 'light', colours: LIGHT }, { scheme: 'dark', colours: DARK }, ...WINDOWS];

describe.each(SCHEMES)('$scheme colours', ({ colours }) => {
  it.each(TEXTS.flatMap(([text, grounds]) => grounds.map((ground) => [text, ground] as const)))(
    'are readable: %s on %s',
    (text, ground) => {
      expect(contrast(colours.get(text), colours.get(ground))).toBeGreaterThanOrEqual(4.5);
    },
  );
  it.each(['paper', 'surface'])('let the edge of a control be seen on %s', (ground) => {
    expect(contrast(colours.get('edge'), colours.get(ground))).toBeGreaterThanOrEqual(3);
  });
});

it('a preview of dark pages has their colours', () => {
  const [, preview = ''] = /\.look-dark \{([^}]*)\}/.exec(CSS) ?? [];
  const [, dark = ''] = /prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}/.exec(CSS) ?? [];
  expect(coloursIn(preview)).toEqual(coloursIn(dark));
  expect(coloursIn(dark).size).toBeGreaterThan(10);
});

function coloursIn(css: string): Map<string, string> {
  const pairs = [...css.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)];
  return new Map(pairs.map(([, name = '', value = '']) => [name, value]));
}

/** The ratio of WCAG 2. */
function contrast(one: string | undefined, other: string | undefined): number {
  if (!one || !other) throw new Error('there is no such colour');
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
