// Calls that the merchant's wallet sends one after the other, each included in a block before the next; then the service is polled until it has seen
// the last one in a final block itself.
import { ApiError } from '../../app/api.ts';
import { readReceipt, sendTransaction, type WalletProvider } from '../../wallet/requests.ts';
import type { Calls } from './ordersApi.ts';

export type RunStage = 'prepare' | 'approve' | 'send' | 'confirm' | 'check';

export const RUN_WORDS: Record<RunStage, { now: string; after: string }> = {
  prepare: { now: 'Preparing…', after: 'Prepared' },
  approve: { now: 'Approve this amount in your wallet…', after: 'Approved' },
  send: { now: 'Confirm in your wallet…', after: 'Sent' },
  confirm: { now: 'Waiting for a block…', after: 'In a block' },
  check: { now: 'Waiting for confirmations…', after: 'Confirmed' },
};

const POLL_MS = 1_000;
const PATIENCE_MS = 3 * 60_000;

/**
 * @param check posts the transaction to the service; true once it is recorded, false when it has to be polled again
 * @throws WalletError, ApiError, or Error with a sentence for people
 */
export async function runCalls(
  provider: WalletProvider,
  chainLabel: string,
  prepare: () => Promise<Calls>,
  check: (txHash: string) => Promise<boolean>,
  onStage: (stage: RunStage) => void,
  known: { txHash: string | null; keep: (txHash: string) => void },
): Promise<void> {
  let txHash = known.txHash;
  if (txHash === null) {
    onStage('prepare');
    const { transactions, payee } = await prepare();
    for (const { purpose, ...call } of transactions) {
      onStage(purpose === 'approve' ? 'approve' : 'send');
      txHash = await sendTransaction(provider, payee, call, chainLabel);
      if (purpose === 'approve') await inBlock(provider, txHash);
    }
    if (txHash === null) throw new Error('Nothing to send.');
    // Whatever fails from here on, the money is on its way: a retry only looks.
    known.keep(txHash);
  }
  const sent = txHash;
  onStage('confirm');
  await inBlock(provider, sent);
  onStage('check');
  await until(() => check(sent).catch(notYet));
}

async function inBlock(provider: WalletProvider, hash: string): Promise<void> {
  await until(async () => {
    const receipt = await readReceipt(provider, hash);
    if (receipt?.status === '0x0') throw new RefusedError();
    return receipt !== null;
  });
}

/** It is in a block and did nothing, so it may be sent again. */
export class RefusedError extends Error {
  constructor() {
    super('The network rejected the transaction, so nothing was sent. Check your balance and try again.');
    this.name = 'RefusedError';
  }
}

const AGAIN: string[] = ['tx_not_found', 'provider_unavailable', 'unreachable', 'rate_limited'];

function notYet(error: unknown): boolean {
  if (error instanceof ApiError && AGAIN.includes(error.code)) return false;
  throw error;
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isDone())) {
    if (Date.now() > end)
      throw new Error(
        'This is taking longer than usual. You can close this page; the order updates once the transaction is confirmed.',
      );
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
