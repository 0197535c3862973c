// The dispatcher of deliveries, one a process: in rounds or in a loop, until the process closes.
import type { Ctx } from '../../context.ts';
import { connectDb, disconnectDb } from '../../db.ts';
import { ATTEMPT_TIMEOUT_MS } from '../../domain/delivery.ts';
import { createSending } from './attempt.ts';
import { createSlots } from './concurrency.ts';
import { type Dispatcher, pollDue, sendNext } from './dispatchSteps.ts';
import { createSafeClient, type SafeClient } from './egress/fetch.ts';
import { createRecorder } from './recorder.ts';
import { createSignal } from './signal.ts';

export type Deliverer = {
  /**
   * Sends everything that is due now and waits until it is over and recorded. Two rounds at once go one after the other.
   * @param withinMs after which nothing more is claimed; what is under way then is waited for
   * @returns how many attempts were made
   */
  round(limit?: { withinMs?: number }): Promise<number>;
  /** Since it was created: attempts, and those of them that were acknowledged. */
  tally(): { attempts: number; delivered: number };
  /**
   * Sends what becomes due until the process closes; what is under way then is abandoned after a short grace.
   * @throws what a poll threw: the caller calls again
   */
  run(): Promise<void>;
  /** Something may be due. */
  wake(): void;
  /** Claims nothing more and waits a little for what is under way; the process does so when it closes. */
  close(): Promise<void>;
};

export type DelivererOptions = {
  /** From 0 to 1, for each wait: how much of the most jitter it gets. */
  jitter?: () => number;
  timeoutMs?: number;
  client?: SafeClient;
};

/** One claims, one records, one is for a round beside the loop. */
const CONNECTIONS = 3;
/** Between two polls, however silent the queue is: while something is due or soon will be, and at most. */
const POLL_EVERY_MS = 1_000;
const POLL_AT_LEAST_EVERY_MS = 10_000;
/** A poll rests for so many times as long as it took, so that many jobs that wake cost no more than a share of the time. */
const POLL_REST = 3;
/** What has not ended by then is abandoned: its lease ends, and it is sent again. */
const CLOSE_WITHIN_MS = 2_000;

export function createDeliverer(ctx: Ctx, options: DelivererOptions = {}): Deliverer {
  const { client } = options;
  const http = client ?? createSafeClient(ctx);
  const dispatcher = createDispatcher(ctx, http, options);
  let rounds: Promise<unknown> = Promise.resolve();
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= closeDispatcher(dispatcher, client ? null : http));
  ctx.shutdown.onClose('webhooks', close);
  if (!ctx.env.WEBHOOK_KEY) ctx.log.warn('no webhooks are sent: WEBHOOK_KEY is not set');
  return {
    round({ withinMs = Number.POSITIVE_INFINITY } = {}) {
      if (!ctx.env.WEBHOOK_KEY) return Promise.resolve(0);
      const round = rounds.then(() => runRound(dispatcher, withinMs));
      rounds = round.catch(() => {});
      return round;
    },
    tally: () => ({ attempts: dispatcher.attempts, delivered: dispatcher.delivered }),
    async run() {
      if (ctx.env.WEBHOOK_KEY) await runLoop(dispatcher);
    },
    wake() {
      dispatcher.mustPoll = true;
      dispatcher.signal.raise();
    },
    close,
  };
}

function createDispatcher(
  ctx: Ctx,
  http: SafeClient,
  { jitter = Math.random, timeoutMs = ATTEMPT_TIMEOUT_MS }: DelivererOptions,
): Dispatcher {
  const slots = createSlots(ctx.env.WEBHOOK_HOST_PER_SECOND);
  const signal = createSignal();
  const db = connectDb(ctx.env.DATABASE_URL, {
    max: CONNECTIONS,
    byIndex: true,
    onError: (err) => ctx.log.warn({ err }, 'database connection lost'),
  });
  const recorder = createRecorder(ctx, db, (disabled) => {
    for (const id of disabled) slots.forget(id);
    signal.raise();
  });
  return {
    ...{ ctx, db, slots, recorder, signal, jitter, post: createSending(ctx, http, timeoutMs) },
    ...{ mustPoll: true, isClosing: false, isOver: false, attempts: 0, delivered: 0, givingUp: undefined },
  };
}

async function runRound(dispatcher: Dispatcher, withinMs: number): Promise<number> {
  const { ctx, slots, signal, recorder } = dispatcher;
  const dueMs = ctx.clock.now();
  const end = performance.now() + withinMs;
  // Its own only: a dispatcher that runs has always something under way.
  const own = new Set<Promise<void>>();
  let begun = 0;
  await pollDue(dispatcher, dueMs);
  while (!dispatcher.isClosing) {
    const seen = signal.count();
    const mayClaim = performance.now() < end;
    const sent = mayClaim ? await sendNext(dispatcher, dueMs) : null;
    for (const one of sent ?? []) {
      own.add(one);
      void one.finally(() => own.delete(one));
    }
    begun += sent?.length ?? 0;
    if (sent) continue;
    if (own.size === 0 && !(mayClaim && slots.isHungry())) break;
    await signal.wait(seen, Math.min(POLL_EVERY_MS, slots.waitMs()));
  }
  await recorder.written();
  await dispatcher.givingUp;
  return begun - own.size;
}

async function runLoop(dispatcher: Dispatcher): Promise<void> {
  const { ctx, slots, signal } = dispatcher;
  let pollAt = 0;
  let mayPollAt = 0;
  while (!dispatcher.isClosing) {
    const seen = signal.count();
    const now = performance.now();
    if (now >= pollAt || (dispatcher.mustPoll && now >= mayPollAt)) {
      const nextInMs = await pollDue(dispatcher, ctx.clock.now());
      const after = performance.now();
      pollAt = after + Math.max(POLL_EVERY_MS, Math.min(nextInMs, POLL_AT_LEAST_EVERY_MS));
      mayPollAt = after + POLL_REST * (after - now);
    }
    if ((await sendNext(dispatcher, ctx.clock.now())) !== null) continue;
    const pollIn = (dispatcher.mustPoll ? mayPollAt : pollAt) - performance.now();
    await signal.wait(seen, Math.min(pollIn, slots.waitMs()));
  }
}

/** @param http the client, when it is the dispatcher's own */
async function closeDispatcher(dispatcher: Dispatcher, http: SafeClient | null): Promise<void> {
  const { db, slots, signal, recorder } = dispatcher;
  const end = performance.now() + CLOSE_WITHIN_MS;
  dispatcher.isClosing = true;
  signal.raise();
  while (slots.underWay() > 0 && performance.now() < end) await signal.wait(signal.count(), end - performance.now());
  await within(end - performance.now(), Promise.all([recorder.written(), dispatcher.givingUp]));
  dispatcher.isOver = true;
  recorder.close();
  await http?.close();
  await within(CLOSE_WITHIN_MS, disconnectDb(db));
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
