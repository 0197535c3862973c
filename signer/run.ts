// What the signer process does: it attests the claims that it has read itself.
import { authorityAccount } from '../src/chain/signing/attestation.ts';
import { solanaKeyOf } from '../src/chain/solana/client.ts';
import type { TabAuthority } from '../src/chain/tabs.ts';
import type { Ctx } from '../src/context.ts';
import { StartError } from '../src/domain/errors.ts';
import { BUSY_MS, every, RARE_FALLBACK_MS } from '../src/loop.ts';
import { attestClaims } from '../src/services/escrow/attestation.ts';

/** @throws StartError */
export async function runSigner(ctx: Ctx): Promise<void> {
  const { AUTHORITY_KEY: evm, SOLANA_AUTHORITY_KEY: solana } = ctx.env;
  if (!evm && !solana)
    throw new StartError(
      'AUTHORITY_KEY and SOLANA_AUTHORITY_KEY are missing: the signer attests claims with the keys of the handle authority.',
    );
  const authority: TabAuthority = {
    ...(evm && { evm: authorityAccount(evm) }),
    ...(solana && { solana: solanaKeyOf(solana) }),
  };
  every(ctx, 'attest', BUSY_MS, () => attestClaims(ctx, authority), { idleMs: RARE_FALLBACK_MS, topics: ['claims'] });
}
