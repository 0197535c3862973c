// The letters of a card: Inter, from its package. What Inter cannot write is left out: a machine's own fonts differ, and a box says nothing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GlobalFonts } from '@napi-rs/canvas';
import { ROOT } from '../../root.ts';

const INTER = join(ROOT, 'node_modules/@fontsource/inter');
const WEIGHTS = [400, 700] as const;
type Weight = (typeof WEIGHTS)[number];

/** Hexadecimal code points by subset: "U+0000-00FF,U+0131". */
let ranges: [least: number, most: number][] | null = null;
let families: string | null = null;

const subsets = () => JSON.parse(readFileSync(join(INTER, 'unicode.json'), 'utf8')) as Record<string, string>;

/** Registers the fonts once in a process. @returns what draws a weight at a size in pixels */
export function loadFonts(fonts: typeof GlobalFonts): (weight: Weight, size: number) => string {
  families ??= Object.keys(subsets())
    .map((subset) => {
      for (const weight of WEIGHTS)
        fonts.register(readFileSync(join(INTER, `files/inter-${subset}-${weight}-normal.woff2`)), `Inter ${subset}`);
      return `"Inter ${subset}"`;
    })
    .join(', ');
  return (weight, size) => `${weight} ${size}px ${families}`;
}

function isCovered(character: string): boolean {
  ranges ??= Object.values(subsets())
    .flatMap((subset) => subset.split(','))
    .map((range) => {
      const [least = '', most = least] = range.replace('U+', '').split('-');
      return [Number.parseInt(least, 16), Number.parseInt(most, 16)];
    });
  const point = character.codePointAt(0) ?? 0;
  return ranges.some(([least, most]) => least <= point && point <= most);
}

/** Of a text only this is worth drawing: with half of it gone it would say something else. */
const LEAST_KEPT = 0.5;

/** @returns the text as it can be drawn, in one line, or null where too little is left of it */
export function drawable(text: string): string | null {
  const letters = [...text.normalize('NFC')].filter((character) => !/[\p{C}\s]/u.test(character));
  const kept = letters.filter(isCovered);
  if (kept.length === 0 || kept.length < letters.length * LEAST_KEPT) return null;
  const shown = [...text.normalize('NFC')].filter((one) => /\s/u.test(one) || (!/\p{C}/u.test(one) && isCovered(one)));
  return shown.join('').replace(/\s+/gu, ' ').trim();
}
