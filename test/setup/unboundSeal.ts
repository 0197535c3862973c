// What earlier versions wrote: sealed texts that are bound to no row.
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';

export function sealUnbound(key: string, purpose: string, text: string): string {
  const derived = Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', purpose, 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', derived, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}
