// The languages that Ampersat speaks, and which of them fits the language that a platform reports for a person.

export const LANGUAGES = ['en', 'de', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(value: unknown): value is Language {
  return (LANGUAGES as readonly unknown[]).includes(value);
}

/** Codes by which platforms say that they do not know. */
const UNKNOWN = new Set(['und', 'qme', 'qst', 'zxx', 'mul', 'art']);

/**
 * The language for a tag such as `de`, `de-AT` or `es_MX`. Speakers of any other language read English.
 * @returns null when the tag says nothing
 */
export function languageOfTag(tag: unknown): Language | null {
  const primary = typeof tag === 'string' ? /^[a-z]{2,3}(?![a-z])/i.exec(tag)?.[0].toLowerCase() : undefined;
  if (!primary || UNKNOWN.has(primary)) return null;
  return isLanguage(primary) ? primary : 'en';
}
