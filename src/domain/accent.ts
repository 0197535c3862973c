// The accent colour of a shop: moved in lightness as far as text needs it, once for light pages and once for dark ones.
import {
  clampChroma,
  formatHex,
  modeLrgb,
  modeOklch,
  modeRgb,
  type Rgb,
  useMode as registerMode,
  wcagContrast,
} from 'culori/fn';

/** As the owner chose it, and as pages use it: `#rrggbb` in lower case. */
export type Accent = { chosen: string; light: string; dark: string };

/** Of text to what is behind it, by WCAG 2. */
export const LEAST_CONTRAST = 4.5;
/** What is behind links, and what the text of a button is drawn with: the colours of web/src/app/theme.css. */
export const GROUNDS = {
  light: { paper: '#f7f5ef', surface: '#ffffff', sunken: '#efece3', 'on-accent': '#ffffff' },
  dark: { paper: '#111411', surface: '#191d19', sunken: '#0c0f0c', 'on-accent': '#06170e' },
} as const;
export type Scheme = keyof typeof GROUNDS;
/** How much of the accent is in a tinted ground; the rest is the surface. */
export const TINT = 0.1;
const STEP = 0.005;

registerMode(modeRgb);
// Contrast is measured in it.
registerMode(modeLrgb);
const toOklch = registerMode(modeOklch);

/** @returns the colour in lower case; null for everything but `#` and six hex digits */
export function readAccent(text: string): string | null {
  return /^#[0-9a-fA-F]{6}$/.test(text) ? text.toLowerCase() : null;
}

/** @param chosen `#rrggbb` */
export function accentOf(chosen: string): Accent {
  return { chosen, light: readableIn('light', chosen), dark: readableIn('dark', chosen) };
}

/** The least contrast that a colour has as text, and under the text of a button. */
export function contrastIn(scheme: Scheme, colour: string): number {
  const grounds = [...Object.values(GROUNDS[scheme]), tintOf(scheme, colour)];
  return Math.min(...grounds.map((ground) => contrastOf(colour, ground)));
}

/** Of one to the other, by WCAG 2. */
export function contrastOf(one: string, other: string): number {
  return wcagContrast(rgbOf(one), rgbOf(other));
}

/** The ground that a mark of this colour stands on. */
export function tintOf(scheme: Scheme, colour: string): string {
  const [one, other] = [rgbOf(colour), rgbOf(GROUNDS[scheme].surface)];
  const mixed = (part: 'r' | 'g' | 'b') => one[part] * TINT + other[part] * (1 - TINT);
  return formatHex({ mode: 'rgb', r: mixed('r'), g: mixed('g'), b: mixed('b') });
}

/** The nearest colour of the same hue that is readable: darker on light pages, lighter on dark ones. */
function readableIn(scheme: Scheme, chosen: string): string {
  if (contrastIn(scheme, chosen) >= LEAST_CONTRAST) return chosen;
  const { l, c, h } = toOklch(rgbOf(chosen));
  const step = scheme === 'light' ? -STEP : STEP;
  for (let lightness = l + step; lightness > 0 && lightness < 1; lightness += step) {
    const hue = h === undefined ? {} : { h };
    const moved = formatHex(clampChroma({ mode: 'oklch', l: lightness, c, ...hue }, 'oklch'));
    if (contrastIn(scheme, moved) >= LEAST_CONTRAST) return moved;
  }
  return scheme === 'light' ? '#000000' : '#ffffff';
}

function rgbOf(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return { mode: 'rgb', r: part(1), g: part(3), b: part(5) };
}
