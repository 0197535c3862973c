/** `crypto.randomUUID` is missing on a page that came without TLS. */
export function drawIdempotencyKey(): string {
  return `try-${Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
