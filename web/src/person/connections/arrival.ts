// The result of a login at a platform: read from the address without changing it, because a page may be rendered twice.
import type { ErrorCode } from '../../../../src/domain/errors.ts';
import { isLoginPlatform, PLATFORM_NAMES } from '../../../../src/domain/login.ts';

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

/** Removes what was read from the address bar and the browser's history. A login's id stays for reloads; it gives other users no access. */
export function clearAddress(): void {
  const id = new URLSearchParams(location.search).get('login');
  history.replaceState(null, '', id ? `${location.pathname}?login=${encodeURIComponent(id)}` : location.pathname);
}

/** Only words of ours are shown, whatever stands in the address. */
function wordsFor(problem: string, platform: string): string {
  const name = isLoginPlatform(platform) ? PLATFORM_NAMES[platform] : 'the platform';
  const words: Partial<Record<ErrorCode, string>> = {
    login_cancelled: `You cancelled at ${name}. Nothing was connected.`,
    login_over: 'This login has expired or was already used. Nothing was connected. Please start again.',
    state_conflict:
      'That account is already connected. Disconnect it first, on this page or by sending /disconnect to the bot.',
    provider_unavailable: `${name} isn’t responding. Nothing was connected. Try again shortly.`,
    session_required: 'You were signed out, so nothing was connected. Sign in and start again.',
    rate_limited: 'Too many requests. Nothing was connected. Wait a minute and try again.',
  };
  return words[problem as ErrorCode] ?? 'Something went wrong on our side. Nothing was connected. Please start again.';
}
