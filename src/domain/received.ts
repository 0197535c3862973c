// The rules of notices about received money: how long one notice collects, which senders are strangers, and how a note is shown.
import type { MicroUsd } from './money.ts';

/** "minute": one notice for what arrives within a minute. "day": one a day, for small escrows of strangers. */
export type ReceivedPace = 'minute' | 'day';
export const RECEIVED_WINDOW_MS: Readonly<Record<ReceivedPace, number>> = { minute: 60_000, day: 24 * 3_600_000 };
/** Between two edits of a notice. */
export const RECEIVED_EDIT_MS = 3_000;

/** Below this, an escrow of a stranger waits for the daily notice. One settled payment of as much, either way, ends being strangers. */
export const STRANGER_BELOW: MicroUsd = 1_000_000n;

const MOST_NOTE = 100;
/** Keeps apps from turning text into something that can be pressed; it shows nothing and breaks no line. */
const WORD_JOINER = '\u2060';

/** Text of another person without anything that an app would link: addresses, mentions, commands, tags. */
export function unlinked(text: string): string {
  return text.replace(/[@/#$.:](?=\S)/gu, `$&${WORD_JOINER}`);
}

/** A note in one line, at most 100 characters, without links. */
export function shownNote(note: string): string {
  const line = [...note.replace(/\s+/gu, ' ').trim()];
  return unlinked(line.length <= MOST_NOTE ? line.join('') : `${line.slice(0, MOST_NOTE - 1).join('')}…`);
}
