// What a look at a chain finds, whatever its family, and how a look goes: every endpoint first, then one that is well for the rest.
import type { ChainName } from '../domain/chains.ts';
import type { MicroUsd } from '../domain/money.ts';

export type EndpointProbe = {
  latencyMs: number | null;
  /** The number of its newest block; the confirmed slot on Solana. */
  head: bigint | null;
  /** Milliseconds since the newest block's own time. */
  headAgeMs: number | null;
  /** Why it is of no use now, in words without its address; null when it is well. */
  problem: string | null;
  /** Looks in a row that found it of no use. */
  failures: number;
};

/** `nonce` is null on chains without nonces. */
export type KeyProbe = { balance: bigint; nonce: number | null };

/** What the contracts of a chain say that stops or changes payments, in words for an operator. */
export type ContractsProbe = {
  /** By a name of the cause: why new payments are refused. */
  blocked: Readonly<Record<string, string>>;
  /** By role: what is announced. */
  changes: Readonly<Record<string, string>>;
  /** By address of a key of ours: why it may not act as an executor. */
  powerless: Readonly<Record<string, string>>;
};

export type ChainProbe = {
  chain: ChainName;
  /** When it was taken, Unix milliseconds. */
  at: number;
  endpoints: EndpointProbe[];
  /** By address: as it was when the chain last answered. */
  keys: ReadonlyMap<string, KeyProbe>;
  /** What a full batch of tips costs a key at present prices, in smallest units of the native asset. */
  batchCost: bigint | null;
  price: { micros: MicroUsd | null; stale: string | null; ageSeconds: number | null } | null;
  /** Null where the family has none, and while the chain does not answer. */
  contracts: ContractsProbe | null;
};

export type Seen = Omit<EndpointProbe, 'failures'>;
export type Rest = Pick<ChainProbe, 'keys' | 'batchCost' | 'price' | 'contracts'>;

/** How a family looks at its chains. `at` is one of the chain’s endpoints. */
export type Look<Endpoint> = {
  endpoints: readonly Endpoint[];
  /** @throws when it does not answer */
  see(at: Endpoint): Promise<Omit<Seen, 'latencyMs'>>;
  /** What only shows beside the others. @returns a problem or null */
  compare?(one: Seen, all: readonly Seen[]): string | null;
  rest(at: Endpoint): Promise<Rest>;
};

const SILENT = { latencyMs: null, head: null, headAgeMs: null, problem: 'does not answer' };

/** It never throws and ends within a few seconds, whatever does not answer. */
export async function lookWith<Endpoint>(
  look: Look<Endpoint>,
  previous: ChainProbe | undefined,
): Promise<Pick<ChainProbe, 'endpoints'> & Rest> {
  const seen = await Promise.all(look.endpoints.map((at) => timed(look, at)));
  const endpoints = seen.map((one, index) => {
    const problem = one.problem ?? look.compare?.(one, seen) ?? null;
    return { ...one, problem, failures: problem === null ? 0 : (previous?.endpoints[index]?.failures ?? 0) + 1 };
  });
  const well = look.endpoints[endpoints.findIndex((one) => one.problem === null)];
  const { keys = new Map(), batchCost = null } = previous ?? {};
  const unknown = { keys, batchCost, price: null, contracts: null };
  const rest = well === undefined ? unknown : await within(look.rest(well)).catch(() => unknown);
  return { endpoints, ...rest };
}

async function timed<Endpoint>({ see }: Look<Endpoint>, at: Endpoint): Promise<Seen> {
  const started = performance.now();
  try {
    const seen = await within(see(at));
    return { ...seen, latencyMs: performance.now() - started };
  } catch {
    return SILENT;
  }
}

/** The clients are more patient than a look may be. */
const ANSWER_WITHIN_MS = 3_000;

async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_WITHIN_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** A chain whose newest block is older than this many block times, or a minute, stands still. */
const STILL_AFTER_BLOCKS = 30;
const STILL_AFTER_MS = 60_000;

/** @returns that the newest block is too old, or null */
export function stillProblem(headAgeMs: number, blockTimeMs: number): string | null {
  const still = Math.max(STILL_AFTER_MS, blockTimeMs * STILL_AFTER_BLOCKS);
  return headAgeMs > still ? `its newest block is ${Math.round(headAgeMs / 1_000)} s old` : null;
}
