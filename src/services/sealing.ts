// What must be read again and must not lie open in the database: AES-256-GCM under a key that is derived from one of the environment, and bound to
// its row, so that what was sealed for one row opens in no other.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Ctx } from '../context.ts';

/** What is sealed, and the ID of the row that it belongs to. */
export type SealedPlace = { purpose: string; row: string };

/** Before what is bound to its row; texts of earlier versions have no prefix. */
const BOUND = '2.';

/** @param key 32 bytes in hex */
export function seal(key: string, { purpose, row }: SealedPlace, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', derive(key, purpose), nonce).setAAD(Buffer.from(row));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return BOUND + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** @returns null for what was sealed under another key, for another purpose or row, or was changed, or is bound to no row */
export function unseal(key: string, { purpose, row }: SealedPlace, sealed: string): string | null {
  return isBound(sealed) ? open(key, purpose, sealed.slice(BOUND.length), row) : null;
}

/** Binds texts of earlier versions to their rows, and counts them. */
export function binderOf(key: string) {
  const tally = { unbound: 0, opened: 0 };
  return {
    tally,
    /** @returns the text as it is where it is bound already, or does not open */
    bind(place: SealedPlace, sealed: string): string {
      if (isBound(sealed)) return sealed;
      tally.unbound += 1;
      const text = open(key, place.purpose, sealed, null);
      if (text === null) return sealed;
      tally.opened += 1;
      return seal(key, place, text);
    },
  };
}

/**
 * Runs `bindAll` until it succeeded once in this database; after that nothing unbound opens. A key that opens none of what is unbound is a wrong one:
 * nothing is marked then, and the next start tries again.
 * @param name what is bound by it; @param bindAll answers how many texts were unbound, and how many of them opened
 */
export async function bindOnce(
  ctx: Ctx,
  name: string,
  bindAll: () => Promise<{ unbound: number; opened: number }>,
): Promise<void> {
  if (await ctx.db.sealingMark.findUnique({ where: { name } })) return;
  const { unbound, opened } = await bindAll();
  if (unbound > 0 && opened === 0) {
    ctx.log.error({ name, unbound }, 'no sealed text opens with this key: none was bound, and none is used');
    return;
  }
  const data = [{ name, boundAt: new Date(ctx.clock.now()) }];
  await ctx.db.sealingMark.createMany({ data, skipDuplicates: true });
}

const isBound = (sealed: string): boolean => sealed.startsWith(BOUND);

function open(key: string, purpose: string, sealed: string, row: string | null): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const cipher = createDecipheriv('aes-256-gcm', derive(key, purpose), bytes.subarray(0, 12));
    if (row !== null) cipher.setAAD(Buffer.from(row));
    cipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function derive(key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', purpose, 32));
}
