// The dispatcher of deliveries, one a process: it finds what is due in the rows, sends as much at once as it may, and hands on what came of it.
import type { Ctx } from '../../context.ts';
import { connectDb, disconnectDb } from '../../db.ts';
import { ATTEMPT_TIMEOUT_MS, SLOW_MS } from '../../domain/delivery.ts';
import { isAcknowledged, judgeAttempt } from '../../domain/deliveryPlan.ts';
import { createSending } from './attempt.ts';
import { createSlots, type Grant } from './concurrency.ts';
import { type Claimed, claimDeliveries, listDue } from './dueDeliveries.ts';
import { createSafeClient, type SafeClient } from './egress/fetch.ts';
import { giveUpStray } from './endpointTransitions.ts';
import { createRecorder } from './recorder.ts';

export type Deliverer = {
  /**
   * Sends everything that is due now and waits until it is over and written down. Two at once go one after the other.
   * @param withinMs after which nothing more is taken; what is under way then is waited for
   * @returns how many attempts were made
   */
  round(limit?: { withinMs?: number }): Promise<number>;
  /** What it has done since it was created: attempts, and those of them that were acknowledged. */
  tally(): { attempts: number; delivered: number };
  /**
   * Sends what becomes due until the process closes; what is under way then is abandoned after a short grace.
   * @throws what a look at the rows threw: whoever called calls again
   */
  run(): Promise<void>;
  /** Something may be due. */
  wake(): void;
  /** Takes nothing more and waits a little for what is under way; the process does so when it closes. */
  close(): Promise<void>;
};

export type DelivererOptions = {
  /** From 0 to 1, for each wait: how much of the most jitter it gets. */
  jitter?: () => number;
  timeoutMs?: number;
  client?: SafeClient;
};

/** One takes, one writes down, one is for a round beside the loop. */
const CONNECTIONS = 3;
/** However silent the queue is. */
const LIST_EVERY_MS = 1_000;
/** A look rests for so many times as long as it took, so that many jobs that wake cost no more than a share of the time. */
const LIST_REST = 3;
/** What has not ended by then is abandoned: its lease ends, and it is sent again. */
const CLOSE_WITHIN_MS = 2_000;

export function createDeliverer(
  ctx: Ctx,
  { jitter = Math.random, timeoutMs = ATTEMPT_TIMEOUT_MS, client }: DelivererOptions = {},
): Deliverer {
  const http = client ?? createSafeClient(ctx);
  const post = createSending(ctx, http, timeoutMs);
  const slots = createSlots(ctx.env.WEBHOOK_HOST_PER_SECOND);
  const bell = createBell();
  const db = connectDb(ctx.env.DATABASE_URL, {
    max: CONNECTIONS,
    byIndex: true,
    onError: (err) => ctx.log.warn({ err }, 'database connection lost'),
  });
  const recorder = createRecorder(ctx, db, (disabled) => {
    for (const id of disabled) slots.forget(id);
    bell.ring();
  });
  let mustList = true;
  /** Nothing more is taken; and then, what still ends is not written down any more. */
  let closes = false;
  let isOver = false;
  let closed: Promise<void> | undefined;
  let attempts = 0;
  let delivered = 0;
  let rounds: Promise<unknown> = Promise.resolve();
  let ending: Promise<void> | undefined;
  if (!ctx.env.WEBHOOK_KEY) ctx.log.warn('no webhooks are sent: WEBHOOK_KEY is not set');

  async function list(dueMs: number): Promise<void> {
    mustList = false;
    const due = await listDue(db, dueMs);
    const stray = due.filter((row) => row.status !== 'enabled').map((row) => row.id);
    if (stray.length > 0) ending ??= endStray(stray);
    slots.offer(
      due.flatMap(({ id, host, status, failing_since }) =>
        status === 'enabled' ? [{ id, host, isFailing: failing_since !== null }] : [],
      ),
    );
  }

  /** Beside the sending: however much there is to end, it delays nobody. What fails is found by the next look. */
  async function endStray(endpointIds: string[]): Promise<void> {
    try {
      await giveUpStray(ctx, endpointIds);
    } catch (err) {
      ctx.log.error({ err }, 'what is left for endpoints that are not enabled could not be ended');
    } finally {
      ending = undefined;
    }
  }

  /** Takes and begins to send what there is room for. @returns what was begun; null when there was no room */
  async function step(dueMs: number): Promise<Promise<void>[] | null> {
    if (recorder.isBehind()) return null;
    const grants = slots.take();
    if (grants.length === 0) return null;
    const claimed = await claim(grants, dueMs);
    return isOver ? [] : claimed.map(send);
  }

  async function claim(grants: Grant[], dueMs: number): Promise<Claimed[]> {
    const counts = new Map<string, number>();
    try {
      const claimed = await claimDeliveries({ db, clock: ctx.clock }, grants, dueMs);
      for (const { endpoint } of claimed) counts.set(endpoint.id, (counts.get(endpoint.id) ?? 0) + 1);
      return claimed;
    } finally {
      slots.found(grants, counts);
    }
  }

  async function send(delivery: Claimed): Promise<void> {
    const { event, endpoint, rung, isTest, dueMs, leaseUntilMs } = delivery;
    const [startedMs, began] = [ctx.clock.now(), performance.now()];
    const outcome = await post(delivery, startedMs);
    // What is cut off by the end of the process says nothing about the receiver.
    if (isOver) return;
    const nowMs = ctx.clock.now();
    attempts += 1;
    if (isAcknowledged(outcome)) delivered += 1;
    const latencyMs = Math.round(performance.now() - began);
    slots.free(endpoint.id, { isFailing: !isAcknowledged(outcome), isSlow: latencyMs > SLOW_MS });
    recorder.add({
      eventId: event.id,
      endpointId: endpoint.id,
      url: endpoint.url,
      isTest,
      dueMs,
      leaseUntilMs,
      startedMs,
      endedMs: nowMs,
      latencyMs,
      outcome,
      fate: judgeAttempt({ rung, dueMs, startedMs, nowMs, isTest }, outcome, jitter()),
    });
    bell.ring();
  }

  async function runRound(withinMs: number): Promise<number> {
    const dueMs = ctx.clock.now();
    const end = performance.now() + withinMs;
    // Its own only: a dispatcher that runs has always something under way.
    const mine = new Set<Promise<void>>();
    let begun = 0;
    await list(dueMs);
    while (!closes) {
      const heard = bell.rings();
      const mayTake = performance.now() < end;
      const sent = mayTake ? await step(dueMs) : null;
      for (const one of sent ?? []) {
        mine.add(one);
        void one.finally(() => mine.delete(one));
      }
      begun += sent?.length ?? 0;
      if (sent) continue;
      if (mine.size === 0 && !(mayTake && slots.isHungry())) break;
      await bell.rest(heard, Math.min(LIST_EVERY_MS, slots.waitMs()));
    }
    await recorder.written();
    await ending;
    return begun - mine.size;
  }

  async function run(): Promise<void> {
    let listAt = 0;
    let mayListAt = 0;
    while (!closes) {
      const heard = bell.rings();
      const now = performance.now();
      if (now >= listAt || (mustList && now >= mayListAt)) {
        await list(ctx.clock.now());
        const after = performance.now();
        listAt = after + LIST_EVERY_MS;
        mayListAt = after + LIST_REST * (after - now);
      }
      if ((await step(ctx.clock.now())) !== null) continue;
      const listIn = (mustList ? mayListAt : listAt) - performance.now();
      await bell.rest(heard, Math.min(listIn, slots.waitMs()));
    }
  }

  async function runOut(): Promise<void> {
    const end = performance.now() + CLOSE_WITHIN_MS;
    closes = true;
    bell.ring();
    while (slots.underWay() > 0 && performance.now() < end) await bell.rest(bell.rings(), end - performance.now());
    await within(end - performance.now(), Promise.all([recorder.written(), ending]));
    isOver = true;
    recorder.close();
    if (!client) await http.close();
    await within(CLOSE_WITHIN_MS, disconnectDb(db));
  }
  const close = () => (closed ??= runOut());
  ctx.shutdown.onClose('webhooks', close);

  return {
    round({ withinMs = Number.POSITIVE_INFINITY } = {}) {
      if (!ctx.env.WEBHOOK_KEY) return Promise.resolve(0);
      const round = rounds.then(() => runRound(withinMs));
      rounds = round.catch(() => {});
      return round;
    },
    tally: () => ({ attempts, delivered }),
    async run() {
      if (ctx.env.WEBHOOK_KEY) await run();
    },
    wake() {
      mustList = true;
      bell.ring();
    },
    close,
  };
}

/** Whoever rests goes on when it rings, or has rung since he last asked how often, or when his time is over. */
function createBell(): { ring(): void; rings(): number; rest(heard: number, ms: number): Promise<void> } {
  let count = 0;
  const resting = new Set<() => void>();
  return {
    ring() {
      count += 1;
      for (const end of resting) end();
    },
    rings: () => count,
    async rest(heard, ms) {
      if (count === heard && ms > 0)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(() => end(), ms);
          const end = () => {
            clearTimeout(timer);
            resting.delete(end);
            resolve();
          };
          resting.add(end);
        });
      // What else ends in the same moment is seen together.
      await new Promise<void>((resolve) => setImmediate(resolve));
    },
  };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
