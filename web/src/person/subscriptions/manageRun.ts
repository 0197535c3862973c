// One change of a plan, a subscription or an allowance: signed in the wallet and sent by Ampersat, or sent by a wallet that cannot sign.
import { chainLabel, findChain } from '../../../../src/domain/chains.ts';
import { ApiError } from '../../app/apiError.ts';
import { sendTransaction, signTyped, type WalletProvider } from '../../wallet/requests.ts';
import { signSolanaTransaction } from '../../wallet/solana/requests.ts';
import type { SolanaWallet } from '../../wallet/solana/wallets.ts';
import type { NoteStep } from '../../wallet/WalletAction.tsx';
import { inBlock, notYet, until } from '../../wallet/waiting.ts';
import {
  confirmOwn,
  fetchRequest,
  type ManageJob,
  prepareManage,
  prepareOwnCall,
  prepareTransaction,
  submitManage,
  submitTransaction,
} from './subscriptionsApi.ts';

const SLOW = 'This is taking longer than usual. You can close this page and check again in a few minutes.';
const REFUSED = 'The network rejected the transaction. Nothing was changed.';

type Run = {
  provider: WalletProvider;
  address: string;
  chain: string;
  note: NoteStep;
};

/**
 * @param isDone whether the service shows the change
 * @throws WalletError, ApiError, or Error with a sentence for people
 */
export async function runManage(run: Run, job: ManageJob, isDone: () => Promise<boolean>): Promise<void> {
  if (canSign(run.chain, job)) {
    try {
      await bySignature(run, job);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'delegation_legacy')) throw error;
      await byWallet(run, job);
    }
  } else await byWallet(run, job);
  run.note({ now: 'Waiting for confirmations…', after: 'Confirmed' });
  await until(isDone, SLOW);
}

/**
 * The same on Solana: the wallet signs the whole transaction, and Ampersat sends it.
 * @throws WalletError, ApiError, or Error with a sentence for people
 */
export async function runManageOnSolana(
  { wallet, note }: { wallet: SolanaWallet; note: NoteStep },
  job: ManageJob,
  isDone: () => Promise<boolean>,
): Promise<void> {
  note({ now: 'Preparing…', after: 'Prepared' });
  const { signed_by, solana_transaction, submit } = await prepareTransaction(job);
  note({ now: 'Waiting for you in your wallet…', after: 'Signed' });
  const signed = await signSolanaTransaction(wallet, signed_by, solana_transaction);
  note({ now: 'Checking the signature and sending…', after: 'Sent' });
  await sent((await submitTransaction(job, submit, signed)).id, job);
  note({ now: 'Waiting for confirmations…', after: 'Confirmed' });
  await until(isDone, SLOW);
}

/** A block has the call. */
async function sent(id: string, job: ManageJob): Promise<void> {
  await until(async () => {
    const request = await fetchRequest(id, 'planId' in job).catch(notYet);
    if (request?.status === 'failed') throw new Error(request.failure ?? REFUSED);
    return request !== null && request.status !== 'queued' && request.status !== 'sent';
  }, SLOW);
}

/** An allowance is signed for the token, which does not take that everywhere. */
export function canSign(chain: string, { action }: Pick<ManageJob, 'action'>): boolean {
  return (action !== 'renew' && action !== 'revoke') || Boolean(findChain(chain)?.permits.includes('eip2612'));
}

async function bySignature({ provider, address, chain, note }: Run, job: ManageJob): Promise<void> {
  note({ now: 'Preparing…', after: 'Prepared' });
  const { typed_data, submit } = await prepareManage(job);
  note({ now: 'Waiting for you in your wallet…', after: 'Signed' });
  const signature = await signTyped(provider, address, typed_data, chainLabel(chain));
  note({ now: 'Checking the signature and sending…', after: 'Sent' });
  await sent((await submitManage(job, submit, signature)).id, job);
}

async function byWallet({ provider, address, chain, note }: Run, job: ManageJob): Promise<void> {
  const transaction = await prepareOwnCall(job);
  note({ now: 'Confirm in your wallet, which pays the network fee…', after: 'Sent' });
  const txHash = await sendTransaction(provider, address, transaction, chainLabel(chain));
  await inBlock(provider, txHash, SLOW, REFUSED);
  await until(async () => {
    const told = await confirmOwn(job, txHash).then(() => true, notYet);
    return told === true;
  }, SLOW);
}
