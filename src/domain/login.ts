// The lifecycle of a login at a platform, by which a signed-in user proves which account there is theirs, and the pages that it may lead to.
import type { Lifecycle } from './lifecycle.ts';

export const LOGIN_PLATFORMS = ['discord', 'x', 'telegram'] as const;
export type LoginPlatform = (typeof LOGIN_PLATFORMS)[number];

export type LoginStatus = 'open' | 'asked' | 'proven' | 'connected' | 'cancelled' | 'failed';
export type LoginAction = 'ask' | 'prove' | 'connect' | 'cancel' | 'fail';

/** The browser comes back once (`ask`), the platform says whose account it is (`prove`), and a press on our page connects it. */
export const LOGIN: Lifecycle<LoginStatus, LoginAction> = {
  open: { ask: 'asked' },
  asked: { prove: 'proven', cancel: 'cancelled', fail: 'failed' },
  proven: { connect: 'connected', fail: 'failed' },
  connected: {},
  cancelled: {},
  failed: {},
};

/** The pages that a login may lead back to. Anything else would let a link of ours carry people elsewhere. */
const RETURN_PATHS = [/^\/(connections|account|spending|settings|waiting|tabs|tabs\/esc_[0-9a-z]{26})$/];
export const DEFAULT_RETURN_PATH = '/connections';

export function isReturnPath(path: string): boolean {
  return RETURN_PATHS.some((allowed) => allowed.test(path));
}

export function isLoginPlatform(text: string): text is LoginPlatform {
  return (LOGIN_PLATFORMS as readonly string[]).includes(text);
}

/** What the platforms are called. */
export const PLATFORM_NAMES: Record<LoginPlatform, string> = { discord: 'Discord', x: 'X', telegram: 'Telegram' };
