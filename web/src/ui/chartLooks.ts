// How high a chart is, and how its lines differ: by tone, and by dashes once every tone is taken, so that colour alone never distinguishes them.
export const TONES = ['accent', 'amber', 'brick', 'muted'] as const;
export type Tone = (typeof TONES)[number];

/** Lengths drawn and left out, in pixels; the first is a whole line. */
const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

/** The looks that differ: 16. A chart with more lines repeats them. */
export const LOOKS = TONES.length * DASHES.length;

export function toneAt(index: number): Tone {
  return TONES[index % TONES.length] ?? 'accent';
}

/** @returns the dashes of each line: the first of a tone is whole, the next ones differ from it and from each other */
export function dashesOf(tones: readonly Tone[]): (readonly number[])[] {
  return tones.map((tone, index) => {
    const before = tones.slice(0, index).filter((one) => one === tone).length;
    return DASHES[before % DASHES.length] ?? [];
  });
}

/** @returns a round number above the greatest value, so that a line of the grid is above it @param least between two lines of the grid */
export function axisTop(most: number, least = 0): number {
  if (!(most > 0)) return 1;
  const rough = Math.max(most / 4, least);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((one) => one * power >= rough) ?? 10) * power;
  return Math.ceil((most * 1.02) / step) * step;
}
