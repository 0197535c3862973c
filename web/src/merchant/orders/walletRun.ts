// What the merchant's wallet sends, one call after the other, or signs whole for an executor; then the service is polled until it has seen the last
// transaction in a final block itself.

import { fetchRequest } from '../../person/spending/spendingApi.ts';
import { type AnyWallet, providerOf, solanaWalletOf } from '../../wallet/anyWallet.ts';
import { sendTransaction, type WalletProvider } from '../../wallet/requests.ts';
import { signSolanaTransaction } from '../../wallet/solana/requests.ts';
import { inBlock, notYet, RefusedError, until } from '../../wallet/waiting.ts';
import type { Calls, Whole } from './ordersApi.ts';

export type RunStage = 'prepare' | 'approve' | 'send' | 'sign' | 'confirm' | 'check';

export const RUN_WORDS: Record<RunStage, { now: string; after: string }> = {
  prepare: { now: 'Preparing…', after: 'Prepared' },
  approve: { now: 'Approve this amount in your wallet…', after: 'Approved' },
  send: { now: 'Confirm in your wallet…', after: 'Sent' },
  sign: { now: 'Sign in your wallet…', after: 'Signed' },
  confirm: { now: 'Waiting for a block…', after: 'In a block' },
  check: { now: 'Waiting for confirmations…', after: 'Confirmed' },
};

const SLOW =
  'This is taking longer than usual. You can close this page; the order updates once the transaction is confirmed.';

/** What is on its way: a transaction of the wallet's own, or a request that an executor sends. Nothing is signed again while there is one. */
export type Sent = { txHash: string } | { request: string };
type Known = { sent: Sent | null; keep: (sent: Sent) => void };

/**
 * @param check posts the transaction to the service; true once it is recorded, false when it has to be polled again
 * @throws WalletError, ApiError, RefusedError when nothing was done, or Error with a sentence for people
 */
export async function runStep(
  wallet: AnyWallet,
  chainLabel: string,
  prepare: () => Promise<Calls | Whole>,
  check: (txHash: string) => Promise<boolean>,
  onStage: (stage: RunStage) => void,
  known: Known,
): Promise<void> {
  let { sent } = known;
  if (!sent) {
    onStage('prepare');
    const prepared = await prepare();
    sent = await ('transactions' in prepared
      ? sendCalls(providerOf(wallet), chainLabel, prepared, onStage)
      : signWhole(wallet, prepared, onStage));
    // Whatever fails from here on, it is on its way: a retry only looks.
    known.keep(sent);
  }
  onStage('confirm');
  const txHash = 'request' in sent ? await minedRequest(sent.request) : sent.txHash;
  if ('txHash' in sent) await inBlock(providerOf(wallet), txHash, SLOW);
  onStage('check');
  await until(async () => (await check(txHash).catch(notYet)) ?? false, SLOW);
}

async function sendCalls(
  provider: WalletProvider,
  chainLabel: string,
  { transactions, payee }: Calls,
  onStage: (stage: RunStage) => void,
): Promise<Sent> {
  let txHash: string | null = null;
  for (const { purpose, ...call } of transactions) {
    onStage(purpose === 'approve' ? 'approve' : 'send');
    txHash = await sendTransaction(provider, payee, call, chainLabel);
    if (purpose === 'approve') await inBlock(provider, txHash, SLOW);
  }
  if (txHash === null) throw new Error('Nothing to send.');
  return { txHash };
}

async function signWhole(
  wallet: AnyWallet,
  { signed_by, solana_transaction, submit }: Whole,
  onStage: (stage: RunStage) => void,
): Promise<Sent> {
  onStage('sign');
  const signed = await signSolanaTransaction(solanaWalletOf(wallet), signed_by, solana_transaction);
  return { request: (await submit(signed)).id };
}

/** @returns its transaction once that is in a block. @throws RefusedError when it failed */
async function minedRequest(id: string): Promise<string> {
  let txHash: string | null = null;
  await until(async () => {
    const request = await fetchRequest(id, true).catch(notYet);
    if (request?.status === 'failed') throw new RefusedError(request.failure ?? undefined);
    if (request && request.status !== 'queued' && request.status !== 'sent') txHash = request.tx_hash;
    return txHash !== null;
  }, SLOW);
  if (txHash === null) throw new Error(SLOW);
  return txHash;
}
