// The calls of what wallets hold and of what is sent from them.
import { useQuery } from '@tanstack/react-query';
import { SEND_LATE_MS } from '../../../../src/domain/send.ts';
import type { Balances } from '../../../../src/http/api/balanceAnswers.ts';
import type { OneSend, PreparedSend, SendList, SendOffer, SendView } from '../../../../src/http/api/sendAnswers.ts';
import { callApi, readClockOffset } from '../../app/api.ts';
import { useMode } from '../../merchant/business/workspaceApi.ts';

export const BALANCES_KEY = ['balances'];
export const SENDS_KEY = ['sends'];
const REFRESH_MS = 15_000;
/** While a network does not answer, or a payment is under way: the reader waits. */
const SOON_MS = 2_000;

export type ChainHoldings = Balances['chains'][number];

export function useBalances() {
  return useQuery({
    queryKey: BALANCES_KEY,
    queryFn: ({ signal }) => callApi<Balances>('GET', '/balances', undefined, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.chains.some(({ unreachable }) => unreachable) ? SOON_MS : REFRESH_MS,
  });
}

/** The networks of the mode that is looked at; null while either is not known. */
export function useOwnChains(): ChainHoldings[] | null {
  const { data } = useBalances();
  const mode = useMode();
  if (!data || mode === null) return null;
  return data.chains.filter(({ livemode }) => livemode === (mode === 'live'));
}

export function usdcIn(chain: ChainHoldings | undefined): string | null {
  return chain?.holdings.find(({ kind }) => kind === 'usdc')?.amount ?? null;
}

/** The newest sends: whatever a page has forgotten, the open one is among them. */
export function useSends() {
  return useQuery({
    queryKey: SENDS_KEY,
    queryFn: async ({ signal }) => (await callApi<SendList>('GET', '/sends', undefined, signal)).data,
    refetchInterval: ({ state: { data } }) => (data?.some(isUnderWay) ? SOON_MS : REFRESH_MS),
  });
}

/** Its end may be unknown for longer, where its network is no longer served: then it keeps no other waiting. */
export function isUnderWay({ status, expires_at }: Pick<SendView, 'status' | 'expires_at'>): boolean {
  return status === 'processing' && Date.now() + readClockOffset() < Date.parse(expires_at) + SEND_LATE_MS;
}

export function prepareSend(wish: { to: string; amount: string; chain: string }): Promise<PreparedSend> {
  return callApi('POST', '/sends', wish);
}

export function fetchOffer(id: string): Promise<SendOffer> {
  return callApi('GET', `/sends/${encodeURIComponent(id)}/payment`);
}

type Act =
  | { action: 'submit'; signature: string }
  | { action: 'submit'; solana_transaction: string }
  | { action: 'begin' | 'cancel' };

export async function actOnSend(id: string, act: Act): Promise<SendView> {
  return (await callApi<OneSend>('POST', `/sends/${encodeURIComponent(id)}`, act)).send;
}
