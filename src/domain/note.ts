// Notes that people write for each other: plain text, at most 280 characters, and nothing in them that hides or turns what stands around them.

export const NOTE_LENGTH = 280;

/** Direction marks, embeddings, overrides and isolates; line and paragraph separators; invisible fillers and tags. */
const HIDDEN = /[\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\u{E0000}-\u{E007F}]/u;
/** Controls, lone surrogates, private and unassigned characters. A line break is none of them. */
const NOT_TEXT = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/u;

/** Marks pile up on a letter without an end, over the lines around it. No language writes four. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;

export type NoteProblem = 'too_long' | 'not_plain';

/** @returns the note without blanks around it (null for none), or why it is refused */
export function readNote(text: string, most = NOTE_LENGTH): { note: string | null } | { problem: NoteProblem } {
  const note = text.replaceAll('\r\n', '\n').trim();
  if ([...note].length > most) return { problem: 'too_long' };
  if (HIDDEN.test(note) || NOT_TEXT.test(note.replaceAll('\n', ''))) return { problem: 'not_plain' };
  return { note: note === '' ? null : note };
}

/** What strangers write for others to read: three marks a letter stay. What a merchant writes is kept as it is. */
export const withoutPiles = (text: string): string => text.replace(PILED_MARKS, '$1');
