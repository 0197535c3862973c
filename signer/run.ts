// What the signer process does: it attests the claims that it has read itself.
import { authorityAccount } from '../src/chain/signing/attestation.ts';
import type { Ctx } from '../src/context.ts';
import { StartError } from '../src/domain/errors.ts';
import { every } from '../src/loop.ts';
import { attestClaims } from '../src/services/escrow/attestation.ts';

/** Between two looks while claims wait, and while none does: a new one wakes it. */
const BUSY_MS = 500;
const FALLBACK_MS = 5_000;

/** @throws StartError */
export async function runSigner(ctx: Ctx): Promise<void> {
  if (!ctx.env.AUTHORITY_KEY)
    throw new StartError('AUTHORITY_KEY is missing: the signer attests claims with the key of the handle authority.');
  const authority = authorityAccount(ctx.env.AUTHORITY_KEY);
  every(ctx, 'attest', BUSY_MS, () => attestClaims(ctx, authority), { idleMs: FALLBACK_MS, topics: ['claims'] });
}
