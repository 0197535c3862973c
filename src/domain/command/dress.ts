/**
 * Takes off what people put around a name or a figure without meaning anything by it: quotes, backticks, stars of emphasis. Each sign becomes a
 * zero-width one, so that offsets stay true and the tokens lose it at their edges.
 */

const NAME = String.raw`@[\w.]{1,32}|<@!?\d{1,20}>|[\w.]{3,30}@ampersat|0x[0-9a-fA-F]{40}`;
const UNIT = '(?:usdc?|dollars?|bucks?|cents?|[$¢c]|eth|bnb|celo|sol)';
const FIGURE = String.raw`\$?\d[\d.,]{0,30}k?(?:\s?${UNIT})?`;
const WORD = `${NAME}|${FIGURE}|${UNIT}`;
const PLAIN = new RegExp(`^(?:${WORD})$`, 'i');

const QUOTED = new RegExp(
  String.raw`(?<![^\s\u200b-\u200f(])(?:"(${WORD})"|'(${WORD})'|\x60(${WORD})\x60|[“”„](${WORD})[“”]|[‘’‚](${WORD})[‘’]|[«»](${WORD})[«»])(?![^\s\u200b-\u200f.,;:!?)])`,
  'gi',
);
/** `*5*`, `**tip** @bob 5`; a star between digits multiplies and stays. */
const STARRED = /(?<![\w*~|`\\])(\*{1,3})(?=[^\s*])([^*\n]{1,200})(?<=\S)\1(?![\w*])/g;
/** `_5_`, `__5__`: a name may hold a low line, a figure holds none. */
const LINED = new RegExp(String.raw`(?<![\w\\])(_{1,3})(${FIGURE})\1(?!\w)`, 'gi');

const GONE = '\u200b';

/** Whether a piece of code is nothing but a name or an amount: then the backticks around it are only quotes. */
export function isPlainCode(text: string): boolean {
  return PLAIN.test(text.replace(/^`+|`+$/g, '').trim());
}

function hide(whole: string, inner: string): string {
  const start = whole.indexOf(inner);
  return GONE.repeat(start) + inner + GONE.repeat(whole.length - start - inner.length);
}

/** The text without quotes and emphasis around names and figures; same length as before. */
export function undress(text: string): string {
  if (!/["'`“”„‘’‚«»*_]/.test(text)) return text;
  const unmarked = text
    .replace(STARRED, (whole, _mark, inner: string) => hide(whole, inner))
    .replace(LINED, (whole, _mark, inner: string) => hide(whole, inner));
  return unmarked.replace(QUOTED, (whole, ...groups: unknown[]) => {
    const inner = groups.slice(0, 6).find((group) => typeof group === 'string');
    return typeof inner === 'string' ? hide(whole, inner) : whole;
  });
}
