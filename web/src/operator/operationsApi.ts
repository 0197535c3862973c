// What the operations page asks the service for, and how often.
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AlertKind } from '../../../src/domain/alerts.ts';
import { callApi, type List, queryOf } from '../app/api.ts';

export type Alert = {
  id: string;
  kind: AlertKind;
  title: string;
  advice: string;
  subject: string;
  message: string;
  raised_at: string;
  last_seen_at: string;
  resolved_at: string | null;
};

export type Executor = {
  chain: string;
  chain_label: string;
  address: string;
  balance: string | null;
  symbol: string;
  batches_left: number | null;
  /** Null on networks without nonces. */
  ledger_nonce: number | null;
  chain_nonce: number | null;
  open_slots: number;
  paused_reason: string | null;
  power_problem: string | null;
  explorer_url: string | null;
};

export type ChainState = {
  chain: string;
  label: string;
  /** What its contracts say that stops or changes payments. */
  notes: string[];
  endpoints: {
    number: number;
    problem: string | null;
    latency_ms: number | null;
    head: string | null;
    head_age_seconds: number | null;
  }[];
  native: string;
  price_usd: string | null;
  price_problem: string | null;
  price_age_seconds: number | null;
  indexers: { feed: string; block: string; behind: string; done: number; late_seconds: number }[];
};

export type ProcessState = {
  process: string;
  instances: number;
  silent_seconds: number;
  started_at: string;
  memory_bytes: number;
  lag_ms: number;
};

/** The budget of X: today, and the last days, oldest first. */
export type XBudget = {
  state: 'closed' | 'warm' | 'open' | 'half_open';
  halted: 'budget' | 'credits' | null;
  budget_usd: number;
  spent_usd: number;
  reserved_usd: number;
  requests: number;
  days: { day: string; spent_usd: number; budget_usd: number; requests: number; halted: boolean }[];
  /** What one author may use of the day, and who posts more than that. */
  share_usd: number;
  over: { author_id: string; posts: number; ignored: number; spent_usd: number }[];
  /** When reading went on after a halt, newest first. */
  resumes: { at: string; by: string; halted: string }[];
};

export type BridgeState = {
  bridge: 'across' | 'relay';
  /** Null while it answers; "unknown" before the service has looked. */
  problem: string | null;
  latency_ms: number | null;
  quotes: { prices: number; prices_of: number; payments: number; payments_of: number } | null;
  under_way: number;
  oldest_seconds: number | null;
  /** The last 24 hours. */
  day: { arrived: number; refunded: number; failed: number };
  slow: { origin: string; destination: string; count: number; oldest_seconds: number }[];
};

/** What the watchdog has read of a chain and found on it. */
export type WatchState = {
  chain: string;
  label: string;
  /** Null while it could pause new work on the chain; "unknown" before it has looked. */
  problem: string | null;
  endpoints: {
    number: number;
    block: string;
    left: string;
    late_seconds: number;
    problem: string | null;
    unproven: number;
  }[];
  /** `hash` is "nonce 7 of 0x…" where no endpoint shows the transaction. */
  found: { hash: string; executor: string | null; seen_at: string; paused_at: string | null }[];
};

export type Overview = {
  at: string;
  health: { ok: boolean; parts: { name: string; ok: boolean; problem: string | null }[] };
  alerts: Alert[];
  hour: {
    settled: number;
    failed: number;
    open: number;
    usd: number;
    receipt_p50: number | null;
    receipt_p99: number | null;
  };
  work: { step: string; subject: string; waiting: number; oldest_seconds: number }[];
  x: XBudget | null;
  replies: { open: number; oldest_seconds: number; failed_hour: number };
  executors: Executor[];
  chains: ChainState[];
  bridges: BridgeState[];
  watchdog: WatchState[];
  processes: ProcessState[];
};

export type Charts = {
  step_seconds: number;
  from: string;
  to: string;
  tips: { at: number; settled: number; failed: number }[];
  receipts: { at: number; p50: number; p99: number }[];
  samples: { name: string; subject: string; points: [atMs: number, value: number][] }[];
};

export const SPANS = [
  { minutes: 60, label: '1 hour' },
  { minutes: 360, label: '6 hours' },
  { minutes: 1_440, label: '1 day' },
  { minutes: 10_080, label: '7 days' },
] as const;

const EVERY_MS = 5_000;
const CHARTS_EVERY_MS = 15_000;
export const KEY = ['operations'];

export function useOverview() {
  return useQuery({
    queryKey: [...KEY, 'overview'],
    queryFn: ({ signal }) => callApi<Overview>('GET', '/operations/overview', undefined, signal),
    // Without a session there is no polling.
    refetchInterval: (query) => (query.state.error && !query.state.data ? false : EVERY_MS),
  });
}

export function useCharts(minutes: number) {
  return useQuery({
    queryKey: [...KEY, 'charts', minutes],
    queryFn: ({ signal }) => callApi<Charts>('GET', `/operations/charts${queryOf({ minutes })}`, undefined, signal),
    refetchInterval: CHARTS_EVERY_MS,
    placeholderData: keepPreviousData,
  });
}

export function useAlertHistory() {
  return useInfiniteQuery({
    queryKey: [...KEY, 'alerts'],
    queryFn: ({ pageParam, signal }) =>
      callApi<List<Alert>>('GET', `/operations/alerts${queryOf({ limit: 20, cursor: pageParam })}`, undefined, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  });
}

export function useAct<Given>(act: (given: Given) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: act, onSuccess: () => client.invalidateQueries({ queryKey: KEY }) });
}

export const useSignIn = () => useAct((secret: string) => callApi('POST', '/operations/session', { secret }));

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('DELETE', '/operations/session'),
    onSuccess: () => client.resetQueries({ queryKey: KEY }),
  });
}

export const useCloseAlert = () =>
  useAct((id: string) => callApi('POST', `/operations/alerts/${encodeURIComponent(id)}/close`));

export const usePutBack = () =>
  useAct((key: { chain: string; address: string; force: boolean }) =>
    callApi('POST', '/operations/keys/put-back', key),
  );

export const useResumeX = () => useAct((_: null) => callApi('POST', '/operations/x/resume'));
