// What must be read again and must not lie open in the database: AES-256-GCM under a key that is derived from one of the environment.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** @param key 32 bytes in hex; @param purpose tells what is sealed, so that nothing sealed for one thing opens as another */
export function seal(key: string, purpose: string, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', derive(key, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** @returns null for what was sealed under another key or for another purpose, or was changed */
export function unseal(key: string, purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const cipher = createDecipheriv('aes-256-gcm', derive(key, purpose), bytes.subarray(0, 12));
    cipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function derive(key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', purpose, 32));
}
