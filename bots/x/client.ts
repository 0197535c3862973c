// One call of X: with tokens that are in force, a limit in time, its cost set aside before and settled after, and an outcome that is a value.
// The library's own errors carry headers with tokens, so none of them leaves this file.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { ApiResponseError, type ITwitterApiClientPlugin, TwitterApi } from 'twitter-api-v2';
import type { Ctx } from '../../src/context.ts';
import {
  type AnsweredAuthor,
  type Reservation,
  reserve,
  reserveAnswer,
  settleReservation,
  type XFeed,
} from '../../src/services/chat/xBudget.ts';
import { createXAuth } from './auth.ts';

const CALL_TIMEOUT_MS = 15_000;

/** The outcome of a call. `refused` is final; `later` may be retried, after `retryAfterMs` where X named a time. */
export type XOutcome<T> =
  | { kind: 'done'; value: T }
  | { kind: 'refused'; status: number; reason: string }
  | { kind: 'later'; reason: string; retryAfterMs?: number; isCredit?: boolean };

/** @param cost what the answer holds, in micro-USD */
export type Priced<T> = { worst: bigint; cost(value: T): bigint };

export type XClient = {
  /** Makes a call whose cost is set aside already. */
  callWith<T>(reservation: Reservation, work: (api: TwitterApi) => Promise<T>, priced: Priced<T>): Promise<XOutcome<T>>;
  /** Sets the worst case aside first; `later` when the budget has no room. */
  call<T>(
    purpose: 'owed' | 'courtesy',
    work: (api: TwitterApi) => Promise<T>,
    priced: Priced<T>,
    feed?: XFeed,
  ): Promise<XOutcome<T>>;
  /** The same for an answer to a person; `refused` when it is not owed and beyond their share. */
  answer<T>(
    purpose: 'owed' | 'courtesy',
    work: (api: TwitterApi) => Promise<T>,
    priced: Priced<T>,
    answered: AnsweredAuthor,
  ): Promise<XOutcome<T>>;
  close(): void;
};

export const NO_BUDGET = 'the budget of X for today is used';
const NO_BUDGET_WAIT_MS = 15 * 60_000;
const NO_BUDGET_ANSWER = { kind: 'later', reason: NO_BUDGET, retryAfterMs: NO_BUDGET_WAIT_MS } as const;
export const NO_SHARE = 'the share of this author for today is used';
const NO_SHARE_ANSWER = { kind: 'refused', status: 0, reason: NO_SHARE } as const;
/** Without credit X refuses every call, until the operator buys some. */
const NO_CREDIT_WAIT_MS = 30 * 60_000;

/** @param seed the refresh token of the configuration, with which the login began */
export function createXClient(ctx: Ctx, seed: string): XClient {
  const settings = clientSettings(ctx.env.X_API_ROOT);
  const { X_CLIENT_ID: clientId = '', X_CLIENT_SECRET: clientSecret = '' } = ctx.env;
  const auth = createXAuth(ctx, seed, async (refreshToken) => {
    const answer = await attempt(ctx, () =>
      new TwitterApi({ clientId, clientSecret }, settings).refreshOAuth2Token(refreshToken),
    );
    if (answer.kind !== 'done') return answer;
    const { accessToken, refreshToken: next = refreshToken, expiresIn } = answer.value;
    return {
      kind: 'done',
      value: { accessToken, refreshToken: next, expiresAt: ctx.clock.now() + expiresIn * 1_000 },
    };
  });

  /** A call that X refused for its token was not carried out, so it is repeated once with a new one. */
  async function withToken<T>(work: (api: TwitterApi) => Promise<T>): Promise<Attempt<T>> {
    const token = await auth.token();
    if (token === null) return { kind: 'later', reason: 'there is no login at X at the moment', isSure: true };
    const first = await attempt(ctx, () => work(new TwitterApi(token, settings)));
    if (first.kind !== 'refused' || first.status !== 401) return first;
    const renewed = await auth.renew(token);
    if (renewed === null) return { kind: 'later', reason: 'X refuses the login of the bot', isSure: true };
    return attempt(ctx, () => work(new TwitterApi(renewed, settings)));
  }

  const client: XClient = {
    async callWith(reservation, work, { worst, cost }) {
      const result = await withToken(work);
      if (result.kind === 'done') {
        await settleReservation(ctx, reservation, cost(result.value), 'well');
        return result;
      }
      if (result.kind === 'refused') {
        await settleReservation(ctx, reservation, 0n, 'failed');
        return result;
      }
      const { isSure, ...outcome } = result;
      // What may have been carried out is counted as if it had been.
      if (isSure) await settleReservation(ctx, reservation, 0n, result.isCredit ? 'credits' : 'failed');
      else await settleReservation(ctx, reservation, worst, reservation.feed ? 'unread' : 'failed');
      return outcome;
    },
    async call(purpose, work, priced, feed) {
      const reservation = await reserve(ctx, purpose, priced.worst, feed);
      return reservation ? client.callWith(reservation, work, priced) : NO_BUDGET_ANSWER;
    },
    async answer(purpose, work, priced, answered) {
      const reservation = await reserveAnswer(ctx, purpose, priced.worst, answered);
      if (reservation === 'no_budget') return NO_BUDGET_ANSWER;
      return reservation === 'no_share' ? NO_SHARE_ANSWER : client.callWith(reservation, work, priced);
    },
    close: () => settings.httpAgent.destroy(),
  };
  return client;
}

/** `isSure` when X answered that nothing was done; without it that is unknown. */
type Attempt<T> =
  | { kind: 'done'; value: T }
  | { kind: 'refused'; status: number; reason: string }
  | { kind: 'later'; reason: string; retryAfterMs?: number; isSure?: boolean; isCredit?: boolean };

async function attempt<T>(ctx: Ctx, work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { kind: 'done', value: await work() };
  } catch (error) {
    if (!(error instanceof ApiResponseError)) return { kind: 'later', reason: 'X did not answer' };
    return readRefusal(error, ctx.clock.now());
  }
}

function readRefusal({ code, data, headers }: ApiResponseError, now: number): Attempt<never> {
  const { title = '', detail = '', type = '', error = '' } = data ?? {};
  const reason = [code, title || error, detail].filter((part) => part !== '').join(' ');
  if (code === 402 || /\/problems\/(credits|usage-capped)$/.test(type) || /CreditsDepleted|SpendCapReached/.test(title))
    return { kind: 'later', reason, retryAfterMs: NO_CREDIT_WAIT_MS, isSure: true, isCredit: true };
  if (code === 429) {
    const reset = Number(headers['x-rate-limit-reset'] ?? 0) * 1_000;
    return { kind: 'later', reason, retryAfterMs: Math.max(reset - now, 5_000), isSure: true };
  }
  if (code >= 500) return { kind: 'later', reason };
  return { kind: 'refused', status: code, reason };
}

/** The library speaks to X's own address; a local server stands elsewhere, and everything else stays as it is. */
function clientSettings(apiRoot: string) {
  const root = new URL(apiRoot);
  const httpAgent =
    root.protocol === 'http:' ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true });
  const plugin: ITwitterApiClientPlugin = {
    onBeforeRequest({ computedParams, requestOptions }) {
      Object.assign(computedParams.url, { protocol: root.protocol, hostname: root.hostname, port: root.port });
      // The library's own timeout only notices a silent socket.
      requestOptions.signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    },
  };
  return { plugins: [plugin], httpAgent };
}
