// The handle authority's judgement: who owns an escrow, and which wallet receives it? It reads everything itself, from the chain and from the rows of
// accounts; a claim's row says only which escrow and which handle are meant. It runs in the signer process, which has no executor key.

import type { Chain } from '../../chain/chain.ts';
import {
  authorityOn,
  believedAuthority,
  hasAccountFor,
  proveTab,
  signClaim,
  type TabAuthority,
  tabOnChainId,
} from '../../chain/tabs.ts';
import { type Ctx, chainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import { isAway } from '../../domain/errors.ts';
import { choosePayer } from '../outgoing/payers.ts';
import { transitionOne } from '../transitions.ts';
import { queueClaim } from './claimKind.ts';
import { recipientOf, termsOfClaim } from './claims.ts';
import { proveName } from './usernameProof.ts';

/** The router takes ten minutes at most, counted by the chain's time; two are left for chains whose times differ. */
const ATTESTATION_SECONDS = 480n;
const MOST_DRIFT_MS = 120_000;

/** Claims of one chain that are judged in one round. */
const PAGE = 50;

/** Judges all requested claims of the chains for which there is a key, the chains in parallel. @returns how many rows were checked */
export async function attestClaims(ctx: Ctx, authority: TabAuthority): Promise<number> {
  // Claims that wait for a username are not judged yet, and must not stand before others.
  const where = { status: 'asked', heldUntil: null };
  const served = Object.values(ctx.chains).filter((chain) => authorityOn(chain, authority) !== null);
  const names = served.map(({ name }) => name);
  const chains = await ctx.db.claim.groupBy({ by: ['chain'], where: { ...where, chain: { in: names } } });
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
async function tryToAttest(ctx: Ctx, authority: TabAuthority, row: Row<'Claim'>): Promise<boolean> {
  try {
    await attest(ctx, authority, row);
    return true;
  } catch (err) {
    ctx.log.warn({ err, claim: row.id, chain: row.chain }, 'a claim could not be judged yet');
    return !isAway(err);
  }
}

async function attest(ctx: Ctx, authority: TabAuthority, row: Row<'Claim'>): Promise<void> {
  const chain = chainOf(ctx, row.chain);
  const terms = termsOfClaim(row);
  const refuse = (failure: string) =>
    ctx.db.$transaction((tx) => transitionOne(ctx, tx, 'claim', row.id, 'fail', { failure })).then(() => undefined);
  const tabId = tabOnChainId(chain, terms.sender, terms.senderNonce);
  if (tabId !== row.tabId) return refuse('The tab’s ID doesn’t match its terms.');
  if (row.usernameSlug !== null) {
    const name = await proveName(ctx.db, row, ctx.clock.now());
    if (name.state === 'refused') return refuse('This name no longer belongs to your account.');
    // The day is not over, or the platform's answer is too old: back to the check of the name.
    if (name.state !== 'proven') return holdAgain(ctx, row);
  }
  const proof = await proveTab(chain, terms);
  if (!proof) throw new Error('the endpoints of the chain do not agree');
  if (proof.state !== 'open') return refuse('This tab is no longer open.');
  const off = Number(proof.time) * 1_000 - ctx.clock.now();
  // The end of an attestation is counted by the chain's time: endpoints that say it is next month would be given one until then.
  if (!chain.local && Math.abs(off) > MOST_DRIFT_MS) throw new Error(`the chain's time is ${off} ms from ours`);
  const recipient = await recipientOf(ctx.db, chain.name, row, ctx.clock.now());
  if ('refusal' in recipient) return refuse(recipient.refusal);
  if (await hasClosedAccount(ctx, chain, row.token, recipient.address)) return refuse(CLOSED_ACCOUNT);
  const believed = await believedAuthority(chain);
  if (believed !== authorityOn(chain, authority)) {
    ctx.log.error({ chain: chain.name, believed }, 'the chain believes another handle authority than this one');
    return;
  }
  const notAfter = proof.time + ATTESTATION_SECONDS;
  const turn = await ctx.db.outgoingTx.count({ where: { kind: 'claim', subjectId: row.id } });
  const payer = await choosePayer(ctx, chain, turn);
  const signed = await signClaim(chain, authority, { tabId, terms, recipient: recipient.address, notAfter, payer });
  if (!signed) throw new Error('the tab was closed meanwhile');
  const attestation = { recipient: recipient.address, notAfter, signature: signed.signature };
  await ctx.db.$transaction(async (tx) => {
    if (await transitionOne(ctx, tx, 'claim', row.id, 'attest', attestation))
      await queueClaim(ctx, tx, row, signed.call);
  });
}

const CLOSED_ACCOUNT =
  'Your wallet has closed its account for this token. Open it again in your wallet, then claim this tab.';

/** A wallet's account for a token is created once at our cost: closing it pays its owner, so that a second one is not ours to pay for. */
async function hasClosedAccount(ctx: Ctx, chain: Chain, token: string, recipient: string): Promise<boolean> {
  if (await hasAccountFor(chain, recipient, token)) return false;
  return (await ctx.db.claim.count({ where: { chain: chain.name, token, recipient, status: 'paid' } })) > 0;
}

async function holdAgain(ctx: Ctx, { id }: Row<'Claim'>): Promise<void> {
  const heldUntil = new Date(ctx.clock.now());
  await ctx.db.claim.updateMany({ where: { id, status: 'asked' }, data: { heldUntil } });
}
