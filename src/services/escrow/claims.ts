// Claims of tabs: whoever may ask writes a row, the signer attests it (services/escrow/attestation), and here an executor sends it. Neither key alone moves a tab.

import { encodeClaim, handleKey as handleKeyOf, tabIdOf } from '../../chain/routers/escrow.ts';
import { proveTab } from '../../chain/routers/openTabs.ts';
import { simulateCall } from '../../chain/routers/reverts.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { type Ctx, chainOf, newId } from '../../context.ts';
import type { Db, Row, Tx } from '../../db.ts';
import { type ClaimStatus, handleSlugs } from '../../domain/claim.ts';
import { AppError } from '../../domain/errors.ts';
import { CLOSED_WORDS } from '../../domain/escrow.ts';
import { type Progress, progressOf } from '../../domain/sponsoredCall.ts';
import type { OutgoingTxStatus } from '../../domain/tip.ts';
import type { Tab } from '../../domain/typedData/tabs.ts';
import { reaches } from '../../domain/walletReach.ts';
import { lockSender } from '../locks.ts';
import { workingExecutor } from '../outgoing/keys.ts';
import { submitCall } from '../outgoing/submit.ts';
import { advanceClaim } from '../transitions.ts';
import { proveName } from './usernameProof.ts';

/** A native delivery gives the recipient 50,000 gas and needs a reserve; the rest is the claim itself. */
const CLAIM_GAS = 400_000n;
/** An attestation with less time left than this is not sent: it would run out on the way. */
const LAST_CLAIM_SECONDS = 60n;
/** Claims of one chain that are looked at in one round. */
const PAGE = 50;
/** Transactions of one claim that may fail before it is given up. */
const MOST_ATTEMPTS = 3;

/** How far a claim is. `failure` is a sentence. */
export type ClaimView = {
  id: string;
  chain: string;
  tab_id: string;
  status: Progress;
  tx_hash: string | null;
  failure: string | null;
  /** ISO 8601: until when a claim by username waits, once that is known. */
  held_until: string | null;
};

/**
 * Asks for an open tab to be paid to a handle. Whether the tab is that handle's is for the signer to find out.
 * @param usernameSlug what the tab names when that is a username: then checks of the name come first, see services/escrow/usernameHolds
 * @returns the claim; the one that is under way already when there is one
 * @throws AppError `state_conflict` when it is not open, `provider_unavailable`
 */
export async function askClaim(
  ctx: Ctx,
  chain: EvmChain,
  tab: Tab,
  handleId: string,
  usernameSlug: string | null = null,
): Promise<ClaimView> {
  const tabId = tabIdOf(chain, tab.sender, tab.senderNonce);
  const proof = await proveTab(chain, tab);
  if (!proof)
    throw new AppError(
      'provider_unavailable',
      `${chain.facts.label} isn’t responding clearly right now. Try again shortly.`,
    );
  if (proof.state !== 'open') throw new AppError('state_conflict', STATE_WORDS[proof.state]);
  const now = new Date(ctx.clock.now());
  const { count } = await ctx.db.claim.createMany({
    data: [
      {
        id: newId(ctx, 'clm'),
        chain: chain.name,
        tabId,
        sender: tab.sender,
        token: tab.token,
        handleKey: tab.handleKey,
        units: String(tab.amount),
        deadline: tab.deadline,
        senderNonce: String(tab.senderNonce),
        revocable: tab.revocable,
        handleId,
        status: 'asked',
        createdAt: now,
        usernameSlug,
        heldUntil: usernameSlug === null ? null : now,
      },
    ],
    skipDuplicates: true,
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

const STATE_WORDS = {
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
  // What failed in a block is looked into before anybody is told: the tab may be open still.
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

/** The terms of the tab that a row is about. */
export function tabOf(row: Row<'Claim'>): Tab {
  return {
    sender: row.sender as Address,
    token: row.token as Address,
    handleKey: row.handleKey as Hex,
    amount: BigInt(row.units.toFixed()),
    deadline: row.deadline,
    senderNonce: BigInt(row.senderNonce.toFixed()),
    revocable: row.revocable,
  };
}

/**
 * Goes through the claims in some statuses, the chains side by side and the statuses of a chain one after the other. A chain that does not
 * answer is left alone in this status for this round, so that nothing waits long for it. `work` says by itself what went wrong.
 * @returns how many were looked at
 */
export async function forEachClaim(
  ctx: Ctx,
  steps: Partial<Record<ClaimStatus, (row: Row<'Claim'>) => Promise<void>>>,
): Promise<number> {
  const statuses = Object.keys(steps) as ClaimStatus[];
  // Asked twice a second, nearly always in vain, so it is asked for all chains and statuses at once; the claims of each come where there are some.
  const groups = await ctx.db.claim.groupBy({
    by: ['chain', 'status'],
    where: { chain: { in: Object.keys(ctx.chains) }, status: { in: statuses } },
  });
  const looked = [...new Set(groups.map(({ chain }) => chain))].map(async (chain) => {
    let count = 0;
    for (const status of statuses) {
      if (!groups.some((group) => group.chain === chain && group.status === status)) continue;
      const { [status]: work } = steps;
      if (work) count += await forEachOf(ctx, chain, status, work);
    }
    return count;
  });
  return (await Promise.all(looked)).reduce((sum, count) => sum + count, 0);
}

async function forEachOf(
  ctx: Ctx,
  chain: string,
  status: ClaimStatus,
  work: (row: Row<'Claim'>) => Promise<void>,
): Promise<number> {
  // What waits for a name is nobody's work yet, and must not stand before others.
  const rows = await ctx.db.claim.findMany({
    where: { chain, status, heldUntil: null },
    orderBy: { createdAt: 'asc' },
    take: PAGE,
  });
  for (const [index, row] of rows.entries()) {
    try {
      await work(row);
    } catch (error) {
      // What is wrong with one claim alone must not hold up those behind it.
      if (error instanceof AppError && error.code === 'provider_unavailable') return index + 1;
    }
  }
  return rows.length;
}

/**
 * Sends what the signer attested, and ends what was sent. Safe to run any number of times; a chain that is away is asked again at the next
 * round.
 * @returns how many were looked at
 */
export async function sendClaims(ctx: Ctx): Promise<number> {
  const guarded = (work: typeof sendClaim, what: string) => async (row: Row<'Claim'>) => {
    try {
      await work(ctx, row);
    } catch (err) {
      ctx.log.warn({ err, claim: row.id, chain: row.chain }, what);
      throw err;
    }
  };
  return forEachClaim(ctx, {
    attested: guarded(sendClaim, 'an attested claim was not sent'),
    submitted: guarded(concludeClaim, 'a claim that was sent was not concluded'),
  });
}

/** A final transaction paid it, or the tab tells what became of it: somebody was faster, or it is open still and asked for anew. */
async function concludeClaim(ctx: Ctx, { id, chain: name, outgoingTxId }: Row<'Claim'>): Promise<void> {
  const sent = await ctx.db.outgoingTx.findUniqueOrThrow({ where: { id: outgoingTxId ?? '' } });
  if (sent.status !== 'final' && sent.status !== 'lost') return;
  const row = await ctx.db.claim.findUniqueOrThrow({ where: { id } });
  if (sent.succeeded) {
    await ctx.db.$transaction((tx) => advanceClaim(ctx, tx, id, 'settle'));
    return;
  }
  const proof = await proveTab(chainOf(ctx, name), tabOf(row));
  if (!proof) return;
  const open = proof.state === 'open';
  const givenUp = (await attemptsOf(ctx, id)) >= MOST_ATTEMPTS;
  const fields = { recipient: null, notAfter: null, signature: null };
  await ctx.db.$transaction((tx) =>
    open && !givenUp
      ? advanceClaim(ctx, tx, id, 'ask_again', { ...fields, outgoingTxId: null })
      : advanceClaim(ctx, tx, id, 'fail', {
          failure:
            proof.state === 'open'
              ? 'The network rejected this claim several times. Try again later.'
              : STATE_WORDS[proof.state],
        }),
  );
}

/** Transactions that were made for a claim. */
function attemptsOf(ctx: Ctx, id: string): Promise<number> {
  return ctx.db.outgoingTx.count({ where: { businessKey: { startsWith: `claim:${id}:` } } });
}

async function sendClaim(ctx: Ctx, row: Row<'Claim'>): Promise<void> {
  const chain = chainOf(ctx, row.chain);
  const executor = await workingExecutor(ctx, chain);
  const tab = tabOf(row);
  const proof = await proveTab(chain, tab);
  if (!proof) return;
  // What another worker sent while this one looked at the chain is that one's to end.
  const move = (action: 'ask_again' | 'fail', failure: string | null = null) => {
    const fields = { failure, recipient: null, notAfter: null, signature: null };
    return ctx.db.$transaction((tx) => advanceClaim(ctx, tx, row.id, action, fields, 'attested'));
  };
  if (proof.state !== 'open') return void (await move('fail', STATE_WORDS[proof.state]));
  const notAfter = row.notAfter ?? 0n;
  if (notAfter < proof.time + LAST_CLAIM_SECONDS) return void (await move('ask_again'));
  const data = encodeClaim(tab, { recipient: row.recipient as Address, notAfter }, row.signature as Hex);
  const to = chain.routers.escrow;
  const refusal = await simulateCall(chain, { account: executor, to, data, gas: CLAIM_GAS });
  // A pause of claims and an executor's delay pass; what the token or the attestation says does not.
  if (refusal && TEMPORARY.has(refusal.name)) return;
  if (refusal) return void (await move('fail', `The network rejected this claim (${refusal.text ?? refusal.name}).`));
  const businessKey = `claim:${row.id}:${await attemptsOf(ctx, row.id)}`;
  const call = { kind: 'claim' as const, businessKey, to, data, gas: CLAIM_GAS };
  const stillSo = await ctx.db.$transaction((tx) => isAttestedStill(ctx, tx, chain, row));
  if (!stillSo) return void (await move('ask_again'));
  await submitCall(ctx, chain, call, async (tx, outgoingTxId) => {
    // A disconnect, or a change of the wallet, either waits for us here or is seen: nothing is signed after it was said.
    if (!(await isAttestedStill(ctx, tx, chain, row)))
      throw new AppError('state_conflict', 'the account or the wallet changed meanwhile');
    if (!(await advanceClaim(ctx, tx, row.id, 'submit', { outgoingTxId })))
      throw new AppError('state_conflict', 'another worker sent this claim');
  });
}

/** Whether the attestation that was encoded is the row's, and pays whom our rows would name now. */
async function isAttestedStill(ctx: Ctx, tx: Tx, chain: EvmChain, row: Row<'Claim'>): Promise<boolean> {
  await lockSender(tx, row.handleId);
  const now = await tx.claim.findUniqueOrThrow({ where: { id: row.id } });
  const recipient = await recipientOf(tx, chain, row, ctx.clock.now());
  return now.signature === row.signature && 'address' in recipient && recipient.address === row.recipient;
}

/** The wallet of the handle, if a tab is for that handle. A username is the handle's only for as long as {@link proveName} says so. */
export async function recipientOf(
  db: Db | Tx,
  chain: EvmChain,
  claim: Row<'Claim'>,
  now: number,
): Promise<{ address: Address } | { refusal: string }> {
  const handle = await db.handle.findUnique({
    where: { id: claim.handleId },
    include: { wallets: { where: { family: 'evm' } }, connections: { where: { disconnectedAt: null } } },
  });
  if (!handle) return { refusal: 'No such handle.' };
  const slugs = handleSlugs(handle.slug, handle.connections);
  if (claim.usernameSlug !== null && (await proveName(db, claim, now)).state === 'proven')
    slugs.push(claim.usernameSlug);
  if (!slugs.some((slug) => handleKeyOf(slug) === claim.handleKey)) return { refusal: 'This tab is for someone else.' };
  const [wallet] = handle.wallets;
  if (!wallet) return { refusal: 'This handle has no wallet.' };
  // A contract's address may be somebody else's on a chain where it has not proven itself.
  if (!reaches(wallet, chain.name)) return { refusal: `Your smart wallet isn’t verified on ${chain.facts.label}.` };
  return { address: wallet.address as Address };
}

const TEMPORARY = new Set(['ClaimsArePaused', 'NotExecutor']);
