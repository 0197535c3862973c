// The bot's tokens at X: renewed in good time, by one process at a time. A refresh token is good for one use, so an answer that is lost may
// end the login; half of a token's life is left then to give the bot a new one.
import type { Ctx } from '../../src/context.ts';
import {
  claimRefresh,
  readTokens,
  refreshFailed,
  seedHashOf,
  storeTokens,
  type XTokens,
} from '../../src/services/chat/xLogin.ts';
import type { XOutcome } from './client.ts';

/** Before the end of a token's two hours. */
const RENEW_BEFORE_MS = 60 * 60_000;
const ASK_AGAIN_MS = 30_000;

export type XAuth = {
  /** An access token that X should accept, or null when there is none. */
  token(): Promise<string | null>;
  /** Another one than the one that X refused, or null. */
  renew(refused: string): Promise<string | null>;
};

/** @param exchange gives a refresh token away for a new pair */
export function createXAuth(
  ctx: Ctx,
  seed: string,
  exchange: (refreshToken: string) => Promise<XOutcome<XTokens>>,
): XAuth {
  const seedHash = seedHashOf(seed);
  let known: XTokens | null = null;
  let notBefore = 0;
  let renewing: Promise<void> | null = null;

  async function refresh(): Promise<void> {
    if (ctx.clock.now() < notBefore || !(await claimRefresh(ctx, seedHash))) {
      // Another process may be about it, or may have done it.
      known = (await readTokens(ctx, seedHash)) ?? known;
      return;
    }
    const before = known;
    known = (await readTokens(ctx, seedHash)) ?? known;
    if (known !== null && known.accessToken !== before?.accessToken && isFresh(known)) {
      await refreshFailed(ctx, seedHash, null);
      return;
    }
    const answer = await exchange(known?.refreshToken ?? seed);
    if (answer.kind === 'done') {
      await storeTokens(ctx, seedHash, answer.value);
      known = answer.value;
      return;
    }
    notBefore = ctx.clock.now() + ASK_AGAIN_MS;
    const isLost = answer.kind === 'refused';
    const problem = isLost ? 'X takes the refresh token no more. Give the bot a new one (X_BOT_REFRESH_TOKEN).' : null;
    await refreshFailed(ctx, seedHash, problem);
    ctx.log[isLost ? 'error' : 'warn']({ reason: answer.reason }, 'new tokens for X were not to be had');
  }
  function refreshOnce(): Promise<void> {
    renewing ??= refresh().finally(() => {
      renewing = null;
    });
    return renewing;
  }
  const isFresh = (tokens: XTokens) => tokens.expiresAt - ctx.clock.now() > RENEW_BEFORE_MS;
  const inForce = () => (known !== null && known.expiresAt > ctx.clock.now() ? known.accessToken : null);

  return {
    async token() {
      known ??= await readTokens(ctx, seedHash);
      if (known === null || !isFresh(known)) await refreshOnce();
      return inForce();
    },
    async renew(refused) {
      if (known?.accessToken !== refused) return inForce();
      await refreshOnce();
      return known.accessToken === refused ? null : inForce();
    },
  };
}
