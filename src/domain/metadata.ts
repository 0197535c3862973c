// What integrators write beside their orders and links: a small flat object of strings, which comes back as it was given.
import { METADATA } from './order.ts';

export type Metadata = Record<string, string>;

/** Names that mean something else to JavaScript, in the code that reads it. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const LONE_SURROGATE = /\p{Cs}/u;
/** PostgreSQL cannot store NUL, and a lone surrogate is no character. */
const isText = (text: string) => !text.includes('\0') && !LONE_SURROGATE.test(text);

/** @returns the metadata, or why it is refused and at which key */
export function readMetadata(value: unknown): { metadata: Metadata } | { problem: string; key?: string } {
  if (value === undefined || value === null) return { metadata: {} };
  if (typeof value !== 'object' || Array.isArray(value)) return { problem: 'metadata must be an object of strings.' };
  const entries = Object.entries(value);
  if (entries.length > METADATA.keys) return { problem: `metadata can have at most ${METADATA.keys} keys.` };
  for (const [key, text] of entries) {
    if (key === '' || [...key].length > METADATA.keyLength)
      return { problem: `metadata keys must be 1 to ${METADATA.keyLength} characters.` };
    if (PROTOTYPE_KEYS.has(key) || !isText(key)) return { problem: 'This metadata key isn’t allowed.' };
    if (typeof text !== 'string') return { problem: 'metadata values must be strings.', key };
    if ([...text].length > METADATA.valueLength)
      return { problem: `metadata values must be at most ${METADATA.valueLength} characters.`, key };
    if (!isText(text)) return { problem: 'metadata values must be plain text.', key };
  }
  return { metadata: Object.fromEntries(entries) as Metadata };
}
