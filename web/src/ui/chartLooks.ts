// How the lines of one chart differ: by tone, and by dashes once every tone is taken, so that colour alone never distinguishes them.
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
