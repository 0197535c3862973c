// Subscribing from a wallet: two signatures that the service sends, or the wallet's own transactions where it cannot sign for the token.
import { ApiError } from '../../app/apiError.ts';
import { sendTransaction, signTyped, type WalletProvider } from '../../wallet/requests.ts';
import { signSolanaTransaction } from '../../wallet/solana/requests.ts';
import type { SolanaWallet } from '../../wallet/solana/wallets.ts';
import { inBlock, notYet, until } from '../../wallet/waiting.ts';
import { wordsNow } from '../checkout/language.ts';
import {
  confirmSent,
  fetchCall,
  type HostedPlan,
  type PreparedSubscription,
  submit,
  submitTransaction,
} from './planApi.ts';

export type SubscribeStage = 'prepare' | 'allow' | 'sign' | 'approve' | 'send' | 'submit' | 'confirm';
export type SubscribeEnd =
  | { kind: 'subscribed'; subscription: NonNullable<HostedPlan['subscription']> }
  | { kind: 'trial'; endsAt: string };

type Signer = { provider: WalletProvider; address: string };
type Run = {
  signer: Signer;
  prepared: PreparedSubscription;
  chainLabel: string;
  onStage: (stage: SubscribeStage) => void;
};

/** @throws WalletError, ApiError, or Error with a sentence for people */
export async function subscribeWallet(run: Run): Promise<SubscribeEnd> {
  if (!run.prepared.gasless) return fromWallet(run);
  try {
    return await bySignatures(run);
  } catch (error) {
    // The account's code does not know its key: the wallet goes on by itself.
    if (error instanceof ApiError && error.code === 'delegation_legacy') return fromWallet(run);
    throw error;
  }
}

async function bySignatures({ signer, prepared, chainLabel, onStage }: Run): Promise<SubscribeEnd> {
  const { gasless, plan, subscriber, allowance } = prepared;
  if (!gasless) throw new Error(wordsNow().cantPayHere);
  const { provider, address } = signer;
  const who = { plan: plan.id, subscriber, periods: allowance.periods };
  let permit: string | undefined;
  if (gasless.permit) {
    onStage('allow');
    permit = await signTyped(provider, address, gasless.permit, chainLabel);
  }
  onStage('sign');
  const signature = await signTyped(provider, address, gasless.subscribe, chainLabel);
  onStage('submit');
  const answer = await submit(who, {
    ...gasless.submit,
    signature,
    ...(permit === undefined ? {} : { permit_signature: permit }),
  });
  if ('trial' in answer) return { kind: 'trial', endsAt: answer.trial.ends_at };
  onStage('confirm');
  return begun(answer.request.id, who);
}

/** A final block has the call. */
async function begun(id: string, who: { plan: string; subscriber: string }): Promise<SubscribeEnd> {
  let subscription: HostedPlan['subscription'] = null;
  await until(async () => {
    const now = await fetchCall(id, who).catch(notYet);
    if (now?.request.status === 'failed') throw new Error(now.request.failure ?? wordsNow().reverted);
    subscription = now?.subscription ?? null;
    return subscription !== null;
  }, wordsNow().plan.slow);
  return ended(subscription);
}

/**
 * The same from a wallet of Solana, which signs one transaction that the service sends.
 * @throws WalletError, ApiError, or Error with a sentence for people
 */
export async function subscribeOnSolana({
  wallet,
  prepared,
  onStage,
}: Pick<Run, 'prepared' | 'onStage'> & { wallet: SolanaWallet }): Promise<SubscribeEnd> {
  const { transaction, plan, subscriber, allowance } = prepared;
  if (!transaction) throw new Error(wordsNow().cantPayHere);
  const who = { plan: plan.id, subscriber, periods: allowance.periods };
  onStage('sign');
  const solana_transaction = await signSolanaTransaction(wallet, subscriber, transaction.solana_transaction);
  onStage('submit');
  const answer = await submitTransaction(who, { ...transaction.submit, solana_transaction });
  onStage('confirm');
  return begun(answer.request.id, who);
}

async function fromWallet({ signer, prepared, chainLabel, onStage }: Run): Promise<SubscribeEnd> {
  const { provider, address } = signer;
  const { own, plan } = prepared;
  if (!own) throw new Error(wordsNow().cantPayHere);
  const { slow } = wordsNow().plan;
  if (own.approve) {
    onStage('approve');
    const hash = await sendTransaction(provider, address, own.approve, chainLabel);
    await inBlock(provider, hash, slow, wordsNow().reverted);
  }
  onStage('send');
  const hash = await sendTransaction(provider, address, own.subscribe, chainLabel);
  onStage('confirm');
  await inBlock(provider, hash, slow, wordsNow().reverted);
  let subscription: HostedPlan['subscription'] = null;
  await until(async () => {
    subscription = (await confirmSent(plan.planKey, address, hash).catch(notYet)) ?? null;
    return subscription !== null;
  }, slow);
  return ended(subscription);
}

function ended(subscription: HostedPlan['subscription']): SubscribeEnd {
  if (!subscription) throw new Error(wordsNow().plan.slow);
  return { kind: 'subscribed', subscription };
}
