// Wrapping SOL from its building to the block that has it. What was signed once is sent again after a lost answer, and never wrapped twice.
import { useQuery } from '@tanstack/react-query';
import type { BuiltWrap, OneWrap, WrapBalances } from '../../../../src/http/api/wrappingAnswers.ts';
import { callApi } from '../../app/api.ts';
import { ApiError } from '../../app/apiError.ts';
import { signSolanaTransaction } from '../../wallet/solana/requests.ts';
import { isOpen, type OnStage, type SolanaSigner, statusOf, until } from '../spending/runCall.ts';

export const WRAP_KEY = ['wrap'];

export function useWrapBalances() {
  return useQuery({
    queryKey: WRAP_KEY,
    queryFn: ({ signal }) => callApi<WrapBalances>('GET', '/solana/wrap', undefined, signal),
  });
}

export type WrapJob = { kind: 'wrap' | 'unwrap'; amount: string };
/** What its wallet has signed, until the service has answered to it. */
export type SignedWrap = { job: WrapJob; path: string; transaction: string };

/** @throws WalletError, ApiError, or Error with a sentence for people */
export async function runWrap(
  signer: SolanaSigner,
  onStage: OnStage,
  job: WrapJob,
  kept: { current: SignedWrap | null },
): Promise<void> {
  const known = kept.current;
  const isSame = known?.job.kind === job.kind && known.job.amount === job.amount;
  const signed = isSame && known ? known : await sign(signer, onStage, job);
  kept.current = signed;
  onStage('send');
  const { wrap } = await submit(signed, kept);
  kept.current = null;
  if (!isOpen({ status: sentStatus(wrap) })) return void statusOf({ ...wrap, status: sentStatus(wrap) });
  onStage('confirm');
  await until(async () => {
    const { wrap: now } = await callApi<OneWrap>('GET', signed.path);
    return statusOf({ ...now, status: sentStatus(now) });
  });
}

async function sign({ wallet, address }: SolanaSigner, onStage: OnStage, job: WrapJob): Promise<SignedWrap> {
  onStage('prepare');
  const built = await callApi<BuiltWrap>('POST', '/solana/wrap', job);
  onStage('sign');
  const transaction = await signSolanaTransaction(wallet, address, built.solana_transaction);
  return { job, path: `/solana/wrap/${encodeURIComponent(built.wrap.id)}`, transaction };
}

/** With these it can never be taken; silence says nothing. */
const OVER: ReadonlySet<string> = new Set(['signature_invalid', 'call_refused', 'state_conflict', 'resource_missing']);

async function submit(signed: SignedWrap, kept: { current: SignedWrap | null }): Promise<OneWrap> {
  try {
    return await callApi<OneWrap>('POST', signed.path, { solana_transaction: signed.transaction });
  } catch (error) {
    if (error instanceof ApiError && OVER.has(error.code)) kept.current = null;
    throw error;
  }
}

function sentStatus({ status }: OneWrap['wrap']) {
  return status === 'prepared' ? 'queued' : status;
}
