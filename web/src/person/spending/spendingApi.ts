// What a handle may spend, as the service tells it, and the calls that change it. Amounts are canonical decimal strings.
import { useQuery } from '@tanstack/react-query';
import { type Connection, callApi, type TypedData } from '../../app/api.ts';
import type { TransactionRequest } from '../../wallet/requests.ts';

/** `allowance` is null when it has practically no end. */
export type TokenSpending = {
  asset: string;
  token: string;
  decimals: number;
  balance: string;
  allowance: string | null;
  per_tip: string;
  per_day: string;
  max_fee: string;
  spent_24h: string;
  left_24h: string;
};

/** `permit`: the allowance can be signed, and Ampersat sends it. Otherwise the wallet sends it itself. */
export type ChainSpending = {
  chain: string;
  label: string;
  livemode: boolean;
  chain_id: number;
  unreachable: false;
  router: string;
  confirmations: number;
  permit: boolean;
  tokens: TokenSpending[];
  paused: boolean;
  explorer_url: string;
};

export type SilentChain = { chain: string; label: string; livemode: boolean; unreachable: true };

export type Spending = {
  handle: string;
  command_cap: string;
  day_cap: string;
  max_command_cap: string;
  max_day_cap: string;
  spent_24h_usd: string;
  tips_left_this_hour: number;
  tips_per_hour: number;
  paused_at: string | null;
  connections: Connection[];
  chains: (ChainSpending | SilentChain)[];
};

export type SpendingCall =
  | { kind: 'permit'; chain: string; amount: string }
  | { kind: 'limits'; chain: string; per_tip: string; per_day: string }
  | { kind: 'resume'; chain: string }
  | { kind: 'right'; connection_id: string; command_cap: string; day_cap: string };

export type SpendingRequest = {
  id: string;
  kind: string;
  chain: string;
  status: 'queued' | 'sent' | 'mined' | 'final' | 'failed';
  tx_hash: string | null;
  explorer_url: string | null;
  /** In one sentence. */
  failure: string | null;
};

/** `submit` goes back as it came, with the signature. */
export type Prepared = { typed_data: TypedData; submit: Record<string, unknown> };

export const SPENDING_KEY = ['spending'];
const REFRESH_MS = 15_000;
/** While the chains follow a pause or a resume, or one of them does not answer: somebody looks on. */
const REFRESH_SOON_MS = 2_000;

export function useSpending() {
  return useQuery({
    queryKey: SPENDING_KEY,
    queryFn: ({ signal }) => callApi<Spending>('GET', '/spending', undefined, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.paused_at || data?.chains.some((chain) => !isReachable(chain)) ? REFRESH_SOON_MS : REFRESH_MS,
  });
}

export function prepareCall(call: SpendingCall): Promise<Prepared> {
  return callApi('POST', '/spending/prepare', call);
}

/** @returns the request that an executor sends for it, or null when nothing has to be sent */
export async function submitCall(prepared: Prepared, signature: string): Promise<SpendingRequest | null> {
  const answer = await callApi<{ request?: SpendingRequest }>('POST', '/spending/submit', {
    ...prepared.submit,
    signature,
  });
  return answer.request ?? null;
}

export async function fetchRequest(id: string): Promise<SpendingRequest> {
  const { request } = await callApi<{ request: SpendingRequest }>(
    'GET',
    `/spending/requests/${encodeURIComponent(id)}`,
  );
  return request;
}

export async function prepareApproval(chain: string, amount: string): Promise<TransactionRequest> {
  const { transaction } = await callApi<{ transaction: TransactionRequest }>('POST', '/spending/approve/prepare', {
    chain,
    amount,
  });
  return transaction;
}

export function pauseSpending(): Promise<{ paused_at: string }> {
  return callApi('POST', '/spending/pause');
}

export function isReachable(chain: ChainSpending | SilentChain): chain is ChainSpending {
  return !chain.unreachable;
}

/** The pages speak of USDC, the asset that every chain has; other assets follow its limits in their own rows. */
export function usdcOf(chain: ChainSpending): TokenSpending | undefined {
  return chain.tokens.find(({ asset }) => asset === 'USDC');
}
