// Claims of escrows: a row asks, the signer attests it (escrow/attestation), an executor sends it (escrow/claimKind). Neither key alone moves an escrow.
import type { Chain } from '../../chain/chain.ts';
import { handleKey as handleKeyOf } from '../../chain/routers/escrow.ts';
import type { Hex } from '../../chain/rpc/client.ts';
import { proveTab, tabOnChainId } from '../../chain/tabs.ts';
import { type Ctx, newId } from '../../context.ts';
import type { Db, Row, Tx } from '../../db.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { handleSlugs } from '../../domain/claim.ts';
import { AppError } from '../../domain/errors.ts';
import { CLOSED_WORDS } from '../../domain/escrow.ts';
import type { OutgoingTxStatus } from '../../domain/outgoing.ts';
import { type CallProgress, progressOf } from '../../domain/sponsoredCall.ts';
import type { TabTerms } from '../../domain/typedData/escrow.ts';
import { FAMILY_LABELS, type WalletFamily } from '../../domain/walletFamily.ts';
import { reaches } from '../../domain/walletReach.ts';
import { wake } from '../wake.ts';
import { proveName } from './usernameProof.ts';

/** How far a claim is. `failure` is a sentence. */
export type ClaimView = {
  id: string;
  chain: string;
  tab_id: string;
  status: CallProgress;
  tx_hash: string | null;
  failure: string | null;
  /** ISO 8601: until when a claim by username waits, once that is known. */
  held_until: string | null;
};

/**
 * Asks for an open escrow to be paid to a handle. Whether the escrow is that handle's is for the signer to find out.
 * @param usernameSlug what the escrow names when that is a username: then checks of the name come first, see services/escrow/usernameHolds
 * @returns the claim; the one that is under way already when there is one
 * @throws AppError `state_conflict` when it is not open, `provider_unavailable`
 */
export async function askClaim(
  ctx: Ctx,
  chain: Chain,
  escrow: TabTerms,
  handleId: string,
  usernameSlug: string | null = null,
): Promise<ClaimView> {
  const tabId = tabOnChainId(chain, escrow.sender, escrow.senderNonce);
  const proof = await proveTab(chain, escrow);
  if (!proof)
    throw new AppError(
      'provider_unavailable',
      `${chain.facts.label} isn’t responding clearly right now. Try again shortly.`,
    );
  if (proof.state !== 'open') throw new AppError('state_conflict', STATE_WORDS[proof.state]);
  const now = new Date(ctx.clock.now());
  const count = await ctx.db.$transaction(async (tx) => {
    const made = await tx.claim.createMany({
      data: [
        {
          id: newId(ctx, 'clm'),
          chain: chain.name,
          tabId,
          sender: escrow.sender,
          token: escrow.token,
          handleKey: escrow.handleKey,
          units: String(escrow.amount),
          deadline: escrow.deadline,
          senderNonce: String(escrow.senderNonce),
          revocable: escrow.revocable,
          handleId,
          status: 'asked',
          createdAt: now,
          usernameSlug,
          heldUntil: usernameSlug === null ? null : now,
        },
      ],
      skipDuplicates: true,
    });
    await wake(tx, usernameSlug === null ? 'claims' : 'names');
    return made.count;
  });
  const row = await ctx.db.claim.findFirstOrThrow({
    where: { chain: chain.name, tabId },
    orderBy: { createdAt: 'desc' },
    include: CLAIM_TX,
  });
  if (count === 0 && row.handleId !== handleId)
    throw new AppError('state_conflict', 'Someone else is claiming this. Try again shortly.');
  return viewClaim(row);
}

export const STATE_WORDS = {
  ...CLOSED_WORDS,
  unknown: 'Tab not found on this network.',
} as const;

export const CLAIM_TX = { outgoingTx: { include: { attempts: { orderBy: { number: 'desc' }, take: 1 } } } } as const;
export type ClaimRow = Row<'Claim'> & {
  outgoingTx: (Row<'OutgoingTx'> & { attempts: Row<'TxAttempt'>[] }) | null;
};

/** @throws AppError `resource_missing` */
export async function claimOf(ctx: Pick<Ctx, 'db'>, id: string): Promise<ClaimView> {
  const row = await ctx.db.claim.findUnique({ where: { id }, include: CLAIM_TX });
  if (!row) throw new AppError('resource_missing');
  return viewClaim(row);
}

export function viewClaim(row: ClaimRow): ClaimView {
  const { id, chain, tabId, outgoingTx } = row;
  const tx = outgoingTx && { status: outgoingTx.status as OutgoingTxStatus, succeeded: outgoingTx.succeeded };
  const over = row.status === 'submitted' || row.status === 'paid';
  const progress = progressOf(over ? 'submitted' : row.status === 'failed' ? 'failed' : 'queued', tx);
  // A claim that failed in a block is checked before its failure shows: the escrow may still be open.
  const status = row.status === 'submitted' && progress === 'failed' ? 'sent' : progress;
  const hash = outgoingTx?.minedHash ?? outgoingTx?.attempts[0]?.hash ?? null;
  return {
    id,
    chain,
    tab_id: tabId,
    status,
    tx_hash: hash,
    failure: row.failure,
    held_until: row.status === 'asked' ? (row.heldUntil?.toISOString() ?? null) : null,
  };
}

/** The terms of the escrow that a row is about. */
export function termsOfClaim(row: Row<'Claim'>): TabTerms {
  return {
    sender: row.sender,
    token: row.token,
    handleKey: row.handleKey as Hex,
    amount: BigInt(row.units.toFixed()),
    deadline: row.deadline,
    senderNonce: BigInt(row.senderNonce.toFixed()),
    revocable: row.revocable,
  };
}

/** The wallet of the handle on the chain, if an escrow is for that handle. A username is the handle's only for as long as {@link proveName} says so. */
export async function recipientOf(
  db: Db | Tx,
  chain: string,
  claim: Row<'Claim'>,
  now: number,
): Promise<{ address: string } | { refusal: string }> {
  const { family, label } = CHAINS[chain as ChainName];
  const handle = await db.handle.findUnique({
    where: { id: claim.handleId },
    include: { wallets: { where: { family } }, connections: { where: { disconnectedAt: null } } },
  });
  if (!handle) return { refusal: 'No such handle.' };
  const slugs = handleSlugs(handle.slug, handle.connections);
  if (claim.usernameSlug !== null && (await proveName(db, claim, now)).state === 'proven')
    slugs.push(claim.usernameSlug);
  if (!slugs.some((slug) => handleKeyOf(slug) === claim.handleKey)) return { refusal: 'This tab is for someone else.' };
  const [wallet] = handle.wallets;
  if (!wallet) return { refusal: noWallet(family) };
  // A contract's address may belong to another owner on a chain where it has not proven itself.
  if (!reaches(wallet, chain)) return { refusal: `Your smart wallet isn’t verified on ${label}.` };
  return { address: wallet.address };
}

/** What its owner has to do before anything can be paid on chains of a family. */
export function noWallet(family: WalletFamily): string {
  return `This handle has no ${FAMILY_LABELS[family]} wallet yet. Add one in the settings, then claim this tab.`;
}
