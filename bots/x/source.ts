// Where mentions come in: one page after the other down to the last one that was read, then into the inbox, oldest first. Direct messages are
// polled only while a question is open there.
import { setTimeout as sleep } from 'node:timers/promises';
import type { TweetUserMentionTimelineV2Paginator } from 'twitter-api-v2';
import type { Ctx } from '../../src/context.ts';
import { MAX_COMMAND_AGE_MS } from '../../src/domain/limits.ts';
import { MOST_PAGE, readCost, retryPause } from '../../src/domain/xBudget.ts';
import { pollOf } from '../../src/services/chat/positions.ts';
import { reservePoll } from '../../src/services/chat/xBudget.ts';
import type { XClient, XOutcome } from './client.ts';
import { type ReadToday, readDirectAnswers } from './directMessages.ts';
import { POST_FIELDS, type XBot, type XPost } from './message.ts';
import { type Mentions, storeMentions } from './store.ts';

export type PollResult = 'stored' | 'nothing' | 'halted' | 'waits' | 'failed';
export type XSource = {
  /** One poll for mentions, to the end. Never throws. */
  poll(): Promise<PollResult>;
  /** Polls until the process closes. */
  start(): Promise<void>;
};

const WARM_FACTOR = 4;

/** What was read by a poll that is not finished: it is paid for, so a failure on a later page does not throw it away. */
type Unfinished = Mentions & { token: string | undefined; isLast: boolean };

/** @param chance from 0 to 1, for the pauses after failures */
export function createXSource(
  ctx: Ctx,
  client: XClient,
  bot: XBot,
  onStored: () => void,
  chance: () => number = Math.random,
): XSource {
  let unfinished: Unfinished | null = null;
  let notBefore = 0;
  let failures = 0;
  let isWarm = false;
  const directToday: ReadToday = { day: '', ids: new Set() };
  let polling: Promise<PollResult> | null = null;

  async function look(since: string | null): Promise<PollResult> {
    if (ctx.clock.now() < notBefore) return 'waits';
    unfinished ??= { posts: [], users: [], token: undefined, isLast: false };
    while (!unfinished.isLast) {
      const answer = await readPage(since, unfinished.token);
      if (answer !== 'read') return answer;
    }
    const isNew = unfinished.posts.length > 0 && (await storeMentions(ctx, unfinished, bot));
    unfinished = null;
    if (isNew) onStored();
    return isNew ? 'stored' : 'nothing';
  }

  async function readPage(since: string | null, token: string | undefined): Promise<PollResult | 'read'> {
    const admitted = await reservePoll(ctx);
    isWarm = admitted.state === 'warm';
    if (admitted.kind !== 'read') return admitted.kind === 'halt' ? 'halted' : 'waits';
    const outcome = await client.callWith(
      admitted.reservation,
      (api) =>
        api.v2.userMentionTimeline(bot.id, {
          max_results: Math.min(admitted.size, MOST_PAGE),
          'tweet.fields': POST_FIELDS,
          expansions: 'author_id',
          'user.fields': 'username',
          // Before the first poll no command could be in time.
          ...(since === null
            ? { start_time: new Date(ctx.clock.now() - MAX_COMMAND_AGE_MS).toISOString() }
            : { since_id: since }),
          ...(token === undefined ? {} : { pagination_token: token }),
        } as never),
      { worst: admitted.reservation.worst, cost: costOf },
    );
    if (outcome.kind !== 'done') {
      failures += 1;
      notBefore = ctx.clock.now() + pauseAfter(outcome);
      // A place in the list that X has forgotten: the list is read from its start.
      if (outcome.kind === 'refused' && token !== undefined) unfinished = null;
      ctx.log.warn({ reason: outcome.reason }, 'mentions could not be read; it is tried again');
      return 'failed';
    }
    failures = 0;
    const { data, includes, meta } = outcome.value.data;
    unfinished?.posts.push(...((data ?? []) as XPost[]));
    unfinished?.users.push(...(includes?.users ?? []));
    if (unfinished) {
      unfinished.token = meta?.next_token;
      unfinished.isLast = meta?.next_token === undefined;
    }
    return 'read';
  }

  /** Without credit the halt keeps every process from polling, and an operator may end it at any moment. */
  function pauseAfter(outcome: Exclude<XOutcome<unknown>, { kind: 'done' }>): number {
    if (outcome.kind === 'later' && outcome.isCredit) return 0;
    const asked = outcome.kind === 'later' ? (outcome.retryAfterMs ?? 0) : 0;
    return Math.max(asked, retryPause(failures, chance()));
  }

  async function pollOnce(): Promise<PollResult> {
    try {
      const { since, isAsked } = await pollOf(ctx, bot.id);
      const result = await look(since);
      if (failures === 0 && isAsked) {
        if (await readDirectAnswers(ctx, client, bot, directToday)) onStored();
      }
      return result;
    } catch (err) {
      ctx.log.error({ err }, 'a look at X failed; it is tried again');
      return 'failed';
    }
  }
  const source: XSource = {
    poll() {
      polling ??= pollOnce().finally(() => {
        polling = null;
      });
      return polling;
    },
    async start() {
      const stopping = new AbortController();
      const done = run(stopping.signal);
      ctx.shutdown.onClose('x polling', () => {
        stopping.abort();
        return done;
      });
    },
  };
  async function run(signal: AbortSignal): Promise<void> {
    while (!ctx.shutdown.closing()) {
      await source.poll();
      const pauseMs = ctx.env.X_POLL_SECONDS * 1_000 * (isWarm ? WARM_FACTOR : 1);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
  return source;
}

function costOf({ data: { data, includes } }: TweetUserMentionTimelineV2Paginator): bigint {
  const posts = (data?.length ?? 0) + (includes?.tweets?.length ?? 0);
  return readCost(posts, includes?.users?.length ?? 0);
}
