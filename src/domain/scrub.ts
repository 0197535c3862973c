// Removes what could be a secret from a text of another program: an address of a provider, a token, a key.

/** Takes URLs, bot tokens and 32-byte hex (keys) out of a text before it is logged or shown. */
export function scrub(text: string): string {
  return text
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"']+/gi, '[url]')
    .replace(/(?<!\d)\d{6,}:[\w-]{10,}/g, '[token]')
    .replace(/\b(?:0x)?[0-9a-f]{64,}\b/gi, '[hex]');
}
