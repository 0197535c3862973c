// How X counts a text: most letters once, other scripts and emoji twice, a link as 23, whatever its length.

/** Code points that count once; everything else counts twice. */
const LIGHT: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];
const LINK_WEIGHT = 23;
/** With a scheme, or a bare host of a common ending: X shortens both, and bills a post that has one as a post with a link. */
const LINK =
  /https?:\/\/[^\s]+|(?<![\w@.-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|app|dev|xyz|eth|link|info|me|co)(?![\w.-]*@)\b(?:\/[^\s]*)?/giu;
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The length by which a post has to stay within 280. */
export function weightedLength(text: string): number {
  const normal = text.normalize('NFC');
  const links = normal.match(LINK)?.length ?? 0;
  let weight = links * LINK_WEIGHT;
  for (const { segment } of graphemes.segment(normal.replace(LINK, ''))) {
    weight += EMOJI.test(segment) ? 2 : [...segment].reduce((sum, letter) => sum + weightOf(letter), 0);
  }
  return weight;
}

export function hasLink(text: string): boolean {
  return text.match(LINK) !== null;
}

function weightOf(letter: string): number {
  const point = letter.codePointAt(0) ?? 0;
  return LIGHT.some(([from, to]) => point >= from && point <= to) ? 1 : 2;
}
