// One change of what may be spent, from its preparation to the block that has it: prepared by the service, signed in the wallet,
// sent by an executor (or by the wallet itself), then waited for.
import type { CallView, PreparedCall } from '../../../../src/http/api/spendingAnswers.ts';
import { readReceipt, sendTransaction, signAllTyped, signTyped, WalletError } from '../../wallet/requests.ts';
import { signSolanaText, signSolanaTransaction } from '../../wallet/solana/requests.ts';
import type { SolanaWallet } from '../../wallet/solana/wallets.ts';
import type { Wallet } from '../../wallet/wallets.ts';
import {
  fetchRequest,
  type Proof,
  prepareApproval,
  prepareCall,
  type SpendingCall,
  submitCall,
} from './spendingApi.ts';

/** `approve` is sent by the wallet, which pays the network's fee; everything else is signed only. */
export type Job = SpendingCall | { kind: 'approve'; chain: string; amount: string } | OwnJob;
/** One with steps of its own, for a wallet of Solana. */
export type OwnJob = { kind: 'own'; run: (signer: SolanaSigner, onStage: OnStage) => Promise<void> };

export type Stage = 'prepare' | 'sign' | 'send' | 'confirm';
export type OnStage = (stage: Stage) => void;

/** A wallet of this browser, of the family whose account has to sign. */
export type ChosenWallet = { family: 'evm'; wallet: Wallet } | { family: 'solana'; wallet: SolanaWallet };
type Signer = ChosenWallet & { address: string };
export type SolanaSigner = { wallet: SolanaWallet; address: string };

const POLL_MS = 1_000;
const PATIENCE_MS = 3 * 60_000;

/** @throws WalletError, ApiError, or Error with a sentence for people */
export async function runCall(signer: Signer, job: Job, chainLabel: string, onStage: OnStage): Promise<void> {
  if (job.kind === 'own') {
    if (signer.family !== 'solana') throw otherWallet();
    return job.run(signer, onStage);
  }
  onStage('prepare');
  if (job.kind === 'approve') {
    const transaction = await prepareApproval(job.chain, job.amount);
    onStage('sign');
    if (signer.family !== 'evm') throw otherWallet();
    const { address, wallet } = signer;
    const { provider } = wallet;
    const hash = await sendTransaction(provider, address, transaction, chainLabel);
    onStage('confirm');
    await until(async () => outcomeOf(await readReceipt(provider, hash)));
    return;
  }
  const prepared = await prepareCall(job);
  onStage('sign');
  const proof = await signPrepared(signer, prepared, chainLabel);
  onStage('send');
  const request = await submitCall(prepared, proof);
  if (!request) return;
  onStage('confirm');
  if (isOpen(request)) await until(async () => statusOf(await fetchRequest(request.id)));
  else statusOf(request);
}

/**
 * Several changes of an EVM wallet at one agreement: all are prepared, then all are signed, then each is sent, and all are waited for.
 * @throws WalletError, ApiError, or Error with a sentence for people
 */
export async function runCalls(
  { wallet, address }: { wallet: Wallet; address: string },
  calls: readonly SpendingCall[],
  chainLabel: string,
  onStage: OnStage,
): Promise<void> {
  onStage('prepare');
  const prepared = await Promise.all(calls.map(prepareCall));
  const toSign = prepared.map((one) => {
    if (!('typed_data' in one)) throw otherWallet();
    return one.typed_data;
  });
  onStage('sign');
  const signatures = await signAllTyped(wallet.provider, address, toSign, chainLabel);
  onStage('send');
  const requests: CallView[] = [];
  for (const [index, one] of prepared.entries()) {
    const request = await submitCall(one, { signature: signatures[index] ?? '' });
    if (request) requests.push(request);
  }
  onStage('confirm');
  for (const request of requests) {
    if (isOpen(request)) await until(async () => statusOf(await fetchRequest(request.id)));
    else statusOf(request);
  }
}

/** Has a transaction signed and sent, and waits for the block that has it. @returns the name of the transaction */
export async function runSigned(
  { wallet, address }: SolanaSigner,
  onStage: OnStage,
  prepare: () => Promise<{ solana_transaction: string }>,
  submit: (signed: string) => Promise<CallView>,
): Promise<string> {
  onStage('prepare');
  const { solana_transaction } = await prepare();
  onStage('sign');
  const signed = await signSolanaTransaction(wallet, address, solana_transaction);
  onStage('send');
  let request = await submit(signed);
  onStage('confirm');
  await until(async () => {
    if (isOpen(request)) request = await fetchRequest(request.id);
    return statusOf(request);
  });
  return request.tx_hash ?? '';
}

async function signPrepared(signer: Signer, prepared: PreparedCall, chainLabel: string): Promise<Proof> {
  const { address } = signer;
  if ('typed_data' in prepared) {
    if (signer.family !== 'evm') throw otherWallet();
    return { signature: await signTyped(signer.wallet.provider, address, prepared.typed_data, chainLabel) };
  }
  if (signer.family !== 'solana') throw otherWallet();
  const { wallet } = signer;
  return 'text' in prepared
    ? { signature: await signSolanaText(wallet, address, prepared.text) }
    : { solana_transaction: await signSolanaTransaction(wallet, address, prepared.solana_transaction) };
}

function otherWallet(): WalletError {
  return new WalletError('failed', 'This needs a wallet of the other kind. Reload the page and try again.');
}

export function isOpen(request: Pick<CallView, 'status'>): boolean {
  return request.status === 'queued' || request.status === 'sent';
}

/** @returns true once it is in a block */
export function statusOf(request: Pick<CallView, 'status' | 'failure'>): boolean {
  if (request.status === 'failed') throw new Error(request.failure ?? REFUSED);
  return !isOpen(request);
}

function outcomeOf(receipt: { status?: string } | null): boolean {
  if (receipt?.status === '0x0') throw new Error(REFUSED);
  return receipt !== null;
}

const REFUSED = 'The network rejected it. Nothing was changed. Try again.';
const LATE = 'This is taking longer than usual. You can close this page and check again in a few minutes.';

export async function until(isDone: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isDone())) {
    if (Date.now() > end) throw new Error(LATE);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
