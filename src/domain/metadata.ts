// What integrators write beside their orders and links: a small flat object of strings, which comes back as it was given.
import { METADATA } from './order.ts';

export type Metadata = Record<string, string>;

/** Names that mean something else to JavaScript, at whoever reads it. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const LONE_SURROGATE = /\p{Cs}/u;
/** PostgreSQL cannot store NUL, and a lone surrogate is no character. */
const isText = (text: string) => !text.includes('\0') && !LONE_SURROGATE.test(text);

/** @returns the metadata, or why it is refused and at which key */
export function readMetadata(value: unknown): { metadata: Metadata } | { problem: string; key?: string } {
  if (value === undefined || value === null) return { metadata: {} };
  if (typeof value !== 'object' || Array.isArray(value)) return { problem: 'Metadata is an object of strings.' };
  const entries = Object.entries(value);
  if (entries.length > METADATA.keys) return { problem: `Metadata has at most ${METADATA.keys} keys.` };
  for (const [key, text] of entries) {
    if (key === '' || [...key].length > METADATA.keyLength)
      return { problem: `A key of metadata has 1 to ${METADATA.keyLength} characters.` };
    if (PROTOTYPE_KEYS.has(key) || !isText(key)) return { problem: 'This key of metadata is not allowed.' };
    if (typeof text !== 'string') return { problem: 'Values of metadata are strings.', key };
    if ([...text].length > METADATA.valueLength)
      return { problem: `A value of metadata has at most ${METADATA.valueLength} characters.`, key };
    if (!isText(text)) return { problem: 'This value of metadata is not plain text.', key };
  }
  return { metadata: Object.fromEntries(entries) as Metadata };
}
