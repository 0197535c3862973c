// Signatures of webhooks: `Service-Signature`, and beside it the headers of Standard Webhooks, so that the libraries of either verify.
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** What is signed. The same bytes have to be sent, and `timestampS`, in Unix seconds, is of the attempt and not of the event. */
export type SignatureInput = { id: string; timestampS: number; body: string; secrets: readonly string[] };

/** A new signing secret: `whsec_` and the base64 of 32 random bytes. */
export function drawSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/**
 * The headers of one attempt. Every secret in force signs, so that a receiver verifies with whichever it has.
 * `Service-Signature` keys its HMAC on the secret as it is written, `webhook-signature` on the bytes that it stands for.
 * @throws Error without a secret: a request that no receiver can verify must not leave
 */
export function signatureHeaders({ id, timestampS, body, secrets }: SignatureInput): Record<string, string> {
  if (secrets.length === 0) throw new Error('there is no secret to sign with');
  const own = secrets.map((secret) => `v1=${hmac(secret, `${timestampS}.${body}`, 'hex')}`);
  const standard = secrets.map((secret) => `v1,${hmac(keyOf(secret), `${id}.${timestampS}.${body}`, 'base64')}`);
  return {
    'Service-Signature': [`t=${timestampS}`, ...own].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': standard.join(' '),
  };
}

function hmac(key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text, 'utf8').digest(encoding);
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
