// Taking a tab back before its deadline: the sender's wallet signs it and Ampersat sends it, or the wallet sends it itself.
import type { EscrowView } from '../../../../src/http/api/escrowAnswers.ts';
import { sendTransaction, signTyped, type WalletProvider } from '../../wallet/requests.ts';
import { signSolanaTransaction } from '../../wallet/solana/requests.ts';
import type { SolanaWallet } from '../../wallet/solana/wallets.ts';
import { inBlock, notYet, until } from '../../wallet/waiting.ts';
import { actOnEscrow, fetchEscrow, prepareRefund } from './escrowApi.ts';

export type BackStage = 'prepare' | 'sign' | 'send' | 'confirm' | 'check';

export const BACK_WORDS: Record<BackStage, { now: string; after: string }> = {
  prepare: { now: 'Preparing…', after: 'Prepared' },
  sign: { now: 'Waiting for you in your wallet…', after: 'Signed' },
  send: { now: 'Checking the signature and sending…', after: 'Sent' },
  confirm: { now: 'Waiting for confirmation…', after: 'In a block' },
  check: { now: 'Verifying on-chain…', after: 'Returned to your wallet' },
};

const SLOW = 'This is taking longer than usual. You can close this page and check again in a few minutes.';
const REFUSED = 'The network rejected the transaction. The tab was probably claimed first.';

type Signer = { provider: WalletProvider; address: string };

/** @throws WalletError, ApiError */
export async function takeBackBySignature(
  { provider, address }: Signer,
  escrow: EscrowView,
  onStage: (stage: BackStage) => void,
): Promise<EscrowView> {
  onStage('prepare');
  const { typed_data, deadline } = await prepareTexts(escrow.id);
  onStage('sign');
  const signature = await signTyped(provider, address, typed_data, escrow.chain_label);
  onStage('send');
  return actOnEscrow(escrow.id, { action: 'refund', deadline, signature });
}

async function prepareTexts(id: string) {
  const prepared = await prepareRefund(id);
  if ('typed_data' in prepared) return prepared;
  throw new Error('This tab is on Solana. Use your Solana wallet.');
}

/** A wallet of Solana signs the whole transaction. @throws WalletError, ApiError */
export async function takeBackOnSolana(
  wallet: SolanaWallet,
  escrow: EscrowView,
  onStage: (stage: BackStage) => void,
): Promise<EscrowView> {
  onStage('prepare');
  const prepared = await prepareRefund(escrow.id);
  if (!('solana_transaction' in prepared)) throw new Error('This tab is not on Solana.');
  onStage('sign');
  const signed = await signSolanaTransaction(wallet, prepared.signed_by, prepared.solana_transaction);
  onStage('send');
  return actOnEscrow(escrow.id, { action: 'refund', solana_transaction: signed });
}

/** The wallet pays the network's fee. @throws WalletError, ApiError, or Error with a sentence for people */
export async function takeBackFromWallet(
  { provider, address }: Signer,
  escrow: EscrowView,
  onStage: (stage: BackStage) => void,
): Promise<EscrowView> {
  onStage('prepare');
  const { transaction } = await prepareTexts(escrow.id);
  onStage('sign');
  const txHash = await sendTransaction(provider, address, transaction, escrow.chain_label);
  onStage('confirm');
  await inBlock(provider, txHash, SLOW, REFUSED);
  onStage('check');
  let answer: EscrowView | null = null;
  await until(async () => {
    // Once the service knows the transaction, it only waits for its confirmations.
    const ask = answer ? fetchEscrow(escrow.id) : actOnEscrow(escrow.id, { action: 'refund', txHash });
    answer = (await ask.catch(notYet)) ?? answer;
    return answer !== null && answer.status !== 'open';
  }, SLOW);
  return answer ?? escrow;
}
