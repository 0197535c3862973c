// The signer process: it has the handle authority's key, listens to nobody, and attests only what it has read itself.
import { authorityAccount } from '../src/chain/signing/attestation.ts';
import { StartError } from '../src/domain/errors.ts';
import { every } from '../src/loop.ts';
import { runProcess } from '../src/process.ts';
import { attestClaims } from '../src/services/escrow/attestation.ts';

const LOOK_EVERY_MS = 500;

await runProcess(
  'signer',
  async (ctx) => {
    if (!ctx.env.AUTHORITY_KEY)
      throw new StartError('AUTHORITY_KEY is missing: the signer attests claims with the key of the handle authority.');
    const authority = authorityAccount(ctx.env.AUTHORITY_KEY);
    every(ctx, 'attest', LOOK_EVERY_MS, async () => void (await attestClaims(ctx, authority)));
  },
  // Rows are all that it works on.
  { queueNames: [] },
);
