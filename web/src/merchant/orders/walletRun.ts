// Calls that the merchant's wallet sends one after the other, each included in a block before the next; then the service is polled until it has seen
// the last one in a final block itself.
import { sendTransaction, type WalletProvider } from '../../wallet/requests.ts';
import { inBlock, notYet, until } from '../../wallet/waiting.ts';
import type { Calls } from './ordersApi.ts';

export type RunStage = 'prepare' | 'approve' | 'send' | 'confirm' | 'check';

export const RUN_WORDS: Record<RunStage, { now: string; after: string }> = {
  prepare: { now: 'Preparing…', after: 'Prepared' },
  approve: { now: 'Approve this amount in your wallet…', after: 'Approved' },
  send: { now: 'Confirm in your wallet…', after: 'Sent' },
  confirm: { now: 'Waiting for a block…', after: 'In a block' },
  check: { now: 'Waiting for confirmations…', after: 'Confirmed' },
};

const SLOW =
  'This is taking longer than usual. You can close this page; the order updates once the transaction is confirmed.';

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
      if (purpose === 'approve') await inBlock(provider, txHash, SLOW);
    }
    if (txHash === null) throw new Error('Nothing to send.');
    // Whatever fails from here on, the money is on its way: a retry only looks.
    known.keep(txHash);
  }
  const sent = txHash;
  onStage('confirm');
  await inBlock(provider, sent, SLOW);
  onStage('check');
  await until(async () => (await check(sent).catch(notYet)) ?? false, SLOW);
}
