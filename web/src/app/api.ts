// Every call of the pages to the service: one place for time limits, for errors, and for the shapes that cross.

import type { ErrorCode } from '../../../src/domain/errors.ts';
import { namedPath } from './acting.ts';
import { ApiError } from './apiError.ts';
import { accountHeader, reloadPage } from './session/pageAccount.ts';

const TIMEOUT_MS = 15_000;
const UNREACHABLE = 'Can’t reach Ampersat. Check your connection and try again.';
/** What a proxy answers while the service behind it is away. */
const GATEWAY_STATUSES = [502, 503, 504];

/** The header has whole seconds, and an answer takes its time: less than this is no difference. */
const CLOCK_SLACK_MS = 5_000;
let clockOffset = 0;

/** How far the service's clock is ahead of this machine's, in milliseconds, by its latest answer. */
export function readClockOffset(): number {
  return clockOffset;
}

/** @param serviceTime Unix milliseconds */
export function noteClock(serviceTime: number): void {
  const offset = serviceTime - Date.now();
  if (!Number.isNaN(offset)) clockOffset = Math.abs(offset) > CLOCK_SLACK_MS ? offset : 0;
}

/** @throws ApiError with a sentence for people */
export async function callApi<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  try {
    response = await fetch(namedPath(method, `/api${path}`), {
      method,
      headers: { ...accountHeader(), ...(method !== 'GET' && { 'Content-Type': 'application/json' }) },
      ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (cause) {
    throw new ApiError('unreachable', UNREACHABLE, { cause });
  }
  noteClock(Date.parse(response.headers.get('date') ?? ''));
  const answer = (await response.json().catch(() => null)) as { error?: { code: ErrorCode; message: string } } | null;
  if (response.ok && answer) return answer as T;
  if (answer?.error?.code === 'account_changed') return reloadPage();
  if (answer?.error) throw new ApiError(answer.error.code, answer.error.message);
  if (GATEWAY_STATUSES.includes(response.status)) throw new ApiError('unreachable', UNREACHABLE);
  const id = response.headers.get('request-id');
  throw new ApiError('unreadable', `Something went wrong. Try again.${id ? ` (${id})` : ''}`);
}

/** Parameters that are empty are left out. */
export function queryOf(params: Record<string, string | number | null | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return text && `?${text}`;
}

export type List<T> = { data: T[]; has_more: boolean; next_cursor: string | null };

/** `address` is the EVM wallet where there is one; `handle` is null until one was chosen. */
export type Account = {
  address: string;
  kind: 'account' | 'contract';
  wallets: { evm: string | null; solana: string | null };
  handle: string | null;
  handle_kind: 'personal' | 'business' | null;
  preferred_chain: string | null;
  created_at: string | null;
};

/** What `eth_signTypedData_v4` takes. */
export type TypedData = { domain: { chainId?: number | string }; [part: string]: unknown };
