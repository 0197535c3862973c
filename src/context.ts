// The context: everything that a service needs from outside, built once at start and passed everywhere.
import { randomBytes } from 'node:crypto';
import { accountsOf, chainProblem, createEvmChain, type EvmChain, type PrivateKeyAccount } from './chain/evm.ts';
import { connectDb, type Db, identifyDb, migrateDb } from './db.ts';
import type { ChainName } from './domain/chains.ts';
import { AppError, StartError } from './domain/errors.ts';
import { formatId, type IdPrefix } from './domain/ids.ts';
import type { Env } from './env.ts';
import { createLog, type Log } from './log.ts';
import { createQueues, migrateQueues, type Queues } from './queues.ts';
import { openRedis, type RedisSpace } from './redis.ts';

/** The only clock: Unix milliseconds. Tests move it. */
export type Clock = { now(): number };

export type Ctx = {
  env: Env;
  log: Log;
  db: Db;
  /** Null where everything runs on PostgreSQL. */
  redis: RedisSpace | null;
  queues: Queues;
  chains: Partial<Record<ChainName, EvmChain>>;
  executors: PrivateKeyAccount[];
  clock: Clock;
  shutdown: Shutdown;
};

export type Shutdown = {
  /** Registers what is to be closed; the last registered closes first. */
  onClose(name: string, close: () => Promise<unknown> | unknown): void;
  closing(): boolean;
  close(): Promise<void>;
};

/** @throws StartError with one line for the operator */
export async function createContext(
  env: Env,
  name: string,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<Ctx> {
  const log = createLog(name, env.LOG_LEVEL);
  const shutdown = createShutdown(log);
  await migrateDb(env.DATABASE_URL);
  const redis = env.REDIS_URL ? await openRedis(env.REDIS_URL, await identifyDb(env.DATABASE_URL), log) : null;
  if (redis) shutdown.onClose('redis', () => redis.close());
  else await migrateQueues(env.DATABASE_URL, log);
  const db = connectDb(env.DATABASE_URL, { onError: (err) => log.warn({ err }, 'database connection lost') });
  shutdown.onClose('database', () => db.$disconnect());
  const queues = await createQueues(env.DATABASE_URL, redis, log);
  shutdown.onClose('queues', () => queues.close());
  const chains: Ctx['chains'] = {};
  for (const [chainName, config] of Object.entries(env.chains)) {
    if (!config) continue;
    chains[chainName as ChainName] = createEvmChain(chainName as ChainName, config);
    if (!config.local && config.rpcUrls.length < 2)
      log.warn(
        { chain: chainName },
        'one endpoint only: contract wallets are believed on its word. Name two providers',
      );
  }
  return { env, log, db, redis, queues, chains, executors: accountsOf(env.EXECUTOR_KEYS ?? []), clock, shutdown };
}

export const systemClock: Clock = { now: () => Date.now() };

/** A new time-sortable id with 80 fresh random bits. */
export function newId(ctx: Pick<Ctx, 'clock'>, prefix: IdPrefix): string {
  return formatId(prefix, ctx.clock.now(), randomBytes(10));
}

/** The chain, which configuration must have. @throws AppError when a row names a chain that this process does not serve */
export function chainOf(ctx: Ctx, name: string): EvmChain {
  const chain = ctx.chains[name as ChainName];
  if (!chain) throw new AppError('provider_unavailable', `${name} is not configured here`);
  return chain;
}

/**
 * Compares every configured chain with the registry. A chain that does not answer is logged and tried again in use;
 * one that answers wrongly ends the start.
 */
export async function verifyChains(ctx: Ctx): Promise<void> {
  for (const chain of Object.values(ctx.chains)) {
    let problem: string | null;
    try {
      problem = await chainProblem(chain);
    } catch (err) {
      ctx.log.error({ err, chain: chain.name }, `${chain.facts.label} does not answer; its tips wait until it does`);
      continue;
    }
    if (problem) throw new StartError(`Chain configuration is wrong: ${problem}.`);
  }
}

function createShutdown(log: Log): Shutdown {
  const closers: { name: string; close: () => Promise<unknown> | unknown }[] = [];
  let closing: Promise<void> | undefined;
  async function run(): Promise<void> {
    for (const { name, close } of closers.reverse()) {
      try {
        await close();
      } catch (err) {
        log.warn({ err, part: name }, 'a part did not close cleanly');
      }
    }
  }
  return {
    onClose: (name, close) => void closers.push({ name, close }),
    closing: () => closing !== undefined,
    close: () => (closing ??= run()),
  };
}
