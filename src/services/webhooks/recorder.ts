// Writes down what attempts came to, many at once, behind those who send: as long as it takes, nobody waits for it, and what it has not written yet is
// bounded by whoever asks `isBehind` before he takes more.
import type { Ctx } from '../../context.ts';
import type { Db, Tx } from '../../db.ts';
import { FAILING_DAYS, LEASE_MS } from '../../domain/delivery.ts';
import { isAcknowledged, isOurFault } from '../../domain/deliveryPlan.ts';
import { type Attempted, type Health, recordAttempts, recordHealth } from './deliveryTransitions.ts';
import { disableEndpoint, disableFailing } from './endpointTransitions.ts';

const BATCH = 250;
/** Before so many are unwritten, or one for so long, nothing more is taken: what is not written in time would be sent again. */
const MOST_UNWRITTEN = 1_024;
const LONGEST_UNWRITTEN_MS = LEASE_MS / 2;
/** Between two batches, so that a statement takes many along: at the rate at which it matters, one attempt a batch would cost more than the sending. */
const GATHER_MS = 10;
const PAUSES_MS = { first: 50, most: 2_000 } as const;
const DAY_MS = 86_400_000;

/** `url` is where it went: an endpoint may have another one by now. */
export type Told = Attempted & { url: string; isTest: boolean };

export type Recorder = {
  add(told: Told): void;
  isBehind(): boolean;
  /** When everything that was added until now is written and whom it disables is disabled, or nothing is written any more. */
  written(): Promise<void>;
  /** Nothing is tried again from now on. */
  close(): void;
};

/**
 * @param db whose plans go by index
 * @param onWritten is told after each batch, and with each endpoint that is disabled
 */
export function createRecorder(ctx: Ctx, db: Db, onWritten: (disabled: string[]) => void): Recorder {
  /** Oldest first, each with the moment of real time at which it came. */
  let unwritten: { told: Told; at: number; number: number }[] = [];
  let added = 0;
  let waiting: { number: number; resolve: () => void }[] = [];
  let isWriting = false;
  let closes = false;
  let endPause: (() => void) | undefined;
  /** One after the other, and each endpoint once at a time. */
  let disabling: Promise<void> = Promise.resolve();
  const toDisable = new Set<string>();

  async function write(): Promise<void> {
    isWriting = true;
    while (unwritten.length > 0 && !closes) {
      const batch = takeBatch(unwritten.map(({ told }) => told));
      await persist((again) => recordAttempts(db, batch, again));
      await judgeEndpoints(batch);
      const chosen = new Set(batch);
      unwritten = unwritten.filter(({ told }) => !chosen.has(told));
      onWritten([]);
      tellWaiting();
      if (unwritten.length < BATCH) await pause(GATHER_MS);
    }
    isWriting = false;
  }

  function tellWaiting(): void {
    const first = closes ? Number.POSITIVE_INFINITY : (unwritten[0]?.number ?? Number.POSITIVE_INFINITY);
    for (const { number, resolve } of waiting) if (number < first) resolve();
    waiting = waiting.filter(({ number }) => number >= first);
  }

  /** Tries until it is done or the process closes: the rows are the only place where it can go. */
  async function persist<T>(work: (again: boolean) => Promise<T>): Promise<T | undefined> {
    for (let failures = 0; !closes; ) {
      try {
        return await work(failures > 0);
      } catch (err) {
        failures += 1;
        if (failures === 1 || failures % 20 === 0)
          ctx.log.error({ err, failures }, 'attempts cannot be written down; it is tried again');
        await pause(Math.min(PAUSES_MS.first * 2 ** failures, PAUSES_MS.most));
      }
    }
    return undefined;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Whom this batch disables is disabled beside the writing: where much waits that takes a while, and holds up no other endpoint. */
  async function judgeEndpoints(batch: Told[]): Promise<void> {
    const healths = healthOf(batch);
    const limitMs = ctx.clock.now() - FAILING_DAYS * DAY_MS;
    const overdue = (healths.length > 0 && (await persist(() => recordHealth(db, healths, limitMs)))) || [];
    for (const { endpointId, url, fate } of batch)
      if (fate.status === 'failed' && fate.endpointGone)
        disableSoon(endpointId, (tx) => disableEndpoint(ctx, tx, endpointId, 'gone', { url }));
    for (const id of overdue) disableSoon(id, (tx) => disableFailing(ctx, tx, id, limitMs));
  }

  function disableSoon(endpointId: string, work: (tx: Tx) => Promise<unknown>): void {
    if (closes || toDisable.has(endpointId)) return;
    toDisable.add(endpointId);
    disabling = disabling.then(async () => {
      try {
        if (await ctx.db.$transaction(work)) onWritten([endpointId]);
      } catch (err) {
        // Its next attempt finds it again, so nothing waits for it.
        ctx.log.error({ err, endpoint: endpointId }, 'an endpoint could not be disabled');
      } finally {
        toDisable.delete(endpointId);
      }
    });
  }

  return {
    add(told) {
      added += 1;
      unwritten.push({ told, at: performance.now(), number: added });
      if (!isWriting) void write();
    },
    isBehind: () => {
      const [oldest] = unwritten;
      if (!oldest) return false;
      return unwritten.length >= MOST_UNWRITTEN || performance.now() - oldest.at > LONGEST_UNWRITTEN_MS;
    },
    async written() {
      await new Promise<void>((resolve) => {
        if (unwritten.length === 0 || closes) return resolve();
        waiting.push({ number: added, resolve });
      });
      await disabling;
    },
    close() {
      closes = true;
      endPause?.();
      tellWaiting();
    },
  };
}

/** The oldest, at most one of each delivery: two of one are two batches. */
function takeBatch(unwritten: Told[]): Told[] {
  const batch = new Map<string, Told>();
  for (const told of unwritten) {
    const key = told.eventId + told.endpointId;
    if (!batch.has(key)) batch.set(key, told);
    if (batch.size === BATCH) break;
  }
  return [...batch.values()];
}

/** In the order in which the attempts ended. Tests, and what was our fault, are held against nobody. */
export function healthOf(batch: readonly Told[]): Health[] {
  const healths = new Map<string, Health>();
  for (const { endpointId, outcome, isTest, startedMs } of batch) {
    const health = healths.get(endpointId) ?? { endpointId, succeeded: false, sinceMs: null };
    if (isAcknowledged(outcome)) healths.set(endpointId, { endpointId, succeeded: true, sinceMs: null });
    else if (!isTest && !isOurFault(outcome))
      healths.set(endpointId, { ...health, sinceMs: health.sinceMs ?? startedMs });
  }
  return [...healths.values()];
}
