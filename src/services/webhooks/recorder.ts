// Records what attempts came to, in batches beside the sending; `isBehind` bounds what is not recorded yet.
import type { Ctx } from '../../context.ts';
import type { Db, Tx } from '../../db.ts';
import { FAILING_DAYS, LEASE_MS } from '../../domain/delivery.ts';
import { isAcknowledged, isOurFault } from '../../domain/deliveryPlan.ts';
import { type Attempted, type EndpointHealth, recordAttempts, recordHealth } from './deliveryTransitions.ts';
import { disableEndpoint, disableFailing } from './endpointTransitions.ts';

const BATCH = 250;
/** Before so many are unwritten, or one for so long, nothing more is claimed: what is not written in time would be sent again. */
const MOST_UNWRITTEN = 1_024;
const LONGEST_UNWRITTEN_MS = LEASE_MS / 2;
/** Between two batches, so that a statement takes many along: at the rate at which it matters, one attempt a batch would cost more than the sending. */
const BATCH_PAUSE_MS = 10;
const RETRY_MS = { first: 50, most: 2_000 } as const;
const DAY_MS = 86_400_000;

/** `url` is where it went: an endpoint may have another one by now. */
export type Attempt = Attempted & { url: string; isTest: boolean };

export type Recorder = {
  add(attempt: Attempt): void;
  isBehind(): boolean;
  /** Resolves when everything added so far is written and the endpoints that it disables are disabled, or when the recorder no longer writes. */
  written(): Promise<void>;
  /** Ends all retries. */
  close(): void;
};

type Recording = {
  readonly ctx: Ctx;
  readonly db: Db;
  readonly onWritten: (disabled: string[]) => void;
  /** Oldest first, each with the moment of real time at which it came. */
  unwritten: { attempt: Attempt; at: number; number: number }[];
  added: number;
  waiting: { number: number; resolve: () => void }[];
  isWriting: boolean;
  isClosed: boolean;
  endPause: (() => void) | undefined;
  /** One after the other, and each endpoint once at a time. */
  disabling: Promise<void>;
  readonly toDisable: Set<string>;
};

/**
 * @param db whose plans go by index
 * @param onWritten called after each batch, and with each endpoint that is disabled
 */
export function createRecorder(ctx: Ctx, db: Db, onWritten: (disabled: string[]) => void): Recorder {
  const recording: Recording = {
    ...{ ctx, db, onWritten, unwritten: [], added: 0, waiting: [], isWriting: false, isClosed: false },
    ...{ endPause: undefined, disabling: Promise.resolve(), toDisable: new Set() },
  };
  return {
    add(attempt) {
      recording.added += 1;
      recording.unwritten.push({ attempt, at: performance.now(), number: recording.added });
      if (!recording.isWriting) void write(recording);
    },
    isBehind: () => isBehind(recording),
    written: () => written(recording),
    close() {
      recording.isClosed = true;
      recording.endPause?.();
      resolveWaiting(recording);
    },
  };
}

function isBehind({ unwritten }: Recording): boolean {
  const [oldest] = unwritten;
  if (!oldest) return false;
  return unwritten.length >= MOST_UNWRITTEN || performance.now() - oldest.at > LONGEST_UNWRITTEN_MS;
}

async function written(recording: Recording): Promise<void> {
  await new Promise<void>((resolve) => {
    if (recording.unwritten.length === 0 || recording.isClosed) return resolve();
    recording.waiting.push({ number: recording.added, resolve });
  });
  await recording.disabling;
}

async function write(recording: Recording): Promise<void> {
  recording.isWriting = true;
  while (recording.unwritten.length > 0 && !recording.isClosed) {
    const batch = nextBatch(recording.unwritten.map(({ attempt }) => attempt));
    await persist(recording, (isRetry) => recordAttempts(recording.db, batch, isRetry));
    await judgeEndpoints(recording, batch);
    const taken = new Set(batch);
    recording.unwritten = recording.unwritten.filter(({ attempt }) => !taken.has(attempt));
    recording.onWritten([]);
    resolveWaiting(recording);
    if (recording.unwritten.length < BATCH) await pause(recording, BATCH_PAUSE_MS);
  }
  recording.isWriting = false;
}

function resolveWaiting(recording: Recording): void {
  const { unwritten, waiting, isClosed } = recording;
  const first = isClosed ? Number.POSITIVE_INFINITY : (unwritten[0]?.number ?? Number.POSITIVE_INFINITY);
  for (const { number, resolve } of waiting) if (number < first) resolve();
  recording.waiting = waiting.filter(({ number }) => number >= first);
}

/** Tries until it is done or the process closes: the rows are the only place where it can go. */
async function persist<T>(recording: Recording, work: (isRetry: boolean) => Promise<T>): Promise<T | undefined> {
  for (let failures = 0; !recording.isClosed; ) {
    try {
      return await work(failures > 0);
    } catch (err) {
      failures += 1;
      if (failures === 1 || failures % 20 === 0)
        recording.ctx.log.error({ err, failures }, 'attempts cannot be written down; it is tried again');
      await pause(recording, Math.min(RETRY_MS.first * 2 ** failures, RETRY_MS.most));
    }
  }
  return undefined;
}

function pause(recording: Recording, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    recording.endPause = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** Endpoints are disabled beside the writing: where much waits that takes a while, and holds up no other endpoint. */
async function judgeEndpoints(recording: Recording, batch: Attempt[]): Promise<void> {
  const { ctx, db } = recording;
  const healths = healthOf(batch);
  const limitMs = ctx.clock.now() - FAILING_DAYS * DAY_MS;
  const overdue = (healths.length > 0 && (await persist(recording, () => recordHealth(db, healths, limitMs)))) || [];
  for (const { endpointId, url, fate } of batch)
    if (fate.status === 'failed' && fate.endpointGone)
      disableSoon(recording, endpointId, (tx) => disableEndpoint(ctx, tx, endpointId, 'gone', { url }));
  for (const id of overdue) disableSoon(recording, id, (tx) => disableFailing(ctx, tx, id, limitMs));
}

function disableSoon(recording: Recording, endpointId: string, disable: (tx: Tx) => Promise<unknown>): void {
  const { ctx, toDisable } = recording;
  if (recording.isClosed || toDisable.has(endpointId)) return;
  toDisable.add(endpointId);
  recording.disabling = recording.disabling.then(async () => {
    try {
      if (await ctx.db.$transaction(disable)) recording.onWritten([endpointId]);
    } catch (err) {
      // Its next attempt finds it again, so nothing waits for it.
      ctx.log.error({ err, endpoint: endpointId }, 'an endpoint could not be disabled');
    } finally {
      toDisable.delete(endpointId);
    }
  });
}

/** The oldest, at most one of each delivery: two of one are two batches. */
function nextBatch(unwritten: Attempt[]): Attempt[] {
  const batch = new Map<string, Attempt>();
  for (const attempt of unwritten) {
    const key = attempt.eventId + attempt.endpointId;
    if (!batch.has(key)) batch.set(key, attempt);
    if (batch.size === BATCH) break;
  }
  return [...batch.values()];
}

/** In the order in which the attempts ended. Tests, and what was our fault, count against no endpoint. */
function healthOf(batch: readonly Attempt[]): EndpointHealth[] {
  const healths = new Map<string, EndpointHealth>();
  for (const { endpointId, outcome, isTest, startedMs } of batch) {
    const health = healths.get(endpointId) ?? { endpointId, succeeded: false, sinceMs: null };
    if (isAcknowledged(outcome)) healths.set(endpointId, { endpointId, succeeded: true, sinceMs: null });
    else if (!isTest && !isOurFault(outcome))
      healths.set(endpointId, { ...health, sinceMs: health.sinceMs ?? startedMs });
  }
  return [...healths.values()];
}
