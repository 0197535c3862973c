// Opening a tab: staged by the service, paid for by the sender's wallet, seen in a block, then checked by the service. Each part is done once:
// what was staged is opened by its own number, and what was sent is only waited for.

import { findChain } from '../../../../src/domain/chains.ts';
import {
  approveCall,
  authorizedOpenCall,
  handleKeyOf,
  hashOfEscrow,
  onChainIdOf,
  openCall,
} from '../../../../src/domain/escrowCalls.ts';
import type { EscrowTerms } from '../../../../src/domain/typedData/escrow.ts';
import { authorizationData } from '../../../../src/domain/typedData/tokens.ts';
import type { Bytes } from '../../../../src/domain/typedData.ts';
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import type { TypedData } from '../../app/api.ts';
import { ApiError } from '../../app/apiError.ts';
import { sendTransaction, signTyped, type WalletProvider } from '../../wallet/requests.ts';
import { signSolanaTransaction } from '../../wallet/solana/requests.ts';
import type { SolanaWallet } from '../../wallet/solana/wallets.ts';
import { inBlock, notYet, RefusedError, until } from '../../wallet/waiting.ts';
import { fetchRequest } from '../spending/spendingApi.ts';
import { isUnderWay, type Staged } from './draft.ts';
import { actOnEscrow, fetchEscrow, type NewEscrow, openSigned, prepareOpening, stageEscrow } from './escrowApi.ts';

export type OpenStage =
  | 'prepare'
  | 'authorize'
  | 'approve'
  | 'approved'
  | 'open'
  | 'sign'
  | 'send'
  | 'confirm'
  | 'check';

export type Opener = {
  provider: WalletProvider;
  address: string;
  chain: { id: number; name: string; label: string };
  /** The wallet signs for the token and sends one call; else it approves first, which takes two. */
  bySignature: boolean;
};

/** After this a staged tab is staged again: its deadline has come closer than the sender chose. */
const FRESH_MS = 10 * 60_000;
/** How long the signature for the token is good, in seconds. */
const SIGNED_FOR_S = 3_600;

/**
 * @param staged what an earlier try left, if any
 * @param keep receives what has to survive a reload, before the next step
 * @returns the open tab
 * @throws WalletError, ApiError, or Error with a sentence for people
 */
export async function openEscrow(
  opener: Opener,
  terms: NewEscrow,
  staged: Staged | null,
  keep: (staged: Staged) => void,
  onStage: (stage: OpenStage) => void,
): Promise<EscrowView> {
  onStage('prepare');
  const ready = staged && isUsable(staged, terms) ? staged : await stage(terms, keep);
  const onChain = onChainTerms(ready, opener.address);
  const sent = ready.txHash ? ready : await send(opener, ready, onChain, keep, onStage);
  keep(sent);
  onStage('confirm');
  try {
    await inBlock(opener.provider, sent.txHash ?? '', LATE, REFUSED);
  } catch (error) {
    // Nothing was locked, so it may be sent again.
    if (error instanceof RefusedError) keep({ ...sent, txHash: null });
    throw error;
  }
  onStage('check');
  return confirm(sent, opener);
}

/**
 * The same on Solana: the wallet signs the opening, and an executor sends it.
 * @throws WalletError, ApiError, or Error with a sentence for people
 */
export async function openOnSolana(
  wallet: SolanaWallet,
  terms: NewEscrow,
  staged: Staged | null,
  keep: (staged: Staged) => void,
  onStage: (stage: OpenStage) => void,
): Promise<EscrowView> {
  onStage('prepare');
  // An answer may have been lost: what was signed then is open by now.
  const known = staged?.terms === JSON.stringify(terms) ? await fetchEscrow(staged.escrow.id).catch(deleted) : null;
  if (known && known.status !== 'pending_create') return known;
  const ready = staged && isUsable(staged, terms) ? staged : await stage(terms, keep);
  const { id } = ready.escrow;
  const refused = (error: unknown) => {
    // What the chain refuses now, such as a number that another tab is ahead of, is staged again.
    if (error instanceof ApiError && error.code === 'call_refused') keep({ ...ready, at: 0 });
    throw error;
  };
  const requestId = ready.requestId ?? (await sign(wallet, id, onStage).catch(refused));
  keep({ ...ready, requestId });
  onStage('confirm');
  await until(async () => {
    const { status, failure } = await fetchRequest(requestId);
    if (status === 'failed') {
      // Nothing was locked, so it may be signed again.
      keep({ ...ready, requestId: null });
      throw new RefusedError(failure ?? REFUSED);
    }
    return status === 'mined' || status === 'final';
  }, LATE);
  onStage('check');
  let escrow = ready.escrow;
  await until(async () => {
    escrow = await fetchEscrow(id);
    return escrow.status !== 'pending_create';
  }, LATE);
  return escrow;
}

/** Tabs that were not opened are deleted after a day. */
function deleted(error: unknown): null {
  if (error instanceof ApiError && error.code === 'resource_missing') return null;
  throw error;
}

/** @returns the request under which an executor sends it */
async function sign(wallet: SolanaWallet, id: string, onStage: (stage: OpenStage) => void): Promise<string> {
  const { signed_by, solana_transaction } = await prepareOpening(id);
  onStage('sign');
  const signed = await signSolanaTransaction(wallet, signed_by, solana_transaction);
  onStage('send');
  return (await openSigned(id, signed)).request.id;
}

/** Has the service look at an opening that the wallet has sent. */
export async function confirm(
  { escrow, args, txHash }: Staged,
  at: Pick<Opener, 'address' | 'chain'>,
): Promise<EscrowView> {
  const onChain = onChainTerms({ escrow, args }, at.address);
  const onChainId = onChainIdOf({ chainId: at.chain.id, router: args.router }, onChain);
  let answer: EscrowView | null = null;
  let isKnown = false;
  await until(async () => {
    // Once the service knows the transaction, it only waits for its confirmations.
    const ask = isKnown
      ? fetchEscrow(escrow.id)
      : actOnEscrow(escrow.id, { action: 'confirm_create', txHash: txHash ?? '', onChainId });
    answer = await ask.catch(notYet);
    isKnown = isKnown || answer !== null;
    return answer !== null && answer.status !== 'pending_create';
  }, LATE);
  return answer as unknown as EscrowView;
}

export function isUsable(staged: Staged, terms: NewEscrow): boolean {
  if (isUnderWay(staged)) return true;
  return staged.terms === JSON.stringify(terms) && Date.now() - staged.at < FRESH_MS;
}

async function stage(terms: NewEscrow, keep: (staged: Staged) => void): Promise<Staged> {
  const { escrow, onChainArgs } = await stageEscrow(terms);
  const staged = {
    terms: JSON.stringify(terms),
    at: Date.now(),
    escrow,
    args: onChainArgs,
    approved: false,
    txHash: null,
  };
  keep(staged);
  return staged;
}

function onChainTerms({ escrow, args }: Pick<Staged, 'escrow' | 'args'>, sender: string): EscrowTerms {
  return {
    sender: sender as Bytes,
    token: args.stable as Bytes,
    handleKey: handleKeyOf(args.handleSlug),
    amount: BigInt(args.amount),
    deadline: BigInt(args.deadline),
    senderNonce: BigInt(args.senderNonce),
    revocable: escrow.revocable,
  };
}

async function send(
  { provider, address, chain, bySignature }: Opener,
  staged: Staged,
  onChain: EscrowTerms,
  keep: (staged: Staged) => void,
  onStage: (stage: OpenStage) => void,
): Promise<Staged> {
  const { args } = staged;
  const call = (to: string, data: string) =>
    sendTransaction(provider, address, { to, data, value: '0x0', chainId: chain.id }, chain.label);
  const tokenDomain = findChain(chain.name)?.usdcDomain;
  if (bySignature && tokenDomain) {
    onStage('authorize');
    const terms = {
      from: onChain.sender,
      to: args.router as Bytes,
      value: onChain.amount,
      validAfter: 0n,
      validBefore: BigInt(Math.floor(Date.now() / 1_000) + SIGNED_FOR_S),
      nonce: hashOfEscrow(onChain),
    };
    const data = authorizationData({ chainId: chain.id, contract: args.stable }, tokenDomain, terms);
    const signature = await signTyped(provider, address, data as unknown as TypedData, chain.label);
    onStage('open');
    return { ...staged, txHash: await call(args.router, authorizedOpenCall(onChain, { ...terms, signature })) };
  }
  const ready = { ...staged, approved: true };
  if (!staged.approved) {
    onStage('approve');
    const approval = await call(args.stable, approveCall(args.router, onChain.amount));
    onStage('approved');
    await inBlock(provider, approval, LATE, REFUSED);
    keep(ready);
  }
  onStage('open');
  return { ...ready, txHash: await call(args.router, openCall(onChain)) };
}

/** Signing for the token is there where the token knows it (EIP-3009). */
export function takesSignature(chain: string): boolean {
  return findChain(chain)?.permits.includes('eip3009') ?? false;
}

const REFUSED = 'The network rejected the transaction, so no money was locked. Check your balance and try again.';

const LATE = 'This is taking longer than usual. You can close this page and check again in a few minutes.';
