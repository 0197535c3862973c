// The steps of the dispatcher, over its state: poll what is due, claim it, send it, record the outcome.
import type { Ctx } from '../../context.ts';
import type { Db } from '../../db.ts';
import { SLOW_MS } from '../../domain/delivery.ts';
import { type AttemptOutcome, isAcknowledged, judgeAttempt } from '../../domain/deliveryPlan.ts';
import type { Grant, Slots } from './concurrency.ts';
import { type Claimed, claimDeliveries, listDue } from './dueDeliveries.ts';
import { giveUpStray } from './endpointTransitions.ts';
import type { Recorder } from './recorder.ts';
import type { Signal } from './signal.ts';

export type Dispatcher = {
  readonly ctx: Ctx;
  /** Connections whose plans go by index. */
  readonly db: Db;
  readonly post: (delivery: Claimed, startedMs: number) => Promise<AttemptOutcome>;
  readonly slots: Slots;
  readonly recorder: Recorder;
  readonly signal: Signal;
  readonly jitter: () => number;
  /** Something may have become due since the last poll. */
  mustPoll: boolean;
  /** Nothing more is claimed. */
  isClosing: boolean;
  /** What still ends is not recorded. */
  isOver: boolean;
  attempts: number;
  delivered: number;
  /** While deliveries to endpoints that are not enabled are given up. */
  givingUp: Promise<void> | undefined;
};

/** Finds the endpoints that have something due. @returns in how many milliseconds the next one has; 0 when one has it now */
export async function pollDue(dispatcher: Dispatcher, dueMs: number): Promise<number> {
  dispatcher.mustPoll = false;
  const { due, nextMs } = await listDue(dispatcher.db, dueMs);
  const stray = due.filter((row) => row.status !== 'enabled').map((row) => row.id);
  if (stray.length > 0) dispatcher.givingUp ??= giveUp(dispatcher, stray);
  dispatcher.slots.offer(
    due.flatMap(({ id, host, status, failing_since }) =>
      status === 'enabled' ? [{ id, host, isFailing: failing_since !== null }] : [],
    ),
  );
  return due.length > 0 ? 0 : (nextMs ?? Number.POSITIVE_INFINITY) - dueMs;
}

/** Beside the sending: however much there is to give up, it delays no delivery. The next poll finds what fails here. */
async function giveUp(dispatcher: Dispatcher, endpointIds: string[]): Promise<void> {
  try {
    await giveUpStray(dispatcher.ctx, endpointIds);
  } catch (err) {
    dispatcher.ctx.log.error({ err }, 'what is left for endpoints that are not enabled could not be ended');
  } finally {
    dispatcher.givingUp = undefined;
  }
}

/** Claims as much as the concurrency allows and begins to send it. @returns what has begun; null when nothing may begin */
export async function sendNext(dispatcher: Dispatcher, dueMs: number): Promise<Promise<void>[] | null> {
  if (dispatcher.recorder.isBehind()) return null;
  const grants = dispatcher.slots.take();
  if (grants.length === 0) return null;
  const claimed = await claim(dispatcher, grants, dueMs);
  return dispatcher.isOver ? [] : claimed.map((delivery) => send(dispatcher, delivery));
}

async function claim({ ctx, db, slots }: Dispatcher, grants: Grant[], dueMs: number): Promise<Claimed[]> {
  const counts = new Map<string, number>();
  try {
    const claimed = await claimDeliveries({ db, clock: ctx.clock }, grants, dueMs);
    for (const { endpoint } of claimed) counts.set(endpoint.id, (counts.get(endpoint.id) ?? 0) + 1);
    return claimed;
  } finally {
    slots.found(grants, counts);
  }
}

async function send(dispatcher: Dispatcher, delivery: Claimed): Promise<void> {
  const { clock } = dispatcher.ctx;
  const [startedMs, began] = [clock.now(), performance.now()];
  const outcome = await dispatcher.post(delivery, startedMs);
  // What the end of the process cuts off says nothing about the receiver.
  if (dispatcher.isOver) return;
  const latencyMs = Math.round(performance.now() - began);
  record(dispatcher, delivery, { outcome, startedMs, nowMs: clock.now(), latencyMs });
}

type Sent = { outcome: AttemptOutcome; startedMs: number; nowMs: number; latencyMs: number };

function record(dispatcher: Dispatcher, delivery: Claimed, { outcome, startedMs, nowMs, latencyMs }: Sent): void {
  const { event, endpoint, attempt, isTest, dueMs, leaseUntilMs } = delivery;
  const isDelivered = isAcknowledged(outcome);
  dispatcher.attempts += 1;
  if (isDelivered) dispatcher.delivered += 1;
  dispatcher.slots.free(endpoint.id, { isFailing: !isDelivered, isSlow: latencyMs > SLOW_MS });
  dispatcher.recorder.add({
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
    fate: judgeAttempt({ attempt, dueMs, startedMs, nowMs, isTest }, outcome, dispatcher.jitter()),
  });
  dispatcher.signal.raise();
}
