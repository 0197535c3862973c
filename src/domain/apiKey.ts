// API keys: what they may do, for which chains, and when one counts.

export type KeyMode = 'test' | 'live';

/** `read` opens every GET; each of the others its own resource. `webhooks` and `campaigns` are given to those
 * only who ask for them: an endpoint hears everything, and a campaign pays people. */
export const SCOPES = ['orders', 'payment_links', 'events', 'read', 'webhooks', 'campaigns'] as const;
export type Scope = (typeof SCOPES)[number];
export const USUAL_SCOPES: readonly Scope[] = ['orders', 'payment_links', 'events', 'read'];

/** Keys of one workspace that work at the same time. */
export const MOST_KEYS = 50;
/** How long a key works on after it was rolled, in hours. */
export const OVERLAP_HOURS = { least: 0, most: 168, usual: 24 } as const;

/** `sk_test_` or `sk_live_` and 43 letters and digits, which hold 32 random bytes. */
export const KEY_PATTERN = /^sk_(test|live)_[0-9A-Za-z]{43}$/;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** @param random exactly 32 random bytes */
export function formatKey(mode: KeyMode, random: Uint8Array): string {
  let rest = random.reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
  let text = '';
  for (let i = 0; i < 43; i++) {
    text = ALPHABET[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return `sk_${mode}_${text}`;
}

type Life = { expiresAt: Date | null; revokedAt: Date | null; rolledToId: string | null };
export type KeyStatus = 'active' | 'rolled' | 'expired' | 'revoked';

/** `rolled` still works, until its overlap is over. */
export function keyStatus({ expiresAt, revokedAt, rolledToId }: Life, now: number): KeyStatus {
  if (revokedAt) return 'revoked';
  if (expiresAt && expiresAt.getTime() <= now) return 'expired';
  return rolledToId ? 'rolled' : 'active';
}
