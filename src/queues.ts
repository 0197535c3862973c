// The queues: one table of names and payloads, the outbox that fills them, and the one place that picks their backend.
// Rows are the truth; a job only says "look at this row now", so losing every queue loses nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresBackend, createRedisBackend, type Processor, Queue, Worker } from 'bullmq';
import { z } from 'zod';
import { DB_LIMITS, type Db, openPool, type Tx } from './db.ts';
import { CHAIN_NAMES } from './domain/chains.ts';
import { AppError } from './domain/errors.ts';
import { type Log, scrubError } from './log.ts';
import { type RedisSpace, WORKER_WAIT_SECONDS } from './redis.ts';

/** Every queue and the payload that its jobs carry. */
const PAYLOADS = {
  intents: z.strictObject({ intentIds: z.array(z.string()) }),
  settle: z.strictObject({ chain: z.enum(CHAIN_NAMES) }),
  replies: z.strictObject({ replyIds: z.array(z.string()) }),
  webhooks: z.strictObject({ eventIds: z.array(z.string()) }),
  cron: z.discriminatedUnion('task', [
    z.strictObject({ task: z.literal('process-webhooks') }),
    z.strictObject({ task: z.literal('indexer'), chain: z.enum(CHAIN_NAMES) }),
  ]),
};

export type QueueName = keyof typeof PAYLOADS;
export type Payload<Name extends QueueName> = z.infer<(typeof PAYLOADS)[Name]>;
type Handler<Name extends QueueName> = (payload: Payload<Name>) => Promise<void>;

/** A task that comes again and again; `id` names it in every process. */
export type Schedule = { id: string; everyMs: number; payload: Payload<'cron'> };

export type Queues = {
  /**
   * Moves what the outbox holds into the queues. Called after a commit, and by the sweeper for what a crash left behind.
   * @returns how many jobs were moved; null while Redis is away: the rows stay, and the caller's own work is done
   */
  flush(db: Db): Promise<number | null>;
  consume<Name extends QueueName>(name: Name, handler: Handler<Name>, concurrency?: number): void;
  /**
   * Makes these the tasks that the queue `cron` hands out by itself, one of each at a time: while one waits, no second one comes. Saying the
   * same again changes nothing, from however many processes; said by two in one moment, there is one more turn, once.
   * @throws AppError `provider_unavailable` while Redis is away
   */
  schedule(schedules: readonly Schedule[]): Promise<void>;
  counts(): Promise<Record<QueueName, Record<string, number>>>;
  /** For how many milliseconds the oldest waiting job of each queue has been waiting; null when nothing waits. */
  ages(now: number): Promise<Record<QueueName, number | null>>;
  /** BullMQ's own objects, for a board that shows them. */
  all(): Queue[];
  close(): Promise<void>;
};

/** Asks for a job inside a transaction. The same job id while that job waits or runs is one job. */
export async function enqueue<Name extends QueueName>(
  tx: Tx,
  name: Name,
  jobId: string,
  payload: Payload<Name>,
  now: number,
): Promise<void> {
  await tx.outbox.create({ data: { queue: name, jobId, payload, createdAt: new Date(now) } });
}

type OutboxRow = {
  id: bigint;
  queue: QueueName;
  job_id: string;
  payload: Record<string, unknown>;
  created_at: Date;
};

/** A crash between `addBulk` and the commit repeats the rows; job ids make the repeat harmless. */
const FLUSH_BATCH = 200;

export async function createQueues(
  databaseUrl: string,
  redis: RedisSpace | null,
  log: Log,
  names: QueueName[] = queueNames(),
): Promise<Queues> {
  const backend = redis ? redisBackend(redis, log) : postgresBackend(databaseUrl, log);
  const queues = new Map<QueueName, Queue>();
  for (const name of names) {
    const queue = backend.openQueue(name);
    queue.on('error', (err) => backend.report(err, name));
    queues.set(name, queue);
    await backend.untilOpen(queue);
  }
  const workers = new Set<Worker>();
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  const opened = (name: QueueName) => {
    const queue = queues.get(name);
    if (!queue) throw new Error(`this process did not open the queue ${name}`);
    return queue;
  };
  async function ofEach<T>(read: (queue: Queue) => Promise<T>): Promise<Record<QueueName, T>> {
    const entries = [...queues].map(async ([name, queue]) => [name, await backend.run(() => read(queue))] as const);
    return Object.fromEntries(await Promise.all(entries)) as Record<QueueName, T>;
  }

  async function flushOnce(db: Db): Promise<number> {
    return db.$transaction(async (tx) => {
      const rows = await tx.$queryRaw<OutboxRow[]>`
        select id, queue, job_id, payload, created_at from outbox order by id limit ${FLUSH_BATCH} for update skip locked`;
      if (rows.length === 0) return 0;
      for (const name of new Set(rows.map((row) => row.queue))) {
        const jobs = rows
          .filter((row) => row.queue === name)
          .map((row) => ({
            name,
            data: row.payload,
            opts: { jobId: row.job_id, timestamp: row.created_at.getTime() },
          }));
        await backend.run(() => opened(name).addBulk(jobs));
      }
      await tx.outbox.deleteMany({ where: { id: { in: rows.map((row) => row.id) } } });
      return rows.length;
    });
  }

  /**
   * Runs a worker once it is connected, and replaces one that could not connect or lost its connection. BullMQ keeps the error of the first kind
   * permanently, and such a worker retries without a pause in which the process could do anything else, until its memory is full. One of the
   * second kind may receive no notification again, and looks for jobs only every {@link WAIT_SECONDS}, or every hour.
   */
  async function runWorker(name: QueueName, concurrency: number, processor: Processor): Promise<void> {
    while (!closing.signal.aborted) {
      const worker = backend.openWorker(name, processor, concurrency);
      const lost = new Promise<void>((resolve) => {
        worker.on('error', (err) => {
          backend.report(err, name);
          if (backend.isLost(err)) resolve();
        });
      });
      worker.on('failed', (job, err) => log.warn({ err, queue: name, jobId: job?.id }, 'job failed'));
      workers.add(worker);
      let isAway = false;
      try {
        await worker.waitUntilReady();
        // Ends when the worker is closed.
        await Promise.race([worker.run(), lost]);
      } catch (err) {
        backend.report(err as Error, name);
        isAway = true;
      }
      if (closing.signal.aborted) return;
      workers.delete(worker);
      // It is given up either way, and a rejection here would end the process.
      await closeWorker(worker, isAway).catch(() => {});
      backend.forgetWorker(worker);
      await sleep(CONNECT_AGAIN_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  return {
    async flush(db) {
      let total = 0;
      for (;;) {
        const moved = await flushOnce(db).catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'provider_unavailable') return null;
          throw error;
        });
        if (moved === null) return null;
        total += moved;
        if (moved < FLUSH_BATCH) return total;
      }
    },
    consume(name, handler, concurrency = 5) {
      void runWorker(name, concurrency, async (job) => {
        const work = handler(PAYLOADS[name].parse(job.data) as never);
        running.add(work);
        // BullMQ keeps what a job failed with until its next try, and the board shows it.
        await work
          .catch((error: unknown) => {
            throw scrubError(error);
          })
          .finally(() => running.delete(work));
      });
    },
    async schedule(schedules) {
      const queue = opened('cron');
      await backend.run(async () => {
        for (const { id, everyMs, payload } of schedules)
          await queue.upsertJobScheduler(id, { every: everyMs }, { name: 'cron', data: payload, opts: ONCE });
        // Of a chain that is no longer served, say.
        const wanted = new Set(schedules.map(({ id }) => id));
        for (const { key } of await queue.getJobSchedulers()) if (!wanted.has(key)) await queue.removeJobScheduler(key);
      });
    },
    counts: () => ofEach((queue) => queue.getJobCounts()),
    ages: (now) =>
      ofEach(async (queue) => {
        const since = await backend.oldest(queue);
        return since === null ? null : Math.max(0, now - since);
      }),
    all: () => [...queues.values()],
    async close() {
      closing.abort();
      await Promise.allSettled([...workers].map((worker) => closeWorker(worker, backend.isAway())));
      await within(CLOSE_WITHIN_MS, Promise.allSettled(running));
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      await backend.end();
    },
  };
}

/** A worker whose Redis is away would wait for it before it ends, so that one is closed at once. */
async function closeWorker(worker: Worker, isAway: boolean): Promise<void> {
  await within(CLOSE_WITHIN_MS, worker.close(isAway));
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

export function queueNames(): QueueName[] {
  return Object.keys(PAYLOADS) as QueueName[];
}

/** Handlers are idempotent over rows, so a retry is always harmless; what still fails is found again by the sweeper. */
const JOB = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 500 },
  removeOnComplete: true,
  removeOnFail: true,
} as const;

/** What comes again anyway is not tried again. */
const ONCE = { ...JOB, attempts: 1 } as const;

/** A stall is a killed worker, never a reason to give a money job up: hence the high count. */
const WORKER = {
  autorun: false,
  maxStalledCount: 20,
  lockDuration: 10_000,
  // The sweeper finds from the rows, every ten seconds, what a killed worker or a lost notification left; this only looks behind it.
  stalledInterval: 30_000,
} as const;

/** How long a queue without a connection waits before it tries to have one. */
const CONNECT_AGAIN_MS = 500;

const CLOSE_WITHIN_MS = 4_000;

type Backend = {
  openQueue(name: QueueName): Queue;
  untilOpen(queue: Queue): Promise<unknown>;
  openWorker(name: QueueName, processor: Processor, concurrency: number): Worker;
  /** Lets go of what a worker that was replaced has left behind. */
  forgetWorker(worker: Worker): void;
  /** Since when (Unix milliseconds) the oldest waiting job waits. */
  oldest(queue: Queue): Promise<number | null>;
  isAway(): boolean;
  /** Whether an error of a worker is the end of its connection, from which it does not come back by itself. */
  isLost(err: Error): boolean;
  /** Runs a call on the queues. */
  run<T>(work: () => Promise<T>): Promise<T>;
  report(err: Error, name: QueueName): void;
  end(): Promise<unknown>;
};

/** How long a worker waits for a job, which wakes it. */
const WAIT_SECONDS = 60;

/** BullMQ's own tables in the schema `bullmq` of our database. */
function postgresBackend(databaseUrl: string, log: Log): Backend {
  // BullMQ names its functions without a schema, so the pool that it is given has to look there first.
  const options = '-c search_path=bullmq';
  const connection = openPool({ connectionString: databaseUrl, options, max: 12 });
  // Every queue and every consumer listens for lost connections too; without this Node would warn of a leak at each start.
  connection.setMaxListeners(2 * queueNames().length + 2);
  connection.on('error', (err) => log.warn({ err }, 'queue connection lost'));
  const listening = new Map<Worker, (() => void)[]>();
  return {
    openQueue: (name) => new Queue(name, { connection, defaultJobOptions: JOB }, createPostgresBackend) as never,
    // The version is there when the queue has noted it, which it does after it is ready. Queues that open one after the other share a connection;
    // together, each would open its own, and PostgreSQL starts a process for each.
    async untilOpen(queue) {
      await queue.waitUntilReady();
      await queue.getVersion();
    },
    openWorker(name, processor, concurrency) {
      const before = new Set(connection.listeners('error'));
      const options = { connection, concurrency, ...WORKER, drainDelay: WAIT_SECONDS };
      const worker: Worker = new Worker(name, processor, options, createPostgresBackend) as never;
      listening.set(worker, connection.listeners('error').filter((one) => !before.has(one)) as (() => void)[]);
      return worker;
    },
    // BullMQ listens to the pool for each worker and never stops, so every worker that was replaced in an outage would stay in memory: two a second.
    forgetWorker(worker) {
      for (const listener of listening.get(worker) ?? []) connection.off('error', listener);
      listening.delete(worker);
    },
    // Read from the table, because BullMQ's own list starts with the newest job here.
    async oldest({ name }) {
      const { rows } = await connection.query<{ since: string }>(
        "select added_at_ms as since from job where queue = $1 and state = 'waiting' order by priority, seq limit 1",
        [name],
      );
      return rows[0] ? Number(rows[0].since) : null;
    },
    isAway: () => false,
    isLost: isLostConnection,
    run: (work) => work(),
    report: (err, queue) => log.warn({ err, queue }, 'queue error'),
    end: () => connection.end(),
  };
}

/** PostgreSQL ends connections with the classes 57P and 08; the socket, with its own codes; the client, in words. */
function isLostConnection(err: Error): boolean {
  const { code = '' } = err as { code?: string };
  return (
    /^(?:57P|08|ECONN|EPIPE|ETIMEDOUT)/.test(code) ||
    /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/.test(
      err.message,
    )
  );
}

/** Keys in Redis. What adds a job fails at once while Redis is away; what waits for jobs waits for Redis too. */
function redisBackend(redis: RedisSpace, log: Log): Backend {
  const { prefix, commands } = redis;
  return {
    openQueue: (name) => new Queue(name, { connection: commands, prefix, defaultJobOptions: JOB }, createRedisBackend),
    untilOpen: (queue) => queue.waitUntilReady(),
    openWorker: (name, processor, concurrency) =>
      new Worker(
        name,
        processor,
        { connection: redis.forWorkers(), prefix, concurrency, ...WORKER, drainDelay: WORKER_WAIT_SECONDS },
        createRedisBackend,
      ),
    forgetWorker() {},
    async oldest(queue) {
      const [job] = await queue.getJobs(['waiting'], 0, 0, true);
      return job?.timestamp ?? null;
    },
    isAway: () => commands.status !== 'ready',
    isLost: () => false,
    run: (work) => redis.run(work),
    report(err, queue) {
      // A lost connection is reported once, by the one that gives out connections.
      const isOutage = 'syscall' in err || commands.status !== 'ready';
      log[isOutage ? 'debug' : 'warn']({ err, queue }, 'queue error');
    },
    end: async () => {},
  };
}

/** Creates or updates the queues' tables. Run once at start, beside the migrations. */
export async function migrateQueues(databaseUrl: string, log: Log): Promise<void> {
  const queue = new Queue(
    'settle',
    {
      connection: {
        connectionString: databaseUrl,
        migrate: true,
        max: 2,
        connectionTimeoutMillis: DB_LIMITS.connect,
      },
    },
    createPostgresBackend,
  );
  queue.on('error', (err) => log.warn({ err }, 'queue error'));
  await queue.waitUntilReady();
  await queue.close();
}
