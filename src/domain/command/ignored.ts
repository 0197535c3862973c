/**
 * Blots out what the sender did not say himself: code, quotations, struck-out text. The blots keep the length of the text,
 * so that offsets stay true, and they glue to their neighbours, so that no number is ever read out of half a word.
 */
import { isPlainCode, undress } from './dress.ts';
import type { Entities, Span } from './entities.ts';
import type { Platform } from './result.ts';

/** Stands for a character of code or of a quotation. */
export const BLOT = '\ufffc';
/** Stands for a character that is there but may not pay: struck out, hidden, or a link with a text of its own. */
export const SMUDGE = '\ufffe';

/** A piece of code that stands behind other words and is nothing but a name or an amount is quoted, not shown as an example. */
function isQuote(text: string, { start, end }: Span): boolean {
  const isApart = /\s/.test(text[start - 1] ?? '') && /^[\s.,;:!]?$/.test(text[end] ?? '');
  return isApart && text.slice(0, start).trim() !== '' && isPlainCode(text.slice(start, end));
}

/** Discord code: a run of backticks up to the next run of the same length. Unclosed runs are plain text there, too. */
function findCode(text: string): Span[] {
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ start: run.index, length: run[0].length }));
  // For each length the starts still ahead, the nearest one last: many unclosed runs must not cost a search each.
  const ahead = new Map<number, number[]>();
  for (const run of runs.toReversed()) {
    const starts = ahead.get(run.length);
    if (starts === undefined) ahead.set(run.length, [run.start]);
    else starts.push(run.start);
  }
  const spans: Span[] = [];
  let readTo = 0;
  for (const run of runs) {
    const starts = ahead.get(run.length) ?? [];
    starts.pop();
    const close = starts.at(-1);
    if (run.start < readTo || close === undefined) continue;
    readTo = close + run.length;
    const span = { start: run.start, end: readTo };
    if (run.length > 1 || !isQuote(text, span)) spans.push(span);
  }
  return spans;
}

function findQuotedLines(platform: Platform, text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    if (platform === 'discord' && line.trimStart().startsWith('>>>')) return [...spans, { start, end: text.length }];
    if (/^[\s\u200b-\u200f\u2060\ufeff]*>/.test(line)) spans.push({ start, end });
    start = end + 1;
  }
  return spans;
}

function blot(text: string, spans: Span[], mark: string): string {
  if (spans.length === 0) return text;
  let blotted = '';
  let readTo = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= readTo) continue;
    const from = Math.max(start, readTo);
    blotted += text.slice(readTo, from) + mark.repeat(end - from);
    readTo = end;
  }
  return blotted + text.slice(readTo);
}

/** The text with every ignored and every doubtful character replaced by its mark, and without signs around names and figures; same length as before. */
export function maskText(platform: Platform, text: string, entities: Entities): string {
  const code = platform === 'discord' && text.includes('`') ? findCode(text) : [];
  const quoted = text.includes('>') ? findQuotedLines(platform, text) : [];
  const smudged = blot(text, entities.doubtful, SMUDGE);
  const ignored = entities.ignored.filter((span) => !(span.isInline === true && isQuote(text, span)));
  return undress(blot(blot(smudged, code, BLOT), [...quoted, ...ignored], BLOT));
}
