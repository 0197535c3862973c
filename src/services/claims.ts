// Claims of tabs: whoever may ask writes a row, the signer attests it (services/attest), and here an executor sends it. Neither key alone moves a tab.

import { encodeClaim, tabIdOf } from '../chain/escrowRouter.ts';
import type { Address, EvmChain, Hex } from '../chain/evm.ts';
import { simulateCall } from '../chain/reverts.ts';
import { proveTab } from '../chain/tabs.ts';
import { type Ctx, chainOf, newId } from '../context.ts';
import type { Row } from '../db.ts';
import { AppError } from '../domain/errors.ts';
import { type Progress, progressOf } from '../domain/sponsoredCall.ts';
import type { OutgoingTxStatus } from '../domain/tip.ts';
import type { Tab } from '../domain/typedData/tabs.ts';
import { advanceClaim } from './advance.ts';
import { submitCall } from './executor.ts';

/** A native delivery gives the recipient 50,000 gas and needs a reserve; the rest is the claim itself. */
const CLAIM_GAS = 400_000n;
/** An attestation with less time left than this is not sent: it would run out on the way. */
const LAST_CLAIM_SECONDS = 60n;
const PAGE = 50;

/** How far a claim is. `failure` is a sentence. */
export type ClaimView = {
  id: string;
  chain: string;
  tab_id: string;
  status: Progress;
  tx_hash: string | null;
  failure: string | null;
};

/**
 * Asks for an open tab to be paid to a handle. Whether the tab is that handle's is for the signer to find out.
 * @returns the claim; the one that is under way already when there is one
 * @throws AppError `state_conflict` when it is not open, `provider_unavailable`
 */
export async function askClaim(ctx: Ctx, chain: EvmChain, tab: Tab, handleId: string): Promise<ClaimView> {
  const tabId = tabIdOf(chain, tab.sender, tab.senderNonce);
  const proof = await proveTab(chain, tab);
  if (!proof)
    throw new AppError(
      'provider_unavailable',
      `${chain.facts.label} gives no clear answer at the moment. Try again shortly.`,
    );
  if (proof.state !== 'open') throw new AppError('state_conflict', STATE_WORDS[proof.state]);
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
        createdAt: new Date(ctx.clock.now()),
      },
    ],
    skipDuplicates: true,
  });
  const row = await ctx.db.claim.findFirstOrThrow({
    where: { chain: chain.name, tabId },
    orderBy: { createdAt: 'desc' },
    include: WITH_TX,
  });
  if (count === 0 && row.handleId !== handleId)
    throw new AppError('state_conflict', 'Somebody else is claiming this at the moment. Try again shortly.');
  return viewClaim(row);
}

const STATE_WORDS = {
  claimed: 'It was claimed already.',
  refunded: 'It went back to its sender.',
  unknown: 'There is no such tab on this chain.',
} as const;

const WITH_TX = { outgoingTx: { include: { attempts: { orderBy: { number: 'desc' }, take: 1 } } } } as const;
type WithTx = Row<'Claim'> & {
  outgoingTx: (Row<'OutgoingTx'> & { attempts: Row<'TxAttempt'>[] }) | null;
};

/** @throws AppError `resource_missing` */
export async function claimOf(ctx: Pick<Ctx, 'db'>, id: string): Promise<ClaimView> {
  const row = await ctx.db.claim.findUnique({ where: { id }, include: WITH_TX });
  if (!row) throw new AppError('resource_missing');
  return viewClaim(row);
}

function viewClaim(row: WithTx): ClaimView {
  const { id, chain, tabId, outgoingTx } = row;
  const tx = outgoingTx && { status: outgoingTx.status as OutgoingTxStatus, succeeded: outgoingTx.succeeded };
  const submitted = row.status === 'submitted' || row.status === 'failed' ? row.status : 'queued';
  const status = progressOf(submitted, tx);
  const hash = outgoingTx?.minedHash ?? outgoingTx?.attempts[0]?.hash ?? null;
  const lost = 'Somebody was faster: the tab was claimed or refunded first.';
  return {
    id,
    chain,
    tab_id: tabId,
    status,
    tx_hash: hash,
    failure: status === 'failed' ? (row.failure ?? lost) : null,
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

/** Sends what the signer attested. Safe to run any number of times; a chain that is away is asked again at the next round. */
export async function sendClaims(ctx: Ctx): Promise<void> {
  const rows = await ctx.db.claim.findMany({
    where: { status: 'attested' },
    orderBy: { createdAt: 'asc' },
    take: PAGE,
  });
  for (const row of rows) {
    try {
      await sendClaim(ctx, row);
    } catch (err) {
      ctx.log.warn({ err, claim: row.id, chain: row.chain }, 'an attested claim was not sent');
    }
  }
}

async function sendClaim(ctx: Ctx, row: Row<'Claim'>): Promise<void> {
  const chain = chainOf(ctx, row.chain);
  const [executor] = ctx.executors;
  if (!executor) throw new AppError('provider_unavailable', 'there is no executor key here');
  const tab = tabOf(row);
  const proof = await proveTab(chain, tab);
  if (!proof) return;
  const move = (action: 'ask_again' | 'fail', failure: string | null = null) =>
    ctx.db.$transaction((tx) =>
      advanceClaim(ctx, tx, row.id, action, { failure, recipient: null, notAfter: null, signature: null }),
    );
  if (proof.state !== 'open') return void (await move('fail', STATE_WORDS[proof.state]));
  const notAfter = row.notAfter ?? 0n;
  if (notAfter < proof.time + LAST_CLAIM_SECONDS) return void (await move('ask_again'));
  const data = encodeClaim(tab, { recipient: row.recipient as Address, notAfter }, row.signature as Hex);
  const to = chain.routers.escrow;
  const refusal = await simulateCall(chain, { account: executor.address, to, data, gas: CLAIM_GAS });
  // A pause of claims and an executor's delay pass; what the token or the attestation says does not.
  if (refusal && TEMPORARY.has(refusal.name)) return;
  if (refusal) return void (await move('fail', `The chain refuses it: ${refusal.text ?? refusal.name}.`));
  // A row that failed on the chain is failed for good, so its id is enough for once.
  const call = { kind: 'claim' as const, businessKey: `claim:${row.id}`, to, data, gas: CLAIM_GAS };
  await submitCall(ctx, chain, call, async (tx, outgoingTxId) => {
    if (!(await advanceClaim(ctx, tx, row.id, 'submit', { outgoingTxId })))
      throw new AppError('state_conflict', 'another worker sent this claim');
  });
}

const TEMPORARY = new Set(['ClaimsArePaused', 'NotExecutor']);
