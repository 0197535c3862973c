// The handle authority's judgement: who is a tab for, and where are they paid? Everything is read here anew, from the chain and from the rows of
// accounts; a claim's row says only which tab and which handle are meant. It runs in the signer process, which has no executor key.

import { tabIdOf } from '../../chain/routers/escrow.ts';
import { authorityOf, proveTab } from '../../chain/routers/openTabs.ts';
import { claimSignature, type PrivateKeyAccount } from '../../chain/signing/attestation.ts';
import { type Ctx, chainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import { advanceClaim } from '../transitions.ts';
import { forEachClaim, recipientOf, tabOf } from './claims.ts';
import { proveName } from './usernameProof.ts';

/** The router takes ten minutes at most, counted by the chain's time; two are left for chains whose times differ. */
const ATTESTATION_SECONDS = 480n;
const MOST_DRIFT_MS = 120_000;

/** Judges everything that is asked for. @returns how many rows were looked at */
export async function attestClaims(ctx: Ctx, authority: PrivateKeyAccount): Promise<number> {
  return forEachClaim(ctx, {
    asked: async (row) => {
      try {
        await attest(ctx, authority, row);
      } catch (err) {
        // A chain that is away, or endpoints that do not agree: asked again in the next round.
        ctx.log.warn({ err, claim: row.id, chain: row.chain }, 'a claim could not be judged yet');
        throw err;
      }
    },
  });
}

async function attest(ctx: Ctx, authority: PrivateKeyAccount, row: Row<'Claim'>): Promise<void> {
  const chain = chainOf(ctx, row.chain);
  const tab = tabOf(row);
  const refuse = (failure: string) =>
    ctx.db.$transaction((tx) => advanceClaim(ctx, tx, row.id, 'fail', { failure })).then(() => undefined);
  if (tabIdOf(chain, tab.sender, tab.senderNonce) !== row.tabId) return refuse('The tab’s ID doesn’t match its terms.');
  if (row.usernameSlug !== null) {
    const name = await proveName(ctx.db, row, ctx.clock.now());
    if (name.state === 'refused') return refuse('This name no longer belongs to your account.');
    // The day is not over, or what the platform said is too old: back to where the name is asked for.
    if (name.state !== 'proven') return holdAgain(ctx, row);
  }
  const proof = await proveTab(chain, tab);
  if (!proof) throw new Error('the endpoints of the chain do not agree');
  if (proof.state !== 'open') return refuse('This tab is no longer open.');
  const off = Number(proof.time) * 1_000 - ctx.clock.now();
  // The end of an attestation is counted by the chain's time: endpoints that say it is next month would be given one until then.
  if (!chain.local && Math.abs(off) > MOST_DRIFT_MS) throw new Error(`the chain's time is ${off} ms from ours`);
  const recipient = await recipientOf(ctx.db, chain, row, ctx.clock.now());
  if ('refusal' in recipient) return refuse(recipient.refusal);
  const believed = await authorityOf(chain);
  if (believed !== authority.address) {
    ctx.log.error({ chain: chain.name, believed }, 'the escrow router believes another handle authority than this one');
    return;
  }
  const notAfter = proof.time + ATTESTATION_SECONDS;
  const terms = { tabId: row.tabId, handleKey: tab.handleKey, recipient: recipient.address, notAfter };
  const signature = await claimSignature(chain, authority, terms);
  await ctx.db.$transaction((tx) =>
    advanceClaim(ctx, tx, row.id, 'attest', { recipient: recipient.address, notAfter, signature }),
  );
}

async function holdAgain(ctx: Ctx, { id }: Row<'Claim'>): Promise<void> {
  const heldUntil = new Date(ctx.clock.now());
  await ctx.db.claim.updateMany({ where: { id, status: 'asked' }, data: { heldUntil } });
}
