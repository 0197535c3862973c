// Claims of escrows that name a username: a check of the name at once, a wait of a day with a notice to the sender, a second check of the name,
// and only then the signer. Nothing is decided here; the signer judges by itself.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { CLOSED_WORDS, NAME_HOLD_MS } from '../../domain/escrow.ts';
import { platformLabel, readEscrowSlug } from '../../domain/escrowSlug.ts';
import { wantNames } from '../accounts/usernameChecks.ts';
import { transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import { tellSender } from './notices.ts';
import { type NameProof, proveName } from './usernameProof.ts';

const PAGE = 100;
const LOOK_AGAIN_MS = 1_000;
/** A platform that tells nothing for so long, when the claim is made and when the day is over. */
const FIRST_ANSWER_MS = 10 * 60_000;
const LAST_ANSWER_MS = 2 * NAME_HOLD_MS;

/** Moves on what is due. Safe to run any number of times. @returns how many claims were looked at */
export async function holdNames(ctx: Ctx): Promise<number> {
  const due = await ctx.db.claim.findMany({
    where: { status: 'asked', heldUntil: { lte: new Date(ctx.clock.now()) } },
    orderBy: { heldUntil: 'asc' },
    take: PAGE,
  });
  for (const claim of due) {
    try {
      await holdName(ctx, claim);
    } catch (err) {
      ctx.log.warn({ err, claim: claim.id }, 'a claim by username could not be moved on; it is tried again');
    }
  }
  if (due.length > 0) await ctx.queues.flush(ctx.db);
  return due.length;
}

async function holdName(ctx: Ctx, claim: Row<'Claim'>): Promise<void> {
  const now = ctx.clock.now();
  const [proof, escrow] = await Promise.all([
    proveName(ctx.db, claim, now),
    ctx.db.escrow.findUnique({ where: { chain_tabId: { chain: claim.chain, tabId: claim.tabId } } }),
  ]);
  const failure = escrow?.status === 'refunded' ? CLOSED_WORDS.refunded : reasonToEnd(claim, proof, now);
  if (failure !== null)
    return void (await ctx.db.$transaction((tx) => transitionOne(ctx, tx, 'claim', claim.id, 'fail', { failure })));
  const release = proof.state === 'held' ? proof.since + NAME_HOLD_MS : now;
  const next = proof.state === 'proven' ? null : new Date(release > now ? release : now + LOOK_AGAIN_MS);
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.claim.updateMany({
      where: { id: claim.id, status: 'asked', heldUntil: claim.heldUntil },
      data: { heldUntil: next },
    });
    if (next === null) await wake(tx, 'claims');
    if (count === 0 || proof.state === 'proven' || proof.state === 'refused') return;
    if (release > now) await tellSender(ctx, tx, claim, 'tab_name_hold');
    else await wantNames(ctx, tx, proof.accounts, claim.id);
  });
}

function reasonToEnd(claim: Row<'Claim'>, proof: NameProof, now: number): string | null {
  const slug = readEscrowSlug(claim.usernameSlug ?? '');
  const [name, platform] = slug?.kind === 'username' ? [slug.name, platformLabel(slug.platform)] : ['', ''];
  if (proof.state === 'refused') return `None of your connected accounts is called @${name} on ${platform}.`;
  const asked = claim.createdAt.getTime();
  const silent =
    (proof.state === 'unknown' && now - asked > FIRST_ANSWER_MS) ||
    (proof.state === 'held' && now - proof.since > NAME_HOLD_MS + LAST_ANSWER_MS);
  return silent ? `${platform} did not tell us who @${name} is. Try again later.` : null;
}
