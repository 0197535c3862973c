// What the signer process does: it attests the claims that it has read itself.
import { authorityAccount } from '../src/chain/signing/attestation.ts';
import type { Ctx } from '../src/context.ts';
import { StartError } from '../src/domain/errors.ts';
import { BUSY_MS, every, RARE_FALLBACK_MS } from '../src/loop.ts';
import { attestClaims } from '../src/services/escrow/attestation.ts';

/** @throws StartError */
export async function runSigner(ctx: Ctx): Promise<void> {
  if (!ctx.env.AUTHORITY_KEY)
    throw new StartError('AUTHORITY_KEY is missing: the signer attests claims with the key of the handle authority.');
  const authority = authorityAccount(ctx.env.AUTHORITY_KEY);
  every(ctx, 'attest', BUSY_MS, () => attestClaims(ctx, authority), { idleMs: RARE_FALLBACK_MS, topics: ['claims'] });
}
