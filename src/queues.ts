// The queues: one table of names and payloads, the outbox that fills them, and the one place that picks their backend.
// Rows are the truth; a job only says "look at this row now", so losing every queue loses nothing.
import { createPostgresBackend, Queue, Worker } from 'bullmq';
import pg from 'pg';
import { z } from 'zod';
import type { Db, Tx } from './db.ts';
import { CHAIN_NAMES } from './domain/chains.ts';
import type { Log } from './log.ts';

/** Every queue and the payload that its jobs carry. */
const PAYLOADS = {
  intents: z.strictObject({ intentId: z.string() }),
  settle: z.strictObject({ chain: z.enum(CHAIN_NAMES) }),
  pauses: z.strictObject({ handleId: z.string() }),
  replies: z.strictObject({ replyId: z.string() }),
};

export type QueueName = keyof typeof PAYLOADS;
export type Payload<Name extends QueueName> = z.infer<(typeof PAYLOADS)[Name]>;
type Handler<Name extends QueueName> = (payload: Payload<Name>) => Promise<void>;

export type Queues = {
  /** Moves what the outbox holds into the queues. Called after a commit, and by the sweeper for what a crash left behind. */
  flush(db: Db): Promise<number>;
  consume<Name extends QueueName>(name: Name, handler: Handler<Name>, concurrency?: number): void;
  counts(): Promise<Record<QueueName, Record<string, number>>>;
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

type OutboxRow = { id: bigint; queue: QueueName; job_id: string; payload: Record<string, unknown> };

/** A crash between `addBulk` and the commit repeats the rows; job ids make the repeat harmless. */
const FLUSH_BATCH = 200;

export async function createQueues(databaseUrl: string, log: Log, names: QueueName[] = queueNames()): Promise<Queues> {
  const { connection, backend, end } = await openBackend(databaseUrl, log);
  const queues = new Map(names.map((name) => [name, new Queue(name, { connection, defaultJobOptions: JOB }, backend)]));
  for (const [name, queue] of queues) queue.on('error', (err) => log.warn({ err, queue: name }, 'queue error'));
  await Promise.all([...queues.values()].map((queue) => queue.waitUntilReady()));
  const workers: { close(): Promise<void> }[] = [];
  const opened = (name: QueueName) => {
    const queue = queues.get(name);
    if (!queue) throw new Error(`this process did not open the queue ${name}`);
    return queue;
  };

  async function flushOnce(db: Db): Promise<number> {
    return db.$transaction(async (tx) => {
      const rows = await tx.$queryRaw<OutboxRow[]>`
        select id, queue, job_id, payload from outbox order by id limit ${FLUSH_BATCH} for update skip locked`;
      if (rows.length === 0) return 0;
      for (const name of new Set(rows.map((row) => row.queue))) {
        const group = rows.filter((row) => row.queue === name);
        await opened(name).addBulk(group.map((row) => ({ name, data: row.payload, opts: { jobId: row.job_id } })));
      }
      await tx.outbox.deleteMany({ where: { id: { in: rows.map((row) => row.id) } } });
      return rows.length;
    });
  }

  return {
    async flush(db) {
      let total = 0;
      for (;;) {
        const moved = await flushOnce(db);
        total += moved;
        if (moved < FLUSH_BATCH) return total;
      }
    },
    consume(name, handler, concurrency = 5) {
      const worker = new Worker(
        name,
        async (job) => handler(PAYLOADS[name].parse(job.data) as never),
        { connection, concurrency, ...WORKER },
        backend,
      );
      worker.on('error', (err) => log.warn({ err, queue: name }, 'worker error'));
      worker.on('failed', (job, err) => log.warn({ err, queue: name, jobId: job?.id }, 'job failed'));
      workers.push(worker);
    },
    async counts() {
      const entries = [...queues].map(async ([name, queue]) => [name, await queue.getJobCounts()] as const);
      return Object.fromEntries(await Promise.all(entries)) as Record<QueueName, Record<string, number>>;
    },
    async close() {
      await Promise.allSettled(workers.map((worker) => worker.close()));
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      await end();
    },
  };
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

/** A stall is a killed worker, never a reason to give a money job up: hence the high count. */
const WORKER = { maxStalledCount: 20, lockDuration: 10_000, stalledInterval: 5_000, drainDelay: 2 } as const;

/** The backend of all queues: BullMQ's own tables in the schema `bullmq` of our database. */
async function openBackend(databaseUrl: string, log: Log) {
  // BullMQ names its functions without a schema, so the pool that it is given has to look there first.
  const options = '-c search_path=bullmq';
  const pool = new pg.Pool({ connectionString: databaseUrl, options, max: 12, connectionTimeoutMillis: 5_000 });
  pool.on('error', (err) => log.warn({ err }, 'queue connection lost'));
  return { connection: pool, backend: createPostgresBackend, end: () => pool.end() };
}

/** Creates or updates the queues' tables. Run once at start, beside the migrations. */
export async function migrateQueues(databaseUrl: string, log: Log): Promise<void> {
  const queue = new Queue(
    'settle',
    { connection: { connectionString: databaseUrl, migrate: true, max: 2 } },
    createPostgresBackend,
  );
  queue.on('error', (err) => log.warn({ err }, 'queue error'));
  await queue.waitUntilReady();
  await queue.close();
}
