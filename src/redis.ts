// Redis, which deployments may have: the one place that opens connections to it. Every command is bounded, an outage is logged once,
// and no error carries the URL or its password.
import { createHash } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { AppError, StartError } from './domain/errors.ts';
import type { Log } from './log.ts';

const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 3_000;
/** How long a worker waits for jobs inside a command; silence of twice as long is a dead connection. */
export const WORKER_WAIT_SECONDS = 10;
const WORKER_SILENCE_MS = 2_000 * WORKER_WAIT_SECONDS;
const LONGEST_PAUSE_MS = 1_000;
const OLDEST = [6, 2] as const;

export type RedisSpace = {
  /** What each of our keys begins with: it differs between databases, so that deployments may share a Redis. */
  prefix: string;
  /** Fails at once while Redis is away, instead of keeping commands for later. */
  commands: Redis;
  /** A connection that waits for Redis as long as it takes, for BullMQ to copy. Opened when it is first asked for. */
  forWorkers(): Redis;
  /** Uses `commands`. @throws AppError `provider_unavailable` when Redis is away, is slow or refuses */
  run<T>(work: (commands: Redis) => Promise<T>): Promise<T>;
  /** Runs a Lua script over keys of ours, which are named without the prefix. @throws AppError as `run` does */
  evaluate(script: string, keys: string[], args: (string | number)[]): Promise<unknown>;
  close(): Promise<void>;
};

/**
 * Connects, and checks that this Redis can be trusted with work.
 * @param identity what tells this deployment's database from every other one
 * @throws StartError when it is away, refuses the password, is too old, or may evict keys
 */
export async function openRedis(url: string, identity: string, log: Log): Promise<RedisSpace> {
  const prefix = `ampersat:${createHash('sha256').update(identity).digest('hex').slice(0, 12)}`;
  const outage = trackOutage(log);
  let started = false;
  const commands = new Redis(url, {
    ...COMMON,
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS + 1_000,
    // The first connection is tried once: a start that cannot work says so.
    retryStrategy: (times) => (started ? pauseMs(times) : null),
  });
  await connectOnce(commands);
  started = true;
  commands.on('error', (err: Error) => outage.begin(err));
  commands.on('close', () => outage.begin(new Error('the connection was lost')));
  commands.on('ready', () => outage.end());
  let workers: Redis | undefined;

  let refusing = false;
  async function run<T>(work: (commands: Redis) => Promise<T>): Promise<T> {
    try {
      const result = await work(commands);
      refusing = false;
      return result;
    } catch (cause) {
      // Connected and yet no result: memory is full, say. That is logged once too.
      if (commands.status === 'ready' && !refusing) {
        refusing = true;
        log.warn({ err: cause }, 'Redis refused a command; it is tried again');
      }
      throw new AppError('provider_unavailable', 'Redis does not answer', { cause });
    }
  }

  return {
    prefix,
    commands,
    forWorkers() {
      if (!workers) {
        workers = new Redis(url, { ...COMMON, maxRetriesPerRequest: null, socketTimeout: WORKER_SILENCE_MS });
        workers.on('error', () => {});
      }
      return workers;
    },
    run,
    evaluate: (script, keys, args) =>
      run((one) => one.eval(script, keys.length, ...keys.map((key) => `${prefix}:${key}`), ...args)),
    async close() {
      outage.close();
      workers?.disconnect();
      commands.disconnect();
    },
  };
}

const pauseMs = (times: number) => Math.min(50 * 2 ** Math.min(times, 6), LONGEST_PAUSE_MS);

const COMMON = {
  connectTimeout: CONNECT_WITHIN_MS,
  keepAlive: 10_000,
  retryStrategy: pauseMs,
} satisfies RedisOptions;

/** Connects, or says in one line why not. */
async function connectOnce(redis: Redis): Promise<void> {
  let reason: unknown;
  const note = (error: unknown) => {
    reason ??= error;
  };
  redis.on('error', note);
  const late = setTimeout(() => redis.disconnect(), CONNECT_WITHIN_MS);
  try {
    await redis.connect();
    const problem = problemOf(await redis.info());
    if (problem) throw new StartError(problem);
  } catch (error) {
    redis.disconnect();
    if (error instanceof StartError) throw error;
    throw new StartError(
      `Redis of REDIS_URL cannot be used (${reasonOf(reason ?? error)}). Start it, or correct REDIS_URL.`,
      { cause: error },
    );
  } finally {
    clearTimeout(late);
    redis.off('error', note);
  }
}

/** A word for the operator: the system's code, or the first word of what Redis answered. */
function reasonOf(error: unknown): string {
  const { code, message = '' } = error as { code?: string; message?: string };
  return code ?? /^[A-Z]{4,}\b/.exec(message)?.[0] ?? 'no answer';
}

/** What is wrong with a Redis that describes itself in `info`: an eviction would forget who used which limit. */
function problemOf(info: string): string | null {
  const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim();
  const [major = 0, minor = 0] = (field('redis_version') ?? '').split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    return `Redis of REDIS_URL is version ${major}.${minor}; ${OLDEST.join('.')} or newer is needed.`;
  const policy = field('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    return `Redis of REDIS_URL may evict keys (maxmemory-policy ${policy}), so limits could be forgotten. Set maxmemory-policy to noeviction.`;
  return null;
}

/** One line when Redis goes away, one when it is back, whatever number of attempts lies between. */
function trackOutage(log: Log) {
  let state: 'up' | 'away' | 'closed' = 'up';
  // Each outage is a line of its own, however soon it follows the last one.
  let outage = 0;
  return {
    begin(err: Error) {
      if (state !== 'up') return;
      state = 'away';
      outage += 1;
      log.warn({ err, outage }, 'Redis does not answer; work waits until it does');
    },
    end() {
      if (state !== 'away') return;
      state = 'up';
      log.info('Redis answers again');
    },
    close() {
      state = 'closed';
    },
  };
}
