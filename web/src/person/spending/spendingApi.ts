// The calls of what a handle may spend, and of what changes it.
import { useQuery } from '@tanstack/react-query';
import type {
  Approval,
  CallView,
  ChainSpending,
  OneCall,
  PausedSpending,
  PreparedCall,
  SilentChain,
  SpendingOverview,
  SubmittedCall,
  TokenSpending,
} from '../../../../src/http/api/spendingAnswers.ts';
import { callApi } from '../../app/api.ts';

export type SpendingCall =
  | { kind: 'permit'; chain: string; amount: string }
  | { kind: 'limits'; chain: string; per_tip: string; per_day: string }
  | { kind: 'allow'; chain: string; amount: string; per_tip: string; per_day: string }
  | { kind: 'resume'; chain: string }
  | { kind: 'right'; connection_id: string; command_cap: string; day_cap: string; chain?: string };

export const SPENDING_KEY = ['spending'];
const REFRESH_MS = 15_000;
/** While the chains follow a pause or a resume, or one of them does not answer: the user is waiting. */
const REFRESH_SOON_MS = 2_000;

export function useSpending() {
  return useQuery({
    queryKey: SPENDING_KEY,
    queryFn: ({ signal }) => callApi<SpendingOverview>('GET', '/spending', undefined, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.paused_at || data?.chains.some((chain) => !isReachable(chain)) ? REFRESH_SOON_MS : REFRESH_MS,
  });
}

export function prepareCall(call: SpendingCall): Promise<PreparedCall> {
  return callApi('POST', '/spending/prepare', call);
}

/** A signature over what was prepared, or the transaction with it. */
export type Proof = { signature: string } | { solana_transaction: string };

/** @returns the request that an executor sends for it, or null when nothing has to be sent */
export async function submitCall(prepared: PreparedCall, proof: Proof): Promise<CallView | null> {
  const answer = await callApi<SubmittedCall>('POST', '/spending/submit', {
    ...prepared.submit,
    ...proof,
  });
  return 'request' in answer ? answer.request : null;
}

/** @param isOfWorkspace what was sent for a workspace, such as a refund */
export async function fetchRequest(id: string, isOfWorkspace = false): Promise<CallView> {
  const path = `/spending/requests/${encodeURIComponent(id)}${isOfWorkspace ? '?of=workspace' : ''}`;
  const { request } = await callApi<OneCall>('GET', path);
  return request;
}

export async function prepareApproval(chain: string, amount: string): Promise<Approval['transaction']> {
  const { transaction } = await callApi<Approval>('POST', '/spending/approve/prepare', {
    chain,
    amount,
  });
  return transaction;
}

export function pauseSpending(): Promise<PausedSpending> {
  return callApi('POST', '/spending/pause');
}

export function isReachable(chain: ChainSpending | SilentChain): chain is ChainSpending {
  return !chain.unreachable;
}

/** The handle's wallet that signs what is for a chain. */
export function signerOn({ family, wallet }: ChainSpending) {
  return { family, address: wallet };
}

export type EvmSpending = ChainSpending & { chain_id: number };

export function isEvm(chain: ChainSpending): chain is EvmSpending {
  return chain.chain_id !== null;
}

/** The pages speak of USDC, the asset that every chain has; other assets follow its limits in their own rows. */
export function usdcOf(chain: ChainSpending): TokenSpending | undefined {
  return chain.tokens.find(({ asset }) => asset === 'USDC');
}
