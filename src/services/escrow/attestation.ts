// The handle authority's judgement: who owns an escrow, and which wallet receives it? It reads everything itself, from the chain and from the rows of
// accounts; a claim's row says only which escrow and which handle are meant. It runs in the signer process, which has no executor key.

import { escrowOnChainId } from '../../chain/routers/escrow.ts';
import { authorityOf, proveEscrow } from '../../chain/routers/openEscrows.ts';
import { claimSignature, type PrivateKeyAccount } from '../../chain/signing/attestation.ts';
import { type Ctx, evmChainOf, evmChains } from '../../context.ts';
import type { Row } from '../../db.ts';
import { isAway } from '../../domain/errors.ts';
import { transitionOne } from '../transitions.ts';
import { queueClaim } from './claimKind.ts';
import { recipientOf, termsOfClaim } from './claims.ts';
import { proveName } from './usernameProof.ts';

/** The router takes ten minutes at most, counted by the chain's time; two are left for chains whose times differ. */
const ATTESTATION_SECONDS = 480n;
const MOST_DRIFT_MS = 120_000;

/** Claims of one chain that are judged in one round. */
const PAGE = 50;

/** Judges all requested claims, the chains in parallel. @returns how many rows were checked */
export async function attestClaims(ctx: Ctx, authority: PrivateKeyAccount): Promise<number> {
  // Claims that wait for a username are not judged yet, and must not stand before others.
  const where = { status: 'asked', heldUntil: null };
  const served = { chain: { in: Object.keys(evmChains(ctx)) } };
  const chains = await ctx.db.claim.groupBy({ by: ['chain'], where: { ...where, ...served } });
  const counts = await Promise.all(
    chains.map(async ({ chain }) => {
      const rows = await ctx.db.claim.findMany({
        where: { ...where, chain },
        orderBy: { createdAt: 'asc' },
        take: PAGE,
      });
      for (const [index, row] of rows.entries()) if (!(await tryToAttest(ctx, authority, row))) return index + 1;
      return rows.length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** @returns false when the chain does not answer: its other claims wait for the next round */
async function tryToAttest(ctx: Ctx, authority: PrivateKeyAccount, row: Row<'Claim'>): Promise<boolean> {
  try {
    await attest(ctx, authority, row);
    return true;
  } catch (err) {
    ctx.log.warn({ err, claim: row.id, chain: row.chain }, 'a claim could not be judged yet');
    return !isAway(err);
  }
}

async function attest(ctx: Ctx, authority: PrivateKeyAccount, row: Row<'Claim'>): Promise<void> {
  const chain = evmChainOf(ctx, row.chain);
  const escrow = termsOfClaim(row);
  const refuse = (failure: string) =>
    ctx.db.$transaction((tx) => transitionOne(ctx, tx, 'claim', row.id, 'fail', { failure })).then(() => undefined);
  if (escrowOnChainId(chain, escrow.sender, escrow.senderNonce) !== row.tabId)
    return refuse('The tab’s ID doesn’t match its terms.');
  if (row.usernameSlug !== null) {
    const name = await proveName(ctx.db, row, ctx.clock.now());
    if (name.state === 'refused') return refuse('This name no longer belongs to your account.');
    // The day is not over, or the platform's answer is too old: back to the check of the name.
    if (name.state !== 'proven') return holdAgain(ctx, row);
  }
  const proof = await proveEscrow(chain, escrow);
  if (!proof) throw new Error('the endpoints of the chain do not agree');
  if (proof.state !== 'open') return refuse('This tab is no longer open.');
  const off = Number(proof.time) * 1_000 - ctx.clock.now();
  // The end of an attestation is counted by the chain's time: endpoints that say it is next month would be given one until then.
  if (!chain.local && Math.abs(off) > MOST_DRIFT_MS) throw new Error(`the chain's time is ${off} ms from ours`);
  const recipient = await recipientOf(ctx.db, chain.name, row, ctx.clock.now());
  if ('refusal' in recipient) return refuse(recipient.refusal);
  const believed = await authorityOf(chain);
  if (believed !== authority.address) {
    ctx.log.error({ chain: chain.name, believed }, 'the escrow router believes another handle authority than this one');
    return;
  }
  const notAfter = proof.time + ATTESTATION_SECONDS;
  const terms = { tabId: row.tabId, handleKey: escrow.handleKey, recipient: recipient.address, notAfter };
  const signature = await claimSignature(chain, authority, terms);
  const attestation = { recipient: recipient.address, notAfter, signature };
  await ctx.db.$transaction(async (tx) => {
    if (await transitionOne(ctx, tx, 'claim', row.id, 'attest', attestation))
      await queueClaim(ctx, tx, chain, row, attestation);
  });
}

async function holdAgain(ctx: Ctx, { id }: Row<'Claim'>): Promise<void> {
  const heldUntil = new Date(ctx.clock.now());
  await ctx.db.claim.updateMany({ where: { id, status: 'asked' }, data: { heldUntil } });
}
