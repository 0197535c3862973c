// The context: everything that a service needs from outside, built once at start and passed everywhere.
import { randomBytes } from 'node:crypto';
import type { Chain } from './chain/chain.ts';
import type { ChainProbe } from './chain/probe.ts';
import { endpointProblem, roleProblem, splitRoles } from './chain/routers/verify.ts';
import { accountsOf, createEvmChain, type EvmChain, type PrivateKeyAccount } from './chain/rpc/client.ts';
import { createSolanaChain, type SolanaChain, type SolanaKey, solanaKeyOf } from './chain/solana/client.ts';
import { solanaProblem } from './chain/solana/verify.ts';
import { connectDb, type Db, disconnectDb, identifyDb, migrateDb, type Tx } from './db.ts';
import type { ChainName } from './domain/chains.ts';
import { AppError, isAway, StartError } from './domain/errors.ts';
import { formatId, type IdPrefix } from './domain/ids.ts';
import type { BridgeName } from './domain/smartLeg.ts';
import { type Env, rpcVariable, secretsOf } from './env.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createQueues, migrateQueues, type QueueName, type Queues } from './queues.ts';
import { openRedis, type RedisSpace } from './redis.ts';
import { foldRepeats } from './repeats.ts';
import { createWakes, type Wakes } from './wakes.ts';

/** The only clock: Unix milliseconds. Tests move it. */
export type Clock = {
  now(): number;
  /** `this` where leases follow this clock, as in tests that move it; else they follow the database's (services/leaseTime). */
  ofLeases?: 'this';
};

export type Ctx = {
  env: Env;
  log: Log;
  db: Db;
  /** Null where everything runs on PostgreSQL. */
  redis: RedisSpace | null;
  queues: Queues;
  wakes: Wakes;
  chains: Partial<Record<ChainName, Chain>>;
  /** Configured chains that are not what the registry says, and why: this process does not serve them. */
  refused: Map<ChainName, string>;
  executors: PrivateKeyAccount[];
  /** The executors' keys on Solana. */
  solanaExecutors: SolanaKey[];
  metrics: Metrics;
  /** The last look at each chain; empty until the process looks (services/operations/probes). */
  probes: Map<ChainName, ChainProbe>;
  /** The last look at each bridge (services/operations/bridges). */
  bridgeProbes: Map<BridgeName, BridgeProbe>;
  clock: Clock;
  shutdown: Shutdown;
};

/** `problem` is null while it answers; `failures` counts looks in a row. */
export type BridgeProbe = { at: number; problem: string | null; failures: number; latencyMs: number | null };

/** For what only reads: the database, or a transaction of it. */
export type ReadCtx = Omit<Ctx, 'db'> & { db: Tx };

export type Shutdown = {
  /** Registers what is to be closed; the last registered closes first. */
  onClose(name: string, close: () => Promise<unknown> | unknown): void;
  closing(): boolean;
  /** Ends the process in order, with exit code 1, because going on would be wrong. What it says is for the operator. */
  fail(reason: string): void;
  /** What {@link fail} calls; the process sets it. */
  onFail(listener: (reason: string) => void): void;
  close(): Promise<void>;
};

/** How often the log looks whether it has a count to tell. */
const REPEATS_EVERY_MS = 5_000;

/** @throws StartError with one line for the operator */
export async function createContext(
  env: Env,
  name: string,
  { clock = systemClock, queueNames }: { clock?: Clock; queueNames?: QueueName[] } = {},
): Promise<Ctx> {
  const repeats = foldRepeats(() => clock.now());
  const log = createLog(name, env.LOG_LEVEL, secretsOf(env), undefined, repeats);
  const shutdown = createShutdown(log);
  const rounds = setInterval(repeats.round, REPEATS_EVERY_MS).unref();
  shutdown.onClose('repeated lines', () => {
    clearInterval(rounds);
    repeats.flush();
  });
  await migrateDb(env.DATABASE_URL);
  const redis = env.REDIS_URL ? await openRedis(env.REDIS_URL, await identifyDb(env.DATABASE_URL), log) : null;
  if (redis) shutdown.onClose('redis', () => redis.close());
  else if (queueNames?.length !== 0) await migrateQueues(env.DATABASE_URL, log);
  const db = connectDb(env.DATABASE_URL, { onError: (err) => log.warn({ err }, 'database connection lost') });
  shutdown.onClose('database', () => disconnectDb(db));
  const queues = await createQueues(env.DATABASE_URL, redis, log, queueNames);
  shutdown.onClose('queues', () => queues.close());
  const wakes = createWakes(env.DATABASE_URL, log);
  shutdown.onClose('wakes', () => wakes.close());
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
  if (env.solana) chains.solana = createSolanaChain('solana', env.solana);
  const executors = accountsOf(env.EXECUTOR_KEYS ?? []);
  const solanaExecutors = (env.SOLANA_EXECUTOR_KEYS ?? []).map(solanaKeyOf);
  return {
    env,
    log,
    db,
    redis,
    queues,
    wakes,
    chains,
    refused: new Map(),
    executors,
    solanaExecutors,
    metrics: createMetrics(),
    probes: new Map(),
    bridgeProbes: new Map(),
    clock,
    shutdown,
  };
}

export const systemClock: Clock = { now: () => Date.now() };

/** A new time-sortable id with 80 fresh random bits. */
export function newId(ctx: Pick<Ctx, 'clock'>, prefix: IdPrefix): string {
  return formatId(prefix, ctx.clock.now(), randomBytes(10));
}

/** The chain, which configuration must have. @throws AppError when a row names a chain that this process does not serve */
export function chainOf(ctx: Ctx, name: string): Chain {
  const chain = ctx.chains[name as ChainName];
  if (!chain) throw new AppError('provider_unavailable', `${name} is not configured here`);
  return chain;
}

/** Those of EVM alone, for the rooms that serve no other yet. */
export function evmChains({ chains }: Pick<Ctx, 'chains'>): Partial<Record<ChainName, EvmChain>> {
  const ofEvm: Partial<Record<ChainName, EvmChain>> = {};
  for (const chain of Object.values(chains)) if (chain.family === 'evm') ofEvm[chain.name] = chain;
  return ofEvm;
}

/** The same for what is made of contracts of EVM. @throws AppError `provider_unavailable` */
export function evmChainOf(ctx: Ctx, name: string): EvmChain {
  const chain = chainOf(ctx, name);
  if (chain.family !== 'evm') throw new AppError('provider_unavailable', `${name} is not a chain of EVM`);
  return chain;
}

/** How long a start waits for a chain to answer. */
const REACH_WITHIN_MS = 10_000;
const ASK_AGAIN_MS = 500;

/**
 * Compares every configured chain with the registry, with our build and with the keys of this process. A chain that is not what it should be
 * is taken out of service, with the reason in the log and in `ctx.refused`; the others go on.
 * @throws StartError when no chain is left, when no endpoint of a chain answers, or when two roles share a key
 */
export async function verifyChains(ctx: Ctx): Promise<void> {
  const chains = Object.values(ctx.chains);
  const problems = await Promise.all(chains.map((chain) => verifyChain(ctx, chain)));
  for (const [index, chain] of chains.entries()) {
    const problem = problems[index];
    if (!problem) continue;
    ctx.refused.set(chain.name, problem);
    delete ctx.chains[chain.name];
    ctx.log.error({ chain: chain.name, problem }, 'a chain is not served: it is not what it is configured to be');
  }
  if (chains.length > 0 && ctx.refused.size === chains.length) {
    throw new StartError(`Chain configuration is wrong: ${problems.join('; ')}.`);
  }
}

/** @returns why the chain cannot be served, or null */
function verifyChain(ctx: Ctx, chain: Chain): Promise<string | null> {
  return chain.family === 'evm' ? verifyEvmChain(ctx, chain) : verifySolana(ctx, chain);
}

async function verifySolana(ctx: Ctx, chain: SolanaChain): Promise<string | null> {
  const deadline = performance.now() + REACH_WITHIN_MS;
  const ours = ctx.solanaExecutors.map(({ address }) => address);
  for (;;) {
    try {
      return await solanaProblem(chain, ours);
    } catch (error) {
      if (!isAway(error)) throw error;
      if (performance.now() > deadline) throw unreachable(chain);
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }
}

function unreachable(chain: Chain): StartError {
  return new StartError(
    `${chain.facts.label} cannot be reached: none of its ${chain.endpoints.length} RPC endpoint(s) answers. Check ${rpcVariable(chain.name)} or rpcUrls in CHAINS_FILE, or take ${chain.name} out of CHAINS_FILE.`,
  );
}

async function verifyEvmChain(ctx: Ctx, chain: EvmChain): Promise<string | null> {
  const deadline = performance.now() + REACH_WITHIN_MS;
  let { silent, problem } = await askEndpoints(chain);
  while (!problem && silent.length === chain.endpoints.length) {
    if (performance.now() > deadline) throw unreachable(chain);
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    ({ silent, problem } = await askEndpoints(chain));
  }
  if (problem) return problem;
  for (const endpoint of silent) {
    ctx.log.warn({ chain: chain.name, endpoint }, 'an RPC endpoint does not answer; the others are used');
  }
  const addresses = ctx.executors.map((account) => account.address);
  const shared = await roleProblem(chain, addresses);
  if (shared) throw new StartError(`Chain configuration is wrong: ${shared}.`);
  for (const difference of await splitRoles(chain))
    ctx.log.warn({ chain: chain.name, difference }, 'the routers of a chain do not agree about a role');
  return null;
}

/** The numbers of the endpoints that do not answer, and what the first one that answers wrongly shows. */
async function askEndpoints(chain: EvmChain): Promise<{ silent: number[]; problem: string | null }> {
  const answers = await Promise.allSettled(chain.endpoints.map((client) => endpointProblem(chain, client)));
  const problems = answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []));
  const silent = answers.flatMap((answer, index) => (answer.status === 'rejected' ? [index] : []));
  return { silent, problem: problems[0] ?? null };
}

function createShutdown(log: Log): Shutdown {
  const closers: { name: string; close: () => Promise<unknown> | unknown }[] = [];
  let closing: Promise<void> | undefined;
  let failListener: (reason: string) => void = () => {};
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
    fail: (reason) => failListener(reason),
    onFail: (listener) => {
      failListener = listener;
    },
    close: () => (closing ??= run()),
  };
}
