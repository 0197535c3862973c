// With what somebody comes back from a platform: read from the address without touching it, because a page may be drawn twice.
import type { ErrorCode } from '../../../src/domain/errors.ts';
import { isLoginPlatform, PLATFORM_NAMES } from '../../../src/domain/login.ts';

export type Arrival =
  | { kind: 'login'; id: string }
  | { kind: 'telegram'; state: string; result: string }
  | { kind: 'problem'; words: string; isCalm: boolean }
  | null;

/** The person's own choice: nothing went wrong. */
export const STOPPED: ErrorCode = 'login_cancelled';

export function readArrival(): Arrival {
  const search = new URLSearchParams(location.search);
  const id = search.get('login');
  if (id) return { kind: 'login', id };
  const state = search.get('state');
  const result = /^#tgAuthResult=(.+)$/.exec(location.hash)?.[1];
  if (state && result) return { kind: 'telegram', state, result };
  const problem = search.get('problem');
  if (!problem) return null;
  return { kind: 'problem', words: wordsFor(problem, search.get('platform') ?? ''), isCalm: problem === STOPPED };
}

/** Takes what was read out of the address bar and out of the browser's history. A login's id opens nothing to anybody else and survives a reload. */
export function clearAddress(): void {
  const id = new URLSearchParams(location.search).get('login');
  history.replaceState(null, '', id ? `${location.pathname}?login=${encodeURIComponent(id)}` : location.pathname);
}

/** Only words of ours are shown, whatever stands in the address. */
function wordsFor(problem: string, platform: string): string {
  const name = isLoginPlatform(platform) ? PLATFORM_NAMES[platform] : 'the platform';
  const words: Partial<Record<ErrorCode, string>> = {
    login_cancelled: `You stopped at ${name}, so nothing was connected.`,
    login_over: 'That login was used, or took longer than ten minutes. Nothing was connected by it; start it again.',
    state_conflict:
      'That account is connected already. Disconnect it first, on this page or by sending /disconnect to the bot.',
    provider_unavailable: `We got no usable answer from ${name}. Nothing was connected; try again shortly.`,
    session_required: 'You were signed out meanwhile, so nothing was connected. Sign in, then start it again.',
    rate_limited: 'That was too often, so nothing was connected. Wait a minute, then start it again.',
  };
  return words[problem as ErrorCode] ?? 'Something went wrong on our side. Nothing was connected; start it again.';
}
