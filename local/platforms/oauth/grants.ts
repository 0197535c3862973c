/** What was granted: codes that are good once and for a minute, and tokens until they are given back. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Person } from '../../stack/people.ts';

const CODE_TTL_MS = 60_000;

export type OAuthClient = { id: string; secret: string };
export type AskedFor = { clientId: string; redirectUri: string; challenge: string; scope: string };
type Code = AskedFor & { person: Person; expiresAt: number; token: string | null };
type Token = { person: Person; scope: string; revoked: boolean };

export type Grants = {
  codes: Map<string, Code>;
  tokens: Map<string, Token>;
  now: () => number;
};

export function newGrants(now: () => number): Grants {
  return { codes: new Map(), tokens: new Map(), now };
}

export function grantCode(grants: Grants, asked: AskedFor, person: Person): string {
  const code = randomBytes(24).toString('base64url');
  grants.codes.set(code, { ...asked, person, expiresAt: grants.now() + CODE_TTL_MS, token: null });
  return code;
}

/**
 * Exchanges a code. Everything has to be what the code was granted for; a code that comes twice takes back what it gave.
 * @returns the token, or null for what these platforms call `invalid_grant`
 */
export function redeemCode(
  grants: Grants,
  given: { code: string; clientId: string; redirectUri: string; verifier: string },
): { token: string; scope: string } | null {
  const code = grants.codes.get(given.code);
  if (!code) return null;
  if (code.token !== null) {
    revokeToken(grants, code.token);
    return null;
  }
  const challenge = createHash('sha256').update(given.verifier).digest('base64url');
  const fits =
    code.clientId === given.clientId && code.redirectUri === given.redirectUri && same(code.challenge, challenge);
  if (!fits || code.expiresAt <= grants.now()) return null;
  const token = randomBytes(24).toString('base64url');
  code.token = token;
  grants.tokens.set(token, { person: code.person, scope: code.scope, revoked: false });
  return { token, scope: code.scope };
}

/** Whose token it is, while it is good. */
export function holderOf(grants: Grants, token: string): Person | null {
  const found = grants.tokens.get(token);
  return found && !found.revoked ? found.person : null;
}

export function revokeToken(grants: Grants, token: string): void {
  const found = grants.tokens.get(token);
  if (found) found.revoked = true;
}

export function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
